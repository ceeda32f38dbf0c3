import { mean } from '../../../stats/sums.js'
import type { ScoreStatistics } from './propensity-statistics.js'

/**
 * What scores tell of two files that one synthesizer made, told from each other: both vary, where of original and release only the
 * release does. With equally large files the expected pMSE of a correct release is 8 c² (1 - c)² of the mean over pairs, one half
 * for c = 1/2, and that of what goes with the root of pMSE (SPECKS, balanced accuracy, AUC - 1/2) the root of it (Raab, Nowok and
 * Dibben 2021). Ratios to these are about 1 for a release drawn from a correct model.
 */
export type PairRatios = ReturnType<typeof pairRatios>

/** @param c the share of released records */
export function pairRatios(statistics: ScoreStatistics, between: readonly ScoreStatistics[], c: number) {
  const average = (of: (one: ScoreStatistics) => number) => mean(between.map(of)) ?? 0
  const ratio = (value: number, to: number) => (to > 0 ? value / to : null)
  const square = 8 * (c * (1 - c)) ** 2
  const root = Math.sqrt(square)
  const specks = average((one) => one.specks)
  const twice = (value: number, to: number) => ratio(2 * value, to)
  return {
    count: between.length,
    pmse: ratio(statistics.pmse, square * average(({ pmse }) => pmse)),
    specks: ratio(statistics.specks, root * specks),
    balanced: ratio(statistics.balanced, root * average(({ balanced }) => balanced)),
    auc: ratio(statistics.auc - 0.5, root * average(({ auc }) => auc - 0.5)),
    /** As utility.gen: twice the ratio to the mean over pairs, of PO50 to that of SPECKS. */
    synthpop: {
      S_pMSE: twice(
        statistics.pmse,
        average(({ pmse }) => pmse),
      ),
      S_SPECKS: twice(statistics.specks, specks),
      S_PO50: twice(statistics.po50, specks),
      S_U: twice(
        statistics.u,
        average(({ u }) => u),
      ),
    },
  }
}

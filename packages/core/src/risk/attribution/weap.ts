import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { measure, type Subject } from '../../measure.js'
import { count, fixed, percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { median, quantiles } from '../../stats/quantile.js'
import { standardDeviation, total } from '../../stats/sums.js'
import { countWhere } from '../frequency/counts/frequencies.js'
import { ATTRIBUTE, type Attack, attackOn, preparationOptions } from './counts/attack.js'
import { type Cells, homogeneousInRelease } from './counts/cells.js'
import { chanceOfWeap } from './figures/chance.js'

/**
 * Within-equivalence-class attribution probability (Taub et al. 2018): the share of a record's target value among the
 * records of the same file that have its keys,
 *   WEAP_j = s_{t_j q_j} / s_{q_j}
 * Its mean is synthpop's CAPs; records with WEAP 1 lie in classes that show one value. It needs the released file alone,
 * so the same figure for the original stands beside it.
 * Small classes and few target values make it large without anybody's doing: a class of one has WEAP 1. The exact chance
 * level says what the same keys and the same target margin would give with targets dealt out at random. Blind to whether
 * what the classes show is true of anybody; that is DiSCO.
 */
const options = z.object(preparationOptions)

export const RISKUTILITY_WARNS_ABOVE = 0.1

export const weap = measure({
  ...ATTRIBUTE,
  id: 'weap',
  title: 'Within-class attribution probability (WEAP)',
  summary: 'how uniform the target is among records with the same keys, in one file',
  role: 'structure',
  scope: 'file',
  blindTo: 'whether what the classes show is true of anybody',
  isOfCounts: () => true,
  options,
  compute: (subject: Subject, chosen: z.output<typeof options>) =>
    weapFinding(attackOn(subject, chosen, undefined, subject.part)),
  citations: ['taub2018'],
  records: {
    weap: { riskier: 'higher', meaning: 'share of the records with the same key that have the same target' },
    classSize: { riskier: 'lower', meaning: 'records of the file with the same key' },
  },
  literature: [
    { value: 0.05, meaning: 'share of records with WEAP 1 up to which a report passes', source: 'riskutility' },
    {
      value: RISKUTILITY_WARNS_ABOVE,
      meaning: 'share of records with WEAP 1 above which it warns',
      source: 'riskutility',
    },
  ],
  sentence: ({ details: { mean, chance, disclosiveShare } }) =>
    `mean WEAP ${fixed(mean, 3)} (chance ${fixed(chance.mean, 3)}); ${percent(disclosiveShare)} of records lie in classes with one target value (chance ${percent(chance.disclosiveShare)})`,
  charts: ({ details }, { name, original }) => [
    histogramChart(
      { name: 'scores', title: `WEAP per record: ${name}`, x: 'WEAP', y: 'records' },
      details.scoreHistogram,
      [
        { value: details.mean, label: 'mean' },
        { value: details.chance.mean, label: 'chance' },
      ],
    ),
    histogramChart(
      { name: 'class-sizes', title: `Sizes of key classes: ${name}`, x: 'records in the class', y: 'classes' },
      details.sizeHistogram,
    ),
    barChart(
      { name: 'disclosive', title: `Records whose class shows one value: ${name}`, x: '', y: 'share of records' },
      [
        { label: 'one value', value: original?.details.disclosiveShare, series: 'original' },
        { label: 'one value', value: details.disclosiveShare },
        { label: 'by chance', value: details.chance.disclosiveShare },
        { label: 'several values', value: 1 - details.disclosiveShare },
      ],
    ),
  ],
})

export function weapFinding({ cells, dropped, ...attack }: Attack) {
  const scoreOf = Float64Array.from(cells.s, (s, cell) => s / cells.sClass[cells.classOf[cell]])
  const scores = Float64Array.from(cells.cellOfReleased, (cell) => scoreOf[cell])
  const mean = scoreOf.reduce((sum, score, cell) => sum + cells.s[cell] * score, 0) / cells.ns
  const times = cells.timesOfReleased
  const [min, q25, q50, q75, max] = quantiles(scores, [0, 0.25, 0.5, 0.75, 1], times) ?? []
  const disclosive = countWhere(scores, (score) => score === 1, times)
  const disclosiveShare = disclosive / cells.ns
  const chance = chanceOfWeap(cells)
  return {
    value: mean,
    interval: null,
    controls: { nothing: { value: chance.mean, se: null, what: 'targets of the file dealt out at random' } },
    details: {
      records: cells.ns,
      mean,
      median: q50,
      sd: standardDeviation(scores, times),
      quantiles: { min, q25, q75, max },
      /** Records with WEAP 1. */
      disclosive,
      disclosiveShare,
      /** What chance gives, and how far the file is above it: (v - e) / (1 - e), null where chance is certainty. */
      chance: {
        mean: chance.mean,
        disclosiveShare: chance.disclosive,
        excess: mean - chance.mean,
        disclosiveExcess: disclosiveShare - chance.disclosive,
        normalisedExcess: chance.mean < 1 ? (mean - chance.mean) / (1 - chance.mean) : null,
      },
      ...classFigures(cells),
      scoreHistogram: histogram(scores, BINS, 0, 1, times),
      dropped: dropped.original,
      targetGrouping: cells.target.grouping,
    },
    warnings: [
      ...attack.warnings,
      ...(dropped.original > 0 ? [`${count(dropped.original, 'record')} with a missing key or target left out`] : []),
    ],
    records: () => ({
      weap: attack.toRows(scores),
      classSize: attack.toRows(cells.cellOfReleased.map((cell) => cells.sClass[cells.classOf[cell]])),
    }),
  }
}

const BINS = 20

function classFigures(cells: Cells) {
  const sizes = Float64Array.from(cells.sClass.filter((size) => size > 0))
  const largest = sizes.reduce((a, b) => Math.max(a, b), 0)
  return {
    classes: {
      count: sizes.length,
      disclosive: total(homogeneousInRelease(cells)),
      singletons: sizes.filter((size) => size === 1).length,
      meanSize: cells.ns / sizes.length,
      medianSize: median(sizes) ?? 0,
      smallest: sizes.reduce((a, b) => Math.min(a, b), largest),
      largest,
    },
    sizeHistogram: histogram(sizes, Math.min(BINS, largest), 0, largest),
  }
}

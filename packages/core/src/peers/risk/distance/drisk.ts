import type { Subject } from '../../../measure.js'
import { real } from '../../../option-kinds.js'
import { percent } from '../../../print.js'
import { drisk as measured, numericNames, type Options } from '../../../risk/distance/drisk.js'
import { wilson } from '../../../stats/intervals.js'
import { standardDeviation } from '../../../stats/sums.js'
import { tableOfPart } from '../../../table/classes.js'
import { numbersOf } from '../../../table/column.js'
import { columnOf } from '../../../table/table.js'
import { RISKUTILITY, withDefinitions } from '../../definition.js'
import { adding, withFigures } from '../../figures.js'

const options = {
  k: real(0.05, { above: 0 }).describe(
    'sdcmicro: half the width of the intervals, in standard deviations of the released column',
  ),
}

const PASSES_UP_TO = 0.1

/** The larger of both shares must not exceed 10 %. */
const own = withFigures(measured, {
  by: RISKUTILITY,
  literature: [
    { value: PASSES_UP_TO, meaning: 'share up to which interval and RMD pass, uncalibrated', source: 'riskutility' },
    { value: 0.05, meaning: 'interval share below which the report passes, uncalibrated', source: 'riskutility' },
  ],
  compute: adding(measured.compute, ({ details }) => {
    const score = Math.max(details.box.original, details.rmd?.belowThreshold ?? 0)
    return { ...details, riskutility: { score, pass: score <= PASSES_UP_TO } }
  }),
})

/**
 * sdcMicro 5.8.2, dRisk: row i of the release belongs to row i of the original, and is unsafe when all numbers of the original
 * are within k standard deviations of its own. A missing number is within. Whether others are nearer is not asked.
 */
export const drisk = withDefinitions(
  own,
  {
    sdcmicro: {
      software: 'sdcMicro',
      version: '5.8.2',
      differs:
        'own record within k standard deviations in all numeric keys (numbers, where there are none), row by row',
      needsWith: () => ['paired rows'],
      compute: ownRecordWithin,
      sentence: ({ value, details: { k } }) =>
        `the released numbers of ${percent(value ?? 0)} of people are within ${k} standard deviations of their own`,
      charts: () => [],
    },
  },
  { options },
)

function ownRecordWithin({ release, part }: Subject, { variables, k }: Options & { readonly k: number }) {
  const { original, numericKeys } = release
  const columns = numericNames(release, variables ?? (numericKeys.length > 0 ? numericKeys : null))
  const [before, after] = [original, tableOfPart(release, part)].map((table) =>
    columns.map((name) => numbersOf(columnOf(table, name))),
  )
  const widths = after.map((values) => k * (standardDeviation(values.filter((value) => !Number.isNaN(value))) ?? 0))
  const atRisk = Float64Array.from({ length: original.rows }, (_, row) =>
    columns.some((_, v) => Math.abs(before[v][row] - after[v][row]) > widths[v]) ? 0 : 1,
  )
  const unsafe = atRisk.filter((one) => one === 1).length
  return {
    value: unsafe / original.rows,
    interval: wilson(unsafe, original.rows),
    notAssessed: { code: 'no-fair-control' as const },
    details: { columns, k, widths },
    warnings: [],
    records: () => ({ atRisk }),
  }
}

import { histogramChart } from '../../chart/chart.js'
import { distanceChart } from '../../chart/comparison.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { tInterval } from '../../stats/intervals.js'
import { mean } from '../../stats/sums.js'
import { codeJointly } from '../../table/joint.js'
import { columnOf } from '../../table/table.js'
import type { Pair } from '../pair.js'
import { plainOptions, utilityMeasure } from '../utility-measure.js'

/**
 * What perturbation did to each record: row i of the release against row i of the original, by Gower's (1971) distance, the mean
 * over columns of |x - y| / range for numbers and of 0 or 1 for categories. The headline is the mean over records. The range is
 * that of both files together; missing and missing are the same, missing and known differ by 1. Has no meaning where rows do
 * not correspond. Blind to relations: swapping values between records is as bad as any other change.
 */
export const gower = utilityMeasure({
  id: 'gower',
  title: 'Gower distance of paired records',
  summary: 'how far perturbation moved each record from itself, on average',
  orientation: 'distance',
  nothing: 'independent',
  needs: ['paired rows'],
  varies: ['people'],
  unit: 'distance',
  blindTo: 'whether relations between columns survived',
  options: plainOptions,
  // A sample of the original has no rows that correspond to others.
  statistic: (pair) => (pair.drawn === null ? mean(lossesOf(pair).records) : null),
  compute: (pair) => {
    const { records, columns } = lossesOf(pair)
    const details = {
      columns,
      /** Share of records that were not changed at all. */
      unchanged: records.filter((loss) => loss === 0).length / records.length,
      losses: histogram(records, 20, 0, 1),
    }
    return {
      value: mean(records),
      interval: tInterval(records),
      details,
      records: () => ({ loss: records }),
    }
  },
  records: {
    loss: { riskier: null, meaning: 'Gower distance between the record and what was made of it' },
  },
  sentence: ({ value, details: { unchanged } }) =>
    `records moved by ${percent(value ?? 0)} of the largest possible change on average; ${percent(unchanged, 0)} were not changed`,
  tables: ({ details: { columns } }) => [
    findingTable('columns', 'Mean loss by column', columns, [
      [column.text('column'), ({ name }) => name],
      [column.share('loss'), ({ value }) => value],
    ]),
  ],
  charts: ({ details: { columns, losses } }, { name }) => [
    distanceChart(
      { name: 'columns', title: `Mean change of each column: ${name}`, x: 'share of its range, or of its records' },
      [...columns].sort((a, b) => b.value - a.value).map((column) => ({ label: column.name, value: column.value })),
    ),
    histogramChart(
      {
        name: 'losses',
        title: `Change of records: ${name}`,
        x: 'Gower distance from the original record',
        y: 'records',
      },
      losses,
    ),
  ],
})

function lossesOf({ original, released, variables }: Pair) {
  if (original.rows !== released.rows)
    throw new NotApplicable(`rows correspond, but the original has ${original.rows} and the release ${released.rows}`)
  const n = original.rows
  const records = new Float64Array(n)
  const columns = variables.map((name) => {
    const { codes, kind, numbers } = codeJointly([columnOf(original, name), columnOf(released, name)])
    const range = kind === 'categorical' ? 1 : numbers[numbers.length - 1] - numbers[0] || 1
    let total = 0
    for (let row = 0; row < n; row++) {
      const [a, b] = [codes[row], codes[n + row]]
      let loss = 0
      if (a !== b) loss = kind === 'categorical' || a < 0 || b < 0 ? 1 : Math.abs(numbers[a] - numbers[b]) / range
      records[row] += loss / variables.length
      total += loss
    }
    return { name, value: total / n }
  })
  return { records, columns }
}

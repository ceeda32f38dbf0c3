import { UserError } from '../../errors.js'
import { meanRanks } from '../../stats/samples/ranks.js'
import { momentsOf, sampleQuantile } from '../../stats/samples/summaries.js'
import { type Sample, sampleOf } from '../../stats/samples/two-samples.js'
import { sum } from '../../stats/sums.js'
import { columnOf, type Table } from '../../table/table.js'
import type { Cell, CorrelationOutput, Output, SummaryOutput, TableOutput } from '../description/description.js'
import { type OutputValue, outputValue, type Recomputed } from '../description/value.js'
import { type CrossedCell, printedCells } from './crossed.js'
import { numbersAt, recordsOf, weightsOf } from './records.js'
import { recomputeRegression } from './regression.js'

/**
 * The numbers of an output on some records: all of the data, a fold, or a synthetic set. The table is one of `requestTable`, or has the same
 * columns and levels. Records with a missing value in a variable of the output are left out of it, as R and Stata do.
 */
export function recompute(output: Output, data: Table): readonly OutputValue[] {
  return recomputed(output, data).values
}

/** The same with what could not be computed, and why. */
export function recomputed(output: Output, data: Table): Recomputed {
  switch (output.kind) {
    case 'regression':
      return recomputeRegression(output, data)
    case 'table':
      return recomputeTable(output, data)
    case 'summary':
      return recomputeSummary(output, data)
    case 'correlation':
      return recomputeCorrelation(output, data)
  }
}

function recomputeTable(output: TableOutput, data: Table): Recomputed {
  const { statistic } = output
  if (output.var === undefined && statistic !== 'count' && statistic !== 'percentage')
    throw new UserError(`output "${output.id}": a table of the ${statistic} needs "var", the variable it is of`)
  requireNumbers(output, data, output.var === undefined ? [] : [output.var])
  const { rows, all, cells } = printedCells(output, data)
  const statistics = cells.map((one) => ({ element: one.element, ...cellStatistic(output, data, one, all) }))
  return gathered(output, statistics, statistic, rows.length)
}

/** A number with its standard error, or nothing with the reason. */
type Found = { readonly value: number; readonly error: number | null } | { readonly reason: string }

function cellStatistic(
  output: TableOutput,
  data: Table,
  { cell, rows }: CrossedCell,
  all: readonly CrossedCell[],
): Found {
  const size = (members: Int32Array) => {
    const weights = weightsOf(output, data, members)
    return weights === null ? members.length : sum(weights)
  }
  const base = output.rounding?.base
  if (output.statistic === 'count') {
    const value = size(rows)
    return { value: base === undefined ? value : Math.round(value / base) * base, error: Math.sqrt(value + 1) }
  }
  if (output.statistic === 'percentage') {
    const within = output.within.filter((name) => cell[name] !== undefined)
    const whole = all
      .filter((one) => sameVariables(one.cell, cell) && within.every((name) => one.cell[name] === cell[name]))
      .reduce((total, one) => total + size(one.rows), 0)
    if (whole === 0) return { reason: 'it is a share of no records' }
    const share = size(rows) / whole
    return { value: 100 * share, error: 100 * Math.sqrt((share * (1 - share) + 1 / whole) / whole) }
  }
  return numberStatistic(output.statistic, sampleAt(output, data, output.var ?? '', rows))
}

function sameVariables(a: Cell, b: Cell): boolean {
  const names = Object.keys(a)
  return names.length === Object.keys(b).length && names.every((name) => b[name] !== undefined)
}

function recomputeSummary(output: SummaryOutput, data: Table): Recomputed {
  requireNumbers(output, data, [output.var])
  const { rows, cells } = printedCells(output, data)
  const groups = cells.map(({ element, rows: members }) => {
    const sample = sampleAt(output, data, output.var, members)
    return output.statistics.map((statistic) =>
      gathered(output, [{ element, ...numberStatistic(statistic, sample) }], statistic, rows.length),
    )
  })
  const byStatistic = output.statistics.map((_, k) => groups.map((group) => group[k]))
  return {
    values: groups.flat().flatMap(({ values }) => values),
    dropped: byStatistic.flat().flatMap(({ dropped }) => dropped),
    flags: [],
    records: rows.length,
    degreesOfFreedom: null,
  }
}

export const QUANTILES: Readonly<Record<string, number | undefined>> = {
  p1: 0.01,
  p5: 0.05,
  p10: 0.1,
  q1: 0.25,
  median: 0.5,
  q3: 0.75,
  p90: 0.9,
  p95: 0.95,
  p99: 0.99,
}

function numberStatistic(statistic: string, sample: Sample): Found {
  const { values, total } = sample
  if (statistic === 'n') return { value: values.length, error: Math.sqrt(values.length + 1) }
  const moments = momentsOf(sample)
  if (moments === null) return { reason: 'no record is in it' }
  const { mean, sd, se, n } = moments
  const probability = QUANTILES[statistic]
  if (probability !== undefined) return { value: sampleQuantile(sample, probability), error: null }
  switch (statistic) {
    case 'mean':
      return { value: mean, error: se }
    case 'sum':
      return { value: mean * total, error: se === null ? null : se * total }
    case 'min':
      return { value: values[0], error: null }
    case 'max':
      return { value: values[n - 1], error: null }
  }
  if (sd === null) return { reason: 'one record has no spread' }
  const error = sd / Math.sqrt(2 * (n - 1))
  return statistic === 'sd' ? { value: sd, error } : { value: sd * sd, error: 2 * sd * error }
}

function recomputeCorrelation(output: CorrelationOutput, data: Table): Recomputed {
  requireNumbers(output, data, output.vars)
  const rows = recordsOf(output, data, output.vars)
  const weights = weightsOf(output, data, rows)
  const columns = output.vars.map((name) => {
    const values = numbersAt(data, name, rows)
    return output.method === 'spearman' ? meanRanks(values) : values
  })
  const pairs = output.vars.flatMap((a, i) =>
    output.vars.slice(i + 1).map((b, j) => {
      const r = correlation(columns[i], columns[i + 1 + j], weights)
      const result: Found =
        r === null
          ? { reason: 'one of the two is the same in all records' }
          : { value: r, error: (1 - r * r) / Math.sqrt(rows.length) }
      return { element: `${a}, ${b}`, ...result }
    }),
  )
  return { ...gathered(output, pairs, output.method, rows.length), degreesOfFreedom: rows.length - 2 }
}

/** Pearson's correlation, weighted; null where one side does not vary. */
function correlation(x: Float64Array, y: Float64Array, weights: Float64Array | null): number | null {
  if (x.length < 2) return null
  const weight = (i: number) => weights?.[i] ?? 1
  const total = weights === null ? x.length : sum(weights)
  const [a, b] = [x, y].map((values) => sum(values.map((value, i) => value * weight(i))) / total)
  const product = sum(x.map((value, i) => weight(i) * (value - a) * (y[i] - b)))
  const [aa, bb] = [
    sum(x.map((value, i) => weight(i) * (value - a) ** 2)),
    sum(y.map((value, i) => weight(i) * (value - b) ** 2)),
  ]
  return aa > 0 && bb > 0 ? product / Math.sqrt(aa * bb) : null
}

function sampleAt(output: Output, data: Table, name: string, rows: Int32Array): Sample {
  return sampleOf(numbersAt(data, name, rows), weightsOf(output, data, rows))
}

function gathered(
  output: Output,
  parts: readonly ({ readonly element: string } & Found)[],
  statistic: string,
  records: number,
): Recomputed {
  return {
    values: parts.flatMap((one) =>
      'value' in one ? [outputValue(output, one.element, statistic, one.value, one.error)] : [],
    ),
    dropped: parts.flatMap((one) => ('reason' in one ? [{ element: one.element, reason: one.reason }] : [])),
    flags: [],
    records,
    degreesOfFreedom: null,
  }
}

function requireNumbers(output: Output, data: Table, names: readonly string[]): void {
  for (const name of names) {
    const column = columnOf(data, name)
    if (column.kind === 'categorical' && column.levels.some((level) => Number.isNaN(Number(level))))
      throw new UserError(`output "${output.id}": "${name}" is a category, not a number`)
  }
}

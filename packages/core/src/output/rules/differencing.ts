import { math } from '@scrim/kernels'
import { columnOf, completeRows, type Table } from '../../table/table.js'
import { cellName, decimalsOf, type Output } from '../description/description.js'
import { labelled } from '../description/variables.js'
import { crossed, subsets } from '../numbers/crossed.js'
import { filteredRows } from '../numbers/records.js'
import type { Appetite } from './appetite.js'
import { below, type Finding, people, smallStatus } from './finding.js'

/**
 * Outputs about nearly the same records. Where the records of one are a part of those of another, the difference of the two is an
 * output about the rest: it must be as large as any other cell, in every cell that both print (or that follows from what
 * they print). And where two variables group the same records with nearly the same limits (0-19 and 0-20), a level of one less those levels
 * of the other that lie inside it is about the few in between.
 *
 * Where both tell counts this is arithmetic; where only their recipe is the same (two means, two models) a person has to check.
 *
 * Blind spots: three outputs that are safe two by two; what someone knows besides.
 */
export function differences(first: Output, second: Output, data: Table, appetite: Appetite): Finding[] {
  const [a, b] = [first, second].map((output) => filteredRows(output, data))
  const larger = a.length >= b.length ? first : second
  const smaller = larger === first ? second : first
  const [all, part] = larger === first ? [a, b] : [b, a]
  const rest = restOf(all, part, data.rows)
  if (rest === null) return []
  const findings =
    rest.length > 0 ? cellsOfRest(larger, smaller, rest, data, appetite) : shiftedLimits(first, second, data, appetite)
  return findings.map((each) => ({ ...each, output: first.id, others: [second.id] }))
}

/** Rows of `all` that are not in `part`; null when `part` is not inside. */
function restOf(all: Int32Array, part: Int32Array, rows: number): Int32Array | null {
  const inPart = new Uint8Array(rows)
  for (const row of part) inPart[row] = 1
  const rest = all.filter((row) => inPart[row] === 0)
  return all.length - rest.length === part.length ? rest : null
}

function cellsOfRest(
  larger: Output,
  smaller: Output,
  rest: Int32Array,
  data: Table,
  { threshold }: Appetite,
): Finding[] {
  const common = crossedBy(larger).filter((name) => isTold(name, crossedBy(smaller), data))
  const isArithmetic = tellsCounts(larger, data) && tellsCounts(smaller, data)
  if (!isArithmetic && recipeOf(larger) !== recipeOf(smaller)) return []
  const findings: Finding[] = []
  for (const by of subsets(common)) {
    const cells = crossed(by, data, completeRows(data, by, rest))
    for (const { cell, rows } of cells) {
      if (rows.length === 0 || rows.length >= threshold) continue
      const name = cellName(by, cell)
      const status = isArithmetic ? smallStatus(rows.length) : 'review'
      const what = `"${larger.id}" and "${smaller.id}" differ by ${people(rows.length)} in ${name === 'total' ? 'all' : name}`
      findings.push(below('differencing', status, larger.id, name, what, rows.length, threshold))
    }
    if (findings.length > 0) break
  }
  return findings
}

/** Variables that an output is crossed by. */
function crossedBy(output: Output): readonly string[] {
  return output.kind === 'table' || output.kind === 'summary' ? output.by : []
}

/**
 * Whether it tells how many records are in its cells: then the difference of two is a count. Percentages do where one record more or
 * less is seen in the printed digits.
 */
function tellsCounts(output: Output, data: Table): boolean {
  if (output.kind === 'table' && output.statistic === 'percentage')
    return (
      output.weights === null && filteredRows(output, data).length < 100 * math.tenTo(decimalsOf(output, 'percentage'))
    )
  if (output.kind === 'table') return output.statistic === 'count' && output.weights === null
  if (output.kind === 'summary') return output.statistics.includes('n')
  return output.kind === 'regression' && output.report.includes('n')
}

/** What is calculated, whoever it is about. */
function recipeOf(output: Output): string {
  const { id: _, title: __, decimals: ___, values: ____, filter: _____, ...rest } = output
  return JSON.stringify(rest)
}

/** Whether the levels of a variable follow from those of others. */
function isTold(name: string, by: readonly string[], data: Table): boolean {
  return by.includes(name) || by.some((other) => determines(other, name, data))
}

function determines(from: string, to: string, data: Table): boolean {
  const [a, b] = [from, to].map((name) => labelled(columnOf(data, name)))
  const seen = new Int32Array(a.levels.length).fill(-1)
  for (let row = 0; row < data.rows; row++) {
    const [x, y] = [a.codes[row], b.codes[row]]
    if (x < 0 || y < 0) continue
    if (seen[x] >= 0 && seen[x] !== y) return false
    seen[x] = y
  }
  return true
}

/** That levels of unrelated variables lie inside each other by chance is less likely than this. */
const CHANCE = 1e-3

function shiftedLimits(first: Output, second: Output, data: Table, appetite: Appetite): Finding[] {
  const rows = filteredRows(first, data)
  return crossedBy(first).flatMap((v) =>
    crossedBy(second).flatMap((w) =>
      v === w
        ? []
        : [...remainders(v, w, first, data, rows, appetite), ...remainders(w, v, first, data, rows, appetite)],
    ),
  )
}

/** Levels of `outer` less the levels of `inner` that lie wholly inside. */
function remainders(
  inner: string,
  outer: string,
  output: Output,
  data: Table,
  rows: Int32Array,
  { threshold }: Appetite,
): Finding[] {
  const known = completeRows(data, [inner, outer], rows)
  if (determines(inner, outer, data)) return []
  const [a, b] = [inner, outer].map((name) => labelled(columnOf(data, name)))
  const joint = new Int32Array(a.levels.length * b.levels.length)
  const sizes = new Int32Array(a.levels.length)
  const totals = new Int32Array(b.levels.length)
  for (const row of known) {
    joint[a.codes[row] * b.levels.length + b.codes[row]]++
    sizes[a.codes[row]]++
    totals[b.codes[row]]++
  }
  return b.levels.flatMap((level, y) => {
    let inside = 0
    for (let x = 0; x < sizes.length; x++)
      if (sizes[x] > 0 && joint[x * b.levels.length + y] === sizes[x]) inside += sizes[x]
    const left = totals[y] - inside
    if (inside === 0 || left === 0 || left >= threshold) return []
    if (math.pow(totals[y] / known.length, inside) > CHANCE) return []
    const name = `${outer}=${level}`
    const what = `${name} less the levels of ${inner} that lie inside it is ${people(left)}`
    return [below('differencing', smallStatus(left), output.id, name, what, left, threshold)]
  })
}

import { z } from 'zod'
import { UserError, unknownName } from '../errors.js'
import { type CategoricalColumn, type Column, dateLabel, MISSING_CODE } from '../table/column.js'
import { binNumbers, type Grouping, parseGroupings } from '../table/grouping.js'
import { codeJointly } from '../table/joint.js'
import { columnOf, findColumn, type Table } from '../table/table.js'
import { anonymiser, nameProblems, withColumns } from './method/anonymiser.js'
import type { NumberColumn } from './method/number-columns.js'

/**
 * Global recoding: the same coarser classes for everybody. Numbers and dates are grouped into intervals by one of the
 * styles of table/grouping.ts, levels are merged under a new name. The first and the last class are labelled open
 * (`<30`, `>=65`), because a label like `[18,97]` would tell the youngest and the oldest exactly.
 */
const options = z.object({
  groups: z
    .record(z.string(), z.union([z.string(), z.number()]))
    .default({})
    .describe('numeric columns to group, as groups have it: {"age": "fixed:0|18|65|99", "income": "quantile:5"}'),
  codes: z
    .record(z.string(), z.array(z.number()).readonly())
    .default({})
    .describe('numbers of a grouped column that are codes, classes of their own: {"income": [-8]}'),
  merge: z
    .record(z.string(), z.record(z.string(), z.array(z.string()).readonly()))
    .default({})
    .describe('levels to merge, new name first: {"marital": {"not married": ["single", "divorced"]}}'),
})

type Options = z.output<typeof options>

export const recode = anonymiser({
  id: 'recode',
  title: 'Global recoding',
  summary: 'Groups numbers into classes and merges levels, for all records alike.',
  options,
  apply(data, _, chosen) {
    const groupings = groupingsOf(chosen)
    const problems = [...groupProblems(data, groupings), ...mergeProblems(data, chosen)]
    if (problems.length > 0) throw new UserError(problems)
    const grouped = data.columns.flatMap((column) =>
      column.kind !== 'categorical' && Object.hasOwn(groupings, column.name)
        ? [groupColumn(column, groupings[column.name])]
        : [],
    )
    const merged = data.columns.flatMap((column) =>
      column.kind === 'categorical' && Object.hasOwn(chosen.merge, column.name)
        ? [mergeLevels(column, chosen.merge[column.name])]
        : [],
    )
    return {
      table: withColumns(data, [...grouped, ...merged]),
      description: {
        variables: [
          ...grouped.map((column) => describe(data, column, 'grouped' as const)),
          ...merged.map((column) => describe(data, column, 'merged' as const)),
        ],
      },
      notes: merged.flatMap((column) => unorderedNote(columnOf(data, column.name), column)),
    }
  },
})

function groupingsOf({ groups, codes }: Options): Readonly<Record<string, Grouping>> {
  const stray = Object.keys(codes).find((name) => !Object.hasOwn(groups, name))
  if (stray !== undefined) throw new UserError(`codes names "${stray}", which is not grouped`)
  return Object.fromEntries(
    Object.entries(groups).map(([name, text]) => {
      const [parsed] = Object.values(parseGroupings(`x=${text}`))
      if (parsed === undefined || String(text).includes(','))
        throw new UserError(`groups: "${text}" does not say how to group "${name}"; try 5, equal:5 or fixed:0|18|65`)
      return [name, Object.hasOwn(codes, name) ? { ...parsed, codes: codes[name] } : parsed]
    }),
  )
}

function groupProblems(data: Table, groupings: Readonly<Record<string, Grouping>>): string[] {
  const problems = nameProblems(data, Object.keys(groupings))
  for (const [name, { style, breaks = [] }] of Object.entries(groupings)) {
    if (findColumn(data, name)?.kind === 'categorical')
      problems.push(`groups: "${name}" is not numeric; merge its levels instead`)
    if (style === 'fixed' && breaks.some((value, k) => k > 0 && !(value > breaks[k - 1])))
      problems.push(`groups: the breaks of "${name}" must ascend`)
    if (style === 'fixed' && breaks.length < 2) problems.push(`groups: "${name}" needs at least two breaks`)
  }
  return problems
}

function mergeProblems(data: Table, { groups, merge }: Options): string[] {
  const names = Object.keys(merge)
  const problems = nameProblems(data, names)
  if (Object.keys(groups).length + names.length === 0)
    problems.push('recode needs the option groups (groups.age=5) or merge (merge.region={"north": ["a", "b"]})')
  for (const name of names) {
    const column = findColumn(data, name)
    if (column === undefined) continue
    if (column.kind === 'categorical') problems.push(...levelProblems(column, merge[name]))
    else
      problems.push(`merge: "${name}" is not categorical; group it, or declare its type in types: ${name}=categorical`)
  }
  return problems
}

function levelProblems({ name, levels }: CategoricalColumn, merge: Options['merge'][string]): string[] {
  const all = Object.values(merge).flat()
  return [
    ...all
      .filter((level) => !levels.includes(level))
      .map((level) => `merge.${name}: ${unknownName('level', level, levels)}`),
    ...all.filter((level, k) => all.indexOf(level) < k).map((level) => `merge.${name}: "${level}" is merged twice`),
    ...Object.keys(merge)
      .filter((label) => levels.includes(label) && !all.includes(label))
      .map((label) => `merge.${name}: "${label}" is a level already; name it among those to merge`),
  ]
}

function groupColumn(column: NumberColumn, grouping: Grouping): CategoricalColumn {
  const { codes, numbers } = codeJointly([column])
  const counts = new Float64Array(numbers.length)
  for (const code of codes) if (code >= 0) counts[code]++
  const { bins, labels } = binNumbers({ numbers, counts }, grouping)
  const print = column.kind === 'date' ? (text: string) => dateLabel(Number(text), column.unit) : (text: string) => text
  return {
    kind: 'categorical',
    name: column.name,
    codes: codes.map((code) => (code < 0 ? MISSING_CODE : bins[code])),
    levels: openLabels(labels, print),
    ordered: true,
  }
}

/** `[18,30)`: how it starts, both bounds, how it ends. */
const INTERVAL = /^([[(])([^,]+),([^,]+)([\])])$/

/** Labels in which the outer intervals have no outer bound; single values and codes stay as they are. */
function openLabels(labels: readonly string[], print: (bound: string) => string): string[] {
  const intervals = labels.filter((label) => INTERVAL.test(label))
  return labels.map((label) => {
    const [, start, lower, upper, end] = INTERVAL.exec(label) ?? []
    if (lower === undefined) return /^code /.test(label) ? label : print(label)
    if (intervals.length === 1) return 'all'
    if (label === intervals[0]) return `${end === ')' ? '<' : '<='}${print(upper)}`
    if (label === intervals[intervals.length - 1]) return `${start === '(' ? '>' : '>='}${print(lower)}`
    return `${start}${print(lower)},${print(upper)}${end}`
  })
}

/** A merged level stands where the first of its members stood. */
function mergeLevels(column: CategoricalColumn, merge: Options['merge'][string]): CategoricalColumn {
  const newName = new Map(Object.entries(merge).flatMap(([label, members]) => members.map((level) => [level, label])))
  const labels = column.levels.map((level) => newName.get(level) ?? level)
  const levels = [...new Set(labels)]
  const codeOf = labels.map((label) => levels.indexOf(label))
  return { ...column, levels, codes: column.codes.map((code) => (code < 0 ? MISSING_CODE : codeOf[code])) }
}

function unorderedNote(before: Column, after: CategoricalColumn): string[] {
  if (before.kind !== 'categorical' || !before.ordered) return []
  const place = new Int32Array(before.levels.length).fill(-1)
  for (const [row, code] of before.codes.entries()) if (code >= 0) place[code] = after.codes[row]
  const seen = place.filter((code) => code >= 0)
  return seen.every((code, k) => k === 0 || code >= seen[k - 1])
    ? []
    : [`"${after.name}" is ordered, but levels that are not neighbours were merged: its order means little now`]
}

function describe(data: Table, column: CategoricalColumn, kind: 'grouped' | 'merged') {
  const distinct = (codes: Int32Array) => new Set(codes.filter((code) => code >= 0)).size
  return {
    variable: column.name,
    kind,
    /** Distinct values before and classes with records after. */
    before: distinct(codeJointly([columnOf(data, column.name)]).codes),
    after: distinct(column.codes),
    levels: column.levels,
  }
}

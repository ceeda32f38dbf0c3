import { math } from '@scrim/kernels'
import { type CategoricalColumn, type Column, categorical, columnLength, numeric, valueAt } from '../../table/column.js'
import { classOf } from '../../table/interval-labels.js'
import { columnNames, findColumn, type Table, table } from '../../table/table.js'
import { BY_CHANCE, findRenamedLevels } from './renamed-levels.js'

/**
 * Levels that differ in writing only: by case, space, accent, quotes, number format, or because one file has a code, the
 * other the code with its label ("1", "1 = male"). To a program these are different values, so keys do not match, and a
 * copy of the original passes for something new. Found by comparing normal forms; a form that two levels of one file
 * share tells nothing and is left alone. Also levels that were renamed altogether: one that is missing where a new one is about
 * as frequent, or several that the other columns tell apart (`renamed-levels.ts`).
 */
export interface LevelMatch {
  readonly column: string
  /** The table whose levels would be rewritten, and the one that they are those of. */
  readonly table: string
  readonly like: string
  /** From a level of `table` to the one of `like`. */
  readonly levels: ReadonlyMap<string, string>
  /** Records of `table` that have such a level, as a share. */
  readonly share: number
}

/** What differs only in writing from the original, column by column. */
export function findLevelMatches(original: Table, other: Table): readonly LevelMatch[] {
  return columnNames(original).flatMap((name) => {
    const [ours, theirs] = [findColumn(original, name), findColumn(other, name)]
    if (ours === undefined || theirs === undefined || other.rows === 0) return []
    if (ours.kind !== 'categorical' && theirs.kind !== 'categorical') return []
    // "20-29" beside numbers is a class of them, and no code 20 with the label 29.
    const isClass = (level: string) => ours.kind === 'numeric' && classOf(level) !== null
    const written = new Map([...labelCounts(theirs)].filter(([level]) => !isClass(level)))
    const levels = matchLevels(labelCounts(ours), written, (missing, added) =>
      ours.kind === 'categorical' && theirs.kind === 'categorical'
        ? findRenamedLevels(original, other, name, missing, added)
        : new Map(),
    )
    if (levels.size === 0) return []
    const share = sumOver(labelCounts(theirs), levels) / other.rows
    return [{ column: name, table: other.name, like: original.name, levels, share }]
  })
}

/** The table with its levels written as in the original, in the original's kind where the kinds differ and all levels fit. */
export function applyLevelMatches(other: Table, original: Table, matches: readonly LevelMatch[]): Table {
  if (matches.length === 0) return other
  const byColumn = new Map(matches.map((match) => [match.column, match.levels]))
  return table(
    other.name,
    other.columns.map((column) => {
      const levels = byColumn.get(column.name)
      return levels === undefined ? column : rewritten(column, levels, findColumn(original, column.name))
    }),
  )
}

type Renamed = (missing: readonly string[], added: readonly string[]) => ReadonlyMap<string, string>

function matchLevels(
  ours: ReadonlyMap<string, number>,
  theirs: ReadonlyMap<string, number>,
  severalRenamed: Renamed,
): ReadonlyMap<string, string> {
  const byForm = new Map<string, string | null>()
  for (const level of ours.keys())
    for (const form of formsOf(level)) byForm.set(form, byForm.has(form) && byForm.get(form) !== level ? null : level)
  const matches = new Map<string, string>()
  for (const level of theirs.keys()) {
    if (ours.has(level)) continue
    const same = formsOf(level).flatMap((form) => byForm.get(form) ?? [])
    if (new Set(same).size === 1) matches.set(level, same[0])
  }
  const known = new Set(matches.values())
  const missing = [...ours.keys()].filter((level) => !theirs.has(level) && !known.has(level))
  const added = [...theirs.keys()].filter((level) => !ours.has(level) && !matches.has(level))
  const renamed =
    missing.length === 1 && added.length === 1
      ? renamedLevel(ours, theirs, missing[0], added[0])
      : severalRenamed(missing, added)
  return new Map([...matches, ...renamed])
}

/** The one new level for the one frequent level that is missing, where they are as frequent up to a factor of two. */
function renamedLevel(
  ours: ReadonlyMap<string, number>,
  theirs: ReadonlyMap<string, number>,
  missing: string,
  added: string,
): ReadonlyMap<string, string> {
  const [all, others] = [ours, theirs].map((of) => [...of.values()].reduce((sum, count) => sum + count, 0))
  const before = (ours.get(missing) ?? 0) / all
  const after = (theirs.get(added) ?? 0) / others
  const isAlike = after >= before / 2 && after <= 2 * before
  return new Map(isAlike && math.pow(1 - before, others) < BY_CHANCE ? [[added, missing]] : [])
}

/** The ways in which a level may be written, each in one normal form; the whole of it first. */
function formsOf(level: string): readonly string[] {
  const whole = normalForm(level)
  // 7096.73 is a number, not the label 73 of the code 7096.
  const [, code, label] = numberForm(whole) === undefined ? (LABELLED_CODE.exec(whole) ?? []) : []
  return [...new Set([whole, ...(code === undefined ? [] : [numberForm(code) ?? code, label])])]
}

const LABELLED_CODE = /^\(?(\d{1,6}|[a-z])\)?\s*[=:.)-]\s*(\S.*)$/
const QUOTES = /["'`\u2018\u2019\u201c\u201d\u00ab\u00bb]/g
const ACCENTS = /\p{M}/gu
const GROUPED = /^[+-]?\d{1,3}([, \u2019'])\d{3}(\1\d{3})*(\.\d+)?$/
const DECIMAL_COMMA = /^[+-]?\d+,\d+$/

function normalForm(level: string): string {
  const text = level.normalize('NFKD').replace(ACCENTS, '').replace(QUOTES, '').trim().replace(/\s+/g, ' ')
  return numberForm(text) ?? text.toLowerCase()
}

function numberForm(text: string): string | undefined {
  const plain = GROUPED.test(text)
    ? text.replace(/[, \u2019']/g, '')
    : DECIMAL_COMMA.test(text)
      ? text.replace(',', '.')
      : text
  const value = /\d/.test(plain) && !/^0[xob]/i.test(plain) ? Number(plain) : Number.NaN
  return Number.isFinite(value) ? String(value) : undefined
}

function labelCounts(column: Column): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  if (column.kind === 'categorical') {
    const occurrences = new Int32Array(column.levels.length)
    for (const code of column.codes) if (code >= 0) occurrences[code]++
    for (const [code, count] of occurrences.entries()) if (count > 0) counts.set(column.levels[code], count)
    return counts
  }
  for (let row = 0; row < columnLength(column); row++) {
    const value = valueAt(column, row)
    if (value !== null) counts.set(String(value), (counts.get(String(value)) ?? 0) + 1)
  }
  return counts
}

function sumOver(counts: ReadonlyMap<string, number>, levels: ReadonlyMap<string, string>): number {
  let sum = 0
  for (const level of levels.keys()) sum += counts.get(level) ?? 0
  return sum
}

function rewritten(column: Column, levels: ReadonlyMap<string, string>, model: Column | undefined): Column {
  const labels = Array.from({ length: columnLength(column) }, (_, row) => {
    const value = valueAt(column, row)
    return value === null ? null : (levels.get(String(value)) ?? String(value))
  })
  const isNumeric = model?.kind === 'numeric' && labels.every((label) => label === null || isNumber(label))
  if (isNumeric)
    return numeric(
      column.name,
      labels.map((label) => (label === null ? null : Number(label))),
    )
  const order = model?.kind === 'categorical' && model.ordered ? orderLike(labels, model) : undefined
  return categorical(column.name, labels, order)
}

function isNumber(label: string): boolean {
  return label.trim() !== '' && Number.isFinite(Number(label))
}

/** The original's order, where it has all the levels. */
function orderLike(labels: readonly (string | null)[], { levels }: CategoricalColumn) {
  const known = new Set(levels)
  return labels.every((label) => label === null || known.has(label)) ? { levels, ordered: true } : undefined
}

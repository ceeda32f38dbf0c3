import type { Discretion } from '../../discretion.js'
import { column, type FindingCell, type FindingTable, type Format } from '../../evidence/finding-table.js'
import type { AnyMeasure, ReleaseFinding, Result } from '../../measure.js'
import { fixed, grouped, percent, pText, significant } from '../../print.js'
import { asPublished, byTarget, releasedFindings } from './findings.js'
import { type TableCell, type TableColumn, type TableView, tableView } from './table-view.js'

/**
 * Every table of a result, one for each name: rows of several releases and targets stand below each other, with a column for
 * the release and one for the target where there are several. What is about the keys alone is said once.
 */
export function tablesOf(measure: AnyMeasure, result: Result): readonly FindingTable[] {
  const { original } = result
  const released = releasedFindings(result)
  const parts = [
    ...(original === null ? [] : partsOf(measure, original, `${original.name} (original)`)),
    ...released.flatMap((release) => partsOf(measure, release, release.name)),
  ]
  const releases = released.length + (original === null ? 0 : 1)
  const targets = Math.max(1, ...released.map((release) => byTarget(release).length))
  const merged = groups(parts, ({ table }) => JSON.stringify([table.name, table.columns])).map((own) =>
    together(own, releases > 1, targets),
  )
  // The same name in two forms, as where one target is a number and another is not: told apart by number.
  return merged.map((table, index) => {
    const before = merged.slice(0, index).filter(({ name }) => name === table.name).length
    return before === 0 ? table : { ...table, name: `${table.name}-${before + 1}` }
  })
}

interface Part {
  readonly release: string
  readonly target: string | null
  readonly table: FindingTable
}

function partsOf(measure: AnyMeasure, release: ReleaseFinding, name: string): readonly Part[] {
  return byTarget(release).flatMap((finding) => {
    const published = asPublished(finding)
    if (published === null || published.value === null) return []
    return (measure.tables?.(published, finding) ?? [])
      .filter(({ rows }) => rows.length > 0)
      .map((table) => ({ release: name, target: finding.target, table }))
  })
}

/** In the order in which each first occurs. */
function groups(parts: readonly Part[], form: (part: Part) => string): readonly (readonly Part[])[] {
  return [...new Set(parts.map(form))].map((one) => parts.filter((part) => form(part) === one))
}

function together(parts: readonly Part[], hasReleases: boolean, targets: number): FindingTable {
  const [{ table }] = parts
  const isSame =
    table.ofKeys === true &&
    groups(parts, ({ release }) => release).every(
      (own) => own.length === targets && new Set(own.map((part) => JSON.stringify(part.table.rows))).size === 1,
    )
  const hasTargets = targets > 1 && !isSame
  const shown = isSame ? parts.filter(({ target }) => target === parts[0].target) : parts
  return {
    ...table,
    columns: [
      ...(hasReleases ? [column.text('table')] : []),
      ...(hasTargets ? [column.text('target')] : []),
      ...table.columns,
    ],
    rows: shown.flatMap(({ release, target, table: { rows } }) =>
      rows.map((row) => [...(hasReleases ? [release] : []), ...(hasTargets ? [target] : []), ...row]),
    ),
  }
}

/** The table as its readers may see it, or null where it is not for them. `originals`: the people that shares are of. */
export function findingTableView(
  { title, columns, rows, publishable }: FindingTable,
  numbers: Discretion,
  originals: number,
): TableView | null {
  const isInside = numbers.audience === 'internal'
  if (!isInside && !publishable) return null
  const shown = [...columns.keys()].filter((j) => isInside || !columns[j].internal)
  return tableView(
    title,
    shown.map((j) => ({ title: columns[j].name, ...LOOKS[columns[j].format.kind] })),
    rows.map((row) => shown.map((j) => cellOf(row[j], columns[j].format, numbers, originals))),
  )
}

const RIGHT = { align: 'right' } as const
const LOOKS: Readonly<Record<Format['kind'], Omit<TableColumn, 'title'>>> = {
  text: {},
  option: { as: 'code' },
  count: RIGHT,
  p: RIGHT,
  share: RIGHT,
  number: RIGHT,
}

const NONE = '-'

function cellOf(cell: FindingCell, format: Format, numbers: Discretion, originals: number): TableCell {
  if (cell === null) return NONE
  if (typeof cell === 'string')
    return format.kind === 'option' ? { text: `--set ${forShell(cell)}`, option: cell } : cell
  if (numbers.audience === 'publishable') return discreetText(cell, format, numbers, originals)
  if (format.kind === 'share') return percent(cell, format.digits)
  if (format.kind === 'count') return Number.isInteger(cell) ? grouped(cell) : grouped(Number(fixed(cell, 1)))
  if (format.kind === 'p') return pText(cell)
  if (format.kind === 'number') return numberText(cell, format.digits)
  return String(cell)
}

function forShell(text: string): string {
  return /^[\w.+=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

function discreetText(cell: number, format: Format, numbers: Discretion, originals: number): string {
  if (format.kind === 'share') return numbers.share(cell, originals)
  if (format.kind === 'count') return numbers.count(cell, originals)
  return String(significant(cell, 2))
}

function numberText(value: number, digits: number): string {
  const shown = significant(value, digits)
  return Math.abs(shown) >= THOUSAND ? grouped(Math.round(value)) : String(shown)
}

const THOUSAND = 1000

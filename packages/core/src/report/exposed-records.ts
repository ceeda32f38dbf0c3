import type { ThreatAssessment } from '../assess/assessment.js'
import type { AnyMeasure, ReleaseFinding, Result } from '../measure.js'
import { grouped, percent, significant } from '../print.js'
import { valueAt } from '../table/column.js'
import type { Release } from '../table/release.js'
import { findColumn } from '../table/table.js'
import { decidingLook } from './findings.js'
import { riskiestFirst, scoreMeaning } from './record-scores.js'
import { type TableView, tableView } from './table-view.js'

/**
 * The people about whom a release reveals most, for those who may see them: by what the release adds about each beyond the
 * fair control, with the scores of the deciding measure that say so and their keys. Never part of a publishable report.
 */
export interface ExposedRecords {
  readonly table: TableView
  /** What each score means. */
  readonly meanings: readonly string[]
}

/** Whose records, and how many of them, are shown. */
export interface RecordsShown {
  readonly release: Release
  readonly top: number
}

export const MOST_EXPOSED = 10
const MOST_SCORES = 3
/** Columns that are shown where there are no keys. */
const MOST_COLUMNS = 5

/** Null where the measure that decided says nothing of single records, or adds to nobody. */
export function exposedRecords(
  threat: Pick<ThreatAssessment, 'decidedBy' | 'target' | 'view' | 'lookNumber'>,
  index: number,
  results: readonly Result[],
  registry: readonly AnyMeasure[],
  { release, top }: RecordsShown,
): ExposedRecords | null {
  const measure = registry.find(({ id }) => id === threat.decidedBy)
  const deciding = decidingLook(threat, results, index)
  if (measure === undefined || deciding === null) return null
  const { finding, look } = deciding
  const added = (look ?? finding).addedByRecord
  if (added === undefined || measure.scope !== 'pair' || added.length !== release.original.rows) return null
  const exposed = riskiestFirst(measure, { ...finding.records, added }).filter((row) => added[row] > 0)
  if (exposed.length === 0) return null
  const isRanked = Object.values(measure.records ?? {}).some(({ ranks }) => ranks === true)
  const shown = (isRanked ? exposed : exposed.sort((a, b) => added[b] - added[a])).slice(0, top)
  const scores = scoresOf(measure, finding, release.original.rows)
  const known = [...release.keys, ...release.numericKeys]
  const columns = [
    ...(known.length > 0 ? known : release.variables.slice(0, MOST_COLUMNS)),
    ...(threat.target === null ? [] : [threat.target]),
  ]
  const valueIn = (name: string, row: number) => {
    const column = findColumn(release.original, name)
    return String((column === undefined ? null : valueAt(column, row)) ?? 'missing').replaceAll(/\s+/g, ' ')
  }
  return {
    table: tableView(
      `The ${shown.length} most exposed of ${grouped(exposed.length)} records`,
      ['row', 'added', ...scores.map(({ name }) => name), ...columns],
      shown.map((row) => [
        String(row + 1),
        percent(added[row]),
        ...scores.map(({ values }) => scoreText(values[row])),
        ...columns.map((name) => valueIn(name, row)),
      ]),
    ),
    meanings: [
      'row: of the original file, counted from 1',
      'added: what the release adds about the person beyond the fair control',
      ...scores.map(({ name }) => `${name}: ${scoreMeaning(measure, name)?.meaning ?? name}`),
    ],
  }
}

/** Those that have a riskier end. */
function scoresOf(measure: AnyMeasure, { records = {} }: ReleaseFinding, rows: number) {
  return Object.entries(records)
    .filter(([name, values]) => values.length === rows && (scoreMeaning(measure, name)?.riskier ?? null) !== null)
    .slice(0, MOST_SCORES)
    .map(([name, values]) => ({ name, values }))
}

function scoreText(score: number): string {
  return Number.isNaN(score) ? '–' : String(significant(score))
}

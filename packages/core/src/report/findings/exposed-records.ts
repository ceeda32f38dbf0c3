import type { ThreatAssessment } from '../../assess/assessment.js'
import type { AnyMeasure, ReleaseFinding, Result } from '../../measure.js'
import { grouped, inWords, percent, significant } from '../../print.js'
import { sharedInformation } from '../../risk/shared-information/shared-information.js'
import { valueAt } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { findColumn } from '../../table/table.js'
import { decidingLook } from './findings.js'
import { riskiestFirst, scoreMeaning } from './record-scores.js'
import { type TableView, tableView } from './table-view.js'

/**
 * The people about whom a release reveals most, for those who may see them: of those about whom it adds something beyond the fair
 * control, first the ones whose own record is nearest to a released one, in bits shared beyond what they share with other people. What is
 * added comes in steps, and hits by chance are among it; nearness has no ties and tells copies from chance. With the scores of the
 * deciding measure and the keys. Never part of a publishable report.
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
/** The score of shared information by which people are ordered. */
const BITS = 'bitsBeyondOthers'
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
  const exposed = riskiestFirst(measure, { ...finding.records, added })
    .filter((row) => added[row] > 0)
    .sort((a, b) => added[b] - added[a])
  if (exposed.length === 0) return null
  const bits = sharedBits(results, index)
  const bitsOf = (row: number) => {
    const shared = bits?.[row] ?? Number.NaN
    return Number.isNaN(shared) ? Number.NEGATIVE_INFINITY : shared
  }
  const shown = exposed.sort((a, b) => (bitsOf(a) === bitsOf(b) ? 0 : bitsOf(b) - bitsOf(a))).slice(0, top)
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
      [
        'row',
        'added',
        ...(bits === undefined ? [] : [inWords(BITS)]),
        ...scores.map(({ name }) => inWords(name)),
        ...columns,
      ],
      shown.map((row) => [
        String(row + 1),
        percent(added[row]),
        ...(bits === undefined ? [] : [scoreText(bits[row])]),
        ...scores.map(({ values }) => scoreText(values[row])),
        ...columns.map((name) => valueIn(name, row)),
      ]),
    ),
    meanings: [
      'row: of the original file, counted from 1',
      'added: what the release adds about the person beyond the fair control',
      ...(bits === undefined
        ? []
        : [`${inWords(BITS)}: bits shared with a released record beyond those shared with other people; most first`]),
      ...scores.map(({ name }) => `${inWords(name)}: ${scoreMeaning(measure, name)?.meaning ?? name}`),
    ],
  }
}

/** How much more each person has in common with a released record than with another person; NaN where they were not drawn. */
function sharedBits(results: readonly Result[], index: number): ArrayLike<number> | undefined {
  return results.find(({ measure }) => measure === sharedInformation.id)?.releases[index]?.records?.[BITS]
}

/** Those that have a riskier end. */
function scoresOf(measure: AnyMeasure, { records = {} }: ReleaseFinding, rows: number) {
  return Object.entries(records)
    .filter(
      ([name, values]) =>
        name !== BITS && values.length === rows && (scoreMeaning(measure, name)?.riskier ?? null) !== null,
    )
    .slice(0, MOST_SCORES)
    .map(([name, values]) => ({ name, values }))
}

function scoreText(score: number): string {
  return Number.isNaN(score) ? '–' : String(significant(score))
}

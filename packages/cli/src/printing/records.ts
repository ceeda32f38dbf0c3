import { extname } from 'node:path'
import {
  type AnyMeasure,
  byTarget,
  findColumn,
  inOneLine,
  mean,
  type RecordScores,
  type Release,
  type ReleaseFinding,
  type Result,
  riskiestFirst,
  scoreText,
  significant,
  type Table,
  UserError,
  valueAt,
} from '@scrim/core'
import { csvText } from '../files/csv.js'
import { writeOutput } from '../files/outputs.js'
import type { Io } from '../io.js'
import { type Arguments, wholeNumber } from '../options/arguments.js'
import { textTable } from './text-table.js'

/** Which records are written, and with what. */
interface Wishes {
  readonly file?: string | undefined
  readonly top: number | undefined
  readonly merge: boolean
  readonly by: string | undefined
}

export function recordWishes(args: Arguments): Wishes {
  const top = args.text('top')
  const wishes = {
    top: top === undefined ? undefined : wholeNumber('--top', top),
    merge: args.has('merge'),
    by: args.text('by'),
  }
  if (wishes.top !== undefined && wishes.top < 1)
    throw new UserError(`--top must be at least 1, but it is ${wishes.top}`)
  const idle = ['top', 'merge'].filter((flag) => args.has(flag) && !args.has('records'))
  if (idle.length > 0) throw new UserError(idle.map((flag) => `--${flag} has no effect without --records FILE`))
  return wishes
}

/** The table that the scores of each release are of: the release itself for a measure of one file, else the original. */
export function recordTables(measure: AnyMeasure, { original, released }: Release): readonly Table[] {
  return released.map((one) => (measure.scope === 'file' ? one : original))
}

/** Writes the scores of the records as CSV, one file per release; returns the files written. */
export function writeRecords(
  measure: AnyMeasure,
  result: Result,
  tables: readonly Table[],
  wishes: Wishes & { readonly file: string },
  io: Io,
): readonly string[] {
  return result.releases.flatMap((release, index) => {
    const columns = scoreColumns(release)
    if (columns.length === 0) return []
    const name = result.releases.length === 1 ? wishes.file : numbered(wishes.file, index + 1)
    writeOutput(name, scoresCsv(measure, columns, tables[index], wishes, io), io)
    return [name]
  })
}

/** The files that `writeRecords` may write, known before anything is computed. */
export function recordFiles(file: string, releases: number): readonly string[] {
  return releases === 1 ? [file] : Array.from({ length: releases }, (_, index) => numbered(file, index + 1))
}

interface ScoreColumn {
  readonly name: string
  /** The name without the target before it. */
  readonly score: string
  readonly scores: ArrayLike<number>
  /** All scores of the same target. */
  readonly among: RecordScores
}

/** With several targets the name of the target comes before that of the score. */
function scoreColumns(release: ReleaseFinding): readonly ScoreColumn[] {
  return byTarget(release).flatMap((finding) =>
    Object.entries(finding.records ?? {}).map(([score, scores]) => ({
      name: release.targets === undefined ? score : `${finding.target}.${score}`,
      score,
      scores,
      among: finding.records ?? {},
    })),
  )
}

/** Comment lines say what each column means and which end of it is riskier; then come the records, at the top those whom the first target puts most at risk. */
function scoresCsv(
  measure: AnyMeasure,
  columns: readonly ScoreColumn[],
  table: Table,
  { top, merge }: Wishes,
  io: Io,
): string {
  const length = Math.max(...columns.map(({ scores }) => scores.length))
  const rows =
    top === undefined ? Array.from({ length }, (_, row) => row) : riskiestFirst(measure, columns[0].among).slice(0, top)
  const merged = merge && length === table.rows ? table.columns : []
  const lines = rows.map((row) => [
    row + 1,
    ...columns.map(({ scores }) => scoreAt(scores, row)),
    ...merged.map((column) => valueAt(column, row)),
  ])
  const meanings = columns.map(
    ({ name, score }) => `# ${inOneLine(name === score ? '' : `${name} is `)}${scoreText(measure, score)}\n`,
  )
  return `# ${measure.id}, one line per record of ${inOneLine(table.name)}; row counts from 1\n${meanings.join('')}${csvText(
    ['row', ...columns.map(({ name }) => name), ...merged.map(({ name }) => name)],
    lines,
    io,
  )}`
}

const FEWEST_RECORDS = 5

/** Mean scores by group, for each release. */
export function scoresByGroup(result: Result, tables: readonly Table[], by: string, width: number): string {
  return result.releases
    .map((release, index) => {
      const table = tables[index]
      const column = findColumn(table, by)
      if (column === undefined) throw new UserError(`--by: ${table.name} has no column "${by}"`)
      const scores = scoreColumns(release).filter((one) => one.scores.length === table.rows)
      if (scores.length === 0) return ''
      const groups = new Map<string, number[]>()
      for (let row = 0; row < table.rows; row++) {
        const label = String(valueAt(column, row) ?? 'missing')
        const rows = groups.get(label)
        if (rows === undefined) groups.set(label, [row])
        else rows.push(row)
      }
      const shown = [...groups].filter(([, rows]) => rows.length >= FEWEST_RECORDS)
      const lines = shown.map(([label, rows]) => [
        label,
        String(rows.length),
        ...scores.map(({ scores: own }) => meanText(rows.flatMap((row) => scoreAt(own, row) ?? []))),
      ])
      const right = { align: 'right' as const }
      const titles = [
        { title: by },
        { title: 'records', ...right },
        ...scores.map(({ name }) => ({ title: name, ...right })),
      ]
      return `\nMean scores of ${release.name} by ${by}\n\n${textTable(titles, lines, width)}`
    })
    .join('')
}

function meanText(values: readonly number[]): string {
  const average = mean(values)
  return average === null ? '-' : String(significant(average))
}

/** NaN is a record without a score, and so is one past the end. */
function scoreAt(scores: ArrayLike<number>, row: number): number | null {
  const score = row < scores.length ? scores[row] : Number.NaN
  return Number.isNaN(score) ? null : score
}

function numbered(file: string, index: number): string {
  const ending = extname(file)
  return `${file.slice(0, file.length - ending.length)}-${index}${ending}`
}

import { extname } from 'node:path'
import { byTarget, type ReleaseFinding, type Result } from '@scrim/core'
import { csvText } from './csv.js'
import type { Io } from './io.js'
import { writeOutput } from './outputs.js'

/** Writes the scores of the records as CSV, one file per release; returns the files written. */
export function writeRecords(result: Result, file: string, io: Io): readonly string[] {
  return result.releases.flatMap((release, index) => {
    const columns = scoreColumns(release)
    if (columns.length === 0) return []
    const name = result.releases.length === 1 ? file : numbered(file, index + 1)
    writeOutput(name, scoresCsv(columns), io)
    return [name]
  })
}

/** The files that `writeRecords` may write, known before anything is computed. */
export function recordFiles(file: string, releases: number): readonly string[] {
  return releases === 1 ? [file] : Array.from({ length: releases }, (_, index) => numbered(file, index + 1))
}

/** A result as it is published: without one number per person. */
export function withoutRecords(result: Result): Result {
  const strip = ({ records: _, targets, ...finding }: ReleaseFinding): ReleaseFinding => ({
    ...finding,
    ...(targets === undefined ? {} : { targets: targets.map(strip) }),
  })
  return {
    ...result,
    original: result.original === null ? null : strip(result.original),
    releases: result.releases.map(strip),
    pooled: result.pooled === null ? null : strip(result.pooled),
  }
}

interface ScoreColumn {
  readonly name: string
  readonly scores: ArrayLike<number>
}

/** With several targets the name of the target comes before that of the score. */
function scoreColumns(release: ReleaseFinding): readonly ScoreColumn[] {
  return byTarget(release).flatMap((finding) =>
    Object.entries(finding.records ?? {}).map(([score, scores]) => ({
      name: release.targets === undefined ? score : `${finding.target}.${score}`,
      scores,
    })),
  )
}

function scoresCsv(columns: readonly ScoreColumn[]): string {
  const rows = Math.max(...columns.map(({ scores }) => scores.length))
  const lines = Array.from({ length: rows }, (_, row) => [
    row + 1,
    ...columns.map(({ scores }) => scoreAt(scores, row)),
  ])
  return csvText(['row', ...columns.map(({ name }) => name)], lines)
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

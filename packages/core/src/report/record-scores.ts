import type { AnyMeasure, RecordScore, RecordScores } from '../measure.js'

type Scored = Pick<AnyMeasure, 'records'>

/** What the measure declares about a score; undefined where it declares nothing. A name ending in `*` stands for all that begin so. */
export function scoreMeaning({ records = {} }: Scored, score: string): RecordScore | undefined {
  return records[declaredName(records, score)]
}

/** `cap: share of ...; higher is riskier`. */
export function scoreText(measure: Scored, score: string): string {
  const declared = scoreMeaning(measure, score)
  if (declared === undefined) return score
  return `${score}: ${declared.meaning}${declared.riskier === null ? '' : `; ${declared.riskier} is riskier`}`
}

/**
 * The rows of a file, the riskiest first: by the first of the scores that the measure declares to have a riskier end. Records
 * without that score come last, equals in the order of the file.
 */
export function riskiestFirst({ records = {} }: Scored, scores: RecordScores): number[] {
  const name = Object.keys(records).find(
    (declared) => records[declared].riskier !== null && Object.hasOwn(scores, declared),
  )
  const length = Math.max(0, ...Object.values(scores).map((values) => values.length))
  const rows = Array.from({ length }, (_, row) => row)
  if (name === undefined) return rows
  const values = scores[name]
  const sign = records[name].riskier === 'lower' ? 1 : -1
  const place = (row: number) =>
    row < values.length && !Number.isNaN(values[row]) ? sign * values[row] : Number.POSITIVE_INFINITY
  return rows.sort((a, b) => (place(a) === place(b) ? a - b : place(a) - place(b)))
}

function declaredName(records: Readonly<Record<string, RecordScore>>, score: string): string {
  if (Object.hasOwn(records, score)) return score
  return Object.keys(records).find((name) => name.endsWith('*') && score.startsWith(name.slice(0, -1))) ?? score
}

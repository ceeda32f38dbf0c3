import type { AnyMeasure, RecordScore, RecordScores } from '../../measure.js'

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
 * The rows of a file, the riskiest first: by the scores that the measure declares to have a riskier end, one after the other.
 * Records without a score come last, equals in the order of the file.
 */
export function riskiestFirst({ records = {} }: Scored, scores: RecordScores): number[] {
  const names = Object.keys(records).filter((name) => records[name].riskier !== null && Object.hasOwn(scores, name))
  const length = Math.max(0, ...Object.values(scores).map((values) => values.length))
  const places = names.map((name) => {
    const [values, sign] = [scores[name], records[name].riskier === 'lower' ? 1 : -1]
    return (row: number) =>
      row < values.length && !Number.isNaN(values[row]) ? sign * values[row] : Number.POSITIVE_INFINITY
  })
  const compared = (a: number, b: number) => {
    const place = places.find((placeOf) => placeOf(a) !== placeOf(b))
    return place === undefined ? a - b : place(a) - place(b)
  }
  return Array.from({ length }, (_, row) => row).sort(compared)
}

function declaredName(records: Readonly<Record<string, RecordScore>>, score: string): string {
  if (Object.hasOwn(records, score)) return score
  return Object.keys(records).find((name) => name.endsWith('*') && score.startsWith(name.slice(0, -1))) ?? score
}

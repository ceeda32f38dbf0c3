/** A number, or a class of numbers as recoding writes them. */
export interface Range {
  readonly low: number
  readonly high: number
}

const NUMBER = '([-+]?\\d+(?:\\.\\d+)?)'
const SINGLE = new RegExp(`^${NUMBER}$`)
const BETWEEN = new RegExp(`^[[(]?\\s*${NUMBER}\\s*(?:-|–|,|;|to|\\.\\.)\\s*${NUMBER}\\s*[\\])]?$`)
const UP_TO = new RegExp(`^(?:<=?|≤|up to|under)\\s*${NUMBER}$`)
const FROM = new RegExp(`^(?:(?:>=?|≥|over|from)\\s*${NUMBER}|${NUMBER}\\s*\\+)$`)

/** "20-29", "[20,30)", "<20", "65+" or "23" as a range; open ends are infinite; null for any other label. */
export function rangeOf(label: string): Range | null {
  const text = label.trim().toLowerCase()
  const single = SINGLE.exec(text)
  if (single !== null) return { low: Number(single[1]), high: Number(single[1]) }
  const between = BETWEEN.exec(text)
  if (between !== null) {
    const [low, high] = [Number(between[1]), Number(between[2])]
    return low <= high ? { low, high } : null
  }
  const upTo = UP_TO.exec(text)
  if (upTo !== null) return { low: Number.NEGATIVE_INFINITY, high: Number(upTo[1]) }
  const from = FROM.exec(text)
  return from === null ? null : { low: Number(from[1] ?? from[2]), high: Number.POSITIVE_INFINITY }
}

/** How far apart two ranges are: 0 where they overlap. */
export function gapBetween(a: Range, b: Range): number {
  return Math.max(0, b.low - a.high, a.low - b.high)
}

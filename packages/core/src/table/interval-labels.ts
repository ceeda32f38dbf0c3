/** A number, or a class of numbers as recoding writes them. */
export interface Range {
  readonly low: number
  readonly high: number
  /** Ends that are not in it: of "[20,30)" the upper one. */
  readonly open?: 'low' | 'high' | 'both'
}

const NUMBER = '([-+]?\\d+(?:\\.\\d+)?)'
const SINGLE = new RegExp(`^${NUMBER}$`)
const BETWEEN = new RegExp(`^([[(]?)\\s*${NUMBER}\\s*(?:-|–|,|;|to|\\.\\.)\\s*${NUMBER}\\s*([\\])]?)$`)
const UP_TO = new RegExp(`^(<=?|≤|up to|under)\\s*${NUMBER}$`)
const FROM = new RegExp(`^(?:(>=?|≥|over|from)\\s*${NUMBER}|${NUMBER}\\s*\\+)$`)

/** "20-29", "[20,30)", "<20", "65+" or "23" as a range; unlimited ends are infinite; null for any other label. */
export function rangeOf(label: string): Range | null {
  const text = label.trim().toLowerCase()
  const single = SINGLE.exec(text)
  if (single !== null) return { low: Number(single[1]), high: Number(single[1]) }
  const between = BETWEEN.exec(text)
  if (between !== null) {
    const [, left, from, to, right] = between
    const [low, high] = [Number(from), Number(to)]
    if (low > high) return null
    if (left === '(') return { low, high, open: right === ')' ? 'both' : 'low' }
    return right === ')' ? { low, high, open: 'high' } : { low, high }
  }
  const upTo = UP_TO.exec(text)
  if (upTo !== null) {
    const range = { low: Number.NEGATIVE_INFINITY, high: Number(upTo[2]) }
    return ['<', 'under'].includes(upTo[1]) ? { ...range, open: 'high' } : range
  }
  const above = FROM.exec(text)
  if (above === null) return null
  const range = { low: Number(above[2] ?? above[3]), high: Number.POSITIVE_INFINITY }
  return ['>', 'over'].includes(above[1]) ? { ...range, open: 'low' } : range
}

const WITH_COMMA = /^[-+]?\d+,\d/

/** A class of numbers; null for one number, for any other label, and for "1,234", which may be either. */
export function classOf(label: string): Range | null {
  const range = rangeOf(label)
  return range === null || isNumber(range) || WITH_COMMA.test(label.trim()) ? null : range
}

/** Whether a number may be in both: classes that only touch, such as 20-30 and 30-40, have none in common. */
export function overlap(a: Range, b: Range): boolean {
  const [low, high] = [Math.max(a.low, b.low), Math.min(a.high, b.high)]
  if (low !== high) return low < high
  return (isNumber(a) && isIn(low, b)) || (isNumber(b) && isIn(low, a))
}

export function isNumber({ low, high }: Range): boolean {
  return low === high
}

function isIn(end: number, { low, high, open }: Range): boolean {
  return !(
    (end === low && (open === 'low' || open === 'both')) ||
    (end === high && (open === 'high' || open === 'both'))
  )
}

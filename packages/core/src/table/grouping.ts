import { math } from '@scrim/kernels'
import { UserError, unknownName } from '../errors.js'

/**
 * Grouping of numbers into classes, so that a key like age or a target like income can be matched. Breaks come from the
 * original alone, so that a further release never moves them; the outer classes are open. `quantile` gives every value
 * that holds at least 1/n of the original a class of its own and cuts the rest at type-7 quantiles, so that heavy codes
 * never merge. `synthpop` and `riskutility` reproduce those packages: plain quantiles of all tables together, classes
 * closed on the left and on the right.
 *
 * The other styles are those of R's classInt, with the same classes: `equal` widths; `fisher` and `jenks`, the partition with
 * the least sum of squares, which `kmeans` seeks from random starts and finds here; `hclust`, complete linkage; `pretty`
 * and `sd`, round numbers and round standard deviations from the mean; `maximum`, the largest gaps; `headtails` and `box`,
 * which choose their number of classes; `fixed`. Not here: `bclust`, which is random and fails on tied values, and `dpih`.
 */
export interface Grouping {
  readonly style: GroupingStyle
  /** How many classes; for `fixed` the breaks say it. */
  readonly n: number
  readonly breaks?: readonly number[]
  /** Special codes such as -8 that are classes of their own, outside the breaks. */
  readonly codes?: readonly number[]
  /** Breaks see the releases too, as in synthpop; always so for `synthpop` and `riskutility`. */
  readonly pooled?: boolean
}

export const GROUPING_STYLES = [
  'quantile',
  'equal',
  'fixed',
  'fisher',
  'jenks',
  'kmeans',
  'hclust',
  'pretty',
  'sd',
  'headtails',
  'maximum',
  'box',
  'synthpop',
  'riskutility',
] as const

type GroupingStyle = (typeof GROUPING_STYLES)[number]

/** Distinct numbers, ascending, with how often each occurs in the tables that the breaks are made from. */
export interface NumberCounts {
  readonly numbers: Float64Array
  readonly counts: Float64Array
}

export interface Bins {
  /** Per distinct number the class it falls into. */
  readonly bins: Int32Array
  readonly labels: readonly string[]
}

/** Classes for distinct numbers; `pool` has a count for each of them, 0 for one that breaks must not see. */
export function binNumbers(pool: NumberCounts, grouping: Grouping): Bins {
  const isCode = new Set(grouping.codes ?? [])
  const regular = keep(pool, (k) => !isCode.has(pool.numbers[k]))
  const seen = keep(regular, (k) => regular.counts[k] > 0)
  const intervals = intervalsOf(seen, grouping, isCode.size)
  const specials = [...isCode].sort((a, b) => a - b)
  const bins = pool.numbers.map((value) =>
    isCode.has(value) ? intervals.length + specials.indexOf(value) : findInterval(intervals, value),
  )
  return {
    bins: Int32Array.from(bins),
    labels: [...intervals.map((interval) => interval.label), ...specials.map((code) => `code ${code}`)],
  }
}

/** How numbers are grouped: `10`, `equal:5` or `fixed:150|170|190` by column, and `-8|-9` as the codes of a column. */
export function groupingsOf(
  classes: Readonly<Record<string, string>>,
  codes: Readonly<Record<string, string>> = {},
): Readonly<Record<string, Grouping>> {
  const left = Object.keys(codes).filter((name) => !Object.hasOwn(classes, name))
  if (left.length > 0) throw new UserError(`codes are given for "${left[0]}", which is not grouped`)
  return Object.fromEntries(
    Object.entries(classes).map(([name, text]): [string, Grouping] => {
      const parsed = parseGrouping(name, text)
      return [
        name,
        Object.hasOwn(codes, name) ? { ...parsed, codes: numbersOf(codes[name], `codes of ${name}`) } : parsed,
      ]
    }),
  )
}

/** The same from texts: `age=10,income=equal:5,height=fixed:150|170|190` with `income=-8|-9` as codes. */
export function parseGroupings(text: string, codes = ''): Readonly<Record<string, Grouping>> {
  return groupingsOf(Object.fromEntries(namedParts(text, 'groups')), Object.fromEntries(namedParts(codes, 'codes')))
}

function parseGrouping(name: string, text: string): Grouping {
  const [first, second] = text.split(':')
  const style = second === undefined && /^\d+$/.test(first) ? 'quantile' : first
  if (!isStyle(style)) throw new UserError(`group of ${name}: ${unknownName('style', style, GROUPING_STYLES)}`)
  if (style === 'fixed') {
    const breaks = numbersOf(second ?? '', `group of ${name}, fixed`)
    return { style, n: breaks.length - 1, breaks }
  }
  const size = second ?? (style === first ? '10' : first)
  if (!/^\d+$/.test(size) || Number(size) < 2)
    throw new UserError(`group of ${name}: "${size}" is not a number of classes of at least 2`)
  return { style, n: Number(size) }
}

function isStyle(style: string): style is GroupingStyle {
  return (GROUPING_STYLES as readonly string[]).includes(style)
}

/** `name=value,name=value` as pairs. */
export function namedParts(text: string, flag: string): [string, string][] {
  return text
    .split(',')
    .filter((entry) => entry.trim() !== '')
    .map((entry) => {
      const at = entry.indexOf('=')
      if (at <= 0) throw new UserError(`${flag}: expected name=value, found "${entry.trim()}"`)
      return [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
    })
}

function numbersOf(text: string, where: string): number[] {
  return text.split('|').map((part) => {
    const value = Number(part)
    if (part.trim() === '' || !Number.isFinite(value)) throw new UserError(`${where}: "${part}" is not a number`)
    return value
  })
}

interface Interval {
  readonly lower: number
  readonly upper: number
  /** Which end belongs to it; a point has both. */
  readonly closed: 'left' | 'right' | 'both'
  readonly label: string
}

function intervalsOf(pool: NumberCounts, grouping: Grouping, codes: number): readonly Interval[] {
  const { numbers } = pool
  const { style, n } = grouping
  if (numbers.length === 0) return [point(0)]
  if (style === 'fixed') return between(grouping.breaks ?? [], 'left')
  if (numbers.length <= n)
    return style === 'riskutility' ? between(plainQuantiles(pool, n), 'right') : Array.from(numbers, point)
  switch (style) {
    case 'quantile':
      return heavySafe(pool, n)
    case 'riskutility':
      return between(plainQuantiles(pool, n), 'right')
    case 'synthpop':
      return asSynthpop(pool, n, codes)
    default:
      return between(BREAKS[style](pool, n), 'left')
  }
}

const BREAKS: Readonly<
  Record<
    Exclude<GroupingStyle, 'quantile' | 'riskutility' | 'synthpop' | 'fixed'>,
    (pool: NumberCounts, n: number) => number[]
  >
> = {
  equal: equalWidths,
  fisher: optimalBreaks,
  jenks: optimalBreaks,
  kmeans: optimalBreaks,
  hclust: completeLinkage,
  pretty: ({ numbers }, n) => prettyBreaks(numbers[0], numbers[numbers.length - 1], n),
  sd: standardDeviations,
  headtails: headTails,
  maximum: largestGaps,
  box: boxFences,
}

/** Fewer than three levels are regrouped into equal widths, codes counting as levels. */
function asSynthpop(pool: NumberCounts, n: number, codes: number): readonly Interval[] {
  const quantiles = between(plainQuantiles(pool, n), 'left')
  return quantiles.length + codes < 3 ? between(equalWidths(pool, n), 'left') : quantiles
}

function plainQuantiles(pool: NumberCounts, n: number): number[] {
  return distinct(Array.from({ length: n + 1 }, (_, k) => quantileOf(pool, k / n)))
}

/** Points for the heavy values, intervals between and around them at the quantiles of the light ones. */
function heavySafe(pool: NumberCounts, n: number): readonly Interval[] {
  const total = pool.counts.reduce((sum, count) => sum + count, 0)
  const isHeavy = (k: number) => pool.counts[k] * n >= total
  const heavy = Array.from(keep(pool, isHeavy).numbers)
  const light = keep(pool, (k) => !isHeavy(k))
  if (light.numbers.length === 0) return heavy.map(point)
  const breaks = plainQuantiles(light, Math.max(1, n - heavy.length))
  const intervals = breaks.length < 2 ? [point(breaks[0])] : between(breaks, 'left')
  return [...heavy.reduce(splitAround, intervals), ...heavy.map(point)]
    .filter((interval) => interval.lower === interval.upper || light.numbers.some((value) => contains(interval, value)))
    .sort((a, b) => a.lower - b.lower || a.upper - b.upper)
}

function splitAround(intervals: readonly Interval[], value: number): readonly Interval[] {
  return intervals.flatMap((interval) => {
    if (!(interval.lower < value && value < interval.upper)) return [interval]
    return [
      { lower: interval.lower, upper: value, closed: 'left' as const, label: `[${interval.lower},${value})` },
      { ...interval, lower: value, label: interval.label.replace(/^.[^,]*/, `(${value}`) },
    ]
  })
}

/** Intervals between ascending breaks; the end that would lose the lowest or highest value is closed too. */
function between(breaks: readonly number[], closed: 'left' | 'right'): readonly Interval[] {
  if (breaks.length < 2) return breaks.map(point)
  return breaks.slice(1).map((upper, k) => {
    const lower = breaks[k]
    const both = closed === 'left' ? k === breaks.length - 2 : k === 0
    const label = `${closed === 'left' || both ? '[' : '('}${lower},${upper}${closed === 'right' || both ? ']' : ')'}`
    return { lower, upper, closed: both ? ('both' as const) : closed, label }
  })
}

function point(value: number): Interval {
  return { lower: value, upper: value, closed: 'both', label: String(value) }
}

/** The interval of a value; a point wins over an interval that ends there, and a value in none falls into the nearest. */
function findInterval(intervals: readonly Interval[], value: number): number {
  const asPoint = intervals.findIndex(({ lower, upper }) => lower === value && upper === value)
  if (asPoint >= 0) return asPoint
  const inside = intervals.findIndex((interval) => contains(interval, value))
  if (inside >= 0) return inside
  const distances = intervals.map(({ lower, upper }) => Math.max(lower - value, value - upper))
  return distances.indexOf(Math.min(...distances))
}

function contains({ lower, upper, closed }: Interval, value: number): boolean {
  return (
    (value > lower || (value === lower && closed !== 'right')) &&
    (value < upper || (value === upper && closed !== 'left'))
  )
}

/** Type-7 quantile of the values as often as they occur. */
function quantileOf({ numbers, counts }: NumberCounts, p: number): number {
  const total = counts.reduce((sum, count) => sum + count, 0)
  const h = (total - 1) * p
  const below = Math.floor(h)
  const at = (index: number) => {
    let passed = 0
    for (let k = 0; k < numbers.length; k++) {
      passed += counts[k]
      if (index < passed) return numbers[k]
    }
    return numbers[numbers.length - 1]
  }
  const low = at(below)
  return low + (h - below) * (at(below + 1) - low)
}

function equalWidths({ numbers }: NumberCounts, n: number): number[] {
  const low = numbers[0]
  const width = (numbers[numbers.length - 1] - low) / n
  return Array.from({ length: n + 1 }, (_, k) => (k === n ? numbers[numbers.length - 1] : low + k * width))
}

/** Fisher-Jenks: the partition into n runs with the least sum of squares, by dynamic programming with divide and conquer. */
function optimalBreaks({ numbers, counts }: NumberCounts, n: number): number[] {
  const size = numbers.length
  const weight = prefix(counts)
  const shift = numbers[size >> 1]
  const first = prefix(numbers.map((value, k) => counts[k] * (value - shift)))
  const second = prefix(numbers.map((value, k) => counts[k] * (value - shift) ** 2))
  const cost = (a: number, b: number) => second[b] - second[a] - (first[b] - first[a]) ** 2 / (weight[b] - weight[a])
  let best = Float64Array.from({ length: size + 1 }, (_, b) => (b === 0 ? 0 : cost(0, b)))
  const cuts: Int32Array[] = []
  for (let run = 2; run <= n; run++) {
    const next = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY)
    const cut = new Int32Array(size + 1)
    const solve = (low: number, high: number, from: number, to: number) => {
      if (low > high) return
      const middle = (low + high) >> 1
      for (let a = Math.max(from, run - 1); a <= Math.min(to, middle - 1); a++) {
        const value = best[a] + cost(a, middle)
        if (value < next[middle]) {
          next[middle] = value
          cut[middle] = a
        }
      }
      solve(low, middle - 1, from, cut[middle])
      solve(middle + 1, high, cut[middle], to)
    }
    solve(run, size, run - 1, size - 1)
    best = next
    cuts.push(cut)
  }
  const starts: number[] = []
  let end = size
  for (let k = cuts.length - 1; k >= 0; k--) {
    end = cuts[k][end]
    starts.unshift(end)
  }
  return [numbers[0], ...starts.map((start) => (numbers[start - 1] + numbers[start]) / 2), numbers[size - 1]]
}

/**
 * Neighbouring runs are joined, those first whose union is shortest, until n are left: complete linkage, which on a line joins
 * only neighbours. The queue keeps every union that was ever possible; those of which a part has grown since are passed over.
 */
function completeLinkage({ numbers }: NumberCounts, n: number): number[] {
  const size = numbers.length
  // By its first value where a run ends, and by its last where it starts.
  const ends = Int32Array.from({ length: size }, (_, k) => k)
  const starts = Int32Array.from({ length: size }, (_, k) => k)
  const queue: Union[] = []
  const offer = (first: number, middle: number) => {
    const last = middle < size ? ends[middle] : -1
    if (first >= 0 && last >= 0) push(queue, { first, middle, last, length: numbers[last] - numbers[first] })
  }
  for (let k = 1; k < size; k++) offer(k - 1, k)
  for (let runs = size; runs > n; ) {
    const { first, middle, last } = pop(queue)
    if (starts[middle - 1] !== first || ends[middle] !== last) continue
    starts[middle - 1] = -1
    ends[middle] = -1
    ends[first] = last
    starts[last] = first
    runs--
    if (first > 0) offer(starts[first - 1], first)
    offer(first, last + 1)
  }
  const cuts: number[] = []
  for (let next = ends[0] + 1; next < size; next = ends[next] + 1) cuts.push((numbers[next - 1] + numbers[next]) / 2)
  return [numbers[0], ...cuts, numbers[size - 1]]
}

/** Two neighbouring runs: [first, middle) and [middle, last]. */
interface Union {
  readonly first: number
  readonly middle: number
  readonly last: number
  readonly length: number
}

const isBefore = (a: Union, b: Union) => a.length < b.length || (a.length === b.length && a.first < b.first)

/** A binary heap, the shortest union on top. */
function push(heap: Union[], union: Union): void {
  let at = heap.push(union) - 1
  while (at > 0) {
    const above = (at - 1) >> 1
    if (!isBefore(union, heap[above])) break
    heap[at] = heap[above]
    at = above
  }
  heap[at] = union
}

function pop(heap: Union[]): Union {
  const top = heap[0]
  const last = heap.pop() ?? top
  let at = 0
  while (heap.length > 0) {
    const [left, right] = [2 * at + 1, 2 * at + 2]
    if (left >= heap.length) break
    const below = right < heap.length && isBefore(heap[right], heap[left]) ? right : left
    if (!isBefore(heap[below], last)) break
    heap[at] = heap[below]
    at = below
  }
  if (heap.length > 0) heap[at] = last
  return top
}

function standardDeviations(pool: NumberCounts, n: number): number[] {
  const { numbers, counts } = pool
  const total = counts.reduce((sum, count) => sum + count, 0)
  const mean = numbers.reduce((sum, value, k) => sum + counts[k] * value, 0) / total
  const sd = Math.sqrt(numbers.reduce((sum, value, k) => sum + counts[k] * (value - mean) ** 2, 0) / (total - 1))
  return prettyBreaks((numbers[0] - mean) / sd, (numbers[numbers.length - 1] - mean) / sd, n).map((z) => mean + z * sd)
}

/** Round breaks that cover [low, high] in about n steps of 1, 2 or 5 times a power of ten (Becker, Chambers and Wilks 1988). */
function prettyBreaks(low: number, high: number, n: number): number[] {
  const cell = (high - low) / n
  const base = math.pow(10, Math.floor(math.log10(cell)))
  let unit = base
  if (2 * base - cell < 1.5 * (cell - unit)) unit = 2 * base
  if (5 * base - cell < 2.75 * (cell - unit)) unit = 5 * base
  if (10 * base - cell < 1.5 * (cell - unit)) unit = 10 * base
  const from = Math.floor(low / unit + 1e-7)
  const to = Math.ceil(high / unit - 1e-7)
  return Array.from({ length: to - from + 1 }, (_, k) => (from + k) * unit)
}

/** Splits at the mean, then the part above it again, while that head holds at most 40 % (Jiang 2013). */
function headTails({ numbers, counts }: NumberCounts): number[] {
  const breaks = [numbers[0]]
  let from = 0
  for (;;) {
    let total = 0
    let sum = 0
    for (let k = from; k < numbers.length; k++) {
      total += counts[k]
      sum += counts[k] * numbers[k]
    }
    const mean = sum / total
    const head = numbers.findIndex((value) => value > mean)
    if (head < 0) break
    breaks.push(mean)
    const above = counts.slice(head).reduce((a, b) => a + b, 0)
    if (above / total > 0.4 || head >= numbers.length - 1) break
    from = head
  }
  return distinct([...breaks, numbers[numbers.length - 1]])
}

/** Gaps as large as the last of the n - 1 largest are all cut, so that classes do not depend on which of them comes first. */
function largestGaps({ numbers }: NumberCounts, n: number): number[] {
  const gaps = Float64Array.from({ length: numbers.length - 1 }, (_, k) => numbers[k + 1] - numbers[k])
  const smallest = n < 2 ? Number.POSITIVE_INFINITY : (gaps.toSorted().at(1 - n) ?? 0)
  const cuts = Array.from(gaps.keys()).filter((k) => gaps[k] >= smallest)
  return [numbers[0], ...cuts.map((k) => (numbers[k] + numbers[k + 1]) / 2), numbers[numbers.length - 1]]
}

function boxFences(pool: NumberCounts): number[] {
  const [q1, q2, q3] = [0.25, 0.5, 0.75].map((p) => quantileOf(pool, p))
  const low = pool.numbers[0]
  const high = pool.numbers[pool.numbers.length - 1]
  const fence = 1.5 * (q3 - q1)
  return distinct([low, Math.max(low, q1 - fence), q1, q2, q3, Math.min(high, q3 + fence), high])
}

function keep({ numbers, counts }: NumberCounts, chosen: (k: number) => boolean): NumberCounts {
  return { numbers: numbers.filter((_, k) => chosen(k)), counts: counts.filter((_, k) => chosen(k)) }
}

function prefix(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1)
  for (let k = 0; k < values.length; k++) sums[k + 1] = sums[k] + values[k]
  return sums
}

function distinct(ascending: readonly number[]): number[] {
  return ascending.filter((value, k) => k === 0 || value > ascending[k - 1])
}

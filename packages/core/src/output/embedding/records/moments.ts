import type { Codes } from './coded-records.js'
import { firstCodes, placeOf, type Stride } from './joint-code.js'
import {
  type Aims,
  type Climber,
  type Condition,
  errorAt,
  errorOf,
  excessAt,
  excessOf,
  type Goal,
  type Included,
  isIncluded,
  markUses,
  type Statistic,
  worstElement,
} from './statistic.js'

/**
 * Tables, summaries and correlations: closed forms of sums within cells. A cell keeps Σ w f(record) for a few features f, each a
 * product of numbers looked up by code:
 *   count Σ w, share Σ w / total, mean Σ w x / Σ w, variance and standard deviation (n - 1), sum Σ w x
 *   median and quantiles: how far the share of records at or below the printed value is from the wanted share, in its own units
 *   minimum and maximum: how many records lie beyond the printed value, and whether one lies on it
 *   correlation: of the numbers, or of ranks in the assumed margins (Spearman; approximate, since real ranks move)
 * Blind to nothing that is printed, but a quantile is held to its share and not to how it interpolates between two records.
 */
export interface MomentsAim {
  readonly kind: 'moments'
  readonly variables: number
  readonly included: Included
  readonly weight: { readonly variable: number; readonly values: Float64Array } | null
  /** The cell of a record: joint code of these, -1 in `cellOf` for none that is printed. */
  readonly by: readonly Stride[]
  readonly cellOf: Int32Array
  readonly cells: number
  readonly features: readonly Feature[]
  /** Cell after cell. */
  readonly elements: readonly MomentElement[]
  readonly aims: Aims
}

/** A number per record: 1, x, x², x y, or whether x lies at or below something. */
export interface Feature {
  readonly factors: readonly {
    readonly variable: number
    /** By code; where it differs between cells, cell after cell. */
    readonly values: Float64Array
    readonly byCell: boolean
  }[]
}

export interface MomentElement {
  readonly cell: number
  readonly what: 'count' | 'share' | 'mean' | 'sum' | 'variance' | 'sd' | 'quantile' | 'extreme' | 'correlation'
  /** Features it needs: [x], [x, x²], [at or below, below], [beyond, at], [x, y, xx, yy, xy]; weights always come first. */
  readonly features: readonly number[]
  /** The total of a share, the probability of a quantile. */
  readonly parameter: number
  /** Of a quantile: units of the variable per unit of share; its printed value. */
  readonly slope: number
}

export function momentsStatistic(aim: MomentsAim): Statistic {
  const { features, elements, aims, cells, by, cellOf, included, weight } = aim
  const width = features.length + 1
  const starts = new Int32Array(cells + 1)
  for (const { cell } of elements) starts[cell + 1]++
  for (let cell = 0; cell < cells; cell++) starts[cell + 1] += starts[cell]
  const isAll = included.allowed.length === 0 && included.joint === null
  const uses = new Uint8Array(aim.variables)
  for (const { variable } of by) uses[variable] = 1
  for (const { factors } of features) for (const { variable } of factors) uses[variable] = 1
  if (weight !== null) uses[weight.variable] = 1
  markUses(uses, included)

  function cellAt(codes: Codes, at: number): number {
    if (!isAll && !isIncluded(included, codes, at)) return -1
    return cellOf[placeOf(by, codes, at)]
  }

  function addTo(cell: number, codes: Codes, at: number, sign: number, sums: Float64Array, from: number): void {
    const amount = weight === null ? sign : sign * weight.values[codes[at + weight.variable]]
    sums[from] += amount
    for (let f = 0; f < features.length; f++) {
      const { factors } = features[f]
      let value = amount
      for (let k = 0; k < factors.length; k++) {
        const { variable, values, byCell } = factors[k]
        const code = codes[at + variable]
        value *= byCell ? values[(cell * values.length) / cells + code] : values[code]
      }
      sums[from + 1 + f] += value
    }
  }

  function add(codes: Codes, at: number, sign: number, sums: Float64Array, from: number): void {
    const cell = cellAt(codes, at)
    if (cell >= 0) addTo(cell, codes, at, sign, sums, from + cell * width)
  }

  function evaluate(sums: Float64Array, from: number, values: Float64Array): number {
    for (let e = 0; e < elements.length; e++)
      values[e] = momentOf(elements[e], aims.targets[e], sums, from + elements[e].cell * width)
    return errorOf(values, aims)
  }

  function climber(sums: Float64Array, from: number, goal: Goal): Climber {
    const values = new Float64Array(elements.length)
    const touched: number[] = []
    const trial: Float64Array[] = []
    let error = 0
    let proposed = 0

    /** The part of the error that is in a cell. */
    function cellError(cell: number, from: Float64Array, at: number): number {
      let total = 0
      for (let e = starts[cell]; e < starts[cell + 1]; e++) {
        const value = momentOf(elements[e], aims.targets[e], from, at)
        total += goal === 'printed' ? excessAt(value, e, aims) : errorAt(value, e, aims)
      }
      return total
    }

    function refresh(): void {
      const near = evaluate(sums, from, values)
      error = goal === 'near' ? near : excessOf(values, aims)
    }

    let count = 0
    function take(codes: Codes, at: number, sign: number): void {
      const cell = cellAt(codes, at)
      if (cell < 0) return
      let k = 0
      while (k < count && touched[k] !== cell) k++
      if (k === count) {
        touched[count] = cell
        trial[count] ??= new Float64Array(width)
        for (let f = 0; f < width; f++) trial[count][f] = sums[from + cell * width + f]
        count++
      }
      addTo(cell, codes, at, sign, trial[k], 0)
    }

    refresh()
    return {
      values,
      error: () => error,
      propose(before, after, records) {
        count = 0
        for (let k = 0; k < records; k++) {
          take(before, k * aim.variables, -1)
          take(after, k * aim.variables, 1)
        }
        proposed = error
        for (let k = 0; k < count; k++)
          proposed += cellError(touched[k], trial[k], 0) - cellError(touched[k], sums, from + touched[k] * width)
        return proposed
      },
      accept() {
        for (let k = 0; k < count; k++) {
          const cell = touched[k]
          sums.set(trial[k], from + cell * width)
          for (let e = starts[cell]; e < starts[cell + 1]; e++)
            values[e] = momentOf(elements[e], aims.targets[e], trial[k], 0)
        }
        error = proposed
      },
      refresh,
      worst: () => worstCell(aim, values),
    }
  }

  return { uses, size: cells * width, aims, response: -1, add, evaluate, climber }
}

/** No record in a cell: the mean of nothing is as far off as can be said without a number. */
function momentOf(
  { what, features, parameter, slope }: MomentElement,
  target: number,
  sums: Float64Array,
  at: number,
): number {
  const n = sums[at]
  if (what === 'count') return n
  if (what === 'share') return (100 * n) / parameter
  const a = at + 1 + features[0]
  if (what === 'sum') return sums[a]
  if (what === 'extreme') return target + slope * (sums[a] + (sums[at + 1 + features[1]] > 0 ? 0 : 1))
  if (!(n > 0)) return 0
  const b = at + 1 + features[1]
  if (what === 'mean') return sums[a] / n
  if (what === 'variance' || what === 'sd') {
    const variance = n > 1 ? Math.max(0, (sums[b] - (sums[a] * sums[a]) / n) / (n - 1)) : 0
    return what === 'sd' ? Math.sqrt(variance) : variance
  }
  if (what === 'quantile') {
    // The share at or below must reach the probability, the share below must not exceed it.
    const short = Math.max(0, parameter - sums[a] / n)
    const over = Math.max(0, sums[b] / n - parameter)
    return target + slope * (over - short)
  }
  const [x, y, xx, yy, xy] = features.map((feature) => sums[at + 1 + feature] / n)
  const spread = (xx - x * x) * (yy - y * y)
  return spread > 0 ? (xy - x * y) / Math.sqrt(spread) : 0
}

/** Records of the cell of the worst element, by its first variable. */
function worstCell(aim: MomentsAim, values: Float64Array): Condition | null {
  if (aim.by.length === 0) return null
  const { cell } = aim.elements[worstElement(values, aim.aims)]
  const codes = firstCodes(aim.by, aim.cellOf.length, (place) => aim.cellOf[place] === cell)
  return { variable: aim.by[0].variable, codes }
}

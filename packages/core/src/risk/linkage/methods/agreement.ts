import { quantileSorted } from '../../../stats/quantile.js'
import { standardDeviation } from '../../../stats/sums.js'
import { type Costs, type KeyCost, keyCosts } from '../costs/costs.js'
import { jaroWinkler, mostAlike } from '../costs/jaro-winkler.js'
import { numbersOf } from '../costs/key-costs.js'
import { areRelated, codeCounts, type Key, type LinkedFiles } from '../costs/linked-files.js'

/**
 * How far two values of a key agree, as one of a few levels, the best first: equal or not; for numbers equal, close or not;
 * for texts equal, three steps of likeness (Jaro-Winkler 0.92, 0.88 and 0.70) or not. What a level is worth is set later,
 * so that the same comparison counts patterns of agreement and weighs them.
 */
export interface Agreement {
  readonly levels: number
  /** Costs by level; a missing value costs `missing`; `exact` gives the cost of agreeing on each code, for the first level. */
  readonly costs: (levels: ArrayLike<number>, missing: number, exact?: Float64Array) => KeyCost
  /** Share of the search file that has each code. */
  readonly shares: Float64Array
}

/**
 * Numbers agree when equal or in steps of a twentieth, a fifth and a half of a standard deviation; when equal or within half of
 * one; when equal; or within 1.4826 times the median deviation (as riskutility 0.1.0).
 */
export const CLOSENESS = ['steps', 'half-sd', 'equal', 'mad'] as const
export type Closeness = (typeof CLOSENESS)[number]

const TEXT_LEVELS = [0.92, 0.88, 0.7]

export function agreementOf(
  key: Key,
  files: LinkedFiles,
  closeness: Closeness,
  original: 'query' | 'search',
  breaks?: readonly number[],
): Agreement {
  const counts = codeCounts(key, files, 'search')
  let known = 0
  for (const count of counts) known += count
  const shares = counts.map((count) => Math.max(count, 1) / Math.max(known, 1))
  if (breaks !== undefined && key.numbers.length > 0) return equalAgreement(binned(key, breaks), shares, true)
  if (key.kind === 'nominal') return equalAgreement(key, shares, false)
  if (key.kind === 'text') return tableAgreement(key, shares, TEXT_LEVELS.length + 2, (a, b) => textLevel(key, a, b))
  if (key.kind === 'hierarchy' || key.kind === 'classes')
    return tableAgreement(key, shares, 2, (a, b) => (areRelated(key, a, b) ? 0 : 1))
  return numberAgreement(key, files, shares, closeness, original)
}

function equalAgreement(
  { query, search, cardinality }: Pick<Key, 'query' | 'search' | 'cardinality'>,
  shares: Float64Array,
  isBinned: boolean,
): Agreement {
  return {
    levels: 2,
    shares,
    costs: (levels, missing, exact) => ({
      kind: 'equal',
      query,
      search,
      agree: exact === undefined || isBinned ? new Float64Array(cardinality).fill(levels[0]) : exact,
      disagree: levels[1],
      ...constantMissing(query.length, missing),
    }),
  }
}

/** Right-closed classes (-∞, b1], (b1, b2], ... */
function binned({ query, search, numbers }: Key, breaks: readonly number[]) {
  const of = (codes: Int32Array) =>
    codes.map((code) => (code < 0 ? -1 : breaks.filter((cut) => numbers[code] > cut).length))
  return { query: of(query), search: of(search), cardinality: breaks.length + 1 }
}

function tableAgreement(
  { query, search }: Key,
  shares: Float64Array,
  count: number,
  level: (a: number, b: number) => number,
): Agreement {
  const ours = [...new Set(query)].filter((code) => code >= 0)
  const theirs = [...new Set(search)].filter((code) => code >= 0)
  const [row, column] = [ours, theirs].map((codes) => new Map(codes.map((code, at) => [code, at])))
  const width = theirs.length
  const levelOf = new Uint8Array(ours.length * width)
  for (let i = 0; i < ours.length; i++)
    for (let j = 0; j < width; j++) levelOf[i * width + j] = level(ours[i], theirs[j])
  const places = {
    query: query.map((code) => row.get(code) ?? -1),
    search: search.map((code) => column.get(code) ?? -1),
  }
  return {
    levels: count,
    shares,
    costs: (levels, missing, exact) => {
      const table = Float64Array.from(levelOf, (one) => levels[one])
      if (exact !== undefined)
        for (const [i, code] of ours.entries()) {
          const at = column.get(code)
          if (at !== undefined) table[i * width + at] = exact[code]
        }
      return { kind: 'table', ...places, width, table, ...constantMissing(query.length, missing) }
    },
  }
}

function textLevel({ levels }: Key, a: number, b: number): number {
  if (a === b) return 0
  const [left, right] = [levels[a], levels[b]]
  if (mostAlike(left.length, right.length) < TEXT_LEVELS[2]) return TEXT_LEVELS.length + 1
  const likeness = jaroWinkler(left, right)
  const at = TEXT_LEVELS.findIndex((least) => likeness >= least)
  return at < 0 ? TEXT_LEVELS.length + 1 : at + 1
}

function numberAgreement(
  key: Key,
  files: LinkedFiles,
  shares: Float64Array,
  closeness: Closeness,
  original: 'query' | 'search',
): Agreement {
  const { query, search } = numbersOf(key)
  const of = original === 'query' ? query : search
  const rows = Float64Array.from(files[original].ids, (id) => of[id])
    .filter((value) => !Number.isNaN(value))
    .sort()
  const sd = standardDeviation(rows) ?? 0
  const tolerances = {
    steps: [0, sd / 20, sd / 5, sd / 2],
    'half-sd': [0, sd / 2],
    equal: [0],
    mad: [madTolerance(rows)],
  }[closeness]
  return {
    levels: tolerances.length + 1,
    shares,
    costs: (levels, missing, exact) => ({
      kind: 'step',
      query,
      search,
      tolerances: Float64Array.from(tolerances),
      costs: Float64Array.from(levels),
      exact: exact === undefined ? null : Float64Array.from(key.search, (code) => (code < 0 ? 0 : exact[code])),
      ...constantMissing(query.length, missing),
    }),
  }
}

function madTolerance(sorted: Float64Array): number {
  const centre = quantileSorted(sorted, 0.5) ?? 0
  const spread = 1.4826 * (quantileSorted(sorted.map((value) => Math.abs(value - centre)).sort(), 0.5) ?? 0)
  return spread > 0 ? spread : 0.1 * ((sorted[sorted.length - 1] ?? 0) - (sorted[0] ?? 0))
}

function constantMissing(queries: number, cost: number) {
  return { missingQuery: cost, missingSearch: new Float64Array(queries).fill(cost) }
}

/** Costs that number the patterns: each key's level, or the number of levels where it is missing, times its stride. */
export function patternCosts(agreements: readonly Agreement[], searches: number): Costs {
  let stride = 1
  const keys = agreements.map(({ levels, costs }) => {
    const own = stride
    stride *= levels + 1
    return costs(
      Array.from({ length: levels }, (_, level) => level * own),
      levels * own,
    )
  })
  return keyCosts(keys, searches)
}

/** The levels behind the number of a pattern; -1 where a value is missing. */
export function levelsOf(pattern: number, agreements: readonly Agreement[]): number[] {
  let rest = pattern
  return agreements.map(({ levels }) => {
    const level = rest % (levels + 1)
    rest = Math.floor(rest / (levels + 1))
    return level === levels ? -1 : level
  })
}

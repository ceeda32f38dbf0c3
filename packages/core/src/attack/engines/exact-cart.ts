import {
  type CartSettings,
  type CartStep,
  type CartVariable,
  growVariable,
  hasMissing,
  leafOfRecord,
  type Predictor,
  predictorsOf,
  sameStructure,
  shareByCoins,
  shareInLeaf,
  withRankChanged,
} from '../cart-generator.js'
import { prefixBook, type Records, type ReleasedSets, recordAt, type Variable } from '../records.js'

/**
 * The exact likelihood of released sets in worlds that differ from `base` in one record. It is a sum over variables, and
 * the tree of a variable depends on the changed record only through its values up to that variable, so equal beginnings
 * share trees. Where the changed record leaves the structure as it was, only the leaves that it left and entered are
 * looked at again; the simple version fits every world anew and adds up log probabilities of all released records.
 */
export interface WorldLikelihood {
  /** Log likelihood of each set when the record of `row` is `candidate` instead. */
  readonly of: (row: number, candidate: Int32Array) => Float64Array
}

/** What a variable adds to the log likelihood of each set: a finite part, and how many records are impossible. */
interface Totals {
  readonly finite: Float64Array
  readonly impossible: Float64Array
}

interface EvaluatedStep {
  readonly step: CartStep
  /** By distinct released record: its leaf, -1 where coins decide, -2 where the step does not make it. */
  readonly leaf: Int32Array
  readonly share: Float64Array
  readonly totals: Totals
  /** Released records by leaf; those decided by coins are at -1. */
  readonly byLeaf: ReadonlyMap<number, readonly number[]>
}

const NOT_MADE = -2
const BY_COINS = -1
/** Log likelihoods kept for equal beginnings, in numbers. */
const MOST_REMEMBERED = 4_000_000
const PAIRS = 2 ** 26

export function exactCart(
  variables: readonly Variable[],
  base: Records,
  settings: CartSettings,
  sets: ReleasedSets,
): WorldLikelihood {
  const basePredictors = variables.map((_, j) => predictorsOf(variables, base, j))
  const baseFits = variables.map((_, j) =>
    growVariable(variables, base, j, basePredictors.slice(0, j).flat(), settings),
  )
  const baseValues = baseFits.map(({ value }, j) => (value === null ? null : evaluateAll(value, j, 'value')))
  const baseGaps = baseFits.map(({ indicator }, j) =>
    indicator === null ? null : evaluateAll(indicator, j, 'indicator'),
  )
  const baseTotals = baseFits.map((fit, j) => totalsOf(fit, j))
  const prefixes = prefixBook(variables.length)
  const remembered = variables.map(() => new Map<number, Totals>())
  let kept = 0

  function of(row: number, candidate: Int32Array): Float64Array {
    const truth = recordAt(base, row)
    const changed = new Map<number, Predictor[]>()
    const finite = new Float64Array(sets.sets)
    const impossible = new Float64Array(sets.sets)
    let before = 0
    let after = 0
    let same = true
    for (let j = 0; j < variables.length; j++) {
      before = prefixes(j, before, truth[j])
      after = prefixes(j, after, candidate[j])
      same &&= truth[j] === candidate[j]
      const totals = same
        ? baseTotals[j]
        : recall(j, before * PAIRS + after, () => worldTotals(j, row, candidate, changed))
      for (let s = 0; s < sets.sets; s++) {
        finite[s] += totals.finite[s]
        impossible[s] += totals.impossible[s]
      }
    }
    return finite.map((sum, s) => (impossible[s] > 0 ? Number.NEGATIVE_INFINITY : sum))
  }

  function recall(j: number, key: number, compute: () => Totals): Totals {
    const known = remembered[j].get(key)
    if (known !== undefined) return known
    if (kept > MOST_REMEMBERED) {
      for (const book of remembered) book.clear()
      kept = 0
    }
    const totals = compute()
    remembered[j].set(key, totals)
    kept += 2 * sets.sets
    return totals
  }

  function worldTotals(j: number, row: number, candidate: Int32Array, changed: Map<number, Predictor[]>): Totals {
    const predictors: Predictor[] = []
    for (let i = 0; i < j; i++) {
      const known = changed.get(i) ?? changedPredictors(i, row, candidate[i])
      changed.set(i, known)
      predictors.push(...known)
    }
    const codes = base.codes.slice(0, j + 1)
    codes[j] = codes[j].slice()
    codes[j][row] = candidate[j]
    return totalsOf(growVariable(variables, { codes, rows: base.rows }, j, predictors, settings), j)
  }

  function changedPredictors(i: number, row: number, code: number): Predictor[] {
    if (base.codes[i][row] === code) return basePredictors[i]
    const codes = base.codes[i].slice()
    codes[row] = code
    const [first] = basePredictors[i]
    const plain = basePredictors[i].length === 1 && (variables[i].kind === 'levels' || !hasMissing(variables[i], codes))
    if (plain && first.column.kind === 'ranked') {
      const value = variables[i].kind === 'numbers' ? variables[i].numbers[code] : code
      const column = withRankChanged(first.column, row, value)
      if (column !== null) return [{ ...first, column }]
    }
    const only = base.codes.slice()
    only[i] = codes
    return predictorsOf(variables, { codes: only, rows: base.rows }, i)
  }

  function totalsOf({ indicator, value }: CartVariable, j: number): Totals {
    const gaps = indicator === null ? null : stepTotals(indicator, baseGaps[j], j, 'indicator')
    const values = value === null ? nothing() : stepTotals(value, baseValues[j], j, 'value')
    const never = unmade(j, indicator, value)
    return {
      finite: values.finite.map((sum, s) => sum + (gaps?.finite[s] ?? 0)),
      impossible: values.impossible.map((sum, s) => sum + (gaps?.impossible[s] ?? 0) + never[s]),
    }
  }

  function nothing(): Totals {
    return { finite: new Float64Array(sets.sets), impossible: new Float64Array(sets.sets) }
  }

  /** Records that are missing where nothing is, or have a number where nobody has one. */
  function unmade(j: number, indicator: CartStep | null, value: CartStep | null): Float64Array {
    const never = new Float64Array(sets.sets)
    if (variables[j].kind === 'levels' || (indicator !== null && value !== null)) return never
    for (let u = 0; u < sets.distinct.rows; u++) {
      const missing = sets.distinct.codes[j][u] === variables[j].missing
      if (missing ? indicator === null : value === null) {
        for (let k = sets.start[u]; k < sets.start[u + 1]; k++) never[sets.set[k]] += sets.count[k]
      }
    }
    return never
  }

  function stepTotals(step: CartStep, known: EvaluatedStep | null, j: number, part: Part): Totals {
    if (known === null || !sameStructure(known.step, step, variables)) return evaluateAll(step, j, part).totals
    return step === known.step ? known.totals : evaluateChanged(step, known, j, part)
  }

  /** The code that a step makes of a released record. */
  function made(j: number, u: number, part: Part): number {
    const code = sets.distinct.codes[j][u]
    if (part === 'indicator') return code === variables[j].missing ? 1 : 0
    return variables[j].kind === 'numbers' && code === variables[j].missing ? NOT_MADE : code
  }

  function evaluateAll(step: CartStep, j: number, part: Part): EvaluatedStep {
    const { distinct } = sets
    const leaf = new Int32Array(distinct.rows)
    const share = new Float64Array(distinct.rows)
    const totals = nothing()
    const byLeaf = new Map<number, number[]>()
    for (let u = 0; u < distinct.rows; u++) {
      const code = made(j, u, part)
      if (code === NOT_MADE) {
        leaf[u] = NOT_MADE
        continue
      }
      leaf[u] = leafOfRecord(step, variables, distinct, u)
      share[u] =
        leaf[u] === BY_COINS ? shareByCoins(step, variables, distinct, u, code) : shareInLeaf(step, leaf[u], code)
      add(totals, u, share[u], 1)
      const together = byLeaf.get(leaf[u])
      if (together === undefined) byLeaf.set(leaf[u], [u])
      else together.push(u)
    }
    return { step, leaf, share, totals, byLeaf }
  }

  function evaluateChanged(step: CartStep, known: EvaluatedStep, j: number, part: Part): Totals {
    const totals = { finite: known.totals.finite.slice(), impossible: known.totals.impossible.slice() }
    for (const [leaf, records] of known.byLeaf) {
      if (leaf >= 0 && sameDonors(step, known.step, leaf)) continue
      for (const u of records) {
        const code = made(j, u, part)
        const share =
          leaf === BY_COINS ? shareByCoins(step, variables, sets.distinct, u, code) : shareInLeaf(step, leaf, code)
        if (share === known.share[u]) continue
        add(totals, u, known.share[u], -1)
        add(totals, u, share, 1)
      }
    }
    return totals
  }

  function add({ finite, impossible }: Totals, u: number, share: number, sign: number): void {
    const log = Math.log(share)
    for (let k = sets.start[u]; k < sets.start[u + 1]; k++) {
      if (share === 0) impossible[sets.set[k]] += sign * sets.count[k]
      else finite[sets.set[k]] += sign * sets.count[k] * log
    }
  }

  return { of }
}

type Part = 'indicator' | 'value'

function sameDonors(a: CartStep, b: CartStep, leaf: number): boolean {
  const n = a.nodes.n[leaf]
  if (n !== b.nodes.n[leaf]) return false
  const from = a.nodes.start[leaf]
  const other = b.nodes.start[leaf]
  for (let k = 0; k < n; k++) if (a.donors[from + k] !== b.donors[other + k]) return false
  return true
}

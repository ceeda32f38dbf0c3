import { math } from '@scrim/kernels'
import { type CartSettings, fitCart, leafOfRecord, shareByCoins, shareInLeaf } from '../generator/cart-generator.js'
import { type Records, selectRecords } from '../generator/records.js'
import type { Likelihoods, Worlds } from './engine.js'

/**
 * A screen for trees: the structure grown on the known records is kept, and a candidate only joins the donors of the
 * leaves that it falls into,
 *
 *   ℓ_k = Σ_j Σ_v r_v log[(a_v + 1{v = c_j}) / (A + 1)]   instead of   Σ_v r_v log(a_v / A)   in those leaves.
 *
 * No tree is grown anew. It is blind to what the structure itself gives away (a split that only one world has), so it may
 * rank records for the exact engine but never clear one.
 */
export function pathLikelihoods(
  { variables, original, row, candidates, sets }: Worlds,
  settings: CartSettings,
): Likelihoods {
  const known = selectRecords(
    original,
    Array.from({ length: original.rows - 1 }, (_, k) => (k < row ? k : k + 1)),
  )
  const { fitted } = fitCart(variables, known, settings)
  const logs = candidates.map(() => new Float64Array(sets.sets))
  for (const [j, { indicator, value }] of fitted.entries()) {
    const { missing, kind } = variables[j]
    const isGap = (code: number) => kind === 'numbers' && code === missing
    for (const step of [indicator, value]) {
      const part = (code: number) => {
        if (step === indicator) return isGap(code) ? 1 : 0
        return isGap(code) ? null : code
      }
      if (step === null) {
        // Nobody known is missing, or nobody has a number: whoever is, only the candidate can have given it.
        if (indicator === null && value !== null) addUnknown(logs, j, sets, candidates, isGap)
        continue
      }
      const places = candidates.map((candidate) => {
        const record: Records = { codes: Array.from(candidate, (code) => Int32Array.of(code)), rows: 1 }
        return { leaf: leafOfRecord(step, variables, record, 0), code: part(candidate[j]) }
      })
      for (let u = 0; u < sets.distinct.rows; u++) {
        const code = part(sets.distinct.codes[j][u])
        if (code === null) continue
        const leaf = leafOfRecord(step, variables, sets.distinct, u)
        const share = leaf < 0 ? shareByCoins(step, variables, sets.distinct, u, code) : shareInLeaf(step, leaf, code)
        for (const [k, candidate] of places.entries()) {
          const donors = leaf < 0 ? 0 : step.nodes.n[leaf]
          const joins = leaf >= 0 && candidate.leaf === leaf && candidate.code !== null
          const log = math.log(joins ? (share * donors + (candidate.code === code ? 1 : 0)) / (donors + 1) : share)
          for (let e = sets.start[u]; e < sets.start[u + 1]; e++) logs[k][sets.set[e]] += sets.count[e] * log
        }
      }
    }
  }
  return {
    logs,
    notes: ['the engine path keeps the trees of the known records: it ranks records but cannot clear one'],
    unreliable: null,
  }
}

function addUnknown(
  logs: readonly Float64Array[],
  j: number,
  { distinct, start, set }: Worlds['sets'],
  candidates: readonly Int32Array[],
  isGap: (code: number) => boolean,
): void {
  for (let u = 0; u < distinct.rows; u++) {
    if (!isGap(distinct.codes[j][u])) continue
    for (const [k, candidate] of candidates.entries()) {
      if (isGap(candidate[j])) continue
      for (let e = start[u]; e < start[u + 1]; e++) logs[k][set[e]] = Number.NEGATIVE_INFINITY
    }
  }
}

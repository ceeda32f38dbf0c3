import { groupRows } from '@scrim/kernels'
import type { Space } from '../../../neighbors/space.js'
import type { Table } from '../../../table/table.js'
import type { LookedFor } from '../truth/looked-for.js'
import { type Costs, type KeyCost, keyCosts } from './costs.js'
import { meanGap } from './key-costs.js'
import { type LinkedFiles, type Side, sideOf } from './linked-files.js'

/**
 * The distance of a space (Gower 1971, `neighbors/space.ts`) as costs, in sums over columns. Missing on both sides agrees.
 * Missing on one side counts what the comparison is expected to give, (1 + Σ_y s(x, y)) / (1 + m) over the m known released
 * values y: so a suppressed record is nearer than one that contradicts, and farther than one that agrees.
 */
export function linkedInSpace(
  space: Space,
  { people, original, released }: Pick<LookedFor, 'people' | 'original' | 'released'>,
): { readonly files: LinkedFiles; readonly costs: Costs } {
  const [ofOriginal, ofReleased] = space.ids
  const side = (table: Table, ids: Int32Array) =>
    sideOf(table, groupRows([{ codes: ids, cardinality: space.count }], ids.length))
  const query = side(people, ofOriginal.subarray(0, people.rows))
  const search = side(released, ofReleased)
  const at = { query: query.first.map((row) => ofOriginal[row]), search: search.first.map((row) => ofReleased[row]) }
  const keys = Array.from(space.weights, (_, j) => columnCost(space, original, j, at, search))
  return { files: { query, search, keys: [] }, costs: keyCosts(keys, search.classes) }
}

function columnCost(
  { weights, nominal, values, ids: [originals] }: Space,
  { times }: Table,
  j: number,
  points: { readonly query: Int32Array; readonly search: Int32Array },
  { counts }: Side,
): KeyCost {
  const weight = weights[j]
  const valueAt = (point: number) => values[point * weights.length + j]
  const missing = (expectedAt: (point: number) => number, isKnown: (point: number) => boolean) => {
    let [sum, asked] = [0, 0]
    for (const [row, point] of originals.entries()) {
      if (!isKnown(point)) continue
      const records = times?.[row] ?? 1
      sum += records * expectedAt(point)
      asked += records
    }
    return {
      missingQuery: asked > 0 ? sum / asked : weight,
      missingSearch: Float64Array.from(points.query, (point) => (isKnown(point) ? expectedAt(point) : 0)),
      missingBoth: 0,
    }
  }
  if (j < nominal) {
    const [query, search] = [points.query, points.search].map((side) => side.map((point) => valueAt(point) - 1))
    const recordsOf = new Float64Array(values.length === 0 ? 0 : 1 + Math.max(...[query, search].map(largest)))
    let known = 0
    search.forEach((code, c) => {
      if (code < 0) return
      recordsOf[code] += counts[c]
      known += counts[c]
    })
    return {
      kind: 'equal',
      query,
      search,
      agree: new Float64Array(recordsOf.length),
      disagree: weight,
      ...missing(
        (point) => (weight * (1 + known - (recordsOf[valueAt(point) - 1] ?? 0))) / (1 + known),
        (point) => valueAt(point) > 0,
      ),
    }
  }
  const [query, search] = [points.query, points.search].map((side) => Float64Array.from(side, valueAt))
  const known = counts.reduce((sum, count, c) => sum + (Number.isNaN(search[c]) ? 0 : count), 0)
  const gap = meanGap(search, counts)
  return {
    kind: 'number',
    query,
    search,
    scale: 1,
    // Finite, so that columns are added one by one: sums are those of the space to the last bit.
    cap: Number.MAX_VALUE,
    complete: !search.some(Number.isNaN),
    ...missing(
      (point) => (weight + known * gap(valueAt(point))) / (1 + known),
      (point) => !Number.isNaN(valueAt(point)),
    ),
  }
}

function largest(codes: Int32Array): number {
  return codes.reduce((most, code) => Math.max(most, code), -1)
}

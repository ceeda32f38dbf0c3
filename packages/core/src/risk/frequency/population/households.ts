import { countIds, groupRows, math, rowsByGroup } from '@scrim/kernels'
import { NotApplicable } from '../../../errors.js'
import { jointCodes, type Part, rowsOfPart, tableOfPart } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { findColumn } from '../../../table/table.js'
import { countWhere } from '../counts/frequencies.js'

/** Households: who lives together, and how risks of people add up to that of their household. */
interface Households {
  /** Per row; -1 for a dropped record. */
  readonly ids: Int32Array
  readonly count: number
  readonly withoutId: number
}

/** Dense household numbers of the counted records; who has no household id is a household of one. */
export function householdsOf(release: Release, part: Part, risk: Float64Array): Households {
  const name = release.household ?? ''
  const table = tableOfPart(release, part)
  if (findColumn(table, name) === undefined) throw new NotApplicable(`${table.name} has no household column "${name}"`)
  const joint = jointCodes(release, name)
  const codes = rowsOfPart(release, joint, joint.codes, part)
  const numberOf = new Int32Array(joint.cardinality)
  const ids = new Int32Array(codes.length)
  let households = 0
  let withoutId = 0
  for (let row = 0; row < codes.length; row++) {
    if (Number.isNaN(risk[row])) ids[row] = -1
    else if (codes[row] < 0) {
      ids[row] = households++
      withoutId++
    } else {
      if (numberOf[codes[row]] === 0) numberOf[codes[row]] = ++households
      ids[row] = numberOf[codes[row]] - 1
    }
  }
  return { ids, count: households, withoutId }
}

/** 1 - Π (1 - r), summed in logarithms so that many small risks do not vanish; 1 if a member's risk is 1. */
export function riskOfHouseholds(risk: Float64Array, { ids, count: households }: Households): Float64Array {
  const logSafe = new Float64Array(households)
  for (let row = 0; row < ids.length; row++) if (ids[row] >= 0) logSafe[ids[row]] += math.log1p(-risk[row])
  return logSafe.map((value) => -math.expm1(value))
}

/**
 * Households with the same members: their sorted lists of key classes are followed like paths of a tree, all households
 * one member further at a time, so the work is linear in the persons whatever the largest household.
 */
export function compositionOf(households: Households, classIds: Int32Array, k: number) {
  const { rows, start } = rowsByGroup(households.ids, households.count)
  const members = Int32Array.from(rows, (row) => classIds[row])
  for (let household = 0; household < households.count; household++)
    members.subarray(start[household], start[household + 1]).sort()
  const kind = new Int32Array(households.count)
  const path = new Int32Array(households.count)
  let kinds = 0
  let live = Int32Array.from({ length: households.count }, (_, household) => household)
  const cardinality = classIds.reduce((a, b) => Math.max(a, b), 0) + 1
  for (let depth = 0; live.length > 0; depth++) {
    const next = live.map((household) => members[start[household] + depth])
    const stepped = groupRows(
      [
        { codes: live.map((household) => path[household]), cardinality: households.count },
        { codes: next, cardinality },
      ],
      live.length,
    )
    for (let at = 0; at < live.length; at++) path[live[at]] = stepped.ids[at]
    const ended = live.filter((household) => start[household + 1] - start[household] === depth + 1)
    for (const household of ended) kind[household] = kinds + path[household]
    kinds += stepped.count
    live = live.filter((household) => start[household + 1] - start[household] > depth + 1)
  }
  const sizes = countIds(kind, kinds)
  const alike = Float64Array.from(kind, (number) => sizes[number])
  const violatingHouseholds = countWhere(alike, (size) => size < k)
  const classes = countWhere(sizes, (size) => size > 0)
  const summary = {
    k: alike.reduce((a, b) => Math.min(a, b), households.count),
    threshold: k,
    classes,
    uniqueHouseholds: countWhere(alike, (size) => size === 1),
    violatingHouseholds,
    violatingShare: violatingHouseholds / households.count,
    /** Mean over households of 1/(households alike). */
    prosecutorRisk: classes / households.count,
  }
  return { summary, alike }
}

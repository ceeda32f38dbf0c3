import { weightsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { average, type Found } from './truth/found.js'

/** What is known of the people looked for, put on the rows of the original and averaged over those whom they stand for. */

/** Null where there are none, or somebody is not in the original. */
export function weightsOfPeople(release: Release, people: Int32Array): Float64Array | null {
  const weights = weightsOfPart(release, 'original')
  return weights === null || people.some((row) => row < 0) ? null : Float64Array.from(people, (row) => weights[row])
}

/** By weights, which say for how many people somebody stands, or by the share of the population that the original has. */
export function unknownMembership(
  weights: Float64Array | null,
  share: number | null,
  risk: Float64Array,
): number | null {
  if (weights !== null) return average(risk.map((own, k) => own / Math.max(1, weights[k])))
  return share === null ? null : average(risk) * Math.min(1, share)
}

export function recordsOf(people: Found, on: { readonly rows: Int32Array; readonly fileRows: number }) {
  return {
    linkageRisk: onPeople(on, people.risk),
    named: onPeople(on, people.guessed),
    nearestRecords: onPeople(on, people.tied),
    nearerThanOwn: onPeople(on, people.nearer),
    costOfOwn: onPeople(on, people.own),
    costOfNearest: onPeople(on, people.least),
    gapToSecond: onPeople(on, people.gap),
  }
}

/** On the rows of the original; the larger one where several records are one person's. What is not finite is not known. */
export function onPeople(
  { rows, fileRows }: { readonly rows: Int32Array; readonly fileRows: number },
  scores: Float64Array,
) {
  const spread = new Float64Array(fileRows).fill(Number.NaN)
  for (let k = 0; k < rows.length; k++) {
    if (rows[k] < 0 || !Number.isFinite(scores[k])) continue
    const known = spread[rows[k]]
    spread[rows[k]] = Number.isNaN(known) ? scores[k] : Math.max(known, scores[k])
  }
  return spread
}

import { math } from '@scrim/kernels'
import { PLAIN_COUNTS } from '../counts/frequencies.js'
import type { KeyFile } from '../counts/minimal-uniques.js'
import type { Options } from '../suda.js'
import { samplingOf } from './sampling.js'

/** DIS-SUDA: the score of a record as a probability, from the sampling fraction. */
export const USUAL_DIS_FRACTION = 0.01

/** Sampling fraction for DIS: as given, or from what the release knows of its population, or the usual guess. */
export function samplingFraction({ release, part, own }: KeyFile, { disFraction }: Options) {
  if (disFraction !== null) return { value: disFraction, from: 'option' }
  const known = samplingOf(release, part, own, { ...PLAIN_COUNTS, missing: own.policy, samplingFraction: null })
  if (known.source === 'none' && !own.hasWeights) return { value: USUAL_DIS_FRACTION, from: 'assumed' }
  return { value: known.fraction, from: known.source === 'none' ? 'weights' : known.source }
}

/** DIS per record, and for the file: the chance that a match with a unique record is correct. */
export function disScores(scores: Float64Array, { keys, uniques, pairs }: KeyFile, fraction: number) {
  const exponent = 1 + (8 - keys.length) / 20
  let inverse = 0
  for (const score of scores) if (score > 0) inverse += math.pow(score, -exponent)
  const odds = (pairs * (1 - fraction)) / (fraction * inverse)
  const dis = scores.map((score) => (score > 0 ? 1 / (1 + odds / math.pow(score, exponent)) : 0))
  const matched = uniques * fraction + pairs * (1 - fraction)
  return { dis, fileDis: matched > 0 ? (uniques * fraction) / matched : null }
}

/** Upper ends of the bands in which sdcMicro prints DIS: none, (0, 0.1], ... (0.6, 0.7], above 0.7. */
const BAND_ENDS = [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]

export function disBands(dis: Float64Array, times: Int32Array | null = null): { band: string; records: number }[] {
  const records = new Array<number>(BAND_ENDS.length + 1).fill(0)
  for (const [k, value] of dis.entries()) {
    const band = BAND_ENDS.findIndex((end) => value <= end)
    records[band < 0 ? BAND_ENDS.length : band] += times?.[k] ?? 1
  }
  return records.map((inBand, k) => ({ band: bandLabel(k), records: inBand }))
}

function bandLabel(k: number): string {
  if (k === 0) return '0'
  return k === BAND_ENDS.length ? `> ${BAND_ENDS[k - 1]}` : `(${BAND_ENDS[k - 1]}, ${BAND_ENDS[k]}]`
}

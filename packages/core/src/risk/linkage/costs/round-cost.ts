/**
 * factor · min(cap, ‖z_i - z_j‖ / unit) in `width` coordinates, row after row. Where coordinates may be missing (NaN), see `partial`.
 */
export interface RoundCost {
  readonly width: number
  readonly query: Float64Array
  readonly search: Float64Array
  readonly factor: number
  readonly unit: number
  readonly cap: number
  readonly partial: PartialRound | null
}

/** Where coordinates are missing: raw coordinates are compared, with what belongs to the coordinates that are known. */
export interface PartialRound {
  /** Per set of known coordinates, as bits: the inverse of the lower triangle of their covariance, and their unit. */
  readonly triangles: ReadonlyMap<number, Float64Array>
  readonly units: ReadonlyMap<number, number>
  readonly rule: 'ignore' | 'match' | 'instead'
  /** What stands for the coordinates that are not known, under `instead`. */
  readonly unknown: number
}

/** Where sums are divided by what is known, each known coordinate counts as one key. */
export function addRound(round: RoundCost, query: number, out: Float64Array, n: number, divided: boolean): void {
  const { width, search, factor, unit, cap } = round
  const z = round.query.subarray(query * width, (query + 1) * width)
  if (round.partial !== null) {
    for (let j = 0; j < n; j++) {
      const share = divided ? knownCoordinates(round, query, j) : factor
      out[j] += share * partialDistance(round, round.partial, z, j)
    }
    return
  }
  for (let j = 0; j < n; j++) {
    let squares = 0
    for (let k = 0; k < width; k++) {
      const gap = z[k] - search[j * width + k]
      squares += gap * gap
    }
    out[j] += factor * Math.min(cap, Math.sqrt(squares) / unit)
  }
}

function partialDistance(
  { width, search, cap }: RoundCost,
  { triangles, units, rule, unknown }: PartialRound,
  z: Float64Array,
  j: number,
): number {
  const gaps: number[] = []
  let known = 0
  for (let k = 0; k < width; k++) {
    const gap = z[k] - search[j * width + k]
    if (!Number.isNaN(gap)) known |= 1 << k
    if (!Number.isNaN(gap)) gaps.push(gap)
    else if (rule === 'match') gaps.push(0)
  }
  const set = rule === 'match' ? (1 << width) - 1 : known
  const triangle = triangles.get(set)
  const size = gaps.length
  let squares = 0
  if (triangle !== undefined)
    for (let i = 0; i < size; i++) {
      let part = 0
      for (let k = 0; k <= i; k++) part += triangle[i * size + k] * gaps[k]
      squares += part * part
    }
  const distance = size === 0 ? 0 : Math.min(cap, Math.sqrt(squares) / (units.get(set) ?? 1))
  if (rule !== 'instead') return distance
  return (size / width) * distance + (1 - size / width) * unknown
}

/** Coordinates that are known on both sides. */
export function knownCoordinates({ width, query: ours, search }: RoundCost, query: number, j: number): number {
  let known = 0
  for (let k = 0; k < width; k++) if (!Number.isNaN(ours[query * width + k] - search[j * width + k])) known++
  return known
}

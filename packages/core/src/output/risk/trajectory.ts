import { sampleWithReplacement } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { INTERVAL_ENDS } from '../../stats/levels.js'
import { quantiles } from '../../stats/quantile.js'

/**
 * Risk against error while data are being embedded: snapshots at errors that fall by the same factor, a straight line through them by
 * least squares, and where it meets an error of 0, the risk of a perfect embedding. Points of a run hang together, so that whole runs
 * are drawn anew for the interval. The line of the last power of ten alone is shown beside it: far from the end the relation need not
 * be straight, and where the two disagree by more than 0.02 neither should be believed.
 */
export type TrajectoryPoint = {
  readonly run: number
  readonly mae: number
  readonly risk: number
}

export type Line = {
  readonly intercept: number
  readonly slope: number
  readonly correlation: number
  readonly points: number
}

export type Trajectory = {
  readonly points: readonly TrajectoryPoint[]
  readonly line: Line | null
  /** 95 %, of the intercept, over runs. */
  readonly interval: { readonly lower: number; readonly upper: number } | null
  readonly lastDecade: Line | null
  readonly warning: string | null
}

const BOOTSTRAPS = 500
const DISAGREEMENT = 0.02

export function trajectoryOf(points: readonly TrajectoryPoint[], random: Stream): Trajectory {
  const line = lineThrough(points)
  const least = points.reduce((min, { mae }) => (mae > 0 ? Math.min(min, mae) : min), Number.POSITIVE_INFINITY)
  const lastDecade = lineThrough(points.filter(({ mae }) => mae <= 10 * least))
  const differs = line !== null && lastDecade !== null && Math.abs(line.intercept - lastDecade.intercept) > DISAGREEMENT
  return {
    points,
    line,
    interval: interceptInterval(points, random),
    lastDecade,
    warning: differs
      ? 'the line through all points and that through the last power of ten differ by more than 0.02 at an error of 0'
      : null,
  }
}

/** Null unless two errors differ. */
export function lineThrough(points: readonly Pick<TrajectoryPoint, 'mae' | 'risk'>[]): Line | null {
  const n = points.length
  if (n < 2) return null
  const x = points.reduce((sum, { mae }) => sum + mae, 0) / n
  const y = points.reduce((sum, { risk }) => sum + risk, 0) / n
  let [xx, yy, xy] = [0, 0, 0]
  for (const { mae, risk } of points) {
    xx += (mae - x) ** 2
    yy += (risk - y) ** 2
    xy += (mae - x) * (risk - y)
  }
  if (!(xx > 0)) return null
  const slope = xy / xx
  return { intercept: y - slope * x, slope, correlation: yy > 0 ? xy / Math.sqrt(xx * yy) : 0, points: n }
}

function interceptInterval(points: readonly TrajectoryPoint[], random: Stream) {
  const runs = [...new Set(points.map(({ run }) => run))].map((run) => points.filter((point) => point.run === run))
  if (runs.length < 3) return null
  const intercepts = Array.from({ length: BOOTSTRAPS }, () =>
    lineThrough(Array.from(sampleWithReplacement(random, runs.length, runs.length)).flatMap((k) => runs[k])),
  ).flatMap((line) => (line === null ? [] : [line.intercept]))
  const ends = quantiles(intercepts, INTERVAL_ENDS)
  return ends === null ? null : { lower: ends[0], upper: ends[1] }
}

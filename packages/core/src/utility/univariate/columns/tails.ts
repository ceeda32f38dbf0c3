import { math } from '@scrim/kernels'
import { wilson } from '../../../stats/intervals.js'
import { type Repeated, recordsOf } from '../../../stats/repeated.js'
import { sampleQuantile } from '../../../stats/samples/summaries.js'
import type { Sample } from '../../../stats/samples/two-samples.js'

export type Tail = 'upper' | 'lower'

/**
 * Mean distance between the quantile functions of two samples over a tail, ∫ |Q_X(p) - Q_Y(p)| dp / share, over p in
 * [1 - share, 1] or [0, share]; exact, both being steps.
 */
export function tailDistance(x: Sample, y: Sample, share: number, tail: Tail): number {
  const [from, to] = tail === 'upper' ? [1 - share, 1] : [0, share]
  const [a, b] = [steps(x, from), steps(y, from)]
  let area = 0
  for (let at = from; at < to - 1e-15; ) {
    const next = Math.min(to, a.end(), b.end())
    area += Math.abs(a.value() - b.value()) * (next - at)
    at = next
    a.passTo(at)
    b.passTo(at)
  }
  return area / share
}

/** Walks along the steps of a quantile function, starting at the probability `from`. */
function steps({ values, mass, total }: Sample, from: number) {
  let i = -1
  let below = 0
  const end = () => (i >= values.length - 1 ? 1 : below / total)
  const forward = () => {
    i++
    below += mass === null ? 1 : mass[i]
  }
  const passTo = (p: number) => {
    while (i < 0 || (i < values.length - 1 && below / total <= p + 1e-15)) forward()
  }
  passTo(from)
  return { end, passTo, value: () => values[i] }
}

/** What a distance in a tail is divided by: the IQR of the original, else its sd, else 1. */
export function tailScale(x: Sample, sd: number | null): number {
  return sampleQuantile(x, 0.75) - sampleQuantile(x, 0.25) || sd || 1
}

/** Beyond the original's quantile: the share of released values there, over the share of original ones. */
export function exceedance(x: Sample, y: Sample, share: number, tail: Tail) {
  const threshold = sampleQuantile(x, tail === 'upper' ? 1 - share : share)
  const [original, released] = [x, y].map((sample) => shareBeyond(sample, threshold, tail))
  const interval = wilson(released * recordsOf(y), recordsOf(y))
  const over = (of: number | undefined) => (of === undefined || original === 0 ? null : of / original)
  return {
    threshold,
    original,
    released,
    ratio: over(released),
    lower: over(interval?.lower),
    upper: over(interval?.upper),
  }
}

/** Share of the weight strictly beyond a threshold. */
export function shareBeyond({ values, mass, total }: Sample, threshold: number, tail: Tail): number {
  let beyond = 0
  for (let i = 0; i < values.length; i++) {
    const is = tail === 'upper' ? values[i] > threshold : values[i] < threshold
    if (is) beyond += mass === null ? 1 : mass[i]
  }
  return total === 0 ? 0 : beyond / total
}

export type Hill = { readonly alpha: number; readonly se: number; readonly k: number }

/**
 * Hill's (1975) estimate of the tail index, k / Σ ln(x_(i) / x_(k+1)) over the k largest values; smaller is heavier. Null when
 * they are not all positive, when there are fewer than 2, or when they are all the same.
 */
export function hill({ values, times }: Repeated, k: number): Hill | null {
  const n = recordsOf({ values, times })
  if (k < 2 || k >= n) return null
  let [next, beyond] = [values.length - 1, 0]
  const recordsAt = (place: number) => (times === null ? 1 : times[place])
  while (beyond + recordsAt(next) <= k) beyond += recordsAt(next--)
  const least = values[next]
  if (!(least > 0)) return null
  let logs = 0
  for (let i = values.length - 1; i > next; i--) logs += math.log(values[i] / least) * recordsAt(i)
  if (!(logs > 0)) return null
  const alpha = k / logs
  return { alpha, se: alpha / Math.sqrt(k), k }
}

import { math } from '@scrim/kernels'
import { bandwidth, type DensityCurve, densityCurve } from '../../../stats/samples/density.js'
import type { Sample } from '../../../stats/samples/two-samples.js'

const POINTS = 512
/** Bandwidths beyond the outermost values at which densities are taken to be 0. */
const BEYOND = 3

/** How far two kernel density estimates lie apart, integrated over all places. Both samples must have values. */
export function divergenceOf(x: Sample, y: Sample) {
  const widths = [x, y].map((sample) => bandwidth(sample))
  const ends = [x, y].map(({ values }, k) => ({
    from: values[0] - BEYOND * widths[k],
    to: values[values.length - 1] + BEYOND * widths[k],
  }))
  const [from, to] = [Math.min(ends[0].from, ends[1].from), Math.max(ends[0].to, ends[1].to)]
  const curves = [x, y].map((sample, k) =>
    within(densityCurve(sample, { from, to, width: widths[k], points: POINTS }), ends[k]),
  )
  const [f, g] = curves.map(({ heights }) => heights)
  const { step } = curves[0]
  let [jsd, outside] = [0, 0]
  for (let k = 0; k < POINTS; k++) {
    const middle = (f[k] + g[k]) / 2
    if (f[k] > 0) jsd += (f[k] * math.log(f[k] / middle)) / 2
    if (g[k] > 0) jsd += (g[k] * math.log(g[k] / middle)) / 2
    outside += Math.abs(f[k] - g[k]) / 2
  }
  return {
    /** Nats. */
    jsd: Math.min(Math.LN2, Math.max(0, jsd * step)),
    /** ½ ∫ |f - g|: the part of one density outside the other. */
    outside: Math.min(1, outside * step),
    curves: [curves[0], curves[1]],
  }
}

/** 0 beyond the ends of the own sample. */
function within(curve: DensityCurve, { from, to }: { readonly from: number; readonly to: number }): DensityCurve {
  const heights = curve.heights.map((height, k) => {
    const place = curve.from + k * curve.step
    return place < from - 1e-9 * curve.step || place > to + 1e-9 * curve.step ? 0 : height
  })
  return { ...curve, heights }
}

import type { Result } from '../../measure.js'
import { type Interval, tInterval } from '../../stats/intervals.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import { byTarget } from './findings.js'

/** Over several releases: the mean of one target, never a mixture of targets. */
export type MeanOfTarget = {
  readonly target: string | null
  readonly releases: number
  readonly mean: number | null
  readonly sd: number | null
  readonly interval: Interval | null
  readonly min: number | null
  readonly max: number | null
  readonly worst: string | null
}

/** A t interval for the mean needs three releases to say anything. */
const FEWEST = 3

export function meansByTarget({ releases, orientation }: Result): readonly MeanOfTarget[] {
  if (releases.length < 2) return []
  const findings = releases.flatMap(byTarget)
  return [...new Set(findings.map(({ target }) => target))].sort().map((target) => {
    const own = findings.filter((finding) => finding.target === target && finding.value !== null)
    const values = own.flatMap(({ value }) => value ?? [])
    const [min, max] = values.length === 0 ? [null, null] : [Math.min(...values), Math.max(...values)]
    const worst = orientation === 'risk' ? max : min
    return {
      target,
      releases: releases.length,
      mean: mean(values),
      sd: standardDeviation(values),
      interval: values.length < FEWEST ? null : tInterval(values),
      min,
      max,
      worst: own.find(({ value }) => value === worst)?.name ?? null,
    }
  })
}

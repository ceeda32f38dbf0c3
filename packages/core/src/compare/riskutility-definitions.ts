import type { RunOptions } from '../measure.js'
import type { TaskRunner } from '../tasks/task.js'

/** How riskutility's report and map ask the measures. */
export const RISKUTILITY_VERSIONS = ['0.1.0', '0.2.0'] as const
export type RiskutilityVersion = (typeof RISKUTILITY_VERSIONS)[number]

export interface RiskutilityHow {
  readonly version?: RiskutilityVersion | undefined
  readonly seed?: number | undefined
  readonly tasks?: TaskRunner | undefined
}

/** 0.1.0 takes the target of TCAP as it is; 0.2.0 groups it as for CAP, so that both say the same. */
export function tcapOptions(version: RiskutilityVersion) {
  return { definition: 'riskutility', targetGroups: version === '0.1.0' ? 'none' : 'auto' } as const
}

/** RAPID without what riskutility does not have. */
export const RAPID_ONCE = { interval: 'wilson', bootstrap: 0, permutations: 0, crossFit: 2 } as const

export function runOptions({ seed, tasks }: RiskutilityHow): RunOptions {
  return { ...(seed === undefined ? {} : { seed }), ...(tasks === undefined ? {} : { tasks }) }
}

export async function headline(result: Promise<{ readonly value: number | null }>): Promise<number | null> {
  return (await result).value
}

/** Of the only release. */
export async function detailsOf<Details>(
  result: Promise<{ readonly releases: readonly { readonly details: Details | null }[] }>,
): Promise<Details | null> {
  return (await result).releases[0]?.details ?? null
}

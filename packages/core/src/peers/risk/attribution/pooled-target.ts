import {
  DEFAULT_GROUPS,
  groupedTarget,
  type PreparedTarget,
  type TargetGroups,
} from '../../../risk/attribution/counts/target.js'
import { jointCodes, type Part, remember } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'

/**
 * The target as riskutility groups it: plain quantiles of the original and the attacked release together, classes closed on
 * the right. Heavy codes may merge, a 0/1 target into one class. Other than numbers are taken as they are. synthpop does
 * the same with all releases together, and closes classes on the left.
 */
export function pooledTarget(
  release: Release,
  part: Part,
  name: string,
  groups: TargetGroups,
  style: 'riskutility' | 'synthpop',
): PreparedTarget {
  const id = `pooled target ${JSON.stringify([part, name, groups, style])}`
  return remember(release, id, () => {
    const isGrouped = jointCodes(release, name).kind === 'numeric' && groups !== 'none'
    const grouping = isGrouped ? { style, n: groups === 'auto' ? DEFAULT_GROUPS : groups } : null
    return groupedTarget(release, id, name, grouping, [...new Set<Part>(['original', part])])
  })
}

import type { Cells } from '../../../risk/attribution/counts/cells.js'
import { COUNTS, type Exclusions, exclusionProblems } from '../../../risk/attribution/counts/exclusions.js'
import { prepareTarget } from '../../../risk/attribution/counts/target.js'
import { disclosureFinding, type Options, disclosure as own } from '../../../risk/attribution/disclosure.js'
import type { Counts } from '../../../risk/attribution/figures/figures.js'
import { remember } from '../../../table/classes.js'
import { groupedAsSynthpop, type Release } from '../../../table/release.js'
import { withDefinitions } from '../../definition.js'
import { pooledTarget } from './pooled-target.js'

/** synthpop 1.9-3 takes breaks from the original and all syntheses together, of keys and targets, and recounts what is left. */
export const disclosure = withDefinitions(own, {
  'synthpop-1.9-3': {
    software: 'synthpop',
    version: '1.9-3',
    differs:
      'exclusions also change uniqueness and proportions, and numbers are grouped by breaks of all files together',
    check: (asked, chosen) => {
      const release = grouped(asked)
      const targets = release.targets.map((target) => targetOf(release, target, chosen))
      return exclusionProblems(release, chosen, targets)
    },
    compute: ({ release: asked, part, target }, chosen) => {
      const release = grouped(asked)
      return disclosureFinding(release, part, targetOf(release, target, chosen), chosen, afterExclusion)
    },
  },
})

function grouped(release: Release): Release {
  return remember(release, 'grouped as synthpop', () => groupedAsSynthpop(release))
}

function targetOf(release: Release, target: string, { targetGroups }: Options) {
  return targetGroups === 'none'
    ? prepareTarget(release, target, targetGroups)
    : pooledTarget(release, 'all', target, targetGroups, 'synthpop')
}

function afterExclusion(cells: Cells, excluded: Exclusions): Counts {
  const { truth, release } = excluded
  const d = cells.d.map((people, cell) => (truth[cell] === COUNTS ? people : 0))
  const s = cells.s.map((count, cell) => (release[cell] === COUNTS ? count : 0))
  const dClass = new Float64Array(cells.classes)
  const dClassCount = new Int32Array(cells.classes)
  const sClass = new Int32Array(cells.classes)
  for (let cell = 0; cell < d.length; cell++) {
    const q = cells.classOf[cell]
    dClass[q] += d[cell]
    if (truth[cell] === COUNTS) dClassCount[q] += cells.dCount[cell]
    sClass[q] += s[cell]
  }
  return { d, s, dClass, dClassCount, sClass }
}

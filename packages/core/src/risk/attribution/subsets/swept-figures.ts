import { groupByKeys, type Part } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { countCells } from '../counts/cells.js'
import { nothingExcluded } from '../counts/exclusions.js'
import type { PreparedTarget } from '../counts/target.js'
import { baselinesAt } from '../figures/baselines.js'
import { chanceOfDcap, chanceOfDisco } from '../figures/chance.js'
import { figures } from '../figures/figures.js'
import { marginalDisco } from '../figures/holdout.js'
import type { Options } from '../key-sweep.js'
import type { SubsetValue } from './key-subsets.js'

/** What a sweep over sets of keys may report: figures of attribution, and of identity. */
export const ATTRIBUTE_FIGURES = ['DiSCO', 'DCAPd', 'TCAP', 'excess', 'discoChance', 'dcapChance', 'marginal'] as const

/** Figures that need nothing but keys. */
export const IDENTITY_FIGURES = ['iS', 'UiO', 'UiOiS', 'repU'] as const

/** Classes and cells of one key set, forgotten afterwards so that memory does not grow with the number of sets. */
export function figuresOf(release: Release, part: Part, keys: readonly string[], target: PreparedTarget) {
  const classes = groupByKeys(release, keys)
  const cells = countCells(release, 'original', part, classes, target)
  const { identity, attribute, cap } = figures(cells, nothingExcluded(cells))
  // Without a target nothing is attributed.
  const learns = target.name !== ''
  return {
    keys,
    iS: attribute.iS,
    UiO: identity.UiO,
    UiOiS: identity.UiOiS,
    repU: identity.repU,
    DiSCO: learns ? attribute.DiSCO : null,
    DCAPd: learns ? cap.DCAPd : null,
    TCAP: learns ? cap.TCAP : null,
    excess: learns ? baselinesAt(release, cells).b2.excess : null,
    discoChance: learns ? chanceOfDisco(attribute.DiSCO, cells).excess : null,
    dcapChance: learns ? chanceOfDcap(cap.DCAPd, cells).excess : null,
    marginal:
      !learns || release.holdout === null
        ? null
        : marginalDisco(cells, countCells(release, 'holdout', part, classes, target)).difference,
  }
}

export function valuesOf(subsets: readonly ReturnType<typeof figuresOf>[], figure: Options['figure']): SubsetValue[] {
  return subsets.map((subset) => ({ keys: subset.keys, value: subset[figure] }))
}

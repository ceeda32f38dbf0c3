import { evidenceOf, lookAtOutsiders, tally } from '../../../evidence/looks.js'
import type { Finding } from '../../../measure.js'
import { toRows } from '../../../neighbors/release-space.js'
import type { Attack } from '../attack/attack.js'
import type { Scene } from '../attack/scene.js'
import type { Options } from '../rapid.js'
import type { chanceTest } from '../rates/chance-test.js'
import { type Flags, flagsOf } from '../rates/evaluation.js'
import { effectiveSize } from '../rates/rate-intervals.js'
import { crossFitted, crossFittedSize, inSample, lookAtCrossFitted } from './cross-fitting.js'
import { attackOfSize } from './refitting.js'

const FROM_FILE = 'the predictions came from a file: the same attacker cannot be trained on other people'
const NO_FOLDS = 'there are too few people to cut into folds, and there is no holdout'

/** Between permuted targets and the original itself; against people outside or, without any, against the cross-fitted attacker. */
export async function evidenceFor(
  scene: Scene,
  attack: Attack,
  flags: Flags,
  test: ReturnType<typeof chanceTest>,
  overReleases: number | null,
  chosen: Options,
): Promise<Pick<Finding, 'controls' | 'effect' | 'people' | 'looks' | 'notAssessed' | 'added'>> {
  const { members, outsiders } = attack
  const nothing = { value: test.expected, se: test.sd, what: 'true targets dealt out at random' }
  if (attack.isFixed) return evidenceOf([], { nothing }, FROM_FILE)
  const itself = flagsOf(await inSample(scene, attack), chosen)
  const rest = {
    nothing,
    everything: { value: itself.rate, se: null, what: 'trained on the original itself' },
  }
  const added = (flags: Flags, fair: (k: number) => number) => () =>
    toRows(
      { rows: members.rows, fileRows: scene.release.original.rows },
      Float64Array.from(flags.atRisk, (flag, k) => flag - fair(k)),
    )
  if (outsiders !== null && outsiders.rows.length > 0) {
    const { rate } = flagsOf(outsiders, chosen)
    const look = lookAtOutsiders(
      tally(flags.rate, effectiveSize(members.rows.length, members.weights)),
      tally(rate, effectiveSize(outsiders.rows.length, outsiders.weights)),
      rest,
    )
    return { ...evidenceOf([look], rest, NO_FOLDS), added: added(flags, () => rate) }
  }
  const trained = scene.features.rows
  const size = crossFittedSize(members.rows.length, chosen.crossFit)
  const cross = await crossFitted(scene, attack, chosen.crossFit, trained < size ? trained : null)
  if (cross === null) return evidenceOf([], rest, NO_FOLDS)
  // Up to a release of the size of the original, one that is larger by a fold is not worth another fit.
  const larger = trained > members.rows.length
  const equal = larger ? await attackOfSize(scene, attack, size) : members
  const ofEqual = larger ? flagsOf(equal, chosen) : flags
  const variance = overReleases !== null && larger ? overReleases * (trained / size) : overReleases
  const others = flagsOf(cross.everybody, chosen).atRisk
  return {
    ...evidenceOf([lookAtCrossFitted(equal, ofEqual, variance, cross, chosen, rest)], rest, NO_FOLDS),
    added: added(ofEqual, (k) => others[k]),
  }
}

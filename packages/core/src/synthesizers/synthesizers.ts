import { byId, NotApplicable, unknownName } from '../errors.js'
import { optionProblems } from '../options.js'
import type { Generator } from '../table/release.js'
import { bayesianNetwork } from './bayesian-network.js'
import { bootstrapNoise } from './bootstrap-noise.js'
import { catallDirichletSynthesizer, catallSynthesizer } from './cells/catall.js'
import { ipfSynthesizer } from './cells/ipf.js'
import { gaussianCopula } from './gaussian-copula.js'
import { independent } from './independent.js'
import {
  bagSynthesizer,
  cartSynthesizer,
  ctreeSynthesizer,
  parametricSynthesizer,
  rfSynthesizer,
} from './sequential/synthesizers.js'
import type { Synthesizer } from './synthesizer.js'

/** The one list of all built-in synthesizers. */
export const synthesizers = [
  cartSynthesizer,
  ctreeSynthesizer,
  parametricSynthesizer,
  rfSynthesizer,
  bagSynthesizer,
  catallSynthesizer,
  catallDirichletSynthesizer,
  ipfSynthesizer,
  bayesianNetwork,
  gaussianCopula,
  independent,
  bootstrapNoise,
] as const satisfies readonly Synthesizer[]

export function findSynthesizer(id: string): Synthesizer {
  return byId<Synthesizer>('synthesizer', id, synthesizers)
}

/** The synthesizer that is said to have made a release; one that scrim does not have cannot be made to make another. */
export function synthesizerBehind({ method, own }: Generator): Synthesizer {
  const synthesizer = isSynthesizer(own) ? own : synthesizers.find((synthesizer) => synthesizer.id === method)
  if (synthesizer !== undefined) return synthesizer
  const ids = synthesizers.map((synthesizer) => synthesizer.id)
  throw new NotApplicable(`releases cannot be made here as this one was: ${unknownName('synthesizer', method, ids)}`)
}

function isSynthesizer(candidate: object | undefined): candidate is Synthesizer {
  return candidate !== undefined && 'fit' in candidate && typeof candidate.fit === 'function'
}

/** What is wrong with the options of the synthesizer that is said to have made a release. */
export function generatorProblems(generator: Generator | null): readonly string[] {
  const synthesizer = synthesizers.find(({ id }) => id === generator?.method)
  if (generator === null || synthesizer === undefined) return []
  return optionProblems(synthesizer.id, synthesizer.options, generator.options)
}

import { UserError, unknownName } from '../errors.js'
import { bootstrapNoise } from './bootstrap-noise.js'
import { cartSynthesizer } from './cart.js'
import { catallDirichletSynthesizer, catallSynthesizer } from './catall.js'
import { ctreeSynthesizer } from './ctree.js'
import { bagSynthesizer, rfSynthesizer } from './forest.js'
import { gaussianCopula } from './gaussian-copula.js'
import { independent } from './independent.js'
import { ipfSynthesizer } from './ipf.js'
import { parametricSynthesizer } from './parametric.js'
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
  gaussianCopula,
  independent,
  bootstrapNoise,
] as const satisfies readonly Synthesizer[]

export function findSynthesizer(id: string): Synthesizer {
  const found = synthesizers.find((synthesizer) => synthesizer.id === id)
  if (found !== undefined) return found
  const ids = synthesizers.map((synthesizer) => synthesizer.id)
  throw new UserError(unknownName('synthesizer', id, ids))
}

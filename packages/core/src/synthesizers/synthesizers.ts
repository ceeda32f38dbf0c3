import { cartSynthesizer } from './cart.js'
import { independent } from './independent.js'
import type { Synthesizer } from './synthesizer.js'

/** The one list of all built-in synthesizers. */
export const synthesizers = [cartSynthesizer, independent] as const satisfies readonly Synthesizer[]

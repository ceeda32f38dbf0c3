import type { Synthesizer } from '@scrim/core'

/** Sizes of the study of membership attacks, and the generators that are attacked. */
export interface MembershipDesign {
  readonly seed: number
  /** Records of a release, and people outside of it as many; half of the file where it has fewer. */
  readonly n: number
  /** Releases of the game without shadow models, each of other people. */
  readonly releases: number
  /** People asked about in the leave-one-out game: so many of the most isolated, and so many at random. */
  readonly people: number
  /** Releases of each world that train a shadow model, and that test it; none of the former for no leave-one-out game. */
  readonly shadows: number
  readonly tests: number
  readonly queries: number
  readonly trees: number
  readonly bootstrap: number
}

type Sizes = { readonly [size in Exclude<keyof MembershipDesign, 'seed'>]?: number | undefined }

export interface MembershipInput extends Sizes {
  readonly seed: number
  /** Small files and few shadow releases: a look at everything in a minute or two. */
  readonly quick?: boolean | undefined
}

const QUICK = { n: 200, releases: 2, people: 3, shadows: 40, tests: 40, queries: 100, trees: 50, bootstrap: 100 }
const FULL = { n: 1000, releases: 5, people: 10, shadows: 250, tests: 250, queries: 300, trees: 200, bootstrap: 200 }

export function membershipDesign({ seed, quick = false, ...given }: MembershipInput): MembershipDesign {
  const usual = quick ? QUICK : FULL
  return {
    seed,
    n: given.n ?? usual.n,
    releases: given.releases ?? usual.releases,
    people: given.people ?? usual.people,
    shadows: given.shadows ?? usual.shadows,
    tests: given.tests ?? usual.tests,
    queries: given.queries ?? usual.queries,
    trees: given.trees ?? usual.trees,
    bootstrap: given.bootstrap ?? usual.bootstrap,
  }
}

/** A generator by its name in the results. */
export interface AttackedGenerator {
  readonly name: string
  readonly method: string
  readonly options: object
  /** What a private one states; it is told the domains of the columns, as if everybody knew them. */
  readonly epsilon: number | null
  /** One that is not scrim's runs where the study was started. */
  readonly own?: Synthesizer
}

const generator = (name: string, method: string, options: object = {}): AttackedGenerator => ({
  name,
  method,
  options,
  epsilon: null,
})

const privateNetwork = (epsilon: number): AttackedGenerator => ({
  name: `network, epsilon ${epsilon}`,
  method: 'bayesian-network',
  options: { epsilon },
  epsilon,
})

export const ATTACKED: readonly AttackedGenerator[] = [
  generator('bootstrap with noise', 'bootstrap-noise'),
  generator('CART, leaves of 1', 'cart', { minbucket: 1 }),
  generator('CART, leaves of 5', 'cart', { minbucket: 5 }),
  generator('CART, leaves of 20', 'cart', { minbucket: 20 }),
  generator('parametric', 'parametric'),
  generator('Bayesian network', 'bayesian-network'),
  generator('Gaussian copula', 'gaussian-copula'),
  privateNetwork(10),
  privateNetwork(1),
  privateNetwork(0.1),
  generator('independent', 'independent'),
]

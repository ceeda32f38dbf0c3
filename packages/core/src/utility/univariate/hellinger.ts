import { hellinger as distance } from '../../stats/divergences.js'
import { logGamma } from '../../stats/special.js'
import { categoryDistance } from './category-distance.js'

const VIGNETTE = 'riskutility 0.2.0, hellinger'

/**
 * Hellinger's distance √(½ Σ (√p - √q)²) of the shares of each category, in [0, 1]; the headline is the mean over columns.
 * Of an honest sample of m records 8 m H² follows χ² with K - 1 degrees of freedom about twice over: E H = √(1 / 8m) E χ.
 */
export const hellinger = categoryDistance({
  id: 'hellinger',
  title: 'Hellinger distance of each category',
  summary: 'how far the shares of categories lie apart, rare ones counting most',
  scale: null,
  axis: 'Hellinger distance',
  distance,
  expected: (shares, m) => meanChi(shares.filter((share) => share > 0).length - 1) / Math.sqrt(8 * m),
  literature: [
    { value: 0.1, meaning: 'below: excellent', source: VIGNETTE },
    { value: 0.2, meaning: 'below: good', source: VIGNETTE },
    { value: 0.3, meaning: 'below: moderate', source: VIGNETTE },
  ],
})

/** Mean of χ with df degrees of freedom, √2 Γ((df + 1) / 2) / Γ(df / 2). */
export function meanChi(df: number): number {
  return df < 1 ? 0 : Math.SQRT2 * Math.exp(logGamma((df + 1) / 2) - logGamma(df / 2))
}

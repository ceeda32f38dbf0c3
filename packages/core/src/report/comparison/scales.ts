import type { Candidate, Placed, Score } from '../../compare/comparison.js'
import { THREAT_TEXT, THREATS, type Threat } from '../../evidence/threats.js'

/** What all pictures of a comparison share: names, colours that can be told apart, places as they are drawn. */

/** Okabe and Ito (2008): colours that people with any kind of colour vision tell apart; darkened where they would be faint. */
const COLORS = ['#0072b2', '#d55e00', '#007a5a', '#a5437f', '#8a6d00', '#3a86c8', '#5b5b5b', '#000000'] as const
const SHAPES = [
  'circle',
  'square',
  'triangle-up',
  'diamond',
  'cross',
  'triangle-down',
  'triangle-right',
  'triangle-left',
]

export function colorScale(candidates: readonly Candidate[]) {
  return scaleOver(candidates, COLORS)
}

export function shapeScale(candidates: readonly Candidate[]) {
  return scaleOver(candidates, SHAPES)
}

function scaleOver(candidates: readonly Candidate[], values: readonly string[]) {
  return {
    domain: candidates.map(({ name }) => name),
    range: candidates.map((_, k) => values[k % values.length]),
  }
}

export const nameLegend = { orient: 'bottom', title: null, columns: 2, labelLimit: 320 } as const

export function scoreName({ id, target }: Pick<Score, 'id' | 'target'>): string {
  const title = THREATS.some((threat) => threat === id) ? SHORT[id as Threat] : id
  return target === null ? title : `${title} (${target})`
}

const SHORT: Readonly<Record<Threat, string>> = {
  attribute: 'attribute',
  memorisation: 'memorisation, bulk',
  'memorisation-tail': 'memorisation, single',
  membership: THREAT_TEXT.membership.title,
  'singling-out': THREAT_TEXT['singling-out'].title,
  linkability: THREAT_TEXT.linkability.title,
  identity: THREAT_TEXT.identity.title,
}

export function scoreOf({ scores }: Candidate, { id, target }: Pick<Score, 'id' | 'target'>): Score | undefined {
  return scores.find((score) => score.id === id && score.target === target)
}

export const clamp = (value: number) => Math.min(1, Math.max(0, value))

/** Up is good: utility as it is, risk as what is left of it. Null where there is no place. */
export function goodness(candidate: Candidate, of: Score): number | null {
  const place = scoreOf(candidate, of)?.place
  if (place === null || place === undefined) return null
  return of.block === 'risk' ? 1 - clamp(place.value) : clamp(place.value)
}

export function isPlaced(place: Placed | null | undefined): place is Placed {
  return place !== null && place !== undefined
}

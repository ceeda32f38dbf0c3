import { CELL_INK, layer, SERIES } from '../../chart/parts.js'
import type { Candidate, Placed, Score } from '../../compare/comparison.js'
import { THREAT_TEXT, THREATS, type Threat } from '../../evidence/threats.js'
import type { Json } from '../../json.js'

/** What all pictures of a comparison share: names, colours that can be told apart, places as they are drawn. */

const SHAPES = ['circle', 'square', 'triangle-up', 'diamond', 'cross'].concat(
  ['down', 'right', 'left'].map((side) => `triangle-${side}`),
)

/** How candidates are told apart: each by a colour and a shape of its own, named in the legend. */
export function candidateLooks(candidates: readonly Candidate[]) {
  const look = (values: readonly string[]) => ({
    field: 'candidate',
    type: 'nominal',
    scale: { domain: candidates.map(({ name }) => name), range: candidates.map((_, k) => values[k % values.length]) },
    legend: { orient: 'bottom', title: null, columns: 2, labelLimit: 320 },
  })
  return { color: look(SERIES), shape: look(SHAPES) }
}

/** Squares of shares from white to `full`, grey where there is none, with their texts upon them. */
export function heatLayers<Cell extends { readonly share: number | null; readonly [name: string]: Json }>(
  place: { readonly x: Json; readonly y: Json },
  cells: readonly Cell[],
  full: string,
  stroke: string,
): Json[] {
  const scale = { domain: [0, 1], range: ['#ffffff', full], interpolate: 'rgb' }
  const color = { field: 'share', type: 'quantitative', scale, legend: null }
  const ink = { condition: { test: 'datum.share > 0.55', value: CELL_INK.onDark }, value: CELL_INK.onLight }
  const [unknown, known] = [true, false].map((isUnknown) => cells.filter(({ share }) => (share === null) === isUnknown))
  return [
    layer({ type: 'rect', stroke: '#ffffff', color: '#eceff2' }, place, unknown),
    layer({ type: 'rect', stroke }, { ...place, color }, known),
    layer({ type: 'text', fontSize: 12 }, { ...place, text: { field: 'text' }, color: ink }),
  ]
}

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
export function goodness(candidate: Candidate, score: Score): number | null {
  const place = scoreOf(candidate, score)?.place
  if (place === null || place === undefined) return null
  return score.block === 'risk' ? 1 - clamp(place.value) : clamp(place.value)
}

export function isPlaced(place: Placed | null | undefined): place is Placed {
  return place !== null && place !== undefined
}

import type { Chart } from '@scrim/core'

type Spec = Chart['spec']
type Json = Spec[string]

const LEAST_WIDTH = 110
/** Squares of a matrix are no smaller, and are without their numbers where these would not fit. */
const [LEAST_SQUARE, NUMBERED_SQUARE] = [12, 30]

/**
 * The chart with so many pixels less in its width: panels below each other, a narrower frame, or smaller squares, whose values the
 * pointer tells; null where it has none of these.
 */
export function narrower(spec: Spec, pixels: number): Spec | null {
  const { width, vconcat, facet } = spec
  const less = (value: number) => Math.max(LEAST_WIDTH, value - pixels)
  if (typeof width === 'number') return { ...spec, width: less(width) }
  if (facet !== undefined) return { ...spec, columns: 1 }
  if (Array.isArray(spec.layer)) return smallerSquares(spec, spec.layer, pixels)
  if (!Array.isArray(vconcat)) return null
  return {
    ...spec,
    vconcat: vconcat.map((panel) =>
      typeof panel === 'object' && panel !== null && 'width' in panel && typeof panel.width === 'number'
        ? { ...panel, width: less(panel.width) }
        : panel,
    ),
  }
}

/** A matrix, whose squares have a size of their own. */
function smallerSquares(spec: Spec, layers: readonly Json[], pixels: number): Spec | null {
  const step = at(spec, 'width', 'step')
  const names = at(layers[0], 'encoding', 'x', 'sort')
  if (typeof step !== 'number' || !Array.isArray(names)) return null
  const side = Math.max(LEAST_SQUARE, Math.floor(step - pixels / names.length))
  const isText = (layer: Json) => at(layer, 'mark', 'type') === 'text'
  return {
    ...spec,
    width: { step: side },
    height: { step: Math.min(side, Number(at(spec, 'height', 'step') ?? side)) },
    layer: side < NUMBERED_SQUARE ? layers.filter((layer) => !isText(layer)) : layers,
  }
}

/** What stands in a specification at this path. */
function at(json: Json | undefined, ...path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (part, key) =>
      typeof part === 'object' && part !== null ? Object.entries(part).find(([name]) => name === key)?.[1] : undefined,
    json,
  )
}

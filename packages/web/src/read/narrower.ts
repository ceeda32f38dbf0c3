import type { Chart } from '@scrim/core'

type Spec = Chart['spec']

const LEAST_WIDTH = 110

/** The chart with so many pixels less in its width: panels below each other, or a narrower frame; null where it has neither. */
export function narrower(spec: Spec, pixels: number): Spec | null {
  const { width, vconcat, facet } = spec
  const less = (value: number) => Math.max(LEAST_WIDTH, value - pixels)
  if (typeof width === 'number') return { ...spec, width: less(width) }
  if (facet !== undefined) return { ...spec, columns: 1 }
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

import {
  type AnyMeasure,
  measures,
  missingNeeds,
  NEED_TEXT,
  type Need,
  needsFor,
  parseOptions,
  type Release,
} from '@scrim/core'

export function measureOf(id: string): AnyMeasure {
  const found = measures.find((measure) => measure.id === id)
  if (found === undefined) throw new Error(`no measure ${id}`)
  return found
}

/** How a role is given on the command line. */
export const NEED_FLAGS: Readonly<Record<Need, string>> = {
  keys: '--keys a,b',
  'numeric keys': '--numeric-keys a,b',
  target: '--target t',
  holdout: '--holdout FILE',
  population: '--population FILE',
  weight: '--weight w',
  household: '--household h',
  'paired rows': '--type perturbed',
  generator: '--synthesizer METHOD',
  rules: '--rules FILE',
}

/** What a measure needs and was not given, with the flag for it; undefined when nothing is missing. */
export function unmetWithFlags(measure: AnyMeasure, options: object, release: Release): string | undefined {
  const parsed = parseOptions(measure.id, measure.options, options)
  const missing = missingNeeds({ needs: needsFor(measure, parsed, release) }, release)
  if (missing.length === 0) return undefined
  return `${measure.id} needs ${missing.map((need) => `${NEED_TEXT[need]} (${NEED_FLAGS[need]})`).join(' and ')}`
}

import {
  type AnyMeasure,
  measures,
  missingNeeds,
  NEED_TEXT,
  type Need,
  needsFor,
  parseOptions,
  type Release,
  suggestedRoles,
  suggestRoles,
} from '@scrim/core'
import { shellText } from './shell.js'

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
  const needs = missing.map((need) => `${NEED_TEXT[need]} (${NEED_FLAGS[need]})`).join(' and ')
  const hint = missing.some((need) => need === 'keys' || need === 'target') ? suggestedFlags(release) : ''
  return `${measure.id} needs ${needs}${hint === '' ? '' : `; a guess is ${hint}`}`
}

/** Keys and targets as flags where none are given, from names and from how pairs of columns single people out. */
export function suggestedFlags({ original, keys, targets }: Pick<Release, 'original' | 'keys' | 'targets'>): string {
  const suggested = suggestedRoles(suggestRoles(original, { largest: 2 }))
  const free = (columns: readonly string[]) => columns.filter((column) => ![...keys, ...targets].includes(column))
  return shellText([
    ...(keys.length > 0 || suggested.keys.length === 0 ? [] : ['--keys', free(suggested.keys).join(',')]),
    ...(targets.length > 0 || suggested.target.length === 0 ? [] : ['--target', free(suggested.target).join(',')]),
  ])
}

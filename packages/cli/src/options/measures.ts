import {
  type AnyMeasure,
  type GuessedRoles,
  measures,
  missingNeeds,
  NEED_TEXT,
  needsFor,
  parseOptions,
  type Release,
  suggestedRoles,
  suggestRoles,
} from '@scrim/core'
import { type Face, givenBy, rolesText } from '../faces.js'

export const measureIds: readonly string[] = measures.map(({ id }) => id)

export function measureOf(id: string): AnyMeasure {
  const known = measures.find((measure) => measure.id === id)
  if (known === undefined) throw new Error(`no measure ${id}`)
  return known
}

/** What a measure needs and was not given, with how to give it; undefined when nothing is missing. */
export function unmetText(measure: AnyMeasure, options: object, release: Release, face: Face): string | undefined {
  const parsed = parseOptions(measure.id, measure.options, options)
  const missing = missingNeeds({ needs: needsFor(measure, parsed, release) }, release)
  if (missing.length === 0) return undefined
  const needs = missing.map((need) => {
    const by = givenBy(need, face)
    return by === null ? NEED_TEXT[need] : `${NEED_TEXT[need]} (${by})`
  })
  const wantsRoles = missing.some((need) => need === 'keys' || need === 'target')
  const hint = wantsRoles ? rolesText(guessedRoles(release), face) : ''
  return `${measure.id} needs ${needs.join(' and ')}${hint === '' ? '' : `; a guess is ${hint}`}`
}

/** Keys and targets where none are given, from names and from how pairs of columns single people out. */
export function guessedRoles({
  original,
  keys,
  targets,
}: Pick<Release, 'original' | 'keys' | 'targets'>): GuessedRoles {
  if (keys.length > 0 && targets.length > 0) return { keys: [], target: [] }
  const guess = suggestedRoles(suggestRoles(original, { largest: 2 }))
  const free = (columns: readonly string[]) => columns.filter((column) => ![...keys, ...targets].includes(column))
  return { keys: keys.length > 0 ? [] : free(guess.keys), target: targets.length > 0 ? [] : free(guess.target) }
}

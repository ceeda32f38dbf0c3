import type { Context } from '../../measure.js'
import { remember } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type Attack, attack } from './attack.js'
import { hasMissing, type LinkedFiles, linkedFiles } from './costs/linked-files.js'
import { type AttackOptions, attackOptions, type Method, type Options } from './options.js'
import { average, type Found, found } from './truth/found.js'
import type { Sides } from './truth/sides.js'
import type { Truth } from './truth/truth.js'

/** An attack that was made, and how it went. */
export interface Tried {
  readonly options: AttackOptions
  readonly attack: Attack
  readonly found: Found
  readonly value: number
  readonly byChance: number
}

/** The assignment of the suite is made up to so many people. */
const ONE_TO_ONE_UP_TO = 3000

/** All attacks of the suite, the most successful beyond chance first; or the one attack that was asked for. */
export async function tryAll(
  files: LinkedFiles,
  truth: Truth,
  chosen: Options,
  known: Sides['known'],
  context: Context,
): Promise<readonly Tried[]> {
  const tried: Tried[] = []
  for (const options of attacksOf(chosen, files)) {
    const made = await attack(files, truth, options, known, context)
    const people = found(made)
    tried.push({ options, attack: made, found: people, value: average(people.risk), byChance: average(people.chance) })
  }
  return tried.sort((a, b) => b.value - b.byChance - (a.value - a.byChance))
}

function attacksOf(chosen: Options, files: LinkedFiles): readonly AttackOptions[] {
  if (chosen.method !== 'suite') return [attackOptions(chosen, chosen.method)]
  if (chosen.matching !== 'independent') return [attackOptions(chosen, 'deterministic')]
  const alone = (['deterministic', 'ranks', 'probabilistic'] as const).map((method) => ({
    ...attackOptions(chosen, method),
    rule: 'best' as const,
  }))
  const isSmall = Math.max(files.query.classes, files.search.classes) <= ONE_TO_ONE_UP_TO
  return isSmall && chosen.blocking.length <= 1
    ? [...alone, { ...attackOptions(chosen, 'deterministic'), matching: 'one-to-one' }]
    : alone
}

export function nameOf({ method, matching }: AttackOptions): string {
  return matching === 'independent' ? method : `${method}, ${matching}`
}

export function isMetric(method: Method): boolean {
  return method === 'deterministic' || method === 'ranks' || method === 'mahalanobis'
}

/** What somebody reaches who knows the rates of agreement; null where they are known as it is. */
export async function insiderOf(
  files: LinkedFiles,
  truth: Truth,
  known: Sides['known'],
  options: AttackOptions,
  context: Context,
): Promise<number | null> {
  return options.parameters === 'em'
    ? attackValue(files, truth, { ...options, parameters: 'oracle' }, known, context)
    : null
}

/** What the same attack reaches on the original itself. */
export async function ceilingOf(
  release: Release,
  { query, everything: { search, truth }, names, known }: Sides,
  options: AttackOptions,
  context: Context,
): Promise<number> {
  // Searched for in the original by the intruder's own file; in the other direction the original is searched by itself.
  const files = linkedFiles(known === 'query' ? query : search, search, names, options)
  const closed =
    isMetric(options.method) &&
    files.keys.every(({ kind }) => kind !== 'classes' && kind !== 'hierarchy') &&
    options.strategy === 'nearest' &&
    options.matching !== 'transport' &&
    release.attacker === null &&
    known === 'query'
  if (closed && !files.keys.some(hasMissing) && options.blocking.length === 0) {
    const { ids, counts } = files.search
    return average(Float64Array.from(truth.rows, (row) => 1 / counts[ids[row]]))
  }
  const key = `record-linkage ceiling ${JSON.stringify([options, query.rows, context.seed, names])}`
  return remember(release, key, () => attackValue(files, truth, options, 'query', context))
}

/** The value of one more attack, without a word about its progress. */
export async function attackValue(
  files: LinkedFiles,
  truth: Truth,
  options: AttackOptions,
  known: Sides['known'],
  context: Context,
): Promise<number> {
  return average(found(await attack(files, truth, options, known, { ...context, progress: () => {} })).risk)
}

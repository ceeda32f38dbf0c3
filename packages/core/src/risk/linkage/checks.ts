import { unknownName } from '../../errors.js'
import { distanceProblems } from '../../neighbors/release-space.js'
import type { Release } from '../../table/release.js'
import { columnOf, findColumn } from '../../table/table.js'
import { blockingRules } from './attack.js'
import { MOST_PAIRS } from './costs/key-costs.js'
import { transitionProblems } from './methods/pram.js'
import { foreignOptions, givenFor, type Options } from './options.js'
import { knownColumns } from './truth/sides.js'

/** What is wrong with the options of a linkage on this release, one sentence each. */
export function problemsOf(release: Release, options: Options): string[] {
  const unknown = distanceProblems(release, { variables: options.variables })
  if (unknown.length > 0) return unknown
  const names = knownColumns(release, options)
  const named = (what: string, wanted: readonly string[]) =>
    wanted.filter((name) => !names.includes(name)).map((name) => `${what}: ${unknownName('key', name, names)}`)
  const categorical = (name: string) => columnOf(release.original, name).kind === 'categorical'
  return [
    ...foreignOptions(options),
    ...(options.epsilon !== null && options.matching !== 'transport'
      ? [`"epsilon" is an option of the matching transport, not of ${options.matching}`]
      : []),
    ...fileProblems(release, names, options),
    ...named('text', options.text),
    ...textProblems(release, names, options),
    ...named('hierarchies', Object.keys(options.hierarchies)),
    ...Object.keys(options.hierarchies)
      .filter((name) => names.includes(name) && !categorical(name))
      .map((name) => `hierarchies: "${name}" is a number; make it categorical`),
    ...named('blocking', blockingRules(options.blocking).flat()),
    ...named('breaks', Object.keys(options.breaks)),
    ...weightProblems(names, options, named),
    ...(options.matching !== 'independent' && options.blocking.length > 1
      ? ['to match everybody at once takes one blocking rule: with several, blocks overlap']
      : []),
    ...(options.method === 'mahalanobis' && !names.some((name) => !categorical(name) || isOrdered(release, name))
      ? ['mahalanobis needs a numeric or ordered key']
      : []),
    ...(options.method === 'probabilistic' && options.parameters === 'given' ? rateProblems(names, options) : []),
    ...(options.method === 'pram' ? pramProblems(release, names, options, categorical) : []),
    ...(options.importance === 'shapley' && names.length > 10
      ? [`shapley values take at most 10 keys, there are ${names.length}`]
      : []),
  ]
}

function fileProblems({ attacker, identifier }: Release, names: readonly string[], { truth }: Options): string[] {
  if (attacker !== null && names.length === 0)
    return [`${attacker.name} has none of the keys; say which of its columns are which of the original`]
  if (truth === 'identifier' && identifier === null) return ['the truth by identifier needs an identifier column']
  if (
    truth === 'identifier' &&
    attacker !== null &&
    identifier !== null &&
    findColumn(attacker, identifier) === undefined
  )
    return [`${attacker.name} has no column "${identifier}" (the identifier)`]
  if (truth === 'row' && attacker !== null)
    return ['rows of an attacker’s file are not rows of the original: the truth takes an identifier']
  return []
}

function textProblems({ original }: Release, names: readonly string[], { text }: Options): string[] {
  return text
    .filter((name) => names.includes(name))
    .flatMap((name) => {
      const column = columnOf(original, name)
      if (column.kind !== 'categorical') return [`text: "${name}" is not text`]
      const pairs = column.levels.length ** 2
      return pairs > MOST_PAIRS
        ? [
            `text: "${name}" has ${column.levels.length} different values, at most ${Math.sqrt(MOST_PAIRS)} can be compared`,
          ]
        : []
    })
}

function weightProblems(
  names: readonly string[],
  { weights }: Options,
  named: (what: string, given: readonly string[]) => string[],
): string[] {
  if (weights === 'information') return []
  const sum = names.reduce((total, name) => total + (givenFor(weights, name) ?? 1), 0)
  return [...named('weights', Object.keys(weights)), ...(sum > 0 ? [] : ['the weights of all keys are 0'])]
}

function rateProblems(names: readonly string[], { m, u }: Options): string[] {
  return names.flatMap((name) => [
    ...(givenFor(m, name) === undefined ? [`the rate m of "${name}" is not given`] : []),
    ...(givenFor(u, name) === undefined ? [`the rate u of "${name}" is not given`] : []),
  ])
}

function pramProblems(
  release: Release,
  names: readonly string[],
  { transitions }: Options,
  categorical: (name: string) => boolean,
): string[] {
  if (Object.keys(transitions).length === 0) return ['pram needs the transition matrices of the randomised keys']
  const keys = names.filter(categorical).map((name) => {
    const column = columnOf(release.original, name)
    return { name, labels: column.kind === 'categorical' ? column.levels : [] }
  })
  const numbers = Object.keys(transitions).filter((name) => names.includes(name) && !categorical(name))
  return [
    ...numbers.map((name) => `pram: "${name}" is a number; make it categorical`),
    ...transitionProblems(
      Object.fromEntries(Object.entries(transitions).filter(([name]) => !numbers.includes(name))),
      keys,
    ),
  ]
}

function isOrdered(release: Release, name: string): boolean {
  const column = columnOf(release.original, name)
  return column.kind === 'categorical' && column.ordered
}

import { UserError, unknownName } from '../../errors.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { type Output, variablesOf } from '../description/description.js'
import type { CodedVariable } from '../embedding/records/coded-records.js'
import { keySets } from './attribution.js'
import type { Scenario } from './scoring.js'

export interface ScenarioOptions {
  readonly targets?: readonly string[] | undefined
  readonly keys?: readonly string[] | undefined
  readonly keySizes: readonly number[]
  readonly mostSets: number
}

export interface PlannedScenario extends Scenario {
  /** How many sets of keys there are; not more than `mostSets` of them are attacked. */
  readonly possible: number
}

/** What is attacked unless said otherwise: the response of each regression, else every category; through all other variables used. */
export function scenariosOf(
  outputs: readonly Output[],
  variables: readonly CodedVariable[],
  options: ScenarioOptions,
  random: (purpose: string, index?: number) => Stream,
): PlannedScenario[] {
  const names = variables.map(({ name }) => name)
  const indexOf = (role: string) => (name: string) => {
    if (!names.includes(name)) throw new UserError(`${role}: ${unknownName('variable', name, names)}`)
    return names.indexOf(name)
  }
  const weights = new Set(outputs.flatMap(({ weights: own }) => (own === null ? [] : [own])))
  const used = [...new Set(outputs.flatMap(variablesOf))].filter((name) => !weights.has(name))
  const responses = outputs.flatMap((output) => (output.kind === 'regression' ? [output.response] : []))
  const categories = used.filter((name) => variables[names.indexOf(name)].kind === 'category')
  const targets = options.targets ?? (responses.length > 0 ? responses : categories.length > 0 ? categories : used)
  return [...new Set(targets)].map(indexOf('target')).map((target, k) => {
    const keys = (options.keys ?? used).map(indexOf('key')).filter((key) => key !== target)
    if (keys.length === 0)
      throw new UserError(`there is no key to find "${names[target]}" with: the outputs use no other variable`)
    const all = keySets(keys, options.keySizes)
    const chosen =
      all.length <= options.mostSets
        ? all
        : Array.from(
            sampleWithoutReplacement(random('key sets', k), all.length, options.mostSets).sort(),
            (at) => all[at],
          )
    return { target, keys, sets: chosen, possible: all.length }
  })
}

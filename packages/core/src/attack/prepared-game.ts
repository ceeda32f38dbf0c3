import { z } from 'zod'
import { UserError, unknownNames } from '../errors.js'
import { parseOptions } from '../options.js'
import { stream } from '../random/stream.js'
import { cartSynthesizer } from '../synthesizers/sequential/synthesizers.js'
import type { Synthesizer } from '../synthesizers/synthesizer.js'
import { release } from '../table/release.js'
import { columnOf, findColumn, type Table, table } from '../table/table.js'
import { type AttackInput, DEFAULT_SEED } from './attack-input.js'
import type { EngineName } from './engines/engine.js'
import { cartGenerator, type Generator, synthesizerGenerator } from './engines/generators.js'
import type { CartSettings } from './generator/cart-generator.js'
import {
  codeRecords,
  type Records,
  type ReleasedSets,
  releasedSets,
  type Variable,
  variablesOf,
} from './generator/records.js'
import { postprocessed } from './postprocessing.js'
import { normalised } from './target/posterior.js'

/** Everything that the game about any record needs. */
export interface PreparedGame {
  /** With the columns and levels of all. */
  readonly tables: { readonly original: Table; readonly released: readonly Table[] }
  readonly variables: readonly Variable[]
  readonly original: Records
  readonly holdout: Records | null
  readonly list: Records | null
  readonly sets: ReleasedSets
  readonly setsPerRelease: number
  readonly releases: number
  readonly given: boolean
  readonly synthesizer: Synthesizer
  /** One, or several for an attacker who is not sure. */
  readonly models: readonly AttackerModel[]
  readonly engine: EngineName
  readonly seed: number
}

export interface AttackerModel {
  readonly weight: number
  /** Trees with nothing but the usual settings have a faster exact engine. */
  readonly cart: CartSettings | null
  /** What engines simulate with. */
  readonly generator: Generator
  /** The synthesizer itself, with all that it may do. */
  readonly full: Generator
}

const RELEASES = 200

/** Codes the tables, and simulates releases if none are given. */
export async function prepareGame(input: AttackInput): Promise<PreparedGame> {
  const { seed = DEFAULT_SEED, m = 1, releases = RELEASES } = input
  const synthesizer = synthesizerOf(input)
  if (input.original.rows < 2)
    throw new UserError(`${input.original.name} has fewer than two records: nothing to know, nothing to guess`)
  requireAtLeast('the number of releases', releases, 1)
  requireAtLeast('the number of sets per release', m, 1)
  const names = input.variables ?? input.original.columns.map(({ name }) => name)
  const tables = reconciled(input, names)
  const options = input.hypotheses ?? [{ options: input.options ?? {}, weight: 1 }]
  const parsed = options.map((hypothesis) => ({
    ...hypothesis,
    chosen: parseOptions(synthesizer.id, synthesizer.options, hypothesis.options),
  }))
  const isGiven = tables.released.length > 0
  if (input.worldSets !== undefined && !isGiven)
    throw new UserError('sets of the worlds were given; give the released sets, too')
  const sets = isGiven
    ? tables.released
    : await simulatedSets(tables.original, synthesizer, parsed[0].chosen, releases * m, input)
  const variables = variablesOf(names, [tables.original, ...(isGiven ? tables.released : []), ...tables.others])
  const weights = normalised(options.map(({ weight }) => weight))
  const models = parsed.map(({ options: chosenBy, chosen }, k): AttackerModel => {
    const cart = plainCart(synthesizer, chosenBy)
    const full = synthesizerGenerator(variables, synthesizer, chosen, tables.original)
    return { weight: weights[k], cart, full, generator: cart === null ? full : cartGenerator(variables, cart) }
  })
  const coded = (one: Table | undefined) => (one === undefined ? null : codeRecords(variables, one))
  return {
    tables,
    variables,
    original: codeRecords(variables, tables.original),
    holdout: coded(tables.holdout),
    list: coded(tables.list),
    sets: releasedSets(
      variables,
      sets.map((one) => codeRecords(variables, one)),
    ),
    setsPerRelease: isGiven ? tables.released.length : m,
    releases: isGiven ? 1 : releases,
    given: isGiven,
    synthesizer,
    models,
    engine: await engineOf(input, synthesizer, parsed[0].chosen, tables.original),
    seed,
  }
}

const madeElsewhere: Synthesizer = {
  id: 'given sets',
  title: 'Sets made before',
  options: z.object({}),
  fit() {
    throw new UserError(
      'sets of the worlds were given, so there is nothing to simulate with; use dm, mix, abc or classifier',
    )
  },
}

function synthesizerOf({ synthesizer = cartSynthesizer, ...input }: AttackInput): Synthesizer {
  if (input.worldSets !== undefined) return madeElsewhere
  const { postprocessing, postprocessingKeys = input.variables ?? [], rows } = input
  return postprocessing === undefined
    ? synthesizer
    : postprocessed(synthesizer, postprocessing, postprocessingKeys, rows)
}

/** What was asked for; else the best that the synthesizer allows. */
export async function engineOf(
  { engine, postprocessing, worldSets, seed = DEFAULT_SEED }: AttackInput,
  synthesizer: Synthesizer,
  options: Record<string, unknown>,
  original: Table,
): Promise<EngineName> {
  const isExact = engine === 'exact' || engine === 'path'
  if (isExact && postprocessing !== undefined)
    throw new UserError(
      `the engine ${engine} knows no probability of records after postprocessing, which looks at the original; use dm`,
    )
  if (isExact && worldSets !== undefined)
    throw new UserError(`the engine ${engine} needs a synthesizer, and sets of the worlds were given; use dm`)
  if (engine !== undefined) return engine
  if (postprocessing !== undefined || worldSets !== undefined) return 'dm'
  if (synthesizer.id === cartSynthesizer.id && !synthesizer.fitsAnew?.(options)) return 'exact'
  const fitted = await synthesizer.fit(original, options, (purpose) => stream(seed, `attack/engine/${purpose}`))
  if (fitted.logProbOfSet !== undefined) return 'exact'
  if (synthesizer.fitsAnew?.(options)) return 'mix'
  return fitted.logProb === undefined ? 'dm' : 'exact'
}

function requireAtLeast(what: string, value: number, least: number): void {
  if (!(Number.isSafeInteger(value) && value >= least))
    throw new UserError(`${what} must be at least ${least}, but it is ${value}`)
}

/** The wanted columns of all tables, with the same types and levels. */
function reconciled({ original, released = [], holdout, list }: AttackInput, names: readonly string[]) {
  const all = [
    original,
    ...released,
    ...(holdout === undefined ? [] : [holdout]),
    ...(list === undefined ? [] : [list]),
  ]
  const known = original.columns.map(({ name }) => name)
  const problems = unknownNames('variable', names, known)
  if (problems.length > 0) throw new UserError(problems)
  const lacking = all.flatMap((file) =>
    names.filter((name) => findColumn(file, name) === undefined).map((name) => `${file.name} has no column "${name}"`),
  )
  if (lacking.length > 0) throw new UserError(lacking)
  const only = all.map((file) =>
    table(
      file.name,
      names.map((name) => columnOf(file, name)),
    ),
  )
  if (only.length === 1) return { original: only[0], released: [], holdout: undefined, list: undefined, others: [] }
  const matched = release({ original: only[0], released: only.slice(1) })
  const [sets, rest] = [matched.released.slice(0, released.length), matched.released.slice(released.length)]
  return {
    original: matched.original,
    released: sets,
    holdout: holdout === undefined ? undefined : rest[0],
    list: list === undefined ? undefined : rest[holdout === undefined ? 0 : 1],
    others: rest,
  }
}

async function simulatedSets(
  original: Table,
  synthesizer: Synthesizer,
  options: Record<string, unknown>,
  sets: number,
  { rows = original.rows, seed = DEFAULT_SEED }: AttackInput,
): Promise<Table[]> {
  const streams = (set: number) => (purpose: string) => stream(seed, `attack/release/${purpose}`, set)
  const first = await synthesizer.fit(original, options, streams(0))
  const made: Table[] = []
  for (let set = 0; set < sets; set++) {
    const fitted =
      synthesizer.fitsAnew?.(options) && set > 0 ? await synthesizer.fit(original, options, streams(set)) : first
    made.push(await fitted.sample(rows, streams(set)))
  }
  return made
}

const PLAIN_CART = ['minbucket', 'cp', 'collapse']

/** The settings of trees, if nothing but these was asked for. */
function plainCart(synthesizer: Synthesizer, asked: object): CartSettings | null {
  if (synthesizer.id !== 'cart' || Object.keys(asked).some((name) => !PLAIN_CART.includes(name))) return null
  const { minbucket, cp, collapse } = cartSynthesizer.options.parse(asked)
  return { minbucket, cp, collapse }
}

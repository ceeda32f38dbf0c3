import type { CartColumn } from '@scrim/kernels'
import { z } from 'zod'
import { UserError, unknownName } from '../errors.js'
import type { JsonObject } from '../json.js'
import { type CartOptions, type CartTree, growCart, leafOf, leafRows, leavesOf, presort } from '../learners/cart.js'
import type { Response } from '../learners/learner.js'
import type { Stream } from '../random/stream.js'
import {
  type CategoricalColumn,
  type Column,
  columnLength,
  isMissing,
  MISSING_CODE,
  takeRows,
} from '../table/column.js'
import { columnNames, columnOf, type Table, table } from '../table/table.js'
import type { FittedSynthesizer, Synthesizer } from './synthesizer.js'

/**
 * Sequential synthesis by trees (Reiter 2005; the default of synthpop, Nowok, Raab and Dibben 2016): the first variable
 * is drawn with replacement from its values, each next one by a tree of it on all variables before it. The tree is grown
 * on the original; a synthetic record goes down it with the values it has so far and takes the value of one of the
 * original records in its leaf, each equally likely. So every synthetic value is somebody's.
 *
 * Numbers and dates have regression trees, levels classification trees; a 0/1 column declared numeric is another
 * generator than the same column as levels, because a classification tree keeps only splits that change its prediction
 * (`collapse`). Missing is a level of a categorical variable, the last one. A number with missing values is made in two
 * steps, as in synthpop: first whether it is missing, then the number, learned from and drawn for records that have one;
 * later trees see both, the number 0 where it is missing.
 *
 * Not yet: smoothing of numbers, special codes and spikes, rules, proper synthesis, strata, numbers as classes.
 */
const options = z.object({
  visitSequence: z
    .array(z.string())
    .readonly()
    .nullable()
    .default(null)
    .describe('variables in the order of synthesis, others are left out; null for all, in the order of the columns'),
  minbucket: z.number().int().min(1).default(5).describe('fewest donors in a leaf; nodes of 3 times as many are split'),
  cp: z.number().min(0).default(1e-8).describe('a split must lessen the risk by this share of that of the root'),
  collapse: z
    .enum(['risk', 'gain'])
    .default('risk')
    .describe('levels: splits that change no prediction are undone (risk, as rpart) or kept (gain)'),
})

type Options = z.output<typeof options>

const SPLIT_PER_BUCKET = 3

export const cartSynthesizer = {
  id: 'cart',
  title: 'Sequential trees',
  options,
  fit(data: Table, chosen: Options): FittedSynthesizer {
    const variables = visited(data, chosen.visitSequence)
    const steps = fitSteps(variables.flatMap(stepsOf), chosen)
    return {
      sample: (rows, random) => sample(data, steps, rows, random),
      describe: () => ({ variables: steps.map(describeStep) }),
    }
  },
} satisfies Synthesizer<typeof options>

function visited(data: Table, sequence: readonly string[] | null): Column[] {
  if (data.rows === 0) throw new UserError(`${data.name} has no records to learn from`)
  const names = columnNames(data)
  const wanted = sequence ?? names
  const problems = wanted.flatMap((name, k) => {
    if (!names.includes(name)) return [`visitSequence: ${unknownName('column', name, names)}`]
    return wanted.indexOf(name) < k ? [`visitSequence: "${name}" is named twice`] : []
  })
  if (problems.length > 0) throw new UserError(problems)
  return wanted.map((name) => columnOf(data, name))
}

/** One thing to synthesize: a column without missing values, in its role as response and as predictor of later ones. */
interface Step {
  readonly variable: string
  /** Whether the number is missing; or the value itself. */
  readonly part: 'missing' | 'value'
  readonly column: Column
  /** Original records that it is learned and drawn from; null for all. */
  readonly donors: Int32Array | null
}

interface FittedStep extends Step {
  /** Null where there is nothing to predict from: drawn from all donors. */
  readonly tree: CartTree | null
}

const MISSING_LEVEL = '(missing)'
const IS_MISSING = 1

function stepsOf(column: Column): Step[] {
  const missing = missingFlags(column)
  const value = (filled: Column, donors: Int32Array | null): Step => ({
    variable: column.name,
    part: 'value',
    column: filled,
    donors,
  })
  if (!missing.includes(IS_MISSING)) return [value(column, null)]
  if (column.kind === 'categorical') return [value(withMissingLevel(column), null)]
  const indicator: CategoricalColumn = {
    kind: 'categorical',
    name: `${column.name} is missing`,
    codes: missing,
    levels: ['no', 'yes'],
    ordered: false,
  }
  const zeroed = { ...column, values: column.values.map((x) => (Number.isNaN(x) ? 0 : x)) }
  const observed = Int32Array.from(missing.keys()).filter((row) => missing[row] !== IS_MISSING)
  return [{ variable: column.name, part: 'missing', column: indicator, donors: null }, value(zeroed, observed)]
}

function missingFlags(column: Column): Int32Array {
  return Int32Array.from({ length: columnLength(column) }, (_, row) => (isMissing(column, row) ? IS_MISSING : 0))
}

function withMissingLevel(column: CategoricalColumn): CategoricalColumn {
  const last = column.levels.length
  const codes = column.codes.map((code) => (code === MISSING_CODE ? last : code))
  return { ...column, codes, levels: [...column.levels, MISSING_LEVEL] }
}

function fitSteps(steps: readonly Step[], chosen: Options): FittedStep[] {
  const sorted = presort(predictors(steps.map(({ column }) => column)))
  return steps.map((step, k) => {
    const before = steps.slice(0, k).filter(({ variable }) => variable !== step.variable)
    const pool = step.donors?.length ?? columnLength(step.column)
    const tree =
      before.length === 0 || pool === 0 ? null : growStep(step, before, sorted.slice(0, before.length), chosen)
    return { ...step, tree }
  })
}

function growStep(
  { column, donors }: Step,
  before: readonly Step[],
  sorted: readonly CartColumn[],
  { minbucket, cp, collapse }: Options,
): CartTree {
  const how: Partial<CartOptions> = { minbucket, minsplit: SPLIT_PER_BUCKET * minbucket, cp, collapse }
  const given = before.map((step) => step.column)
  if (donors === null) return growCart(predictors(given), responseOf(column), how, { presorted: sorted })
  const features = predictors(given.map((one) => takeRows(one, donors)))
  return growCart(features, responseOf(takeRows(column, donors)), how)
}

/** A table of predictors, whatever their names. */
function predictors(columns: readonly Column[]): Table {
  return { name: 'predictors', columns, rows: columns.length === 0 ? 0 : columnLength(columns[0]) }
}

function responseOf(column: Column): Response {
  return column.kind === 'categorical'
    ? { kind: 'classes', codes: column.codes, levels: column.levels }
    : { kind: 'numbers', values: column.values }
}

function sample(data: Table, steps: readonly FittedStep[], rows: number, random: (purpose: string) => Stream): Table {
  const made: Column[] = []
  const finished = new Map<string, Column>()
  for (const [k, step] of steps.entries()) {
    const own = step.part === 'missing' ? random(`${step.variable}/missing`) : random(step.variable)
    const indicator = steps[k - 1]?.variable === step.variable ? made[k - 1] : null
    const predicting = predictors(made.slice(0, indicator === null ? k : k - 1))
    const column = withoutMissing(step.column, draw(step, predicting, rows, own), indicator)
    made.push(column)
    if (step.part === 'value') finished.set(step.variable, restore(column, columnOf(data, step.variable), indicator))
  }
  const columns = data.columns.flatMap(({ name }) => finished.get(name) ?? [])
  return table(`${data.name} (cart)`, columns)
}

/** For each synthetic record the original record whose value it takes. Nobody to take it from: the first, not used. */
function draw({ tree, donors, column }: FittedStep, predicting: Table, rows: number, random: Stream): Int32Array {
  const pool = donors?.length ?? columnLength(column)
  const donorAt = (place: number) => (donors === null ? place : donors[place])
  if (pool === 0) return new Int32Array(rows)
  if (tree === null) return Int32Array.from({ length: rows }, () => donorAt(random.below(pool)))
  return leafOf(tree, predicting, random).map((leaf) => {
    const inLeaf = leafRows(tree, leaf)
    return donorAt(inLeaf[random.below(inLeaf.length)])
  })
}

/** The drawn values; 0 where the record is missing, as later trees have seen it. */
function withoutMissing(column: Column, drawn: Int32Array, indicator: Column | null): Column {
  const taken = takeRows(column, drawn)
  if (taken.kind === 'categorical' || indicator?.kind !== 'categorical') return taken
  return { ...taken, values: taken.values.map((value, row) => (indicator.codes[row] === IS_MISSING ? 0 : value)) }
}

/** The column as the original has it: missing is missing again. */
function restore(made: Column, original: Column, indicator: Column | null): Column {
  if (made.kind === 'categorical') {
    if (original.kind !== 'categorical') throw new Error(`${original.name} has changed its kind`)
    const known = original.levels.length
    return { ...original, codes: made.codes.map((code) => (code < known ? code : MISSING_CODE)) }
  }
  if (indicator?.kind !== 'categorical') return made
  return {
    ...made,
    values: made.values.map((value, row) => (indicator.codes[row] === IS_MISSING ? Number.NaN : value)),
  }
}

function describeStep({ variable, part, column, tree }: FittedStep): JsonObject {
  const sizes = tree === null ? [] : Array.from(leavesOf(tree), (leaf) => tree.n[leaf])
  const kind = column.kind === 'categorical' ? 'classification tree' : 'regression tree'
  return {
    variable,
    part,
    method: tree === null ? 'sample' : kind,
    leaves: sizes.length,
    smallestLeaf: sizes.length === 0 ? null : sizes.reduce((a, b) => Math.min(a, b)),
    largestLeaf: sizes.length === 0 ? null : sizes.reduce((a, b) => Math.max(a, b)),
  }
}

import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { type Column, categorical, numeric } from '../table/column.js'
import { selectRows, type Table, table } from '../table/table.js'
import { inline, type TaskRunner } from '../tasks/task.js'
import { shuffledRunner } from '../testing/shuffled-runner.js'
import type { FitContext, Response } from './learner.js'
import { findLearner, learners } from './learners.js'

/** The battery that every learner goes through, for classes and for numbers. */
const ROWS = 300
const random = stream(1, 'learners')

const x = Float64Array.from({ length: ROWS }, () => random.uniform() * 10)
const groups = Array.from({ length: ROWS }, () => 'abc'[random.below(3)])
const features = table('features', [
  numeric('x', x),
  categorical('g', groups, { levels: ['a', 'b', 'c', 'unseen'] }),
  numeric(
    'noise',
    Float64Array.from({ length: ROWS }, () => random.uniform()),
  ),
  numeric('constant', new Float64Array(ROWS).fill(7)),
])
const levels = ['low', 'mid', 'high']
const signal = x.map((value, row) => value + (groups[row] === 'a' ? 4 : 0) + random.uniform())
const responses: Record<Response['kind'], Response> = {
  classes: { kind: 'classes', levels, codes: Int32Array.from(signal, (value) => (value < 4 ? 0 : value < 9 ? 1 : 2)) },
  numbers: { kind: 'numbers', values: signal },
}
const binary: Response = {
  kind: 'classes',
  levels: ['no', 'yes'],
  codes: Int32Array.from(signal, (value) => (value < 6 ? 0 : 1)),
}

const context = (tasks: TaskRunner = inline, weights: Float64Array | null = null): FitContext => ({
  random: (purpose, index) => stream(5, `test/${purpose}`, index),
  seed: 5,
  purpose: 'test',
  tasks,
  weights,
})

const cases = learners.flatMap((learner) =>
  learner.responses.map((kind) => ({
    id: learner.id,
    kind,
    learner,
    response: learner.id === 'logit' ? binary : responses[kind],
  })),
)

/** What holds for any learner holds for a short path of penalties too. */
const LESS_WORK: Readonly<Record<string, object>> = { l1: { folds: 3, lambdas: 20 } }

const optionsOf = (learner: (typeof learners)[number]) => learner.options.parse(LESS_WORK[learner.id] ?? {})

const pick = (response: Response, rows: readonly number[]): Response =>
  response.kind === 'classes'
    ? { ...response, codes: Int32Array.from(rows, (row) => response.codes[row]) }
    : { ...response, values: Float64Array.from(rows, (row) => response.values[row]) }

const withMissing = (of: Table): Table =>
  table(
    'missing',
    of.columns.map((column, k): Column => {
      const gone = (row: number) => (row + k) % 5 === 0
      if (column.kind === 'categorical')
        return { ...column, codes: column.codes.map((code, row) => (gone(row) ? -1 : code)) }
      return { ...column, values: column.values.map((value, row) => (gone(row) ? Number.NaN : value)) }
    }),
  )

const unseen = (of: Table): Table =>
  table(
    'unseen',
    of.columns.map(
      (column): Column => (column.kind === 'categorical' ? { ...column, codes: column.codes.map(() => 3) } : column),
    ),
  )

/** Levels that matter, in no order, beside levels with few rows of which many are alike. */
const nominal = table('nominal', [
  features.columns[0],
  features.columns[1],
  categorical(
    'region',
    Array.from(signal, (value) => `r${(Math.floor(value) * 7) % 11}`),
  ),
  categorical(
    'code',
    Array.from({ length: ROWS }, () => `c${random.below(60)}`),
  ),
])

/** As if the file had been read with other names: neither the old order nor its mirror. */
const renaming = (count: number) =>
  Int32Array.from({ length: count }, (_, code) => (code % 3) * Math.ceil(count / 3) + Math.floor(code / 3)).map(
    (place, _, all) => all.filter((other) => other < place).length,
  )

function renamedLevels(of: Table): Table {
  return table(
    of.name,
    of.columns.map((column): Column => {
      if (column.kind !== 'categorical') return column
      const place = renaming(column.levels.length)
      return {
        ...column,
        levels: column.levels.map((_, k) => `renamed ${k}`),
        codes: column.codes.map((code) => (code < 0 ? code : place[code])),
      }
    }),
  )
}

function renamedClasses(response: Response): { response: Response; place: Int32Array } {
  if (response.kind === 'numbers') return { response, place: new Int32Array() }
  const place = Int32Array.from(response.levels, (_, k) => (k + 1) % response.levels.length)
  return { response: { ...response, codes: response.codes.map((code) => place[code]) }, place }
}

/** What the model says about a table, checked: finite, probabilities that sum to 1, the guess being the first largest. */
async function predictions(
  learner: (typeof learners)[number],
  training: Table,
  response: Response,
  on: Table,
  of: FitContext = context(),
) {
  const model = await learner.fit(training, response, optionsOf(learner), of)
  const guess = await model.predict(on)
  expect(guess.length).toBe(on.rows)
  expect(guess.every(Number.isFinite)).toBe(true)
  for (const { value } of model.importance) expect(Number.isFinite(value)).toBe(true)
  if (response.kind === 'numbers') return guess
  const probabilities = await model.predictProbabilities(on)
  const count = response.levels.length
  expect(probabilities.length).toBe(on.rows * count)
  for (let row = 0; row < on.rows; row++) {
    const own = probabilities.subarray(row * count, (row + 1) * count)
    expect(own.every((p) => p >= 0 && p <= 1 + 1e-12)).toBe(true)
    expect(own.reduce((a, b) => a + b, 0)).toBeCloseTo(1, 9)
    expect(guess[row]).toBe(own.indexOf(Math.max(...own)))
  }
  return probabilities
}

describe.each(cases)('$id on $kind', ({ id, kind, learner, response }) => {
  it('learns what is there', async () => {
    const model = await learner.fit(features, response, optionsOf(learner), context())
    const guess = await model.predict(features)
    if (id === 'prior') return
    if (response.kind === 'classes') {
      const right = guess.reduce((sum, code, row) => sum + (code === response.codes[row] ? 1 : 0), 0)
      expect(right / ROWS).toBeGreaterThan(0.85)
    } else {
      const error = guess.reduce((sum, value, row) => sum + (value - response.values[row]) ** 2, 0) / ROWS
      expect(error).toBeLessThan(2)
    }
    const names = model.importance.map(({ name }) => name)
    expect(names).toContain('x')
  })

  it('gives the same bits for the same seed, whoever runs the tasks and in which order', async () => {
    const first = await predictions(learner, features, response, features)
    expect(await predictions(learner, features, response, features)).toEqual(first)
    expect(await predictions(learner, features, response, features, context(shuffledRunner(2)))).toEqual(first)
    expect(await predictions(learner, features, response, features, context(shuffledRunner(4)))).toEqual(first)
  })

  it('does not depend on the names of levels and classes, nor on the order that names give them', async () => {
    const before = await predictions(learner, nominal, response, nominal)
    const { response: renamed, place } = renamedClasses(response)
    const after = await predictions(learner, renamedLevels(nominal), renamed, renamedLevels(nominal))
    const width = place.length
    const digits = /^(rf|cart|gbm|prior)/.test(id) ? 12 : id === 'l1' ? 1 : 3
    for (let k = 0; k < before.length; k++) {
      const at = width === 0 ? k : k - (k % width) + place[k % width]
      expect(after[at]).toBeCloseTo(before[k], digits)
    }
  })

  it('copes with missing values, in training and after', async () => {
    await predictions(learner, withMissing(features), response, withMissing(features))
    await predictions(learner, features, response, withMissing(features))
  })

  it('copes with levels that training did not see', async () => {
    await predictions(learner, features, response, unseen(features))
  })

  it.each([
    ['one row', [0]],
    ['two rows', [0, 1]],
    ['one value', Array.from({ length: ROWS }, (_, row) => row).filter((row) => signal[row] < 3)],
  ])('copes with %s', async (name, rows) => {
    const few =
      name === 'one value' && kind === 'numbers'
        ? { kind: 'numbers' as const, values: new Float64Array(rows.length).fill(4) }
        : pick(response, rows)
    await predictions(learner, selectRows(features, rows), few, features)
  })

  it('copes with features that tell nothing', async () => {
    await predictions(
      learner,
      table('constant', [features.columns[3]]),
      response,
      table('constant', [features.columns[3]]),
    )
    await predictions(learner, withAllMissing(features), response, features)
  })

  it('takes equal case weights as none', async () => {
    const plain = await predictions(learner, features, response, features)
    const weighted = await predictions(
      learner,
      features,
      response,
      features,
      context(inline, new Float64Array(ROWS).fill(1)),
    )
    for (let k = 0; k < plain.length; k++) expect(weighted[k]).toBeCloseTo(plain[k], id.startsWith('rf') ? -1 : 6)
  })
})

function withAllMissing(of: Table): Table {
  return table(
    'all missing',
    of.columns.map(
      (column): Column =>
        column.name === 'noise' && column.kind === 'numeric'
          ? { ...column, values: column.values.map(() => Number.NaN) }
          : column,
    ),
  )
}

it('finds learners by id', () => {
  expect(findLearner('cart')?.id).toBe('cart')
  expect(findLearner('carts')).toBeUndefined()
  expect(new Set(learners.map((one) => one.id)).size).toBe(learners.length)
})

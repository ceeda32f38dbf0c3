import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { NotApplicable, UserError } from '../errors.js'
import { type AnyMeasure, measure, type Result } from '../measure.js'
import { release } from '../table/release.js'
import { tableOf } from '../table/table.js'
import type { TaskRunner } from '../tasks/task.js'
import { simulateHealth } from '../testing/scenes/health.js'
import { shuffledRunner } from '../testing/shuffled-runner.js'
import { type AssessOptions, assess } from './assess.js'

const original = tableOf('original', { sex: ['f', 'm', 'f'], income: [1, 2, 3] })
const released = tableOf('released', { sex: ['f', 'm', 'm'], income: [1, 2, 3] })
const subject = release({ original, released, keys: ['sex'] })

function fake(id: string, compute: () => number, needs: AnyMeasure['needs'] = []): AnyMeasure {
  return measure({
    id,
    version: 1,
    title: id,
    summary: id,
    family: 'frequency',
    threat: 'identity',
    role: 'supports',
    unit: 'share',
    orientation: 'risk',
    scope: 'pair',
    needs,
    options: z.object({ k: z.number().default(2) }),
    compute: (_subject, options) => ({ value: compute(), interval: null, details: { k: options.k } }),
    sentence: () => id,
    charts: () => [],
  })
}

const registry = [
  fake('fine', () => 0.5),
  fake('broken', () => {
    throw new TypeError('out of luck')
  }),
  fake('refusing', () => {
    throw new NotApplicable('nothing to see')
  }),
  fake('picky', () => {
    throw new UserError('this option does not fit these data')
  }),
  fake('demanding', () => 0, ['holdout']),
  fake('nan', () => Number.NaN),
  fake('last', () => 1),
]

async function all(how: AssessOptions = {}): Promise<Result[]> {
  const results: Result[] = []
  for await (const result of assess(subject, { registry, ...how })) results.push(result)
  return results
}

describe('assess', () => {
  it('gives one result per measure and lets no failure stop the rest', async () => {
    const results = await all()
    expect(results.map(({ measure: id, status, value }) => [id, status, value])).toEqual([
      ['fine', 'ok', 0.5],
      ['broken', 'failed', null],
      ['refusing', 'not applicable', null],
      ['picky', 'not applicable', null],
      ['demanding', 'not applicable', null],
      ['nan', 'failed', null],
      ['last', 'ok', 1],
    ])
    expect(results[1].reason).toEqual({ code: 'failed', message: 'out of luck' })
    expect(results[3].reason).toEqual({ code: 'data', text: 'this option does not fit these data' })
    expect(results[4].reason).toEqual({ code: 'needs', needs: ['holdout'] })
  })

  it('gives each result before the next measure starts', async () => {
    const started: string[] = []
    const run = assess(subject, { registry, progress: ({ measure: id }) => started.push(id) })
    await run.next()
    expect(started).toEqual(['fine'])
    await run.next()
    expect(started).toEqual(['fine', 'broken'])
  })

  it('runs a subset, with options and seed', async () => {
    const [only] = await all({ measures: ['last'], options: { last: { k: 7 } }, seed: 42 })
    expect(only).toMatchObject({ measure: 'last', seed: 42, options: { k: 7 } })
  })

  it('runs what is asked for besides a subset or a profile', async () => {
    const ids = async (how: AssessOptions) => (await all(how)).map(({ measure: id }) => id)
    expect(await ids({ measures: ['last'], also: ['fine'] })).toEqual(['fine', 'last'])
    expect(await ids({ profile: 'quick', also: ['refusing'] })).toContain('refusing')
    await expect(all({ also: ['lst'] })).rejects.toThrow('unknown measure "lst"; did you mean "last"?')
  })

  it('refuses unknown measures and options before it computes anything', async () => {
    await expect(all({ measures: ['lst', 'fine'] })).rejects.toThrow('unknown measure "lst"; did you mean "last"?')
    await expect(all({ options: { lsat: {} } })).rejects.toThrow('unknown measure "lsat"; did you mean "last"?')
    const wrong = all({ options: { fine: { kk: 1 }, last: { k: 'x' } } })
    await expect(wrong).rejects.toThrow(/fine: unknown option "kk"; did you mean "k"\?\nlast: option "k"/)
  })

  it('stops when told to', async () => {
    const signal = { aborted: false }
    const results: Result[] = []
    for await (const result of assess(subject, { registry, signal })) {
      results.push(result)
      signal.aborted = true
    }
    expect(results).toHaveLength(1)
  })

  it('reports JSON-safe results', async () => {
    const results = await all()
    expect(JSON.parse(JSON.stringify(results))).toEqual(results)
  })
})

describe('measures of utility on several threads', () => {
  const people = release({
    original: simulateHealth({ n: 120, kappa: 3, seed: 1 }),
    released: simulateHealth({ n: 120, kappa: 3, seed: 2 }),
    rules: { name: 'rules', text: 'income > 0' },
  })
  const ids = ['k-anonymity', 'pmse', 'tables', 'wasserstein', 'edit-rules', 'subgroup-utility']

  async function on(tasks: TaskRunner | undefined, how: AssessOptions = {}): Promise<Result[]> {
    const results: Result[] = []
    for await (const result of assess(people, { measures: ids, tasks, seed: 3, ...how })) results.push(result)
    return results
  }

  it('give the bits of one thread, in the order of the list', async () => {
    const options = { 'subgroup-utility': { measure: 'edit-rules' }, tables: { ways: 3 } }
    expect(await on(shuffledRunner(3))).toEqual(await on(undefined))
    expect(await on(shuffledRunner(3), { options })).toEqual(await on(undefined, { options }))
  })

  it('are made here when the workers are lost, and not at all when an earlier run has them', async () => {
    const asked: unknown[] = []
    const lost: TaskRunner = {
      threads: 2,
      async map(_task, _shared, items) {
        asked.push(...items)
        throw new Error('all workers died')
      },
    }
    const results = await on(undefined)
    const finished = new Map(results.map((result) => [result.measure, result]))
    finished.delete('tables')
    finished.delete('wasserstein')
    expect(await on(lost, { finished })).toEqual(results)
    expect(asked).toEqual(['wasserstein', 'tables'])
  })
})

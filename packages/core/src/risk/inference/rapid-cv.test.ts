import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { studentTCdf } from '../../stats/distributions.js'
import { independent } from '../../synthesizers/independent.js'
import { cartSynthesizer } from '../../synthesizers/sequential/synthesizers.js'
import { type Synthesizer, synthesize } from '../../synthesizers/synthesizer.js'
import { numeric } from '../../table/column.js'
import { release } from '../../table/release.js'
import { selectRows, type Table, tableOf } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { simulateHealth } from '../../testing/scenes/health.js'
import { rapid } from './rapid.js'
import { rapidCv } from './rapid-cv.js'
import { strataOf } from './refits/cross-fitting.js'
import { crossValidateRapid } from './refits/cross-validation.js'

const cart = { method: 'cart', options: {} }
const KEYS = ['gender', 'age', 'education', 'income', 'health_score']
const health = (kappa: number, n: number, seed = 1) => simulateHealth({ n, kappa, seed })

async function run(of: Parameters<typeof rapidCv>[0], options: Parameters<typeof rapidCv>[1]) {
  const [finding] = (await rapidCv(of, options)).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

describe('a release of sequential trees', async () => {
  const original = health(10, 400)
  const released = await synthesize(cartSynthesizer, original, { seed: 1 })
  const of = release({ original, released, keys: KEYS, target: 'disease_status', type: 'synthetic', generator: cart })
  const { details, value, interval, controls, effect } = await run(of, { attackers: ['cart'] })
  const rates = details.folds.map(({ rate }) => rate)

  it('has one row per fold, each person an outsider once', () => {
    expect(details.folds.map(({ fold, records }) => [fold, records])).toEqual([1, 2, 3, 4, 5].map((fold) => [fold, 80]))
  })

  it('mean, sd, se, median and extremes over folds', () => {
    const mean = rates.reduce((a, b) => a + b) / 5
    const sd = Math.sqrt(rates.reduce((sum, rate) => sum + (rate - mean) ** 2, 0) / 4)
    expect(details.mean).toBeCloseTo(mean, 12)
    expect(details.sd).toBeCloseTo(sd, 12)
    expect(details.se).toBeCloseTo(sd / Math.sqrt(5), 12)
    expect(details.median).toBe([...rates].sort()[2])
    expect([details.min, details.max]).toEqual([Math.min(...rates), Math.max(...rates)])
    expect(details.pooled.rate).toBeCloseTo(mean, 12)
    const half = 2.7764451051977987 * (sd / Math.sqrt(5))
    expect(details.interval?.lower).toBeCloseTo(mean - half, 9)
    expect(details.interval?.upper).toBeCloseTo(Math.min(1, mean + half), 9)
  })

  it('people in the data are the headline, people left out its control', () => {
    const members = details.folds.reduce((sum, fold) => sum + fold.members, 0) / 5
    expect(value).toBeCloseTo(members, 12)
    expect([interval?.lower ?? 1, interval?.upper ?? 0].map((end) => Math.sign(end - members))).toEqual([-1, 1])
    expect(controls).toMatchObject({
      nothing: { value: details.chance },
      fair: { value: details.mean, basis: 'cross-fitting' },
    })
    expect(effect?.value).toBeCloseTo(members - details.mean, 12)
    const t = (effect?.value ?? 0) / (effect?.se ?? 1)
    expect(effect?.p).toBeCloseTo(1 - studentTCdf(t, 4), 9)
    expect(effect?.upper).toBeCloseTo((effect?.value ?? 0) + 2.13184678 * (effect?.se ?? 0), 6)
  })

  it('compares with a release of all records, and with the release given', async () => {
    const [finding] = (await rapid(of, { attackers: ['cart'] })).releases
    expect(details.released.rate).toBe(finding.value)
    expect(details.released.gap).toBeCloseTo((finding.value ?? 0) - details.mean, 12)
    expect(details.inSample.gap).toBeCloseTo(details.inSample.rate - details.mean, 12)
    const gaps = details.folds.map(({ members, rate }) => members - rate)
    expect(details.gap.mean).toBeCloseTo(gaps.reduce((a, b) => a + b) / 5, 12)
  })

  it('gives the same numbers again', async () => {
    expect((await run(of, { attackers: ['cart'] })).details).toEqual(details)
  })
})

it('without relations the rate of outsiders is that of chance, and what people in the data suffer more is memory', async () => {
  const original = health(0, 1000)
  const of = release({
    original,
    released: original,
    keys: KEYS,
    target: 'disease_status',
    type: 'synthetic',
    generator: cart,
  })
  const { details, effect } = await run(of, { attackers: ['rf'], hyper: { rf: { trees: 100 } } })
  expect(Math.abs(details.mean - details.chance)).toBeLessThan(0.04)
  expect(details.gap.mean).toBeGreaterThan(0.03)
  expect(details.gap.interval?.lower).toBeGreaterThan(0)
  expect(effect?.p).toBeLessThan(0.01)
})

it('independent marginals tell nothing of anybody', async () => {
  const original = health(10, 500)
  const of = release({
    original,
    released: original,
    keys: KEYS,
    target: 'disease_status',
    generator: { method: 'independent', options: {} },
  })
  const { details, effect } = await run(of, { attackers: ['cart'] })
  expect(Math.abs(details.mean - details.chance)).toBeLessThan(0.05)
  expect(effect?.p).toBeGreaterThan(0.05)
  expect(effect?.upper).toBeLessThan(0.1)
})

it('takes whatever synthesizer it is handed', async () => {
  const original = health(10, 200)
  const sizes: number[] = []
  const copy: Synthesizer = {
    id: 'copy',
    title: 'Copy',
    options: independent.options,
    fit: async (data) => ({
      sample: async (rows) => {
        sizes.push(rows)
        return data
      },
      describe: () => ({}),
    }),
  }
  const context = {
    seed: 1,
    random: (purpose: string, index?: number) => stream(1, purpose, index),
    progress: () => {},
    signal: undefined,
    tasks: inline,
  }
  const options = rapidCv.options.parse({ attackers: ['cart', 'prior'] })
  const found = await crossValidateRapid(
    original,
    copy,
    {
      keys: KEYS,
      target: 'disease_status',
      folds: 4,
      options: { ...options, interval: 'wilson', bootstrap: 0, permutations: 0 },
    },
    context,
  )
  expect(sizes).toEqual([150, 150, 150, 150, 200])
  expect(found).toMatchObject({ synthesizer: 'copy', attacker: 'cart' })
  expect(found.attackers.map(({ attacker }) => attacker)).toEqual(['cart', 'prior'])
})

describe('folds', () => {
  it('are stratified by class, by fifths of a number, with missing as a class', () => {
    expect([...strataOf(numeric('y', [5, 1, 2, 3, 4, null, 5]))]).toEqual([3, 0, 0, 1, 2, -1, 3])
    expect([...strataOf(numeric('y', [0, 1, 0, 1, 0]))]).toEqual([0, 3, 0, 3, 0])
    expect([...strataOf(tableOf('t', { y: ['b', 'a', null] }).columns[0])]).toEqual([1, 0, -1])
  })

  it('need as many records', async () => {
    const few: Table = selectRows(health(1, 10), [0, 1, 2])
    const of = release({ original: few, released: few, keys: ['age'], target: 'income', generator: cart })
    expect(await rapidCv(of, { attackers: ['cart'] })).toMatchObject({
      status: 'not applicable',
      reason: { text: '3 people cannot be cut into 5 folds' },
    })
  })
})

it('numbers, weights and missing targets', async () => {
  const original = tableOf('o', {
    x: Array.from({ length: 120 }, (_, k) => k % 12),
    y: Array.from({ length: 120 }, (_, k) => (k % 10 === 0 ? null : 100 * (1 + (k % 12)))),
    w: Array.from({ length: 120 }, (_, k) => 1 + (k % 3)),
  })
  const of = release({ original, released: original, keys: ['x'], target: 'y', weight: 'w', generator: cart })
  const { details } = await run(of, { attackers: ['cart'], hyper: { cart: { minsplit: 6, cp: 0 } } })
  expect(details.target).toBe('numbers')
  expect(details.folds.reduce((sum, { records }) => sum + records, 0)).toBe(108)
  expect(details.mean).toBeGreaterThan(0.5)
})

it('leaves out a fold in which nobody has a target', async () => {
  const original = tableOf('o', {
    x: Array.from({ length: 40 }, (_, k) => k % 4),
    y: Array.from({ length: 40 }, (_, k) => (k < 5 ? 'ab'[k % 2] : null)),
  })
  const of = release({ original, released: original, keys: ['x'], target: 'y', generator: cart })
  const { details } = await run(of, { attackers: ['prior'] })
  expect(details.folds.reduce((sum, { records }) => sum + records, 0)).toBe(5)
  expect(details.folds.every(({ records }) => records > 0)).toBe(true)
})

describe('the synthesizer', () => {
  const original = health(1, 50)
  const input = { original, released: original, keys: ['age'], target: 'disease_status' }
  it('must be known', async () => {
    expect(await rapidCv(release(input))).toMatchObject({
      status: 'not applicable',
      reason: { code: 'needs', needs: ['generator'] },
    })
    const strange = release({ ...input, generator: { method: 'ctgan', options: {} } })
    expect(await rapidCv(strange, { attackers: ['cart'] })).toMatchObject({
      status: 'not applicable',
      reason: { text: expect.stringContaining('unknown synthesizer "ctgan"') },
    })
  })

  it('must have the options given', async () => {
    const of = release({ ...input, generator: { method: 'cart', options: { minbuckets: 3 } } })
    await expect(rapidCv(of, { attackers: ['cart'] })).rejects.toThrow('unknown option "minbuckets"')
  })
})

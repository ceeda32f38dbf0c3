import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { type Release, release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { simulateHealth } from '../../testing/scenes/health.js'
import { rapid } from './rapid.js'
import { rapidImportance } from './rapid-importance.js'

type Options = Parameters<typeof rapidImportance>[1]

async function run(of: Release, options: Options) {
  const [finding] = (await rapidImportance(of, options)).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

const keyOf = <T extends { readonly key: string }>(list: readonly T[] | null | undefined, key: string): T => {
  const found = list?.find((one) => one.key === key)
  if (found === undefined) throw new Error(`no ${key}`)
  return found
}

/** The illness is a function of sex; the region is noise. */
const rows = Array.from({ length: 80 }, (_, row) => row)
const copy = tableOf('copy', {
  sex: rows.map((row) => (row % 2 === 0 ? 'm' : 'f')),
  region: rows.map((row) => 'nsew'[(row >> 1) % 4]),
  ill: rows.map((row) => (row % 2 === 0 ? 'yes' : 'no')),
})
const known = release({ original: copy, released: copy, keys: ['sex', 'region'], target: 'ill' })

describe('a target that one key gives away', () => {
  it('half of the people keep their sex by chance when it is permuted', async () => {
    const { value, details, sentence } = await run(known, { attackers: ['cart'] })
    expect(details.rate).toBe(1)
    expect(value).toBe(0.5)
    expect(keyOf(details.keys, 'sex')).toMatchObject({ drop: 0.5, draws: null, model: 1 })
    expect(keyOf(details.keys, 'region')).toMatchObject({ drop: 0, logLossRise: 0, model: 0 })
    expect(sentence).toBe('without sex the share of people at risk falls from 100.0 % to 50.0 %')
  })

  it('dependence: if everybody were a woman, nobody would be called ill, and the healthy half stays at risk', async () => {
    const { details } = await run(known, { attackers: ['cart'] })
    const { points, kind } = keyOf(details.dependence, 'sex')
    expect(kind).toBe('categorical')
    expect(points).toEqual([
      { value: 'f', probabilities: { no: 1, yes: 0 }, predicted: null, trueClass: 0.5, atRisk: 0.5 },
      { value: 'm', probabilities: { no: 0, yes: 1 }, predicted: null, trueClass: 0.5, atRisk: 0.5 },
    ])
    expect(keyOf(details.dependence, 'region').points.map(({ atRisk }) => atRisk)).toEqual([1, 1, 1, 1])
  })

  it('retrained on one key, and on all but one', async () => {
    const { details } = await run(known, { attackers: ['cart'], retrain: true })
    expect(details.subsets).toEqual([
      { key: 'sex', alone: 1, without: 0 },
      { key: 'region', alone: 0, without: 1 },
    ])
    const one = release({ original: copy, released: copy, keys: ['sex'], target: 'ill' })
    expect((await run(one, { attackers: ['cart'], retrain: true })).details.subsets).toEqual([
      { key: 'sex', alone: 1, without: null },
    ])
    expect((await run(known, { attackers: ['cart'] })).details.subsets).toBeNull()
  })
})

describe('numbers', () => {
  const original = tableOf('o', { x: [1, 2, 3, 4], y: [2, 4, 6, 9] })
  const released = tableOf('s', { x: [1, 2, 3, 4], y: [2.1, 3.9, 6.2, 7.8] })
  const of = release({ original, released, keys: ['x'], target: 'y' })

  it('the dependence of a straight line is the line', async () => {
    const { details } = await run(of, { attackers: ['lm'] })
    const { points } = keyOf(details.dependence, 'x')
    expect(points.map(({ value, predicted }) => [value, Number(predicted?.toFixed(6))])).toEqual([
      [1, 2.09],
      [2, 4.03],
      [3, 5.97],
      [4, 7.91],
    ])
    expect(details.meanError).toBeCloseTo((0.09 + 0.03 + 0.03 + 1.09) / 4, 9)
    expect(details.logLoss).toBeNull()
  })

  it('without drawing it equals the mean over all permutations', async () => {
    const { details } = await run(of, { attackers: ['lm'], epsilon: 0.5 })
    const rates: number[] = []
    for (const x of permutations([1, 2, 3, 4])) {
      const turned = tableOf('o', { x, y: [2, 4, 6, 9] })
      const permuted = release({ original: turned, released, keys: ['x'], target: 'y' })
      rates.push((await rapid(permuted, { attackers: ['lm'], epsilon: 0.5 })).value ?? Number.NaN)
    }
    const expected = rates.reduce((a, b) => a + b, 0) / rates.length
    expect(details.rate - details.keys[0].drop).toBeCloseTo(expected, 12)
  })

  it('does not depend on units, as the size of a coefficient would', async () => {
    const random = stream(3, 'test')
    const some = (scale: number) => {
      const n = 60
      const age = Array.from({ length: n }, () => 20 + random.below(60))
      const height = Array.from({ length: n }, () => 150 + random.below(50))
      return { age: age.map((x) => x / scale), height, y: age.map((x, k) => 1000 + 30 * x + 2 * height[k]) }
    }
    const data = some(1)
    const inYears = tableOf('years', data)
    const inCenturies = tableOf('centuries', { ...data, age: data.age.map((x) => x / 100) })
    const importance = async (file: typeof inYears) => {
      const keys = ['age', 'height']
      const found = release({ original: file, released: file, keys, target: 'y' })
      return (await run(found, { attackers: ['lm'], epsilon: 0.05 })).details.keys
    }
    const [years, centuries] = [await importance(inYears), await importance(inCenturies)]
    expect(years[0].key).toBe('age')
    for (const { key, drop, model } of years) {
      expect(keyOf(centuries, key).drop).toBeCloseTo(drop, 12)
      expect(keyOf(centuries, key).model).toBeCloseTo(model ?? -1, 6)
    }
  })
})

describe('the simulated health data', () => {
  const file = simulateHealth({ n: 600, kappa: 10, seed: 4 })
  const keys = ['gender', 'age', 'education', 'income', 'health_score']
  const of = release({ original: file, released: file, keys, target: 'disease_status' })

  it('age matters most and gender least, with five drawn permutations of age', async () => {
    const { details } = await run(of, { attackers: ['cart'] })
    expect(details.keys[0]).toMatchObject({ key: 'age', draws: 5 })
    expect(details.keys[0].drop).toBeGreaterThan(0.25)
    expect(keyOf(details.keys, 'gender')).toMatchObject({ draws: null })
    expect(Math.abs(keyOf(details.keys, 'gender').drop)).toBeLessThan(0.02)
    const { points } = keyOf(details.dependence, 'age')
    expect(points).toHaveLength(20)
    const healthy = points.map(({ probabilities }) => probabilities?.healthy ?? Number.NaN)
    expect(healthy[0]).toBeGreaterThan(0.9)
    expect(healthy[19]).toBeLessThan(0.1)
  })

  it('the same seed gives the same, another one another', async () => {
    const drops = async (seed: number) =>
      (await rapidImportance(of, { attackers: ['cart'] }, { seed })).releases[0].details?.keys
    expect(await drops(1)).toEqual(await drops(1))
    expect(await drops(1)).not.toEqual(await drops(2))
  })

  it('a sample of people is said to be one', async () => {
    const { details, warnings } = await run(of, { attackers: ['cart'], maxRecords: 200 })
    expect(details.records).toBe(200)
    expect(warnings).toContain('looked at 200 of 600 people, drawn at random')
    const everybody = await run(of, { attackers: ['cart'], maxRecords: null })
    expect(Math.abs(details.keys[0].drop - everybody.details.keys[0].drop)).toBeLessThan(0.12)
  })

  it('is the same whether or not another measure attacked before', async () => {
    const options = { attackers: ['l1'], hyper: { l1: { folds: 3, lambdas: 20 } } }
    const fresh = () => release({ original: file, released: file, keys, target: 'disease_status' })
    const after = fresh()
    await rapid(after, { ...options, bootstrap: 0, permutations: 0 })
    expect((await run(after, options)).details).toEqual((await run(fresh(), options)).details)
  })
})

describe('edges', () => {
  it('missing is one of the values of a key', async () => {
    const sex = ['m', 'f', null, 'm', 'f', null]
    const file = tableOf('o', { sex, age: [1, null, 2, 1, null, 2], ill: ['y', 'n', 'n', 'y', 'n', 'y'] })
    const { details } = await run(release({ original: file, released: file, keys: ['sex', 'age'], target: 'ill' }), {
      attackers: ['multinomial'],
    })
    expect(keyOf(details.dependence, 'sex').points.map(({ value }) => value)).toEqual(['f', 'm', '(missing)'])
    expect(keyOf(details.dependence, 'age').points.map(({ value }) => value)).toEqual([1, 2, '(missing)'])
  })

  it('keys that do not vary in the release are worth nothing', async () => {
    const released = tableOf('s', { sex: ['m', 'm'], region: ['n', 'n'], ill: ['yes', 'no'] })
    const none = release({ original: copy, released, keys: ['sex', 'region'], target: 'ill' })
    const { value, sentence } = await run(none, { attackers: ['cart'] })
    expect(value).toBe(0)
    expect(sentence).toBe('no key varies in the release, so the attacker uses none')
  })

  it('classes that only one of the files has', async () => {
    const released = tableOf('s', {
      sex: rows.map((row) => (row % 2 === 0 ? 'm' : 'f')),
      region: rows.map((row) => 'nsew'[(row >> 1) % 4]),
      ill: rows.map((row) => (row % 2 === 0 ? 'yes' : 'other')),
    })
    const { details } = await run(release({ original: copy, released, keys: ['sex', 'region'], target: 'ill' }), {
      attackers: ['cart'],
    })
    expect(details.rate).toBe(0.5)
    expect(keyOf(details.dependence, 'sex').points[0].probabilities).toEqual({ no: 0, other: 1, yes: 0 })
  })
})

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item, k) =>
    permutations([...items.slice(0, k), ...items.slice(k + 1)]).map((rest) => [item, ...rest]),
  )
}

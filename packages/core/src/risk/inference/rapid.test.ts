import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { rapid } from './rapid.js'

type Options = Parameters<typeof rapid>[1]

async function run(of: Parameters<typeof rapid>[0], options: Options) {
  const result = await rapid(of, options)
  const [finding] = result.releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

const digits = (values: readonly (number | null | undefined)[], count: number) =>
  values.map((value) => (value == null ? null : Number(value.toFixed(count))))

describe('numbers by hand', () => {
  const of = release({
    original: tableOf('o', { x: [1, 2, 3, 4], y: [2, 4, 6, 9] }),
    released: tableOf('s', { x: [1, 2, 3, 4], y: [2.1, 3.9, 6.2, 7.8] }),
    keys: ['x'],
    target: 'y',
  })

  it('least squares of the release, scored on the original', async () => {
    const { value, details } = await run(of, { attackers: ['lm'], delta: 0.01 })
    expect(value).toBe(0.75)
    expect(details.attackers[0].attacker).toBe('lm')
  })

  it('refuses attackers that cannot predict numbers, and unknown ones', async () => {
    await expect(rapid(of, { attackers: ['logit'] })).rejects.toThrow('logit cannot predict numbers')
    await expect(rapid(of, { attackers: ['lmm'] })).rejects.toThrow('unknown attacker "lmm"; did you mean "lm"?')
    await expect(rapid(of, { attackers: ['cart'], hyper: { cart: { cp: 'much' } } })).rejects.toThrow(
      'hyper.cart: option "cp" must be a number of at least 0, found "much"',
    )
  })
})

describe('classes by hand', () => {
  const rows = Array.from({ length: 40 }, (_, k) => k % 2)
  const people = (name: string, target: (k: number) => string) =>
    tableOf(name, {
      sex: rows.map((k) => (k === 0 ? 'm' : 'f')),
      ill: rows.map((k, row) => (row < 0 ? '' : target(k))),
    })

  it('a target that is a function of one key is inferred for everybody', async () => {
    const copy = people('o', (k) => (k === 0 ? 'yes' : 'no'))
    const { value, details } = await run(release({ original: copy, released: copy, keys: ['sex'], target: 'ill' }), {
      attackers: ['cart'],
    })
    expect(value).toBe(1)
    expect(details.attackers[0].performance.accuracy).toBe(1)
    expect(details.chance.expected).toBeCloseTo(0.5, 12)
    expect(details.chance.corrected).toBe(1)
  })

  it('a class that only the original has is never at risk', async () => {
    const original = people('o', (k) => (k === 0 ? 'yes' : 'rare'))
    const released = people('s', (k) => (k === 0 ? 'yes' : 'no'))
    const { value, details } = await run(release({ original, released, keys: ['sex'], target: 'ill' }), {
      attackers: ['cart'],
    })
    expect(value).toBe(0.5)
    expect(details.classes?.find(({ level }) => level === 'rare')).toMatchObject({ rate: 0, meanProbability: 0 })
  })

  it('takes settings of the attacker that was named, even where another one does its work', async () => {
    const copy = tableOf('o', {
      sex: rows.map((k) => (k === 0 ? 'm' : 'f')),
      ill: rows.map((_, row) => ['yes', 'no', 'perhaps'][row % 3]),
    })
    const of = release({ original: copy, released: copy, keys: ['sex'], target: 'ill' })
    const { details } = await run(of, { attackers: ['logit'], hyper: { logit: { firth: true, ridge: 0.1 } } })
    expect(details.attackers[0].attacker).toBe('logit')
    await expect(rapid(of, { attackers: ['logit'], hyper: { logit: { firht: true } } })).rejects.toThrow(
      'hyper.logit: unknown option "firht"; did you mean "firth"?',
    )
  })

  it('a strong suite is at least as strong as its members', async () => {
    const original = people('o', (k) => (k === 0 ? 'yes' : 'no'))
    const { details } = await run(release({ original, released: original, keys: ['sex'], target: 'ill' }), {
      attackers: ['strong'],
    })
    expect(details.attackers.map(({ attacker }) => attacker)).toEqual(['rf-tuned', 'gbm', 'cart', 'multinomial'])
    expect(details.suite.max).toBe(Math.max(...details.attackers.map(({ rate }) => rate)))
    expect(details.suite.any).toBeGreaterThanOrEqual(details.suite.max)
    expect(details.suite.all).toBeLessThanOrEqual(details.suite.mean)
  })

  it('a constant target has nothing to infer', async () => {
    const one = people('o', () => 'yes')
    const result = await rapid(release({ original: one, released: one, keys: ['sex'], target: 'ill' }), {
      attackers: ['cart'],
    })
    expect(result).toMatchObject({
      status: 'not applicable',
      reason: { text: 'the target is constant in the original' },
    })
  })

  it('records with a missing target are left out and counted', async () => {
    const original = tableOf('o', { sex: ['m', 'f', 'm', 'f'], ill: ['yes', 'no', null, 'no'] })
    const { details } = await run(release({ original, released: original, keys: ['sex'], target: 'ill' }), {
      attackers: ['prior'],
    })
    expect([details.records, details.droppedOriginal, details.droppedReleased]).toEqual([3, 1, 1])
  })
})

describe('between permuted targets and the original itself', () => {
  const memory = { attackers: ['cart'], hyper: { cart: { minsplit: 2, minbucket: 1, cp: 0 } }, permutations: 99 }
  /** People whose target depends on one of their keys, now and then. */
  const people = (name: string, n: number, seed: number) => {
    const draw = stream(seed, name)
    const age = Array.from({ length: n }, () => draw.below(10_000))
    return tableOf(name, {
      age,
      sex: age.map(() => 'mf'[draw.below(2)]),
      ill: age.map((years) => (draw.below(3) === 0 ? 'yno'[draw.below(3)] : 'yno'[Math.floor(years / 3334)])),
    })
  }
  const input = { original: people('original', 300, 1), keys: ['age', 'sex'], target: 'ill' }

  it('a copy is all that the original itself gives, far above the same attacker trained on other people', async () => {
    const {
      value,
      controls,
      effect,
      leakage,
      exposure,
      people: concerned,
    } = await run(release({ ...input, released: input.original }), memory)
    expect([value, exposure, leakage?.value]).toEqual([expect.closeTo(1, 1), 1, 1])
    expect(controls).toMatchObject({ fair: { basis: 'cross-fitting' }, everything: { value } })
    expect(controls?.fair?.value).toBeLessThan(0.8)
    expect(effect?.p).toBeLessThan(1e-4)
    expect(concerned).toBe(300)
  })

  it('an attacker who has public records besides adds them to the release, and the rest of the holdout stays outside', async () => {
    // Nothing is to be learned from the release: its targets go in turn.
    const age = Array.from({ length: 100 }, (_, k) => 100 * k)
    const released = tableOf('blank', { age, sex: age.map(() => 'm'), ill: age.map((_, k) => 'yno'[k % 3]) })
    const of = release({ ...input, released, holdout: people('holdout', 400, 2) })
    const tree = { attackers: ['cart'], permutations: 99 }
    const [without, plus] = [await run(of, tree), await run(of, { ...tree, publicRecords: 300 })]
    expect([without.details.trained, plus.details.trained]).toEqual([100, 400])
    expect(without.value ?? 1).toBeLessThan(plus.value ?? 0)
    expect(plus.controls?.fair?.basis).toBe('outsiders')
    expect(plus.controls?.everything?.value).toBeGreaterThan(plus.value ?? 1)
    await expect(rapid(of, { publicRecords: 400 })).rejects.toThrow('the holdout has 400 records, and some must stay')
    await expect(rapid(release({ ...input, released }), { publicRecords: 5 })).rejects.toThrow(
      'taken from a holdout, and there is none',
    )
  })

  it('with a holdout the same model is turned on people outside, and no fold is cut', async () => {
    const of = release({ ...input, released: input.original, holdout: people('holdout', 200, 2) })
    const { value, controls, effect, leakage, details, looks } = await run(of, memory)
    expect(controls?.fair).toMatchObject({ value: details.holdout?.outsiders, basis: 'outsiders' })
    expect(effect?.value).toBeCloseTo((value ?? 0) - (details.holdout?.outsiders ?? 0), 12)
    expect([leakage?.value, looks]).toEqual([1, undefined])
    expect(effect?.p).toBeLessThan(1e-12)
  })

  it('an honest sample tells no more than other people do, though far more than chance', async () => {
    const { value, controls, effect } = await run(release({ ...input, released: people('released', 300, 3) }), {
      attackers: ['cart'],
      permutations: 99,
    })
    expect((value ?? 0) - (controls?.nothing?.value ?? 0)).toBeGreaterThan(0.2)
    expect(effect?.p).toBeGreaterThan(0.05)
  })

  it('too few people to cut into folds: nothing is said for or against', async () => {
    const few = tableOf('few', { age: [1, 2, 3], sex: ['m', 'f', 'm'], ill: ['y', 'n', 'y'] })
    const { effect, notAssessed } = await run(release({ ...input, original: few, released: few }), {
      attackers: ['prior'],
    })
    expect([effect, notAssessed?.text]).toEqual([undefined, expect.stringContaining('too few people')])
  })

  it('ten outsiders leave the bounds wide, and a copy is not cleared by them', async () => {
    const of = release({ ...input, released: input.original, holdout: people('holdout', 10, 2) })
    const { effect } = await run(of, memory)
    expect((effect?.upper ?? 0) - (effect?.lower ?? 0)).toBeGreaterThan(0.3)
    expect(effect?.upper).toBeGreaterThan(0.5)
  })
})

it('several targets: one that is constant is left aside, not the others', async () => {
  const rows = Array.from({ length: 40 }, (_, row) => row)
  const file = tableOf('o', {
    k: rows.map((row) => 'ab'[row % 2]),
    t: rows.map((row) => 'xy'[row % 2]),
    u: rows.map(() => 'same'),
    v: rows.map((row) => 'pq'[(row >> 1) % 2]),
  })
  const of = release({ original: file, released: file, keys: ['k'], target: ['t', 'u', 'v'] })
  const [{ targets }] = (await rapid(of, { attackers: ['cart'], permutations: 19 })).releases
  const found = targets?.find(({ target }) => target === 't')?.details?.acrossTargets
  expect(Object.keys(found?.adjustedP ?? {})).toEqual(['t', 'v'])
  expect(found?.anyTarget).toBe(1)
  expect(targets?.find(({ target }) => target === 'u')?.status).toBe('not applicable')
})

describe('what is wrong is said before anything is fitted', () => {
  const file = tableOf('o', { k: ['a', 'b'], t: ['x', 'y'] })
  const of = release({ original: file, released: file, keys: ['k'], target: 't' })
  it.each<[Options, string]>([
    [{ by: 'kk' }, 'by: unknown column "kk"; did you mean "k"?'],
    [{ targetType: 'numbers' }, 't is text, which cannot be taken as numbers'],
    [{ hyper: { rg: { trees: 3 } } }, 'hyper: unknown attacker "rg"'],
    [{ attackers: ['lm'] }, 'lm cannot predict classes'],
  ])('%j', async (options, message) => {
    await expect(rapid(of, options)).rejects.toThrow(message)
  })
})

describe('what other software gets wrong', () => {
  const rows = Array.from({ length: 60 }, (_, row) => row)
  const three = tableOf('three', {
    sex: rows.map((row) => 'mfx'[row % 3]),
    ill: rows.map((row) => ['none', 'mild', 'severe'][row % 3]),
  })
  const copy = release({ original: three, released: three, keys: ['sex'], target: 'ill' })

  it('texts are classes, three of them too', async () => {
    const { value, details } = await run(copy, { attackers: ['cart'] })
    expect(value).toBe(1)
    expect(details.classes?.map(({ level }) => level)).toEqual(['mild', 'none', 'severe'])
    expect((await run(copy, { attackers: ['logit'] })).value).toBe(1)
  })

  it('the ratio within classes calls a perfect attacker harmless; the gain does not', async () => {
    expect((await run(copy, { attackers: ['cart'], score: 'conditional', tau: 1 })).value).toBe(0)
    expect((await run(copy, { attackers: ['cart'], score: 'gain' })).value).toBe(1)
  })

  it('a class that only the release has stays one for the attacker', async () => {
    const released = tableOf('s', {
      sex: rows.map((row) => 'mfx'[row % 3]),
      ill: rows.map((row) => ['none', 'mild', row % 2 === 0 ? 'severe' : 'unreal'][row % 3]),
    })
    const { value, details } = await run(release({ original: three, released, keys: ['sex'], target: 'ill' }), {
      attackers: ['cart'],
    })
    expect(details.classes?.find(({ level }) => level === 'unreal')).toMatchObject({ records: 0, rate: null })
    expect(details.classes?.find(({ level }) => level === 'severe')?.meanProbability).toBeCloseTo(0.5, 12)
    expect(value).toBeCloseTo(2 / 3, 12)
  })

  it('asking for the scores of records changes no aggregate', async () => {
    const released = tableOf('s', { sex: ['m', 'f', 'x', 'm'], ill: ['none', 'mild', 'severe', 'mild'] })
    const of = release({ original: three, released, keys: ['sex'], target: 'ill' })
    const without = await rapid(of, { attackers: ['multinomial'] })
    const { releases, ...rest } = await rapid(of, { attackers: ['multinomial'] }, { records: true })
    const [{ records, addedByRecord: _, ...finding }] = releases
    expect({ ...rest, releases: [finding] }).toEqual(without)
    const atRisk = Array.from(records?.atRisk ?? [])
    expect(atRisk.reduce((a, b) => a + b, 0) / 60).toBeCloseTo(without.value ?? -1, 12)
  })

  it('a missing number is left out, not taken as 0', async () => {
    const y = rows.map((row) => (row % 12 === 0 ? null : 100 + row))
    const file = tableOf('o', { x: rows, y })
    const { value, details } = await run(release({ original: file, released: file, keys: ['x'], target: 'y' }), {
      attackers: ['lm'],
    })
    expect([details.records, details.droppedOriginal]).toEqual([55, 5])
    expect(value).toBe(1)
  })

  it('levels of keys that the release has not seen do not break a model of numbers', async () => {
    const original = tableOf('o', { k: ['a', 'b', 'c', 'd'], y: [10, 20, 30, 40] })
    const released = tableOf('s', { k: ['a', 'b', 'a', 'b'], y: [10, 20, 10, 20] })
    const { warnings } = await run(release({ original, released, keys: ['k'], target: 'y' }), { attackers: ['lm'] })
    expect(warnings).toContain('50.0 % of people have a key value that no released record has')
  })

  it('the statistic that is tested is the one that is reported, and flags agree with the picture', async () => {
    const file = tableOf('o', { x: rows, y: rows.map((row) => 50 + row + 9 * (row % 4)) })
    const of = release({ original: file, released: file, keys: ['x'], target: 'y' })
    const { value, details } = await run(of, { attackers: ['lm'], permutations: 199 })
    expect(details.chance.observed).toBe(value)
    expect(details.chance.permuted.reduce((sum, bin) => sum + bin.count, 0)).toBe(199)
    expect(details.chance.permuted.length).toBeLessThanOrEqual(30)
    expect(details.scores.reduce((sum, bin) => sum + bin.atRisk, 0)).toBe(60 * (value ?? 0))
    for (const { truth, lower, upper } of details.wedge) {
      expect(lower).toBeLessThan(truth)
      expect(upper).toBeGreaterThan(truth)
    }
    expect(details.wedge).toHaveLength(41)
  })
})

it('the bootstrap without rows has the law of the bootstrap with rows', async () => {
  const n = 400
  const sex = Array.from({ length: n }, (_, k) => 'mf'[k % 2])
  const ill = Array.from({ length: n }, (_, k) => ((k * 7919) % 10 < 7 === (k % 2 === 0) ? 'yes' : 'no'))
  const table = (name: string) => tableOf(name, { sex, ill, w: sex.map(() => 1) })
  const given = { original: table('o'), released: table('s'), keys: ['sex'], target: 'ill' }
  const options = { attackers: ['cart'], bootstrap: 4000, tau: 0.1 }
  const byLaw = (await run(release(given), options)).details.bootstrap
  const byRows = (await run(release({ ...given, weight: 'w' }), options)).details.bootstrap
  expect(byLaw.sd).toBeCloseTo(byRows.sd ?? 0, 2.6)
  expect(byLaw.interval?.lower).toBeCloseTo(byRows.interval?.lower ?? 0, 1.9)
  expect(byLaw.interval?.upper).toBeCloseTo(byRows.interval?.upper ?? 0, 1.9)
})

describe.skipIf(reference() === undefined)('the vignette’s running example', async () => {
  if (reference() === undefined) return
  const keys = ['age', 'sex', 'education', 'region']
  const original = await referenceTable('golden/vignette/original.csv')
  const of = async (file: string) =>
    release({
      original,
      released: await referenceTable(`golden/vignette/${file}.csv`),
      keys,
      target: 'income',
      type: 'synthetic',
    })

  it.each([
    ['synthetic', 0.15, 0.1333, 0.178],
    ['near-copy', 0.124, 0.1365, 0.178],
  ])('%s with least squares', async (file, rate, chance, floor) => {
    const { value, details, effect } = await run(await of(file), { attackers: ['lm'], delta: 0.01 })
    expect(value).toBe(rate)
    expect(digits([details.chance.expected], 4)).toEqual([chance])
    expect(digits([details.floor], 3)).toEqual([floor])
    // A straight line remembers nobody, and even the original itself would give nobody away.
    expect(effect?.p).toBeGreaterThan(0.05)
  })

  it('errors of the attacker, and the exact null', async () => {
    const { details } = await run(await of('synthetic'), { attackers: ['lm'], delta: 0.01 })
    const { mae, rmse, relativeMae, relativeRmse } = details.attackers[0].performance
    expect(digits([mae, rmse, relativeMae, relativeRmse], 4)).toEqual([18392.4849, 25265.2739, 0.4022, 1.0065])
    expect(digits([details.chance.expected, details.chance.sd], 5)).toEqual([0.1333, 0.00996])
    expect(details.chance.permutationP).toBeGreaterThan(0.04)
    expect(details.chance.permutationP).toBeLessThan(0.075)
  })

  it('the relative error', async () => {
    expect((await run(await of('synthetic'), { attackers: ['lm'], error: 'relative', delta: 0.01 })).value).toBe(0.146)
    expect((await run(await of('near-copy'), { attackers: ['lm'], error: 'relative', delta: 0.01 })).value).toBe(0.12)
  })
})

it('measures errors in spreads of the target where many of its values are 0', async () => {
  const random = stream(5, 'zeros')
  const people = (name: string) =>
    tableOf(name, {
      key: Array.from({ length: 80 }, () => random.below(4)),
      spent: Array.from({ length: 80 }, () => (random.below(3) === 0 ? 0 : 50 + random.below(900))),
    })
  const files = release({ original: people('o'), released: people('r'), keys: ['key'], target: 'spent' })
  const run = async (options: object) =>
    (await rapid(files, { attackers: ['cart'], bootstrap: 0, permutations: 0, ...options })).releases[0]
  const [auto, normalised, symmetric] = [
    await run({}),
    await run({ error: 'normalised' }),
    await run({ error: 'symmetric' }),
  ]
  expect(auto.value).toBe(normalised.value)
  expect(auto.warnings).toContain(
    'many target values are near 0, so errors are measured in spreads of the target (error=normalised)',
  )
  expect(symmetric.warnings).toContain(
    'many target values are near 0, where a relative error is unstable; error=absolute or normalised is not',
  )
})

it('is not applicable to a target with more classes than a model can tell apart', async () => {
  const many = (name: string) =>
    tableOf(name, {
      key: Array.from({ length: 1200 }, (_, row) => row % 7),
      town: Array.from({ length: 1200 }, (_, row) => `t${row}`),
    })
  const found = await rapid(release({ original: many('o'), released: many('r'), keys: ['key'], target: 'town' }))
  expect([found.status, found.reason?.text]).toEqual([
    'not applicable',
    'the target "town" has 1,200 different values, more than the 1,000 that a model is asked to tell apart; group them',
  ])
})

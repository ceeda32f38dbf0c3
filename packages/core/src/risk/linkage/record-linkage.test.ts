import { describe, expect, it } from 'vitest'
import { anonymise } from '../../anonymisers/method/anonymiser.js'
import { noise } from '../../anonymisers/noise.js'
import { pram } from '../../anonymisers/pram.js'
import { recordLinkage } from '../../peers/risk/linkage/record-linkage.js'
import { stream } from '../../random/stream.js'
import { numeric } from '../../table/column.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { selectRows, type Table, table, tableOf } from '../../table/table.js'
import { describeReference, liveFiles } from '../../testing/reference.js'
import { TEN, TEN_RELEASED } from '../../testing/scenes/linkage.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { inspectLink } from './inspect-link.js'
import { METHODS } from './options.js'

const KEYS = { keys: ['sex', 'edu'], numericKeys: ['age', 'inc'] }
const perturbed = (given: Partial<ReleaseInput> = {}) =>
  release({ original: TEN, released: TEN_RELEASED, ...KEYS, type: 'perturbed', ...given })

/** With few trees, or few passes, for the methods that learn. */
const quickly = (method: (typeof METHODS)[number], trees: number, epochs: number) => ({
  method,
  ...(method === 'forest' ? { trees } : method === 'embedding' ? { epochs } : {}),
})

describe('ten people', () => {
  it('as riskutility defines it', async () => {
    const { releases } = await recordLinkage(perturbed(), { method: 'deterministic', definition: 'riskutility' })
    const [{ value, controls, effect, leakage, interval, details }] = releases
    expect(value).toBeCloseTo(0.9, 12)
    expect(controls?.fair?.value).toBeCloseTo(0.1, 12)
    expect(controls?.fair?.basis).toBe('chance')
    expect(controls?.everything?.value).toBe(1)
    expect(leakage?.value).toBeCloseTo(0.8 / 0.9, 12)
    expect(effect?.p).toBeLessThan(1e-4)
    expect(interval?.lower).toBeCloseTo(0.5958, 4)
    expect(interval?.upper).toBeCloseTo(0.9821, 4)
    expect(details?.summary).toMatchObject({ found: 9, certain: 9, oneNearest: 10 })
    expect(details?.summary?.z).toBeCloseTo(8.0903983, 6)
    expect(details?.summary?.gini).toBeCloseTo(0.1, 12)
    expect(details?.summary?.costs.own).toBeCloseTo(0.067847631, 9)
    expect(details?.summary?.costs.any).toBeCloseTo(0.37460506, 8)
    expect(details?.riskutility).toEqual({ pass: false })
  })

  it('takes the most successful attack of the suite', async () => {
    const { releases } = await recordLinkage(perturbed())
    const [{ value, details, sentence }] = releases
    expect(value).toBeCloseTo(1, 12)
    expect(details?.suite[0].value).toBeCloseTo(1, 12)
    expect(details?.suite.find(({ attack }) => attack === 'deterministic, one-to-one')?.value).toBeCloseTo(1, 12)
    expect(details?.suite.map(({ attack }) => attack).sort()).toEqual([
      'deterministic',
      'deterministic, one-to-one',
      'probabilistic',
      'ranks',
    ])
    expect(sentence).toContain('names the right record of 100.0 % of people')
  })

  it('the other way round, transport, and what each key adds', async () => {
    const value = async (options: object) =>
      (await recordLinkage(perturbed(), { method: 'deterministic', definition: 'riskutility', ...options })).value
    expect(await value({ direction: 'reverse' })).toBeCloseTo(0.7, 12)
    expect(await value({ matching: 'transport' })).toBeCloseTo(0.88932723, 4)
    expect(await value({ missing: 'mismatch' })).toBeCloseTo(0.8, 12)
    expect(await value({ blocking: ['sex'] })).toBeCloseTo(0.8, 12)
    const run = await recordLinkage(perturbed(), {
      method: 'deterministic',
      definition: 'riskutility',
      importance: 'leave-one-out',
    })
    const importance = Object.fromEntries(
      run.releases[0].details?.importance.map(({ key, value: v }) => [key, v]) ?? [],
    )
    const without = [importance.age, importance.inc, importance.sex, importance.edu]
    for (const [k, expected] of [0.1, 0.1, 0, 0].entries()) expect(without[k]).toBeCloseTo(expected, 12)
    const shapley = await recordLinkage(perturbed(), {
      method: 'deterministic',
      definition: 'riskutility',
      importance: 'shapley',
    })
    const sum = shapley.releases[0].details?.importance.reduce((total, { value: v }) => total + v, 0)
    expect(sum).toBeCloseTo(0.9 - 0.1, 10)
  })

  it.each(METHODS.filter((method) => method !== 'pram'))('%s runs, scored within bounds', async (method) => {
    const { releases } = await recordLinkage(perturbed(), quickly(method, 30, 10), { records: true })
    const [{ value, records, controls, status }] = releases
    expect(status).toBe('ok')
    expect(value).toBeGreaterThan(0)
    expect(value).toBeLessThanOrEqual(1)
    expect(controls?.everything?.value).toBeGreaterThan(0)
    expect(records?.linkageRisk.length).toBe(10)
  })
})

it('tells what somebody reaches who does not know whether people are in the file', async () => {
  const weighted = (of: Table) => table(of.name, [...of.columns, numeric('w', [1, 2, 4, 5, 10, 1, 2, 4, 5, 10])])
  const of = async (given: Partial<ReleaseInput>) =>
    (await recordLinkage(perturbed(given), { method: 'deterministic', definition: 'riskutility' })).releases[0].details
  // All but the third are found.
  const details = await of({ original: weighted(TEN), released: weighted(TEN_RELEASED), weight: 'w' })
  expect(details?.unknownMembership).toBeCloseTo((1 + 0.5 + 0.2 + 0.1 + 1 + 0.5 + 0.25 + 0.2 + 0.1) / 10, 12)
  const population = selectRows(
    TEN,
    Int32Array.from({ length: 40 }, (_, row) => row % 10),
  )
  expect((await of({ population }))?.unknownMembership).toBeCloseTo(0.9 / 4, 12)
  expect((await of({}))?.unknownMembership).toBeNull()
})

it('tells what an insider would reach who knows the rates of agreement', async () => {
  const { releases } = await recordLinkage(perturbed(), { method: 'probabilistic' })
  const [{ value, details }] = releases
  const known = await recordLinkage(perturbed(), { method: 'probabilistic', parameters: 'oracle' })
  expect(details?.insider).toBe(known.value)
  expect(details?.insider).not.toBe(value)
  expect(known.releases[0].details?.insider).toBeNull()
})

it('a copy of 200 rows with 12 different keys scores 0.06 in file order and shuffled', async () => {
  const keys = Array.from({ length: 200 }, (_, row) => (7 * row) % 12)
  const id = Array.from({ length: 200 }, (_, row) => row)
  const original = tableOf('copied', { key: keys, id, other: id.map((row) => row % 5) })
  const random = stream(3, 'shuffle')
  const order = Int32Array.from(id)
  for (let k = 199; k > 0; k--) {
    const other = random.below(k + 1)
    ;[order[k], order[other]] = [order[other], order[k]]
  }
  for (const released of [original, selectRows(original, order)]) {
    const given = release({ original, released, keys: ['key'], identifier: 'id' })
    const { releases } = await recordLinkage(given, { method: 'deterministic', matching: 'one-to-one' })
    expect(releases[0].value).toBeCloseTo(0.06, 12)
    expect(releases[0].leakage?.value).toBeCloseTo(1, 12)
    expect(releases[0].details?.truth).toBe('identifier')
  }
})

describe('options of a method', () => {
  const problems = async (options: Parameters<typeof recordLinkage>[1]) =>
    recordLinkage(perturbed(), options).then(
      () => '',
      (error: Error) => error.message,
    )

  it('are refused by another one, in one sentence', async () => {
    expect(await problems({ method: 'ranks', robust: false })).toBe(
      'record-linkage: "robust" is an option of the method mahalanobis, not of ranks',
    )
    expect(await problems({ method: 'probabilistic', strategy: 'topk' })).toContain('"strategy" is an option of')
    expect(await problems({ epsilon: 0.1 })).toContain('"epsilon" is an option of the matching transport')
  })

  it('are taken by their own, and by the suite where one of its attacks has them', async () => {
    expect(await problems({ method: 'mahalanobis', robust: false })).toBe('')
    expect(await problems({ span: 'pooled', closeness: 'equal' })).toBe('')
  })
})

describe('the file of an attacker', () => {
  const register = tableOf('register', {
    person: ['c', 'a', 'x', 'b'],
    gender: ['f', 'm', 'm', 'm'],
    years: [33, 23, 90, 41],
    name: ['Clara', 'Anton', 'Xaver', 'Bruno'],
  })
  const original = tableOf('survey', {
    id: ['a', 'b', 'c', 'd'],
    sex: ['m', 'm', 'f', 'f'],
    age: [23, 41, 33, 57],
    income: [1, 2, 3, 4],
  })
  const released = tableOf('released', { sex: ['m', 'm', 'f', 'f'], age: [24, 40, 33, 56], income: [1, 2, 3, 4] })
  const map = { person: 'id', gender: 'sex', years: 'age' }
  const given = (more: Partial<ReleaseInput> = {}) =>
    release({
      original,
      released,
      attacker: register,
      attackerColumns: map,
      identifier: 'id',
      keys: ['sex'],
      numericKeys: ['age'],
      type: 'perturbed',
      ...more,
    })

  it('is linked with the release, the truth by identifier', async () => {
    const { releases } = await recordLinkage(given(), { method: 'deterministic' }, { records: true })
    const [{ value, details, warnings, records, controls }] = releases
    expect(value).toBeCloseTo(0.75, 12)
    expect(details).toMatchObject({
      people: 4,
      records: 4,
      withoutTruth: 1,
      truth: 'identifier',
      variables: ['sex', 'age'],
    })
    expect(controls?.everything?.value).toBeCloseTo(0.75, 12)
    expect(warnings.join()).toContain('1 record of 4 looked for have no counterpart')
    expect(Array.from(records?.linkageRisk ?? [])).toEqual([1, 1, 1, Number.NaN])
  })

  it('says what is wrong with the map', () => {
    expect(() => given({ attackerColumns: { gendr: 'sex' } })).toThrow('did you mean "gender"')
    expect(() => given({ attackerColumns: { gender: 'sexx' } })).toThrow('survey has no column "sexx"')
    expect(() => given({ attackerColumns: { gender: 'sex', years: 'sex' } })).toThrow('both said to be "sex"')
    expect(() => given({ attacker: undefined })).toThrow('without a file of the attacker')
  })

  it('without a truth nothing can be said', async () => {
    const { status, reason } = await recordLinkage(
      given({ identifier: undefined, attackerColumns: { gender: 'sex', years: 'age' } }),
    )
    expect(status).toBe('not applicable')
    expect(reason?.text).toContain('an identifier is needed')
  })
})

describe('a synthetic release', () => {
  const n = 300
  const random = stream(5, 'people')
  const draw = (levels: number) => Array.from({ length: n }, () => random.below(levels))
  const people = (name: string) => tableOf(name, { a: draw(12), b: draw(12), c: draw(3), d: draw(2) })
  const original = people('original')
  const run = async (released: Table) =>
    (await recordLinkage(release({ original, released, numericKeys: ['a', 'b'], type: 'synthetic' }))).releases[0]

  it('says what would be claimed, and how often rightly', async () => {
    const { value, effect, details, notAssessed, sentence } = await run(people('other'))
    expect(notAssessed?.text).toContain('nobody has a record')
    expect(details?.claims?.claimed).toBeGreaterThan(50)
    expect(value).toBeCloseTo(1 / 6, 1)
    expect(effect?.p).toBeGreaterThan(0.01)
    expect(sentence).toContain('an intruder would claim one for')
  })

  it('and that claims on a copy are right', async () => {
    const { effect, controls } = await run(original)
    expect(effect?.p).toBeLessThan(1e-6)
    expect(controls?.everything?.value).toBeGreaterThan(0.5)
  })
})

it('says nothing where rows were put into another order', async () => {
  const random = stream(2, 'noise')
  const n = 200
  const draw = () => Array.from({ length: n }, () => random.uniform())
  const original = tableOf('original', { a: draw(), b: draw() })
  const shuffled = selectRows(
    original,
    Int32Array.from({ length: n }, (_, k) => (k + 77) % n),
  )
  const { releases } = await recordLinkage(
    release({ original, released: shuffled, numericKeys: ['a', 'b'], type: 'perturbed' }),
    { method: 'deterministic' },
  )
  expect(releases[0].notAssessed?.text).toContain('put into another order')
  expect(releases[0].warnings.join()).toMatch(/own record is at \d+\.\d % of the distance of any/)
})

it('gives the same bits on any number of threads', async () => {
  const random = stream(8, 'threads')
  const n = 120
  const draw = (levels: number) => Array.from({ length: n }, () => random.below(levels))
  const original = tableOf('original', { a: draw(40), b: draw(5), c: draw(3) })
  const noisy = table(
    'noisy',
    original.columns.map((column) =>
      column.kind === 'numeric'
        ? numeric(
            column.name,
            column.values.map((value) => value + random.below(3)),
          )
        : column,
    ),
  )
  const given = release({ original, released: noisy, numericKeys: ['a', 'b', 'c'], type: 'perturbed' })
  const options = { method: 'probabilistic' as const, blocking: ['c', 'b'] }
  const alone = await recordLinkage(given, options)
  const many = await recordLinkage(given, options, { tasks: shuffledRunner(4) })
  expect(many).toEqual(alone)
})

it('shows a person with the records that fit best and why', async () => {
  const seen = await inspectLink(perturbed(), 0, { method: 'deterministic', definition: 'riskutility' }, 3)
  expect(seen.person).toEqual({ row: 3, values: ['f', '2', 31, 30] })
  expect(seen.risk).toBe(0)
  expect(seen.best[0]).toMatchObject({ row: 7, own: false, weight: 1 })
  expect(seen.best[4]).toMatchObject({ row: 3, own: true, weight: 0 })
  await expect(inspectLink(perturbed(), 0, {}, 11)).rejects.toThrow('there is no row 11')
})

it.each([
  [{ blocking: ['sexx'] }, 'did you mean "sex"'],
  [{ weights: { agee: 1 } }, 'did you mean "age"'],
  [{ hierarchies: { age: { '23': '20-29' } } }, '"age" is a number; make it categorical'],
  [{ weights: { age: 0, inc: 0, sex: 0, edu: 0 } }, 'the weights of all keys are 0'],
  [{ method: 'pram' as const }, 'pram needs the transition matrices'],
  [{ method: 'probabilistic' as const, parameters: 'given' as const }, 'the rate m of "sex" is not given'],
  [{ truth: 'identifier' as const }, 'needs an identifier column'],
  [{ matching: 'one-to-one' as const, blocking: ['sex', 'edu'] }, 'takes one blocking rule'],
  [{ text: ['age'] }, '"age" is not text'],
])('%j is a mistake', async (options, message) => {
  await expect(recordLinkage(perturbed(), options)).rejects.toThrow(message)
})

describe('against protection of growing strength', () => {
  const n = 60
  const random = stream(11, 'strengths')
  const draw = (levels: number) => Array.from({ length: n }, () => random.below(levels))
  const original = tableOf('original', {
    a: draw(1000),
    b: draw(1000),
    c: draw(5).map(String),
    d: draw(4).map(String),
  })
  const noisy = (share: number) => {
    const { table: released } = anonymise(noise, original, {
      seed: 4,
      roles: { numericKeys: ['a', 'b'] },
      options: { noise: share },
    })
    return released
  }

  it.each(METHODS.filter((method) => method !== 'pram'))('%s finds fewer and fewer under noise', async (method) => {
    const values: number[] = []
    for (const share of [0.5, 20, 400]) {
      const given = release({
        original,
        released: noisy(share),
        numericKeys: ['a', 'b'],
        keys: ['c'],
        type: 'perturbed',
      })
      const { value } = await recordLinkage(given, quickly(method, 20, 15))
      values.push(value ?? Number.NaN)
    }
    expect(values[0]).toBeGreaterThan(values[1])
    expect(values[1]).toBeGreaterThan(values[2])
    expect(values[2]).toBeLessThan(0.2)
  })

  it('pram finds fewer and fewer under post-randomisation', async () => {
    const known: number[] = []
    for (const pd of [0.95, 0.5, 0.2]) {
      const { table: released, description } = anonymise(pram, original, {
        seed: 5,
        options: { variables: ['c', 'd'], pd, fixedDiagonal: true, alpha: 1, matrix: 'plain' },
      })
      const { variables } = description
      const transitions = Object.fromEntries(
        variables.map(({ variable, strata: [{ levels, matrix }] }) => [variable, { levels, matrix }]),
      )
      const given = release({ original, released, keys: ['c', 'd'], type: 'perturbed' })
      known.push((await recordLinkage(given, { method: 'pram', transitions })).value ?? 0)
    }
    expect(known[0]).toBeGreaterThan(known[1])
    expect(known[1]).toBeGreaterThan(known[2])
    expect(known[0]).toBeGreaterThan(0.2)
  })
})

/** Perturbed groups of age and education in the General Social Survey; the groups are also named a to e. */
describeReference('labels of classes', () => {
  const linkage = async (file: string, options: object) => {
    const keys = { keys: ['gender', 'ageGroup', 'educGroup'], numericKeys: ['age'] }
    const files = release({ ...(await liveFiles(file, 'p')), ...keys, type: 'perturbed' })
    return (await recordLinkage(files, { method: 'deterministic', ...options })).value
  }

  it.each(['lk4', 'lk4l'])('%s: riskutility 0.2.0 compares them as labels', async (file) => {
    expect(await linkage(file, { definition: 'riskutility' })).toBeCloseTo(0.4090191511, 10)
    expect(await linkage(file, { definition: 'riskutility', direction: 'reverse' })).toBeCloseTo(0.3854166667, 10)
  })

  it('what classes are called changes nothing, unless their order is declared', async () => {
    for (const options of [{}, { method: 'probabilistic' }, { matching: 'one-to-one' }])
      expect(await linkage('lk4', options)).toBe(await linkage('lk4l', options))
  })
})

it('says that numbers and classes of numbers were compared by their labels', async () => {
  const ages = {
    original: tableOf('o', { age: ['23', '35', '61'] }),
    released: tableOf('r', { age: ['20-29', '30-39', '60+'] }),
  }
  const linked = async (options: object) =>
    (
      await recordLinkage(release({ ...ages, keys: ['age'], type: 'perturbed' }), {
        method: 'deterministic',
        ...options,
      })
    ).releases[0]
  const own = await linked({})
  expect(own.value).toBe(1)
  expect(own.warnings).toContain(
    'age: a number and a class of numbers that it may be in count as equal, by their labels',
  )
  expect((await linked({ definition: 'riskutility' })).value).toBeCloseTo(1 / 3, 12)
})

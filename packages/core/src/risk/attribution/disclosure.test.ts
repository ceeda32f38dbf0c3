import { describe, expect, it } from 'vitest'
import { disclosure } from '../../peers/risk/attribution/disclosure.js'
import type { Grouping } from '../../table/grouping.js'
import { type Release, release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { reference, referenceJson, referenceTable } from '../../testing/reference.js'
import { example, keyAndTarget } from '../../testing/scenes/example.js'

type Options = Parameters<typeof disclosure>[1]

async function details(of: Parameters<typeof disclosure>[0], options: Options = {}) {
  const result = await disclosure(of, options)
  const found = result.releases[0].details
  if (found === null) throw new Error((result.reason ?? result.releases[0].reason)?.text)
  return found
}

const synthpop = { definition: 'synthpop-1.9-3' } as const
const all = {
  ...synthpop,
  excludeTarget: 'Y',
  useMissingTarget: false,
  useMissingKeys: false,
  exclude: [{ key: 'k1', level: 'd', target: 'N' }],
  denominatorLimit: 2,
} as const

describe('the worked example, as synthpop prints it', () => {
  const rows: readonly [string, Options, readonly (number | null)[]][] = [
    ['none', {}, [12.5, 33.3333, 12.5, 6.25, 56.25, 66.6667, 87.5, 68.75, 50, 59.375, 37.5, 3, 1.6]],
    [
      'target level N',
      { excludeTarget: 'N' },
      [25, 33.3333, 25, 18.75, 18.75, 33.3333, 25, 18.75, 12.5, 18.75, 6.25, 1, 1],
    ],
    [
      'missing target',
      { useMissingTarget: false },
      [18.75, 33.3333, 18.75, 12.5, 56.25, 66.6667, 81.25, 62.5, 50, 59.375, 37.5, 3, 1.6],
    ],
    [
      'missing keys',
      { useMissingKeys: false },
      [12.5, 25, 12.5, 6.25, 56.25, 58.3333, 75, 56.25, 43.75, 53.125, 37.5, 3, 1.75],
    ],
    [
      'missing k1 only',
      { useMissingKeys: { k1: false, k2: true } },
      [12.5, 33.3333, 12.5, 6.25, 56.25, 66.6667, 87.5, 68.75, 50, 59.375, 37.5, 3, 1.6],
    ],
    [
      'k1=a and N',
      { exclude: [{ key: 'k1', level: 'a', target: 'N' }] },
      [25, 25, 25, 12.5, 37.5, 41.6667, 56.25, 37.5, 25, 34.375, 18.75, 2, 1.3333],
    ],
    [
      'two pairs',
      {
        exclude: [
          { key: 'k1', level: 'd', target: 'N' },
          { key: 'k2', level: 'x', target: 'Y' },
        ],
      },
      [6.25, 25, 6.25, 0, 25, 50, 68.75, 50, 31.25, 40.625, 18.75, 3, 1.6667],
    ],
    [
      'limit 1',
      { denominatorLimit: 1 },
      [18.75, 33.3333, 18.75, 6.25, 12.5, 33.3333, 43.75, 37.5, 18.75, 21.875, 6.25, 1, 1],
    ],
    [
      'limit 2',
      { denominatorLimit: 2 },
      [12.5, 33.3333, 12.5, 6.25, 37.5, 66.6667, 68.75, 50, 31.25, 40.625, 18.75, 2, 1.25],
    ],
    ['all together', all, [12.5, 16.6667, 12.5, 0, 6.25, 16.6667, 25, 12.5, 0, 12.5, 0, 0, null]],
  ]

  it.each(rows)('identity and attribute figures, excluding %s', async (_, options, expected) => {
    const { identity: i, attribute: a, cap } = await details(example(), { ...synthpop, ...options })
    const percentages = [i.UiO, i.UiS, i.UiOiS, i.repU, a.Dorig, a.Dsyn, a.iS, a.DiS, a.DiSCO, cap.DCAPd, a.DiSDiO]
    expectDigits([...percentages.map((share) => 100 * share), a.maxDenominator, a.meanDenominator], expected)
  })

  it.each<[string, Options, readonly number[]]>([
    ['none', {}, [49.21875, 79.1667, 83.3333, 95, 79.1667, 80, 66.6667, 72.7273, 10, 11]],
    ['target level N', { excludeTarget: 'N' }, [49.21875, 37.5, 50, 100, 25, 100, 25, 100, 3, 3]],
    ['missing target', { useMissingTarget: false }, [49.21875, 79.1667, 83.3333, 95, 79.1667, 80, 66.6667, 80, 10, 10]],
    [
      'missing keys',
      { useMissingKeys: false },
      [49.21875, 72.9167, 75, 94.4444, 70.8333, 77.7778, 58.3333, 77.7778, 9, 9],
    ],
    [
      'k1=a and N',
      { exclude: [{ key: 'k1', level: 'a', target: 'N' }] },
      [49.21875, 60.4167, 58.3333, 78.5714, 45.8333, 57.1429, 33.3333, 80, 7, 5],
    ],
    [
      'two pairs',
      {
        exclude: [
          { key: 'k1', level: 'd', target: 'N' },
          { key: 'k2', level: 'x', target: 'Y' },
        ],
      },
      [49.21875, 47.9167, 66.6667, 81.25, 54.1667, 62.5, 41.6667, 62.5, 8, 8],
    ],
    ['limit 1', { denominatorLimit: 1 }, [49.21875, 31.25, 50, 70, 29.1667, 60, 25, 60, 5, 5]],
    ['limit 2', { denominatorLimit: 2 }, [49.21875, 60.4167, 83.3333, 81.25, 54.1667, 62.5, 41.6667, 62.5, 8, 8]],
    ['all together', all, [49.21875, 25, 33.3333, 200, 16.6667, 200, 16.6667, 100, 1, 2]],
  ])('CAP figures, excluding %s', async (_, options, expected) => {
    const { cap, denominators } = await details(example(), { ...synthpop, ...options })
    const shares = [cap.baseCAPd, cap.CAPd, cap.CAPs, cap.DCAPb, cap.DCAPs, cap.TCAPb, cap.TCAPs, cap.TCAP]
    expectDigits([...shares.map((share) => 100 * Number(share)), denominators.synthpopB, denominators.TCAP], expected)
  })

  it('counts what each rule removed', async () => {
    const { removed } = await details(example(), all)
    expect(Object.fromEntries(Object.entries(removed).map(([name, rules]) => [name, Object.values(rules)]))).toEqual({
      original: [5, 1, 1, 2, 3, 4],
      synthetic: [6, 0, 1, 1, 0, 4],
      Dorig: [3, 0, 0, 2, 3, 1],
      Dsyn: [4, 0, 1, 1, 0, 2],
      iS: [3, 1, 1, 2, 3, 4],
      DiS: [2, 1, 1, 2, 3, 2],
      DiSCO: [2, 0, 1, 2, 3, 0],
      DiSDiO: [1, 0, 0, 2, 3, 0],
    })
  })

  it.each<[string, readonly number[]]>([
    ['k1', [100, 31.25, 25, 62.5, 80]],
    ['k2', [100, 12.5, 6.25, 48.3333, 50]],
  ])('with %s as the only key', async (key, expected) => {
    const { attribute: a, cap } = await details(example({ keys: [key] }))
    expectDigits(
      [a.iS, a.DiS, a.DiSCO, cap.DCAPd, Number(cap.TCAP)].map((share) => 100 * share),
      expected,
    )
  })

  it('orders several targets by risk', async () => {
    const result = await disclosure(example({ target: ['t', 'u'] }))
    const targets = result.releases[0].targets?.map(({ target, details: of }) => [
      target,
      of?.attribute.Dorig,
      of?.attribute.DiSCO,
      of?.attribute.DiSDiO,
    ])
    expect(targets).toEqual([
      ['u', 0.5625, 0.5625, 0.4375],
      ['t', 0.5625, 0.5, 0.375],
    ])
    expect(result.value).toBe(0.5625)
  })
})

describe('exclusions by scrim’s own rule', () => {
  it('never change identity figures: leaving records out cannot make others unique', async () => {
    const plain = await details(example())
    const excluded = await details(example(), { excludeTarget: 'N', denominatorLimit: 1 })
    expect(excluded.identity).toEqual(plain.identity)
  })

  it('never make a class certain: N, N, N, Y without N is still not "certainly Y"', async () => {
    const of = keyAndTarget({ k: ['q', 'q'], t: ['Y', 'N'] }, { k: ['q', 'q', 'q', 'q'], t: ['N', 'N', 'N', 'Y'] })
    const mine = await details(of, { excludeTarget: 'N' })
    const theirs = await details(of, { ...synthpop, excludeTarget: 'N' })
    expect([mine.cap.TCAP, mine.cap.DCAPd]).toEqual([null, 0.125])
    expect([theirs.cap.TCAP, theirs.cap.DCAPd]).toEqual([1, 0.5])
  })
})

describe('the two checks', () => {
  const oneWay = async (records: number, percent: number) =>
    (await details(example(), { oneWay: { records, percent } })).checks.oneWay

  it('one-way: strictly more records and strictly more percent', async () => {
    expect(await oneWay(2, 50)).toEqual({
      flagged: true,
      level: 'N',
      all: 16,
      levelShare: 0.625,
      totalDisclosive: 8,
      levelDisclosive: 6,
      levelDisclosiveShare: 0.75,
    })
    expect((await oneWay(5, 74))?.flagged).toBe(true)
    expect((await oneWay(6, 74))?.flagged).toBe(false)
  })

  it('two-way: pairs of key level and target, most records first', async () => {
    const pairs = async (records: number) =>
      (await details(example(), { twoWay: { records, percent: 60 } })).checks.twoWay.map((pair) => [
        `${pair.target}|${pair.level}`,
        pair.records,
        pair.key,
        pair.keyTargetTotal,
        pair.keyTotal,
      ])
    expect(await pairs(1)).toEqual([
      ['N|x', 5, 'k2', 5, 8],
      ['N|a', 3, 'k1', 5, 7],
      ['N|d', 2, 'k1', 2, 2],
    ])
    expect(await pairs(2)).toEqual([
      ['N|a', 3, 'k1', 5, 7],
      ['N|x', 3, 'k2', 5, 8],
    ])
    expect(await pairs(3)).toEqual([])
  })

  it('the defaults on ten copies of every record', async () => {
    const { checks, attribute } = await details(example({ copies: 10 }))
    expect(checks.oneWay?.flagged).toBe(false)
    expect(checks.twoWay).toMatchObject([{ target: 'N', level: 'd', records: 20, keyTargetTotal: 20, keyTotal: 20 }])
    expect([attribute.maxDenominator, attribute.meanDenominator]).toEqual([30, 16])
  })
})

describe('small examples by hand', () => {
  it('partly disclosive classes', async () => {
    const of = keyAndTarget(
      { k: [...'AAABDD'], t: ['1', '1', '2', '2', '3', '4'] },
      { k: [...'ABDD'], t: ['1', '2', '3', '4'] },
    )
    const { identity: i, attribute: a, cap } = await details(of)
    expectDigits(
      [
        a.DiSCO,
        cap.DCAPd,
        cap.DCAPs,
        Number(cap.DCAPb),
        Number(cap.TCAP),
        i.UiO,
        i.UiS,
        a.Dorig,
        a.Dsyn,
        a.DiS,
        a.DiSDiO,
        cap.CAPd,
        cap.CAPs,
        cap.baseCAPd,
      ].map((share) => 100 * share),
      [50, 66.6667, 100, 100, 75, 16.6667, 50, 16.6667, 50, 66.6667, 16.6667, 61.1111, 75, 27.7778],
    )
  })

  it('no overlap at all: ratios are undefined, nothing is NaN', async () => {
    const { attribute, cap } = await details(keyAndTarget({ k: ['A'], t: ['1'] }, { k: ['B'], t: ['1'] }))
    expect([attribute.iS, attribute.DiSCO, attribute.meanDenominator]).toEqual([0, 0, null])
    expect([cap.TCAP, cap.TCAPb, cap.DCAPb, cap.TCAPmatched]).toEqual([null, null, null, null])
  })
})

describe('where synthpop goes wrong', () => {
  it('numeric targets with different values in the two files stay aligned', async () => {
    const keys = [...'abcdef']
    const of = release({
      original: tableOf('o', { k: keys, t: [1, 2, 3, 10, 11, 12] }),
      released: tableOf('s', { k: keys, t: [1, 2, 3, 10, 11, 11] }),
      keys: ['k'],
      target: 't',
    })
    expect((await details(of)).attribute.DiSCO).toBeCloseTo(5 / 6, 12)
  })

  it('a numeric key with a value only in the release', async () => {
    const of = release({
      original: tableOf('o', { k: [1, 2, 3, 10, 11], t: [...'abcde'] }),
      released: tableOf('s', { k: [1, 2, 3, 10, 11, 12], t: [...'abcdea'] }),
      keys: ['k'],
      target: 't',
    })
    expect((await details(of)).attribute.DiSCO).toBe(1)
  })

  it('a declared but unused level is not "in the release"', async () => {
    const { identity } = await details(keyAndTarget({ k: [...'abb'], t: [...'xyz'] }, { k: [...'bbb'], t: [...'xyz'] }))
    expect(identity.UiOiS).toBe(0)
  })

  it('a level called "Missing" is not a missing value, and separators in levels merge nothing', async () => {
    const of = release({
      original: tableOf('o', { a: ['x | y', 'x'], b: ['z', 'y | z'], t: ['Missing', null] }),
      released: tableOf('s', { a: ['x | y', 'x'], b: ['z', 'y | z'], t: [null, 'Missing'] }),
      keys: ['a', 'b'],
      target: 't',
    })
    const { identity, attribute } = await details(of)
    expect([identity.UiO, identity.repU, attribute.DiSCO]).toEqual([1, 1, 0])
  })

  it('useMissingKeys follows the name, whatever the order of the keys', async () => {
    const table = (name: string) => tableOf(name, { k1: ['a', 'a'], k2: [null, 'b'], k3: ['c', null], t: ['x', 'y'] })
    const of = release({ original: table('o'), released: table('s'), keys: ['k3', 'k1', 'k2'], target: 't' })
    const { removed } = await details(of, { useMissingKeys: { k3: false } })
    expect(removed.original['missing key']).toBe(1)
    expect((await details(of, { useMissingKeys: { k3: false }, excludeTarget: 'x' })).removed.original).toMatchObject({
      'target level': 1,
      'missing key': 1,
    })
  })

  it('missing targets that only the release has are excluded too', async () => {
    const of = release({
      original: tableOf('o', { k: ['a', 'b'], t: ['x', 'y'] }),
      released: tableOf('s', { k: ['a', 'b'], t: ['x', null] }),
      keys: ['k'],
      target: 't',
    })
    expect((await details(of, { useMissingTarget: false })).attribute.Dsyn).toBe(0.5)
  })

  it('several tables given as a list are all used', async () => {
    const one = tableOf('o', { k: ['a', 'b'], t: ['x', 'y'] })
    const result = await disclosure(
      release({
        original: one,
        released: [one, tableOf('s', { k: ['a', 'b'], t: ['y', 'x'] })],
        keys: ['k'],
        target: 't',
      }),
    )
    expect(result.releases.map((finding) => finding.value)).toEqual([1, 0])
    expect(result.details).toMatchObject({ count: 2, mean: 0.5, worst: 'o' })
    expect(result.pooled?.value).toBe(0)
  })
})

describe('what everybody else’s records and people outside tell', () => {
  it('the worked example: one claim about somebody alone with the keys is right, one wrong', async () => {
    const [{ effect, controls, looks, people }] = (await disclosure(example({ holdout: true }))).releases
    expect(effect?.value).toBeCloseTo((2 / 3 - 1) / 16, 12)
    expect(controls).toMatchObject({
      nothing: { value: expect.closeTo(0.2869318, 7) },
      fair: { value: expect.closeTo(0.5 + 1 / 48, 12), basis: 'leave-one-out' },
      everything: { value: 0.5625 },
    })
    expect(people).toBeNull()
    expect(looks?.[0]).toMatchObject({
      controls: { fair: { value: 1 / 3, basis: 'outsiders' } },
      effect: { value: expect.closeTo(1 / 6, 12) },
    })
  })

  it('an excluded target level counts nowhere: not as a claim, by chance, outside, nor in the original', async () => {
    const of = example({ holdout: true })
    const [{ value, effect, controls, looks, details: d }] = (await disclosure(of, { excludeTarget: 'Y' })).releases
    // Both claims about people alone with their keys are of Y, so that nothing remains of them.
    expect([value, effect?.value]).toEqual([0.375, expect.closeTo(0, 12)])
    expect(controls?.everything?.value).toBe(d?.attribute.Dorig)
    expect(controls?.nothing?.value).toBeLessThan(0.28)
    // Of the holdout a,x,N alone is shown rightly; c,y,Y is not counted.
    expect(looks?.[0].controls.fair?.value).toBeCloseTo(1 / 6, 12)
  })

  it('a copy gives all away, whatever the size of the holdout', async () => {
    const n = 60
    const rows = (from: number, count: number) => ({
      k: Array.from({ length: count }, (_, row) => `k${from + row}`),
      t: Array.from({ length: count }, (_, row) => `t${(from + row) % 5}`),
    })
    const original = tableOf('o', rows(0, n))
    for (const outside of [10, 200]) {
      const holdout = tableOf('h', rows(n, outside))
      const of = release({ original, released: original, holdout, keys: ['k'], target: 't' })
      const [{ leakage, looks, people, exposure }] = (await disclosure(of)).releases
      expect([leakage?.value, exposure, people]).toEqual([expect.closeTo(1, 12), 1, n])
      expect(leakage?.p).toBeLessThan(1e-9)
      expect(looks?.[0].leakage).toMatchObject({ value: 1, p: expect.closeTo(0, 9) })
    }
  })
})

it('the definition of synthpop groups a target at quantiles of all files together', async () => {
  const numbers = (name: string, from: number) =>
    tableOf(name, {
      k: Array.from({ length: 60 }, (_, row) => `k${row % 12}`),
      t: Array.from({ length: 60 }, (_, row) => from + ((row * 37) % 60)),
    })
  const input = { original: numbers('o', 0), released: numbers('s', 25), keys: ['k'], target: 't' }
  const grouped = release({ ...input, groups: { t: { style: 'synthpop', n: 8 } } })
  const [before, after, own] = [
    await details(grouped, synthpop),
    await details(release(input), { ...synthpop, targetGroups: 8 }),
    await details(release(input), { targetGroups: 8 }),
  ]
  expect([after.attribute, after.cap]).toEqual([before.attribute, before.cap])
  expect([after.targetGrouping, own.targetGrouping]).toEqual(['synthpop 8', 'quantile 8'])
  expect(own.cap.baseCAPd).not.toBeCloseTo(after.cap.baseCAPd, 6)
})

it('the definition of synthpop pools the breaks of keys and targets that were grouped with the release', async () => {
  const numbers = (name: string, from: number) =>
    tableOf(name, {
      k: Array.from({ length: 60 }, (_, row) => from / 2 + ((row * 23) % 60)),
      t: Array.from({ length: 60 }, (_, row) => from + ((row * 37) % 60)),
    })
  const input = { original: numbers('o', 0), released: numbers('s', 25), keys: ['k'], target: 't' }
  const by = (k: Grouping, t: Grouping) => release({ ...input, groups: { k, t } })
  const quantiles = by({ style: 'quantile', n: 6 }, { style: 'quantile', n: 3 })
  const pooled = by({ style: 'synthpop', n: 6 }, { style: 'synthpop', n: 3 })
  const figuresOf = async (of: Release, options: Options) => {
    const { attribute, cap, identity } = await details(of, options)
    return { attribute, cap, identity }
  }
  expect(await figuresOf(quantiles, synthpop)).toEqual(await figuresOf(pooled, {}))
  expect(await figuresOf(quantiles, {})).not.toEqual(await figuresOf(pooled, {}))
  // another style keeps its name, its breaks see the release too: 0 to 84 in thirds instead of 0 to 59
  const equal = by({ style: 'quantile', n: 6 }, { style: 'equal', n: 3 })
  const fixed = by({ style: 'synthpop', n: 6 }, { style: 'fixed', n: 3, breaks: [0, 28, 56, 84] })
  expect(await figuresOf(equal, synthpop)).toEqual(await figuresOf(fixed, {}))
})

describe('bad options', () => {
  it.each<[Options, string]>([
    [{ excludeTarget: 'M' }, 'unknown level of t "M"; did you mean "N"?'],
    [{ exclude: [{ key: 'k9', level: 'a', target: 'N' }] }, 'unknown key "k9"; did you mean "k1"?'],
    [{ exclude: [{ key: 'k1', level: 'zz', target: 'N' }] }, 'unknown level of k1 "zz"'],
    [{ useMissingKeys: { k3: false } }, 'unknown key "k3"'],
    [{ denominatorLimit: 0 }, 'option "denominatorLimit"'],
  ])('%j', async (options, message) => {
    await expect(disclosure(example(), options)).rejects.toThrow(message)
  })
})

describe.skipIf(reference() === undefined)('SD2011 against synthpop 1.9-3', async () => {
  if (reference() === undefined) return
  const keys = ['sex', 'age', 'region', 'placesize']
  const original = await referenceTable('golden/sd2011/original.csv')
  const five = await Promise.all([1, 2, 3, 4, 5].map((k) => referenceTable(`golden/sd2011/synthetic-${k}.csv`)))
  const single = await referenceTable('golden/sd2011/synthetic-cont-na.csv')
  const golden = referenceJson('golden/sd2011/synthpop-1.9-3.json') as Record<string, Golden>
  const given = { original, keys }
  const one = { ...given, released: single }

  it('needs no option to give the published figures', async () => {
    const result = await disclosure(release({ ...given, released: five, target: 'depress' }))
    expect(result.releases.map((finding) => finding.value)).toEqual([0.0954, 0.1026, 0.091, 0.092, 0.0934])
    expect(result.value).toBeCloseTo(0.09488, 10)
  })

  it.each<[string, Parameters<typeof release>[0], Options]>([
    ['five_depress', { ...given, released: five, target: 'depress' }, {}],
    ['one_depress', { ...one, target: 'depress' }, {}],
    ['one_ls', { ...one, target: 'ls' }, {}],
    ['one_marital', { ...one, target: 'marital' }, {}],
    ['one_workab', { ...one, target: 'workab' }, {}],
    [
      'one_income_20groups',
      { ...one, target: 'income', groups: { income: { style: 'synthpop', n: 20, codes: [-8] } } },
      {},
    ],
    ['one_income_raw', { ...one, target: 'income' }, {}],
    ['one_depress_denom1', { ...one, target: 'depress' }, { denominatorLimit: 1 }],
    ['one_workab_notNO', { ...one, target: 'workab' }, { excludeTarget: 'NO' }],
    ['one_marital_noNA', { ...one, target: 'marital' }, { useMissingKeys: false, useMissingTarget: false }],
    [
      'one_marital_exclude',
      { ...one, target: 'marital' },
      { exclude: [19, 18].map((level) => ({ key: 'age', level, target: 'SINGLE' })) },
    ],
    ['one_depress_agegroups', { ...one, target: 'depress', groups: { age: { style: 'synthpop', n: 10 } } }, {}],
  ])('%s', async (name, input, options) => {
    const expected = golden[name]
    expect(expected, `${name} is in the golden file`).toBeDefined()
    const result = await disclosure(release(input), { ...synthpop, ...options })
    for (const [k, { details: found }] of result.releases.entries()) {
      if (found === null) throw new Error('no details')
      const { identity: i, attribute: a, cap } = found
      expectDigits(
        Object.values(i).map((share) => 100 * share),
        ['UiO', 'UiS', 'UiOiS', 'repU'].map((one) => expected.ident[k][one]),
        8,
      )
      const attrib = [a.Dorig, a.Dsyn, a.iS, a.DiS, a.DiSCO, a.DiSDiO].map((share) => 100 * share)
      const names = ['Dorig', 'Dsyn', 'iS', 'DiS', 'DiSCO', 'DiSDiO', 'max_denom', 'mean_denom']
      expectDigits(
        [...attrib, a.maxDenominator, a.meanDenominator],
        names.map((one) => expected.attrib[k][one]),
        8,
      )
      const caps = [cap.baseCAPd, cap.CAPd, cap.CAPs, cap.DCAPd, cap.TCAPmatched].map((share) => 100 * Number(share))
      expectDigits(
        caps,
        ['baseCAPd', 'CAPd', 'CAPs', 'DCAP', 'TCAP'].map((one) => expected.allCAPs[k][one]),
        8,
      )
    }
    const { checks } = result.releases[0].details ?? { checks: null }
    const way1 = expected.check_1way[0]
    expect(checks?.oneWay?.flagged ?? false).toBe(way1 !== '' && way1 !== undefined)
    const way2 = (expected.check_2way as unknown[]).filter((pair): pair is GoldenPair => typeof pair === 'object')
    if (result.releases.length === 1) {
      expect(checks?.twoWay.map(({ target, level, records, key }) => [`${target}|${level}`, records, key])).toEqual(
        way2.map((pair) => [pair.target_key_levs, pair.npairs, pair.key]),
      )
    }
  })
})

interface GoldenPair {
  target_key_levs: string
  npairs: number
  key: string
}

interface Golden {
  ident: Record<string, number>[]
  attrib: Record<string, number>[]
  allCAPs: Record<string, number>[]
  check_1way: unknown[]
  check_2way: unknown
}

function expectDigits(found: readonly (number | null)[], expected: readonly (number | null)[], digits = 4): void {
  const rounded = (value: number | null) => (value === null ? null : Number(value.toFixed(digits)))
  expect(found.map(rounded)).toEqual(expected.map(rounded))
}

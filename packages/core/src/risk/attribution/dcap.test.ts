import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dcap } from '../../peers/risk/attribution/dcap.js'
import { release } from '../../table/release.js'
import { tableOf, tableOfRows } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { example, keyAndTarget } from '../../testing/scenes/example.js'

type Options = Parameters<typeof dcap>[1]
const riskutility = { definition: 'riskutility' } as const

async function run(of: Parameters<typeof dcap>[0], options: Options = {}) {
  const result = await dcap(of, options, { records: true })
  const [finding] = result.releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details, warnings: finding.warnings }
}

const rounded = (values: readonly (number | null | undefined)[], digits = 6) =>
  values.map((value) => (value == null ? null : Number(value.toFixed(digits))))

describe('the worked example', () => {
  it('DCAPd with its chance level, leave-one-out and marginal risk', async () => {
    const { value, interval, controls, effect, looks, details: d } = await run(example({ holdout: true }))
    expect(value).toBe(0.59375)
    expect(rounded([d.chance.expected, d.chance.sd, d.chance.z])).toEqual([0.40625, 0.088889, 2.109369])
    expect(rounded([d.leaveOneOut.mean, d.leaveOneOut.gain], 7)).toEqual([0.5541667, 0.0395833])
    expect(rounded([d.marginal?.holdout, d.marginal?.difference, d.marginal?.normalised], 7)).toEqual([
      0.4166667, 0.1770833, 0.3035714,
    ])
    // By class: b,x 2/3 (alone; b2 1/3), b,y 1 (1.5 right of three, 0.5 from each other), c,y -1 (b2 1), others 0.
    expect(rounded([effect?.value, controls?.fair?.value, effect?.ceiling], 7)).toEqual([
      0.0416667, 0.5520833, 0.2333333,
    ])
    expect(controls).toMatchObject({
      nothing: { value: d.chance.expected },
      fair: { basis: 'leave-one-out' },
      everything: { value: expect.closeTo(0.7916667, 7) },
    })
    expect(looks?.[0]).toMatchObject({
      value: 0.59375,
      controls: { fair: { value: d.marginal?.holdout, basis: 'outsiders' } },
      effect: { value: d.marginal?.difference },
    })
    expect([d.matched, d.unmatched, d.baseCAPd]).toEqual([14, 2, 0.4921875])
    expect(interval).toMatchObject({ lower: expect.closeTo(0.246, 3), upper: expect.closeTo(0.942, 3) })
  })

  it('as riskutility computes it, rows with a missing value dropped', async () => {
    const { value, controls, effect, details: d, records } = await run(example(), riskutility)
    expect(rounded([value, d.median, d.modalBaseline, d.difference, d.ratio, d.meanMatches])).toEqual([
      0.708333, 1, 0.545455, 0.162879, 1.298611, 1.583333,
    ])
    expect([d.matched, d.dropped]).toEqual([12, { original: 2, released: 1 }])
    expect(d.riskutility).toEqual({ says: 'slightly elevated' })
    expect((value ?? 0) - (controls?.fair?.value ?? 0)).toBeCloseTo(effect?.value ?? Number.NaN, 12)
    expect(Array.from(records?.cap ?? [], (cap) => (Number.isNaN(cap) ? null : cap)).slice(9)).toEqual([
      null,
      null,
      0,
      null,
      null,
      1,
      1,
    ])
  })

  it('missing as a value, if asked for, under either definition', async () => {
    expect((await run(example(), { ...riskutility, missing: 'category' })).details.matched).toBe(14)
    expect((await run(example(), { missing: 'drop' })).value).toBeCloseTo((12 * 0.7083333333) / 14, 9)
  })
})

describe('small examples by hand', () => {
  const caps = async (o: [string, string[]], s: [string, string[]]) => {
    const of = keyAndTarget({ k: [...o[0]], t: o[1] }, { k: [...s[0]], t: s[1] })
    const { records, details } = await run(of, riskutility)
    return { caps: Array.from(records?.cap ?? [], (cap) => (Number.isNaN(cap) ? null : cap)), details }
  }

  it('partly disclosive classes', async () => {
    const { caps: found } = await caps(['AAABDD', ['1', '1', '2', '2', '3', '4']], ['ABDD', ['1', '2', '3', '4']])
    expect(found).toEqual([1, 1, 0, 1, 0.5, 0.5])
  })

  it('baseline from the release, mean .75', async () => {
    const { caps: found, details } = await caps(['AABB', ['1', '2', '1', '1']], ['AAB', ['1', '2', '1']])
    expect(found).toEqual([0.5, 0.5, 1, 1])
    expect([details.mean, details.max, details.modalBaseline, details.baseCAPd, details.DCAPd]).toEqual([
      0.75,
      1,
      2 / 3,
      0.625,
      0.75,
    ])
  })

  it('one key without a match', async () => {
    const { caps: found, details } = await caps(['AABC', ['1', '1', '2', '3']], ['AABD', ['1', '2', '2', '1']])
    expect(found).toEqual([0.5, 0.5, 1, null])
    expect([details.mean, details.matched]).toEqual([2 / 3, 3])
  })

  it('no match at all: 0 of the people, an undefined mean, nothing NaN', async () => {
    const of = keyAndTarget({ k: ['A'], t: ['1'] }, { k: ['B'], t: ['1'] })
    const own = await run(of)
    expect([own.value, own.details.mean, own.details.quantiles, own.details.ratio]).toEqual([0, null, null, null])
    const theirs = await run(of, riskutility)
    expect(theirs).toMatchObject({
      value: null,
      reason: { code: 'data', text: expect.stringContaining('no record') },
      details: { riskutility: { says: 'undefined' } },
    })
  })
})

describe('where riskutility goes wrong', () => {
  const numericTarget = (o: readonly number[], s: readonly number[] = o) =>
    release({
      original: tableOf('o', { k: o.map(() => 'a'), t: o }),
      released: tableOf('s', { k: s.map(() => 'a'), t: s }),
      keys: ['k'],
      target: 't',
    })
  const zerosAndOnes = (zeros: number, ones: number) =>
    numericTarget([...Array<number>(zeros).fill(0), ...Array<number>(ones).fill(1)])

  it.each([
    [10, 11],
    [6, 5],
    [12, 9],
    [30, 11],
  ])('a 0/1 target of %i and %i stays two values; there it is one, and the risk "low"', async (zeros, ones) => {
    const of = zerosAndOnes(zeros, ones)
    const theirs = await run(of, riskutility)
    expect([theirs.value, theirs.details.modalBaseline]).toEqual([1, 1])
    const own = await run(of)
    expect(own.value).toBeCloseTo((zeros ** 2 + ones ** 2) / (zeros + ones) ** 2, 12)
  })

  it('ten zeros and ten ones happen to give two bins there', async () => {
    expect((await run(zerosAndOnes(10, 10), riskutility)).value).toBe(0.5)
  })

  it('codes 1 to 4 stay apart; there 1 and 2 merge', async () => {
    const of = numericTarget([1, 2, 3, 4].flatMap((code) => Array<number>(25).fill(code)))
    expect((await run(of)).value).toBe(0.25)
    expect((await run(of, riskutility)).details.modalBaseline).toBe(0.5)
  })

  it.each([0, 1, 5])('a constant target %i is one value, with a warning', async (value) => {
    for (const options of [{}, riskutility]) {
      const found = await run(numericTarget([value, value, value]), options)
      expect([found.value, found.details.chance.excess]).toEqual([1, 0])
      expect(found.warnings.join()).toContain('constant')
      expect([found.leakage, found.exposure]).toEqual([null, null])
    }
  })

  it('one class of nine N and one Y: .82 is chance, not less than a baseline of .9', async () => {
    const nine = { k: [...'qqqqqqqqqq'], t: [...'NNNNNNNNNY'] }
    const { details } = await run(keyAndTarget(nine, nine))
    expect(
      rounded([details.DCAPd, details.chance.expected, details.chance.excess, details.difference, details.ratio], 2),
    ).toEqual([0.82, 0.82, 0, -0.08, 0.91])
  })

  it('separators and padded numbers in keys neither merge nor part them', async () => {
    const of = release({
      original: tableOf('o', {
        a: ['x|y', 'x', '9', '9'],
        b: ['z', 'y|z', 'M', 'M'],
        n: [9, 9, 1234567.1, 1234567.4],
        t: [...'pqrs'],
      }),
      released: tableOf('s', { a: ['x|y', '9', '10'], b: ['z', 'M', 'M'], n: [9, 1234567.1, 100], t: [...'prr'] }),
      keys: ['a', 'b', 'n'],
      target: 't',
    })
    const { records } = await run(of)
    expect(Array.from(records?.matches ?? [])).toEqual([1, 0, 1, 0])
  })

  it('Gower matching compares labels, not their places: A is as far from D as from B', async () => {
    const of = keyAndTarget({ k: [...'ABD'], t: [...'xyz'] }, { k: [...'ABD'], t: [...'xyz'] })
    const { value, records } = await run(of, { matching: 'gower', threshold: 0.6 })
    expect([value, Array.from(records?.matches ?? [])]).toEqual([1, [1, 1, 1]])
  })
})

describe('where other implementations of CAP go wrong', () => {
  it('the score does not depend on the order of the rows', async () => {
    const rows = (order: readonly number[], name: string) =>
      tableOfRows(
        name,
        ['k', 't'],
        order.map((k) => [`a${k % 3}`, k % 2 === 0 ? 'x' : 'y']),
      )
    const of = (order: readonly number[]) =>
      release({ original: rows([0, 1, 2, 3, 4, 5, 6], 'o'), released: rows(order, 's'), keys: ['k'], target: 't' })
    expect((await run(of([0, 1, 2, 4, 6]))).value).toBe((await run(of([6, 4, 2, 1, 0]))).value)
  })

  it('a skewed target without association is at its chance level, not far above a uniform guess', async () => {
    const skewed = (name: string) =>
      tableOfRows(
        name,
        ['k', 't'],
        Array.from({ length: 100 }, (_, k) => [`a${k % 5}`, k < 90 ? 'no' : 'yes']),
      )
    const { details, exposure, leakage } = await run(
      release({ original: skewed('o'), released: skewed('s'), keys: ['k'], target: 't' }),
    )
    expect(details.DCAPd).toBeCloseTo(0.82, 12)
    expect(details.chance.excess).toBeCloseTo(0, 12)
    expect([exposure, leakage]).toEqual([null, null])
  })

  it('options are passed on', async () => {
    const value = async (options: Options) => (await run(example(), options)).value
    expect(await value({ matching: 'gower', threshold: 0.5 })).not.toBe(
      await value({ matching: 'gower', threshold: 0.1 }),
    )
    await expect(run(example(), { thresold: 0.2 } as Options)).rejects.toThrow('did you mean "threshold"?')
  })
})

describe('matching by distance', () => {
  const ages = (name: string, age: readonly number[], t: readonly string[]) =>
    tableOf(name, { sex: age.map(() => 'm'), age, t })

  it('numeric keys take part, and only then', async () => {
    const of = release({
      original: ages('o', [20, 40, 60], ['x', 'y', 'z']),
      released: ages('s', [21, 42, 100], ['x', 'y', 'z']),
      keys: ['sex'],
      numericKeys: ['age'],
      target: 't',
    })
    const exact = await run(of)
    const gower = await run(of, { matching: 'gower', threshold: 0.02 })
    expect(Array.from(exact.records?.matches ?? [])).toEqual([3, 3, 3])
    expect(Array.from(gower.records?.matches ?? [])).toEqual([1, 1, 0])
    expect(gower.value).toBeCloseTo(2 / 3, 12)
    expect(gower.details.chance).toMatchObject({ sd: null, z: null })
    expect(gower.details.chance.expected).toBeCloseTo(2 / 9, 12)
  })

  it('chance and leave-one-out agree with exact matching where the two matchings agree', async () => {
    const of = keyAndTarget({ k: [...'AABBC'], t: [...'xyxxy'] }, { k: [...'ABBD'], t: [...'xxyy'] })
    const [exact, gower] = [await run(of), await run(of, { matching: 'gower' })]
    expect(gower.value).toBe(exact.value)
    expect(gower.details.leaveOneOut.mean).toBeCloseTo(exact.details.leaveOneOut.mean, 12)
    expect(gower.details.chance.expected).toBeCloseTo(exact.details.chance.expected, 12)
    expect(gower.interval?.method).toBe('clustered by key class')
  })

  it('has a holdout too', async () => {
    const { details } = await run(example({ holdout: true }), { matching: 'gower' })
    expect(details.marginal?.difference).toBeCloseTo(details.DCAPd - (details.marginal?.holdout ?? 0), 12)
  })
})

it('warns of a numeric key that hardly repeats', async () => {
  const n = 40
  const one = tableOf('o', {
    k: Array.from({ length: n }, (_, i) => i * 1.5),
    t: Array.from({ length: n }, (_, i) => `t${i % 2}`),
  })
  const { warnings } = await run(release({ original: one, released: one, keys: ['k'], target: 't' }))
  expect(warnings.join()).toContain('group it')
})

const records = fc.array(
  fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('u', 'v'), fc.constantFrom('x', 'y', 'z')),
  {
    minLength: 1,
    maxLength: 15,
  },
)

describe('properties', () => {
  const tableFrom = (name: string, rows: readonly (readonly string[])[]) => tableOfRows(name, ['k1', 'k2', 't'], rows)
  const of = (o: readonly (readonly string[])[], s: readonly (readonly string[])[], keys = ['k1', 'k2']) =>
    release({ original: tableFrom('o', o), released: tableFrom('s', s), keys, target: 't' })

  it('a record is its own definition', async () => {
    await fc.assert(
      fc.asyncProperty(records, records, async (o, s) => {
        const caps = o.map(([k1, k2, t]) => {
          const matched = s.filter((row) => row[0] === k1 && row[1] === k2)
          return matched.length === 0 ? null : matched.filter((row) => row[2] === t).length / matched.length
        })
        const known = caps.filter((cap) => cap !== null)
        const { details } = await run(of(o, s))
        const sum = known.reduce((total, cap) => total + cap, 0)
        expect(details.DCAPd).toBeCloseTo(sum / o.length, 12)
        if (known.length > 0) expect(details.mean).toBeCloseTo(sum / known.length, 12)
        expect(details.DCAPd).toBeLessThanOrEqual(details.matchedShare + 1e-12)
        if (details.mean !== null) expect(details.mean).toBeCloseTo(details.DCAPd / details.matchedShare, 12)
      }),
      { numRuns: 60 },
    )
  })

  it('does not change with row order, key order, level names, or when either file is written twice', async () => {
    const rename = (rows: readonly (readonly string[])[]) => rows.map(([k1, k2, t]) => [`z${k1}`, `|${k2}`, `${t} `])
    await fc.assert(
      fc.asyncProperty(records, records, async (o, s) => {
        const value = (await run(of(o, s))).details.DCAPd
        for (const same of [
          of([...o].reverse(), [...s].reverse()),
          of(o, s, ['k2', 'k1']),
          of(rename(o), rename(s)),
          of([...o, ...o], s),
          of(o, [...s, ...s]),
        ])
          expect((await run(same)).details.DCAPd).toBeCloseTo(value, 12)
      }),
      { numRuns: 30 },
    )
  })

  it('a copy gives CAP of the original; its excess over chance is never negative', async () => {
    await fc.assert(
      fc.asyncProperty(records, async (o) => {
        const { details, effect } = await run(of(o, o))
        expect(details.matchedShare).toBe(1)
        expect(details.baseCAPd).toBeLessThanOrEqual(details.DCAPd + 1e-12)
        expect(details.chance.excess).toBeGreaterThanOrEqual(-1e-12)
        expect(details.leaveOneOut.gain).toBeGreaterThanOrEqual(-1e-12)
        if (effect !== undefined) expect(effect.value).toBeCloseTo(effect.ceiling ?? Number.NaN, 12)
      }),
      { numRuns: 40 },
    )
  })

  it('a constant released target has no excess and no variance', async () => {
    await fc.assert(
      fc.asyncProperty(records, records, async (o, s) => {
        const { details } = await run(
          of(
            o,
            s.map(([k1, k2]) => [k1, k2, 'x']),
          ),
        )
        expect(details.chance.excess).toBeCloseTo(0, 12)
        expect(details.chance.sd).toBe(0)
      }),
      { numRuns: 30 },
    )
  })
})

it('weights of the original count people; without them every record is one', async () => {
  const original = tableOf('o', { k: ['a', 'b'], t: ['x', 'y'], w: [3, 1] })
  const released = tableOf('s', { k: ['a', 'b'], t: ['x', 'x'] })
  const of = release({ original, released, keys: ['k'], target: 't', weight: 'w' })
  expect((await run(of)).value).toBe(0.75)
  expect((await run(of, riskutility)).value).toBe(0.5)
})

describe.skipIf(reference() === undefined)('the vignette of riskutility', async () => {
  if (reference() === undefined) return
  const table = (name: string) => referenceTable(`golden/vignette/${name}.csv`)
  const keys = ['age', 'sex', 'education', 'region']
  const original = await table('original')
  const [synthetic, near] = await Promise.all([table('synthetic'), table('near-copy')])
  const running = (released: typeof original) => release({ original, released, keys, target: 'income' })

  it('independent synthesis: 117 of 500 matched, dcap -0.0137', async () => {
    const { details: d } = await run(running(synthetic), riskutility)
    expect([d.matched, d.unmatched]).toEqual([117, 383])
    expect(rounded([d.meanMatches])).toEqual([1.239316])
    expect(rounded([d.mean, d.modalBaseline], 7)).toEqual([0.0982906, 0.112])
    expect(rounded([d.difference], 4)).toEqual([-0.0137])
  })

  it('near copy: .590 over the matched, .299 over all people', async () => {
    const { details: d } = await run(running(near), riskutility)
    expect(rounded([d.mean], 7)).toEqual([0.5902503])
    expect([rounded([d.modalBaseline, d.difference], 4), d.matched]).toEqual([[0.104, 0.4863], 253])
    expect(rounded([d.DCAPd], 3)).toEqual([0.299])
  })

  it('the near copy gives away, the independent synthesis nothing, under both definitions', async () => {
    for (const options of [{}, riskutility]) {
      const [honest, copy] = [await run(running(synthetic), options), await run(running(near), options)]
      expect(honest.leakage?.upper).toBeLessThan(0.05)
      expect(copy.leakage?.lower).toBeGreaterThan(0.2)
      expect(copy.leakage?.p).toBeLessThan(1e-12)
    }
  })

  const caseKeys = ['age_group', 'sex', 'education', 'region']
  const caseOriginal = await table('case-original')
  const study = await Promise.all(['case-a-independent', 'case-b-bootstrap-noise', 'case-c-near-copy'].map(table))

  it.each([
    ['A', 0, [0.101582, 0.109, 0.931945]],
    ['B', 1, [0.165977, 0.111, 1.495293]],
    ['C', 2, [0.227828, 0.103, 2.21192]],
  ])('case study %s: cap, baseline, ratio', async (_, k, expected) => {
    const of = release({ original: caseOriginal, released: study[k], keys: caseKeys, target: 'income' })
    const { details: d } = await run(of, riskutility)
    expect(rounded([d.mean, d.modalBaseline, d.ratio])).toEqual(expected)
  })

  it('case study: independent columns give nothing away, noise some, the near copy most, the original all', async () => {
    const found = await Promise.all(
      [...study, caseOriginal].map((released) =>
        run(release({ original: caseOriginal, released, keys: caseKeys, target: 'income' })),
      ),
    )
    const leaks = found.map(({ leakage }) => rounded([leakage?.value, leakage?.lower, leakage?.upper], 2))
    expect(leaks).toEqual([
      [-0.24, -0.36, -0.12],
      [0.15, 0.05, 0.26],
      [0.84, 0.77, 0.91],
      [1, 0.92, 1.08],
    ])
    expect(
      rounded(
        found.map(({ exposure }) => exposure),
        2,
      ),
    ).toEqual([-0, 0.49, 0.87, 1])
    expect(found.map(({ people }) => people)).toEqual([0, 155, 836, 1000])
    // Education is what tells most, in the near copy as in the original.
    for (const { drivers } of found.slice(2))
      expect(drivers[0]).toMatchObject({ column: 'education', level: 'Primary' })
  })
})

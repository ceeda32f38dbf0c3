import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { normalQuantile } from '../../stats/distributions.js'
import { release } from '../../table/release.js'
import { tableOfRows } from '../../table/table.js'
import { example, exampleTables, keyAndTarget } from '../../testing/scenes/example.js'
import { tcapSynthetic } from './tcap-synthetic.js'

type Options = Parameters<typeof tcapSynthetic>[1]

async function run(of: Parameters<typeof tcapSynthetic>[0], options: Options = {}) {
  const [finding] = (await tcapSynthetic(of, options)).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

describe('the worked example', () => {
  it('mean CAP .6 and .5, TCAP .625 under both conventions', async () => {
    const { value, details: d } = await run(example())
    expect([d.meanCap.undefined, d.meanCap.zero]).toEqual([expect.closeTo(0.6, 12), expect.closeTo(0.5, 12)])
    expect([d.allKeys.undefined, d.allKeys.zero, value]).toEqual([0.625, 0.625, 0.625])
    expect([d.allKeys.kept, d.baseline]).toEqual([8, 0.4921875])
  })

  it('with one more record whose keys the original lacks', async () => {
    const { original, released } = exampleTables(1, [['f', 'x', 'N', 'p']])
    const of = release({ original, released, keys: ['k1', 'k2'], target: 't' })
    const { details: d } = await run(of)
    expect([d.allKeys.kept, d.allKeys.undefined]).toEqual([9, 0.625])
    expect(d.allKeys.zero).toBeCloseTo(0.555556, 6)
    expect((await run(of, { nonMatches: 'zero' })).value).toBe(d.allKeys.zero)
  })

  it('with a holdout: against the original less against the holdout', async () => {
    const { value, details: d, controls, effect } = await run(example({ holdout: true }))
    // Kept and in the holdout: a,x,N twice (1), a,y,Y (0), b,x,Y (0), c,y,Y twice (1).
    expect(d.marginal?.allKeys?.holdout).toBeCloseTo(4 / 6, 12)
    expect(d.marginal?.sweep?.difference).toBeCloseTo(0.625 - 4 / 6, 12)
    expect(controls).toMatchObject({
      nothing: { value: d.baseline },
      fair: { value: expect.closeTo(4 / 6, 12), basis: 'outsiders' },
      everything: { value: 1 },
    })
    expect(effect?.value).toBeCloseTo((value ?? 0) - 4 / 6, 12)
    expect(d.marginal?.persons.difference).toBeCloseTo(1 / 6, 12)
  })
})

it('five released and four real records: 2/3, 4/9, and two of four persons', async () => {
  const of = keyAndTarget({ k: [...'AAAB'], t: [...'1101'] }, { k: [...'AABBC'], t: [...'11100'] })
  const { details: d } = await run(of)
  expect([d.allKeys.kept, d.allKeys.undefined, d.allKeys.zero]).toEqual([3, 2 / 3, expect.closeTo(4 / 9, 12)])
  expect([d.allKeys.matchRate, d.allKeys.coverage]).toEqual([2 / 3, 3 / 5])
  expect([4 * d.persons.coverage, 4 * d.persons.hits]).toEqual([3, 2])
})

const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('u', 'v'), fc.constantFrom('x', 'y')), {
  minLength: 1,
  maxLength: 12,
})
const of = (o: readonly (readonly string[])[], s: readonly (readonly string[])[]) =>
  release({
    original: tableOfRows('o', ['k1', 'k2', 't'], o),
    released: tableOfRows('s', ['k1', 'k2', 't'], s),
    keys: ['k1', 'k2'],
    target: 't',
  })

it('a copy is right wherever it is sure', async () => {
  await fc.assert(
    fc.asyncProperty(rows, async (o) => {
      const { details: d } = await run(of(o, o))
      if (d.allKeys.kept > 0) expect([d.allKeys.undefined, d.allKeys.zero]).toEqual([1, 1])
      else expect(d.allKeys.undefined).toBeNull()
    }),
    { numRuns: 40 },
  )
})

it('is its own definition for any tau', async () => {
  await fc.assert(
    fc.asyncProperty(rows, rows, fc.constantFrom(0, 0.5, 0.6, 1), async (o, s, tau) => {
      const share = (among: readonly (readonly string[])[], [k1, k2, t]: readonly string[]) => {
        const same = among.filter((row) => row[0] === k1 && row[1] === k2)
        return same.length === 0 ? null : same.filter((row) => row[2] === t).length / same.length
      }
      const kept = s.filter((row) => (share(s, row) ?? 0) >= tau)
      const scores = kept.map((row) => share(o, row))
      const known = scores.filter((score) => score !== null)
      const sum = known.reduce((total, score) => total + score, 0)
      const { allKeys } = (await run(of(o, s), { tau })).details
      expect(allKeys.kept).toBe(kept.length)
      if (known.length === 0) expect(allKeys.undefined).toBeNull()
      else expect(allKeys.undefined).toBeCloseTo(sum / known.length, 12)
      if (kept.length > 0) expect(allKeys.zero).toBeCloseTo(sum / kept.length, 12)
    }),
    { numRuns: 60 },
  )
})

describe('the sweep over key sets', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 't']
  const records = (n: number, seed: number) => {
    const draw = stream(seed, 'records')
    return Array.from({ length: n }, () => names.map(() => String(draw.below(2))))
  }
  const six = release({
    original: tableOfRows('o', names, records(40, 1)),
    released: tableOfRows('s', names, records(40, 2)),
    holdout: tableOfRows('h', names, records(30, 3)),
    keys: names.slice(0, 6),
    target: 't',
  })

  it('is the plain mean over the 42 sets of three to six keys', async () => {
    const { value, details: d } = await run(six)
    expect([d.sweep.total, d.sweep.evaluated]).toEqual([42, 42])
    expect(d.sweep.bySize.map(({ size }) => size)).toEqual([3, 4, 5, 6])
    const defined = d.sweep.subsets.flatMap((subset) => subset.undefined ?? [])
    expect(value).toBeCloseTo(defined.reduce((a, b) => a + b, 0) / defined.length, 12)
    expect(d.sweep.undefinedCount).toBe(42 - defined.length)
    expect(d.sweep.subsets.at(-1)).toMatchObject({ undefined: d.allKeys.undefined, zero: d.allKeys.zero })
  })

  it('each set is what it would be alone', async () => {
    const { details: d } = await run(six)
    const [subset] = d.sweep.subsets
    const alone = await run({ ...six, keys: subset.keys })
    expect([alone.details.allKeys.undefined, alone.details.allKeys.zero]).toEqual([subset.undefined, subset.zero])
    expect(alone.details.marginal?.allKeys?.holdout ?? null).toBe(subset.holdout)
  })

  it('is limited on request, says so, and is the same again for the same seed', async () => {
    const limited = await run(six, { limit: 5 })
    expect(limited.details.sweep.evaluated).toBe(5)
    expect(limited.warnings.join()).toContain('5 of 42')
    expect((await run(six, { limit: 5 })).value).toBe(limited.value)
  })

  it('takes the keys there are, and refuses an empty range', async () => {
    const { details: d, warnings } = await run(example())
    expect(d.sweep).toMatchObject({ sizes: { min: 2, max: 2 }, evaluated: 1 })
    expect(warnings.join()).toContain('only 2 keys')
    await expect(run(example(), { sweep: { min: 4, max: 3 } })).rejects.toThrow('4 to 3')
  })
})

it('the error of the control is what each person of the holdout changes', async () => {
  const draw = stream(5, 'people')
  const someone = () => [`k${draw.below(6)}`, `t${draw.below(3)}`]
  const table = (name: string, rows: readonly (readonly string[])[]) => tableOfRows(name, ['k', 't'], rows)
  const [o, s, h] = [40, 40, 25].map((n) => Array.from({ length: n }, someone))
  const against = async (holdout: readonly (readonly string[])[]) =>
    run(
      release({
        original: table('o', o),
        released: table('s', s),
        holdout: table('h', holdout),
        keys: ['k'],
        target: 't',
      }),
      { nonMatches: 'zero', tau: 0.3 },
    )
  const all = await against(h)
  const [fair, z] = [all.controls?.fair, normalQuantile(0.95)]
  let squares = 0
  for (const [row] of h.entries()) {
    const without = await against(h.filter((_, other) => other !== row))
    squares += ((fair?.value ?? 0) - (without.controls?.fair?.value ?? 0)) ** 2
  }
  expect(fair?.se).toBeCloseTo(Math.hypot(Math.sqrt(squares), z / (h.length + z ** 2)), 9)
})

it('without a holdout it cannot tell; a copy gives all away', async () => {
  const without = await run(example())
  expect([without.effect, without.notAssessed?.text]).toEqual([undefined, expect.stringContaining('holdout')])
  expect(without.exposure).toBeCloseTo((0.625 - 0.4921875) / (1 - 0.4921875), 12)
  const people = (from: number) => Array.from({ length: 60 }, (_, k) => [`k${(from + k) % 90}`, `t${(from * k) % 4}`])
  const original = tableOfRows('o', ['k', 't'], people(7))
  const copy = release({
    original,
    released: original,
    holdout: tableOfRows('h', ['k', 't'], people(50)),
    keys: ['k'],
    target: 't',
  })
  expect((await run(copy)).leakage).toMatchObject({ value: 1, p: expect.closeTo(0, 6) })
})

it('nothing kept or nothing matched is undefined with a reason', async () => {
  const { value, reason } = await run(keyAndTarget({ k: ['A'], t: ['1'] }, { k: ['B'], t: ['1'] }))
  expect(value).toBeNull()
  expect(reason?.text).toContain('no key set')
})

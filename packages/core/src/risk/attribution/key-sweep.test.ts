import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { disclosure } from '../../peers/risk/attribution/disclosure.js'
import { release } from '../../table/release.js'
import { tableOfRows } from '../../table/table.js'
import { example, keyAndTarget } from '../../testing/scenes/example.js'
import { keySweep } from './key-sweep.js'

type Options = Parameters<typeof keySweep>[1]

async function run(
  of: Parameters<typeof keySweep>[0],
  options: Options = {},
  how: Parameters<typeof keySweep>[2] = {},
) {
  const [finding] = (await keySweep(of, options, how)).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

describe('the worked example', () => {
  it('DiSCO of each key set, their mean, and what each key adds', async () => {
    const { value, details: d } = await run(example(), { figure: 'DiSCO' })
    expect(d.subsets.map(({ keys, DiSCO }) => [keys.join('+'), DiSCO])).toEqual([
      ['k1', 0.25],
      ['k2', 0.0625],
      ['k1+k2', 0.5],
    ])
    expect(value).toBeCloseTo(0.8125 / 3, 12)
    expect(d.effects).toEqual([
      { key: 'k1', effect: 0.3125 },
      { key: 'k2', effect: 0.03125 },
    ])
    expect([d.summary.min, d.summary.max, d.worst]).toEqual([0.0625, 0.5, ['k1', 'k2']])
  })

  it('other figures', async () => {
    const of = example({ holdout: true })
    const values = async (figure: NonNullable<Options>['figure']) =>
      (await run(of, { figure })).details.subsets.map((subset) => subset[figure ?? 'DiSCO'])
    expect(await values('DCAPd')).toEqual([0.625, expect.closeTo(0.483333, 6), 0.59375])
    expect(await values('TCAP')).toEqual([0.8, 0.5, expect.closeTo(0.727273, 6)])
    expect((await values('excess'))[2]).toBeCloseTo(0.0208333, 7)
    expect((await values('discoChance'))[2]).toBeCloseTo(0.2130682, 7)
    expect((await values('dcapChance'))[2]).toBeCloseTo(0.1875, 12)
    expect((await values('marginal'))[2]).toBeCloseTo(1 / 6, 12)
    expect((await values('repU'))[2]).toBe(0.0625)
    expect((await values('UiO'))[2]).toBe(0.125)
  })

  it('sizes on request, and a clear word when they make no sense', async () => {
    expect((await run(example(), { min: 2 })).details.evaluated).toBe(1)
    await expect(run(example(), { min: 3, max: 2 })).rejects.toThrow('3 to 2')
    await expect(run(example(), { figure: 'marginal' })).rejects.toThrow('holdout')
  })

  it('a single key has no effect to compare', async () => {
    const { details: d } = await run(example({ keys: ['k1'] }))
    expect(d.effects).toEqual([{ key: 'k1', effect: null }])
  })
})

it('counts key sets where the figure is undefined', async () => {
  const {
    value,
    reason,
    details: d,
  } = await run(keyAndTarget({ k: ['A'], t: ['1'] }, { k: ['B'], t: ['1'] }), { figure: 'TCAP' })
  expect([value, d.summary.undefinedCount]).toEqual([null, 1])
  expect(reason?.text).toContain('undefined')
})

it('samples when there are too many sets, tells its progress, and can be cancelled', async () => {
  const names = Array.from({ length: 12 }, (_, k) => `k${k}`)
  const one = tableOfRows(
    'o',
    [...names, 't'],
    Array.from({ length: 20 }, (_, row) => [...names, 't'].map((_, j) => String((row * (j + 1)) % 3))),
  )
  const of = release({ original: one, released: one, keys: names, target: 't' })
  const seen: number[] = []
  const { details: d, warnings } = await run(of, { limit: 30 }, { progress: (done) => seen.push(done) })
  expect([d.total, d.evaluated, seen.at(-1)]).toEqual([12 + 66 + 220 + 495, 30, 30])
  expect(warnings.join()).toContain('30 of 793')
  const signal = { aborted: false }
  const stopped = run(of, {}, { signal, progress: () => Object.assign(signal, { aborted: true }) })
  await expect(stopped).rejects.toThrow('cancelled')
})

it('equals the disclosure tables of each key set; more keys never find more people, nor fewer uniques', async () => {
  const rows = fc.array(
    fc.tuple(fc.constantFrom('a', 'b', null), fc.constantFrom('u', 'v'), fc.constantFrom('x', 'y')),
    {
      minLength: 1,
      maxLength: 12,
    },
  )
  await fc.assert(
    fc.asyncProperty(rows, rows, async (o, s) => {
      const of = release({
        original: tableOfRows('o', ['k1', 'k2', 't'], o),
        released: tableOfRows('s', ['k1', 'k2', 't'], s),
        keys: ['k1', 'k2'],
        target: 't',
      })
      const { subsets } = (await run(of)).details
      for (const { keys, DiSCO, DCAPd, repU, UiO } of subsets) {
        const alone = (await disclosure({ ...of, keys })).releases[0].details
        expect([DiSCO, DCAPd, repU, UiO]).toEqual([
          alone?.attribute.DiSCO,
          alone?.cap.DCAPd,
          alone?.identity.repU,
          alone?.identity.UiO,
        ])
      }
      const [k1, k2, both] = subsets
      for (const one of [k1, k2]) {
        expect(both.iS).toBeLessThanOrEqual(one.iS ?? 0)
        expect(both.UiO).toBeGreaterThanOrEqual(one.UiO ?? 1)
      }
    }),
    { numRuns: 25 },
  )
})

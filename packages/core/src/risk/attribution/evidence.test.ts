import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { AnyMeasure, ReleaseFinding } from '../../measure.js'
import { dcap } from '../../peers/risk/attribution/dcap.js'
import { disclosure } from '../../peers/risk/attribution/disclosure.js'
import { disco } from '../../peers/risk/attribution/disco.js'
import { repu } from '../../peers/risk/attribution/repu.js'
import { tcap } from '../../peers/risk/attribution/tcap.js'
import { release } from '../../table/release.js'
import { tableOfRows } from '../../table/table.js'
import { tcapSynthetic } from './tcap-synthetic.js'

type Rows = readonly (readonly (string | null)[])[]
const record = fc.tuple(
  fc.constantFrom('a', 'b', 'c', 'd', 'e', null),
  fc.constantFrom('u', 'v'),
  fc.constantFrom('x', 'y', null),
)
const rows = fc.array(record, { minLength: 1, maxLength: 25 })
const of = (o: Rows, s: Rows, h: Rows) =>
  release({
    original: tableOfRows('o', ['k1', 'k2', 't'], o),
    released: tableOfRows('s', ['k1', 'k2', 't'], s),
    ...(h.length === 0 ? {} : { holdout: tableOfRows('h', ['k1', 'k2', 't'], h) }),
    keys: ['k1', 'k2'],
    target: 't',
  })

const family: readonly (readonly [string, AnyMeasure, object])[] = [
  ['disclosure', disclosure, {}],
  ['disco', disco, {}],
  ['disco by distance', disco, { matching: 'gower', threshold: 0.5 }],
  ['dcap', dcap, {}],
  ['dcap of riskutility', dcap, { definition: 'riskutility' }],
  ['tcap', tcap, {}],
  ['tcap of the matched', tcap, { kind: 'matched' }],
  ['tcap of the certain', tcap, { kind: 'certain' }],
  ['tcap-synthetic', tcapSynthetic, {}],
  ['repu', repu, {}],
]

function comparisons({ value, controls, effect, leakage, looks = [] }: ReleaseFinding) {
  const headline = effect === undefined || controls === undefined ? [] : [{ value, controls, effect, leakage }]
  return [...headline, ...looks]
}

describe.each(family)('%s', (_, measure, options) => {
  it('the effect is the value less its fair control, within its bounds, whatever the size of the holdout', async () => {
    await fc.assert(
      fc.asyncProperty(rows, rows, fc.array(record, { maxLength: 8 }), async (o, s, h) => {
        const result = await measure.run(of(o, s, h), options)
        if (result.status !== 'ok') return
        const [finding] = result.releases
        if (finding.value !== null && finding.effect === undefined) expect(finding.notAssessed).toBeTruthy()
        for (const { value, controls, effect } of comparisons(finding)) {
          expect(effect.value).toBeCloseTo((value ?? Number.NaN) - (controls.fair?.value ?? Number.NaN), 9)
          expect(effect.lower).toBeLessThan(effect.upper)
          expect(effect.lower).toBeLessThanOrEqual(effect.value + 1e-12)
          expect(effect.upper).toBeGreaterThanOrEqual(effect.value - 1e-12)
          expect(effect.p).toBeGreaterThanOrEqual(0)
          expect(effect.p).toBeLessThanOrEqual(1)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('the original itself has a leakage and an exposure of 1, or none where there is nothing to give away', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.array(record, { maxLength: 8 }), async (o, h) => {
        const result = await measure.run(of(o, o, h), options)
        if (result.status !== 'ok') return
        const [finding] = result.releases
        if (finding.exposure !== null) expect(finding.exposure).toBeCloseTo(1, 9)
        for (const { leakage } of comparisons(finding)) if (leakage !== null) expect(leakage.value).toBeCloseTo(1, 9)
      }),
      { numRuns: 40 },
    )
  })
})

import { describe, expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { type Table, tableOf } from '../../../table/table.js'
import { epsilonIdentifiability } from './epsilon-identifiability.js'

async function identify(original: Table, released: Table, epsilon = 0.05) {
  const input = release({ original, released })
  const [finding] = (await epsilonIdentifiability(input, { definition: 'riskutility', epsilon })).releases
  if (finding.details?.threshold === undefined) throw new Error(finding.sentence)
  return { ...finding, ...finding.details.threshold }
}

const original = tableOf('original', { x: [0, 10, 20], g: ['a', 'a', 'b'] })
const released = tableOf('released', { x: [14, 20], g: ['a', 'b'] })

describe('epsilon-identifiability by riskutility', () => {
  it('is the share of released records within epsilon of an original', async () => {
    const { value, quantiles, sentence, details } = await identify(original, released)
    expect(value).toBe(0.5)
    expect(quantiles.p100).toBeCloseTo(0.073368, 6)
    expect(quantiles.p0).toBe(0)
    expect(sentence).toBe('50.0 % of the released records are within 0.05 of an original one')
    expect(details).toMatchObject({ definition: 'riskutility' })
    expect((await identify(original, original)).value).toBe(1)
  })

  it('is compared with nothing', async () => {
    const { leakage, effect, notAssessed } = await identify(original, released)
    expect([leakage, effect]).toEqual([null, undefined])
    expect(notAssessed?.text).toContain('no scale')
  })

  it('equal labels are equal whatever levels the other file lacks, and three levels are equally far apart', async () => {
    const a = tableOf('original', { g: ['a', 'b', 'c'] })
    const b = tableOf('released', { g: ['c', 'c', 'b'] })
    expect((await identify(a, b, 0.9)).mean).toBe(0)
    const far = await identify(tableOf('original', { g: ['a', 'b'] }), tableOf('released', { g: ['c', 'd'] }))
    expect(far.quantiles).toMatchObject({ p0: 1, p100: 1 })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { attackerRisk } from '../../peers/risk/frequency/attacker-risk.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'

function times(level: string, n: number): string[] {
  return Array.from({ length: n }, () => level)
}

async function attack(
  key: readonly (string | null)[],
  options: Parameters<typeof attackerRisk>[1] = {},
  given: Partial<ReleaseInput> = {},
) {
  const file = tableOf('file', { key })
  const { original } = await attackerRisk(
    release({ original: file, released: file, keys: ['key'], ...given }),
    options,
    { records: true },
  )
  if (original === null || original.details === null) throw new Error(original?.reason?.text)
  return { ...original, details: original.details }
}

const file = [...times('a', 1), ...times('b', 2), ...times('c', 5)]

describe('attacker risk', () => {
  it('prosecutor: 1/f', async () => {
    const { details, value } = await attack(file)
    expect(value).toBeCloseTo(0.375, 12)
    expect(details.prosecutor).toMatchObject({
      average: expect.closeTo(0.375, 12),
      largest: 1,
      atRisk: 3 / 8,
      atRiskRecords: 3,
    })
    expect(details.classes).toBe(3)
  })

  it('with population = release all averages are J/n', async () => {
    const { details } = await attack(file)
    expect(details.journalist.average).toBeCloseTo(0.375, 12)
    expect(details.marketer).toBeCloseTo(0.375, 12)
  })

  it('journalist and marketer with a population table', async () => {
    const population = tableOf('population', { key: [...times('a', 4), ...times('b', 10), ...times('c', 20)] })
    const { details } = await attack(file, {}, { population })
    expect(details.journalist.largest).toBe(0.25)
    expect(details.journalist.atRisk).toBe(1 / 8)
    expect(details.journalist.average).toBeCloseTo(0.0882353, 7)
    expect(details.marketer).toBeCloseTo(0.0875, 12)
  })

  it('uses E(1/F | f) where F is estimated, with the plug-in beside it', async () => {
    const { details, records } = await attack(file, { samplingFraction: 0.2, attacker: 'marketer' })
    expect(details.plugIn.average).toBeCloseTo(0.075, 12)
    expect(details.marketer).toBeCloseTo(0.1171129, 7)
    const journalist = Array.from(records?.['journalist'] ?? [])
    expect(journalist[0]).toBeCloseTo(0.4023595, 7)
    expect(journalist[1]).toBeCloseTo(0.1494101, 7)
    expect(journalist[3]).toBeCloseTo(0.0471446, 7)
  })

  it("riskutility: journalist is the fraction times the prosecutor's risk, the value the largest of three", async () => {
    const { details, value } = await attack(file, { definition: 'riskutility', samplingFraction: 0.2 })
    expect(details.journalist.average).toBeCloseTo(0.075, 12)
    expect(details.marketer).toBeCloseTo(0.375, 12)
    expect(value).toBeCloseTo(0.375, 12)
    const assumed = await attack(file, { definition: 'riskutility' })
    expect(assumed.details.journalist.average).toBeCloseTo(0.00375, 12)
    expect(assumed.warnings[0]).toContain('0.01')
  })

  it('never assumes a sampling fraction: without one, the journalist is a prosecutor', async () => {
    const { details, warnings } = await attack(file)
    expect(details.journalist.average).toBe(details.prosecutor.average)
    expect(warnings[0]).toContain('taken to be the whole population')
  })

  it('counts a class that the population lacks, and warns', async () => {
    const population = tableOf('population', { key: [...times('b', 10), ...times('c', 20)] })
    const { details, warnings } = await attack(file, {}, { population })
    expect(details.sampling.inconsistent).toBe(1)
    expect(details.journalist.largest).toBe(1)
    expect(warnings[0]).toContain('lacks the keys of 1 record')
  })

  it('leaves out records with nothing to match by', async () => {
    const { details, records, warnings } = await attack(['a', 'a', null, null, null])
    expect(details.suppressed).toBe(3)
    expect(details.records).toBe(2)
    expect(details.classes).toBe(1)
    expect(details.prosecutor.average).toBe(0.5)
    expect(Array.from(records?.['prosecutor'] ?? [])[2]).toBeNaN()
    expect(warnings.some((text) => text.includes('nothing to match'))).toBe(true)
    const input = release({
      original: tableOf('file', { key: [null, null], x: [1, 2] }),
      released: tableOf('file', { key: ['a'], x: [1] }),
      keys: ['key'],
    })
    expect((await attackerRisk(input)).original?.status).toBe('not applicable')
  })

  it('one record, a constant key, and a dropped record', async () => {
    expect((await attack(['a'])).value).toBe(1)
    expect((await attack(times('a', 40))).value).toBeCloseTo(1 / 40, 12)
    expect((await attack(times('a', 40))).details.prosecutor).toMatchObject({ atRisk: 0, largest: 1 / 40 })
    const dropped = await attack(['a', 'a', null], { missing: 'drop' })
    expect(dropped.details.dropped).toBe(1)
    expect(dropped.value).toBe(0.5)
  })
})

it('journalist is never above prosecutor, and the average of 1/f is J/n', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 20 }),
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 40 }),
      async (sample, others) => {
        const population = tableOf('population', { key: [...sample, ...others] })
        const { details, records } = await attack(sample, {}, { population })
        expect(details.prosecutor.average).toBeCloseTo(new Set(sample).size / sample.length, 12)
        const prosecutor = Array.from(records?.['prosecutor'] ?? [])
        for (const [k, risk] of Array.from(records?.['journalist'] ?? []).entries())
          expect(risk).toBeLessThanOrEqual(prosecutor[k])
        expect(details.journalist.average).toBeGreaterThanOrEqual(details.marketer)
      },
    ),
    { numRuns: 50 },
  )
})

describe.skipIf(reference() === undefined)('vignette', () => {
  it('J/n is 0.86', async () => {
    const original = await referenceTable('golden', 'vignette', 'original.csv')
    const released = await referenceTable('golden', 'vignette', 'synthetic.csv')
    const result = await attackerRisk(release({ original, released, keys: ['age', 'sex', 'education', 'region'] }))
    expect(result.value).toBeCloseTo(0.86, 12)
  })
})

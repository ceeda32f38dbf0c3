import { measures, openCase, storedInMemory, withColumnCounts } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { DEMO_KEYS, DEMO_TARGET, demoFiles } from './demo.js'

/** Sums run in another order, and controls are drawn. */
const rounded = (value: unknown) =>
  JSON.parse(
    JSON.stringify(value, (_, each) =>
      typeof each === 'number' && !Number.isInteger(each) ? Number(each.toPrecision(9)) : each,
    ),
  )

describe('the demo, of which samples are here and all records were counted', async () => {
  const { original, cart } = await demoFiles(400, 1)
  const said = { keys: [...DEMO_KEYS], target: DEMO_TARGET, type: 'synthetic' as const }
  const [first, second] = await Promise.all(
    [original, cart].map(async (data) => {
      const stored = storedInMemory(data)
      return { stored, table: await stored.sample(100, 1) }
    }),
  )
  const ofColumns = measures.filter(({ countedColumns }) => countedColumns !== undefined)
  const samples = openCase(said, { original: first.table, released: second.table })
  const ids = ofColumns.map(({ id }) => id)
  const { release } = await withColumnCounts(samples, { original: first, released: [second] }, ids, 1e5)
  const whole = openCase(said, { original, released: cart }).release

  it.each(ofColumns.map((measure) => [measure.id, measure] as const))('has the same %s', async (_, measure) => {
    const options = 'resamples' in measure.options.shape ? { resamples: 0 } : {}
    const [byCounts, ofRecords] = await Promise.all(
      [release, whole].map(async (files) => (await measure.run(files, options)).releases[0]),
    )
    expect(byCounts.status).toBe(ofRecords.status)
    expect(byCounts.value).toBeCloseTo(ofRecords.value ?? 0, 9)
    expect(rounded(byCounts.details)).toEqual(rounded(ofRecords.details))
  })
})

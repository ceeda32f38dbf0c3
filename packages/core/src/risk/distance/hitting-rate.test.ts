import { describe, expect, it } from 'vitest'
import { hittingRate } from '../../peers/risk/distance/hitting-rate.js'
import { release } from '../../table/release.js'
import { selectRows, type Table, tableOf } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'

const axis = (name: string, x: readonly number[]) => tableOf(name, { x })

async function detailsOf(...args: Parameters<typeof hittingRate>) {
  const { details, reason } = (await hittingRate(...args)).releases[0]
  if (details === null) throw new Error(reason?.text)
  return details
}

describe('hitting-rate on one axis', () => {
  const original = axis('original', [0, 100])
  const released = axis('released', [0, 0.5, 1, 3, 7, 12, 25, 50])

  it('counts the records within each fixed distance; without a holdout that is all', async () => {
    const result = await hittingRate(release({ original, released }))
    expect(result.value).toBe(0.5)
    expect(result.releases[0]).toMatchObject({
      notAssessed: { code: 'no-outsiders' },
      leakage: null,
      details: { calibrated: [] },
    })
    expect(result.releases[0].effect).toBeUndefined()
    expect(result.releases[0].details?.riskutility.rates.map((one) => 8 * one.released)).toEqual([
      1, 3, 3, 4, 5, 6, 6, 7,
    ])
    expect(result.releases[0].details?.riskutility).toMatchObject({ rateAtZero: 1 / 8, pass: false })
    expect((await hittingRate(release({ original, released }), { threshold: 0.1 })).value).toBe(5 / 8)
  })

  it('takes the distance that few people outside reach for the threshold', async () => {
    // People outside at 2, 4, 6, 8, 10 hundredths: the median is 0.06.
    const holdout = axis('holdout', [2, 4, 6, 8, 10])
    const result = await hittingRate(release({ original, released, holdout }), { quantile: 0.5 })
    const [{ threshold, released: rate, holdout: outside, excess, close }] =
      result.releases[0].details?.calibrated ?? []
    expect(threshold).toBeCloseTo(0.06, 12)
    expect({ rate, outside }).toEqual({ rate: 0.5, outside: 0.6 })
    expect(result.value).toBe(0.5)
    expect(excess).toBeCloseTo(-0.1 / 0.4, 12)
    // 4 and 5 of 8 within the quantiles 0.5 ± √(0.25 / 5): variance 0.25 / 8 + (1 / 16)², as of 7.11 records.
    expect(result.interval).toMatchObject({ lower: expect.closeTo(0.2039, 4), upper: expect.closeTo(0.7961, 4) })
    // 7 and 12 are close to holdout records.
    expect(close).toBe(6 / 8)
    const { effect, controls } = result.releases[0]
    const owing = result.releases[0].details?.calibrated[0].owingToTraining
    expect(effect).toMatchObject({ value: owing?.share, ...owing?.bounds })
    expect(controls?.fair?.value).toBeCloseTo(0.5 - (owing?.share ?? 1), 12)
    // 0, 0.5, 1 and 3 are nearest to training (3 also to 2 and 4, which are nearer); 7 and 12 to holdout.
    expect(owing?.share).toBeLessThan(0.5)
  })

  it('has no excess when every person outside hits', async () => {
    const holdout = axis('holdout', [0, 100])
    const found = (await hittingRate(release({ original, released, holdout }))).releases[0]
    expect(found.details?.calibrated[0]).toMatchObject({ threshold: 0, holdout: 1, excess: null })
    // Every training record has its equal outside: not even the original would show.
    expect(found.leakage).toBeNull()
  })
})

describe.skipIf(reference() === undefined)('hitting-rate on the vignette', async () => {
  if (reference() === undefined) return
  const file = (name: string) => referenceTable(`golden/vignette/${name}.csv`)
  const [train, holdout, synthetic, all, nearCopy] = await Promise.all(
    ['train', 'holdout', 'synthetic', 'original', 'near-copy'].map(file),
  )

  it('as riskutility prints it, and for a near-copy', async () => {
    const { riskutility, toTraining } = await detailsOf(release({ original: all, released: synthetic }), {
      distance: 'vim',
    })
    expect(riskutility.rates.map((one) => one.released)).toEqual([0, 0.276, 0.634, 0.94, 0.998, 1, 1, 1])
    expect(toTraining.mean).toBeCloseTo(0.01975, 5)
    expect(riskutility.pass).toBe(false)
    const copy = await detailsOf(release({ original: all, released: nearCopy }), { distance: 'vim' })
    expect(copy.riskutility.rates.map((one) => one.released)).toEqual([0, 1, 1, 1, 1, 1, 1, 1])
    const gower = await detailsOf(release({ original: all, released: synthetic }))
    expect(gower.toTraining.mean).toBeCloseTo(0.01985, 5)
  })

  it('calibrated on people outside', async () => {
    const found = (await hittingRate(release({ original: train, holdout, released: synthetic }))).releases[0]
    if (found.details === null) throw new Error(found.reason?.text)
    const { calibrated, riskutility } = found.details
    const [at5, at1] = calibrated
    expect(at5.threshold).toBeCloseTo(0.003794, 6)
    expect(at5.holdout).toBeCloseTo(0.0533, 4)
    expect(at5.released).toBeCloseTo(0.022, 12)
    expect(at1.threshold).toBeCloseTo(0.001373, 6)
    expect(at1.holdout).toBeCloseTo(0.0133, 4)
    expect(at1.released).toBeCloseTo(0.008, 12)
    const fixed = riskutility.rates.find((one) => one.threshold === 0.05)
    expect(fixed?.holdout).toBeCloseTo(0.9267, 4)
    expect(fixed?.released).toBeCloseTo(0.886, 12)
    expect(found.effect?.p).toBeGreaterThan(0.05)
    expect(found.leakage?.upper).toBeLessThan(0.05)
  })

  it('finds near-copies of the training records', async () => {
    const released = selectRows(nearCopy, rowsOf(train, all))
    const found = (await hittingRate(release({ original: train, holdout, released }))).releases[0]
    expect(found.details?.calibrated.map((one) => one.released)).toEqual([333 / 350, 127 / 350])
    expect(333 / 350).toBeCloseTo(0.9514, 4)
    expect(127 / 350).toBeCloseTo(0.3629, 4)
    expect(found.leakage?.value).toBeGreaterThan(0.9)
    expect(found.leakage?.lower).toBeGreaterThan(0.8)
    expect(found.leakage?.p).toBeLessThan(1e-12)
  })
})

/** The rows of `within` that hold the records of `part`. */
function rowsOf(part: Table, within: Table): number[] {
  const text = (of: Table, row: number) =>
    of.columns.map((c) => (c.kind === 'categorical' ? c.levels[c.codes[row]] : c.values[row])).join('|')
  const places = new Map(Array.from({ length: within.rows }, (_, row) => [text(within, row), row]))
  return Array.from({ length: part.rows }, (_, row) => places.get(text(part, row)) ?? -1)
}

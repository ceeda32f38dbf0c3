import { describe, expect, it } from 'vitest'
import { dcr } from '../../peers/risk/distance/dcr.js'
import { release } from '../../table/release.js'
import { selectRows, tableOf } from '../../table/table.js'
import { isLong } from '../../testing/long.js'
import { reference, referenceTable } from '../../testing/reference.js'

/** Records on one axis. */
const axis = (name: string, x: readonly number[]) => tableOf(name, { x })
const onAxis = (original: readonly number[], holdout: readonly number[], released: readonly number[]) =>
  release({
    original: axis('original', original),
    holdout: axis('holdout', holdout),
    released: axis('released', released),
  })

async function detailsOf(...args: Parameters<typeof dcr>) {
  const { details, reason } = (await dcr(...args)).releases[0]
  if (details === null || details.definition !== undefined) throw new Error(reason?.text)
  return details
}

describe('dcr on one axis', () => {
  it('counts whose record is nearest', async () => {
    const { share, expected, excess, nearer, riskutility, toTraining } = await detailsOf(
      onAxis([0, 10], [4, 6], [1, 9, 5, 4.5]),
    )
    expect({ share, expected, excess }).toEqual({ share: 0.5, expected: 0.5, excess: 0 })
    expect(nearer).toEqual({ training: 2, holdout: 2, tied: 0 })
    // To training 1, 1, 5, 4.5 tenths of the range, to holdout 3, 3, 1, 0.5.
    expect(toTraining.mean).toBeCloseTo(1.15 / 4, 12)
    expect(riskutility.ratio).toBeCloseTo(11.5 / 7.5, 12)
  })

  it('has the exact variance of the credits 2, 1 | 0, 1', async () => {
    const { share, sd, z, minimalDetectable } = await detailsOf(onAxis([0, 10], [20, 30], [0.1, 0.2, 10, 30]))
    expect(share).toBe(0.75)
    expect(sd ** 2).toBeCloseTo(0.0416667, 7)
    expect(z).toBeCloseTo(0.25 / Math.sqrt(1 / 24), 12)
    expect(minimalDetectable).toBeCloseTo((3.168 * Math.sqrt(1 / 24)) / 0.5, 3)
  })

  it('shares ties, which riskutility gives to the holdout', async () => {
    // 2 lies between 0 and 4; 5 between the holdout's 4 and 6; 0 stands once in T and twice in H.
    const { share, nearer, riskutility } = await detailsOf(onAxis([0, 10], [0, 0, 4, 6], [2, 5, 0]))
    // 2: one training record of four at distance 2 (0 in T, 0 and 0 and 4 in H).
    expect(share).toBeCloseTo((1 / 4 + 0 + 1 / 3) / 3, 12)
    expect(nearer).toEqual({ training: 0, holdout: 1, tied: 2 })
    expect(riskutility.share).toBe(0)
  })

  it('expects the share of the sizes when nothing tells the records apart', async () => {
    const { details, effect, leakage, notAssessed } = (await dcr(onAxis([3, 3, 3], [3], [3, 3]))).releases[0]
    expect(details).toMatchObject({ share: 0.75, expected: 0.75, z: 0, p: 1 })
    expect(effect).toMatchObject({ value: 0, se: 0, p: 1 })
    expect(leakage).toBeNull()
    expect(notAssessed).toEqual({ code: 'no-scale' })
  })

  it('works on one record each', async () => {
    const { share, expected, toTraining } = await detailsOf(onAxis([0], [2], [0.5]))
    expect({ share, expected }).toEqual({ share: 1, expected: 0.5 })
    expect(toTraining.sd).toBeNull()
  })

  it('gives each original record the released records that are nearest to it', async () => {
    const { releases } = await dcr(onAxis([0, 10], [4, 6], [1, -1, 8, 5]), {}, { records: true })
    // 8 lies between 10 and 6, 5 between 4 and 6.
    expect(Array.from(releases[0].records?.releasedRecordsNearest ?? [])).toEqual([2, 0.5])
    const near = Array.from(releases[0].records?.releasedDistanceToTraining ?? [])
    for (const [k, distance] of [0.1, 0.1, 0.2, 0.5].entries()) expect(near[k]).toBeCloseTo(distance, 12)
  })
})

describe.skipIf(reference() === undefined)('dcr on the vignette, 350 training and 150 holdout records', async () => {
  if (reference() === undefined) return
  const file = (name: string) => referenceTable(`golden/vignette/${name}.csv`)
  const [original, holdout, synthetic, all, nearCopy] = await Promise.all(
    ['train', 'holdout', 'synthetic', 'original', 'near-copy'].map(file),
  )
  const rowsOfTraining = () => {
    const places = new Map(textOf(all).map((text, row) => [text, row]))
    return textOf(original).map((text) => places.get(text) ?? -1)
  }
  const textOf = (of: typeof all) =>
    Array.from({ length: of.rows }, (_, row) =>
      of.columns.map((c) => (c.kind === 'categorical' ? c.levels[c.codes[row]] : c.values[row])).join('|'),
    )

  it('as printed, with categories as numbers', async () => {
    const found = await detailsOf(release({ original, holdout, released: synthetic }), { distance: 'vim' })
    expect(found.share).toBeCloseTo(0.652, 12)
    expect(found.sd).toBeCloseTo(0.02499, 5)
    expect(found.z).toBeCloseTo(-1.921, 3)
    expect(found.p).toBeCloseTo(0.973, 2)
    expect(found.riskutility.pass).toBe(false)
    // R has 6.56e-15: which differences tie is a matter of their last bit there.
    expect(found.riskutility.wilcoxonP).toBeGreaterThan(6.4e-15)
    expect(found.riskutility.wilcoxonP).toBeLessThan(6.7e-15)
  })

  it('with categories that agree or not', async () => {
    const of = release({ original, holdout, released: synthetic })
    const { share, sd, z, p } = await detailsOf(of)
    expect(share).toBeCloseTo(0.66, 12)
    expect(sd).toBeCloseTo(0.02542, 5)
    expect(z).toBeCloseTo(-1.573, 3)
    expect(p).toBeCloseTo(0.942, 2)
    const { effect, leakage, controls } = (await dcr(of)).releases[0]
    expect(effect).toMatchObject({ value: expect.closeTo(-0.04, 12), se: sd, p })
    expect(controls?.fair).toMatchObject({ value: 0.7, basis: 'outsiders' })
    expect(leakage?.upper).toBeLessThan(0.05)
  })

  it('finds near-copies of the training records', async () => {
    const released = selectRows(nearCopy, rowsOfTraining())
    const found = (await dcr(release({ original, holdout, released }))).releases[0]
    expect(found.details?.share).toBeCloseTo(0.9857, 4)
    expect(found.details?.z).toBeCloseTo(21.27, 2)
    expect(found.leakage?.value).toBeCloseTo((0.9857 - 0.7) / 0.3, 3)
    expect(found.leakage?.lower).toBeGreaterThan(0.9)
    expect(found.leakage?.p).toBeLessThan(1e-12)
  })

  it('sees nothing when the holdout was copied too, which is why it must not have been used', async () => {
    const { share, z } = await detailsOf(release({ original, holdout, released: nearCopy }))
    expect(share).toBeCloseTo(0.694, 3)
    expect(z).toBeCloseTo(-1.46, 2)
  })
})

describe.skipIf(reference() === undefined)('dcr on Adult', async () => {
  if (reference() === undefined) return
  const file = (name: string) => referenceTable(`data/adult/adults_${name}.csv`)
  const [original, holdout, released] = await Promise.all(['train', 'control', 'syn_ctgan'].map(file))

  it('with all 15 columns', async () => {
    const found = await detailsOf(release({ original, holdout, released }))
    expect(found.nearer).toEqual({ training: 31231, holdout: 7806, tied: 3 })
    expect(found.riskutility.share).toBeCloseTo(0.799974, 6)
    expect(found.share).toBeCloseTo(0.800013, 6)
    expect(found.expected).toBeCloseTo(0.8, 12)
    expect(found.sd).toBeCloseTo(0.004133, 6)
    expect(found.z).toBeCloseTo(0.003, 3)
    expect(found.toTraining.mean).toBeCloseTo(0.052961, 6)
    expect(found.toHoldout.mean).toBeCloseTo(0.068912, 6)
    expect(found.riskutility.ratio).toBeCloseTo(0.7685, 4)
    expect(found.p).toBeGreaterThan(0.4)
    expect(found.excessInterval.upper).toBeLessThan(0.05)
    expect(found.riskutility.pass).toBe(false)
  })

  it.skipIf(!isLong)('without the weight column, where many records tie', async () => {
    const of = release({ original, holdout, released })
    const found = await detailsOf(of, { variables: of.variables.filter((name) => name !== 'fnlwgt') })
    expect(found.nearer).toMatchObject({ training: 29803, tied: 2345 })
    expect(found.riskutility.share).toBeCloseTo(0.763397, 6)
    expect(found.share).toBeCloseTo(0.799367, 6)
    expect(found.z).toBeCloseTo(-0.151, 3)
    expect(found.riskutility.ratio).toBeCloseTo(0.7591, 4)
  })

  it('at equal sizes', async () => {
    const first = Int32Array.from({ length: holdout.rows }, (_, row) => row)
    const equal = release({ original: selectRows(original, first), holdout, released: selectRows(released, first) })
    // The reference figures keep the range of fnlwgt over all records, 1478115; these have 1352351.
    const found = await detailsOf(equal, { weights: { fnlwgt: 1352351 / 1478115 } })
    expect(found.share).toBeCloseTo(0.503945, 6)
    expect(found.sd).toBeCloseTo(0.00795, 5)
    expect(found.z).toBeCloseTo(0.496, 3)
    expect(found.riskutility.ratio).toBeCloseTo(0.9874, 4)
  })
})

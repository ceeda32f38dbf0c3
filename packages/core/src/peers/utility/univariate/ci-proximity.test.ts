import { describe, expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { type Table, tableOf } from '../../../table/table.js'
import { describeReference, liveFiles, referenceTable } from '../../../testing/reference.js'
import { ciProximity } from './ci-proximity.js'

async function proximity(original: Table, released: Table) {
  const [finding] = (await ciProximity(release({ original, released }), { definition: 'riskutility', resamples: 0 }))
    .releases
  const compared = finding.details?.definition === 'riskutility' ? finding.details.compared : []
  return { value: finding.value, compared }
}

describe('intervals of means by riskutility', () => {
  const x = tableOf('x', { v: [1, 2, 3, 4, 5], g: ['a', 'b', 'a', 'b', 'c'] })
  it('overlap as worked out, of means only', async () => {
    const y = tableOf('y', { v: [2, 3, 4, 5, 6], g: ['a', 'a', 'a', 'a', 'a'] })
    const { value, compared } = await proximity(x, y)
    expect(compared).toHaveLength(1)
    expect(compared[0].riskutility.overlap).toBeCloseTo(0.5940311, 7)
    expect(compared[0].riskutility.relativeError).toBeCloseTo(1 / 3, 12)
    expect(compared[0].riskutility.contains).toBe(true)
    expect(value).toBeCloseTo(0.6720156, 7)
  })
  it('are 0 when disjoint', async () => {
    const { compared } = await proximity(
      x,
      tableOf('far', { v: [102, 103, 104, 105, 106], g: ['a', 'b', 'a', 'b', 'c'] }),
    )
    expect(compared[0].riskutility).toMatchObject({ overlap: 0, contains: false })
  })
  it('of equal constants are 0, while they overlap in full by the own definition', async () => {
    const [same, other] = [tableOf('x', { k: [3, 3, 3] }), tableOf('y', { k: [3, 3, 3] })]
    const { value, compared } = await proximity(same, other)
    expect(compared[0].riskutility).toMatchObject({ overlap: 0, relativeError: 0, contains: true })
    expect(value).toBe(0.5)
    expect((await ciProximity(release({ original: same, released: other }), { resamples: 0 })).value).toBe(1)
  })
})

describeReference('riskutility 0.2.0, ci_proximity', () => {
  it('a file with a constant, a date and a column without values', async () => {
    const { original, released } = await liveFiles('hard', 'r')
    expect((await proximity(original, released)).value).toBeCloseTo(0.7047393867, 10)
  })
})

describeReference('intervals of the running example', async () => {
  it.each([
    { name: 'age', overlap: 0.241677, relativeError: 0.0411078, near: 0.6010962, contains: false },
    { name: 'income', overlap: 0.9734087, relativeError: 0.001301, near: 0.9860547, contains: true },
  ])('$name', async ({ name, overlap, relativeError, near, contains }) => {
    const table = (file: string) => referenceTable('golden', 'vignette', file)
    const { compared } = await proximity(await table('original.csv'), await table('synthetic.csv'))
    const theirs = compared.find((column) => column.name === name)?.riskutility
    expect(theirs?.overlap).toBeCloseTo(overlap, 6)
    expect(theirs?.relativeError).toBeCloseTo(relativeError, 7)
    expect(theirs?.proximity).toBeCloseTo(near, 6)
    expect(theirs?.contains).toBe(contains)
  })
})

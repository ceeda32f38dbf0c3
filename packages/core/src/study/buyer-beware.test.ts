import { describe, expect, it } from 'vitest'
import { reference, referenceTable } from '../testing/reference.js'
import { buyerBewareDesign, studyBuyerBeware } from './buyer-beware.js'

const small = { ...buyerBewareDesign({ seed: 1, quick: true }), releases: 60, syntheses: 150 }

it('repeats the paper: posteriors, repU and DiSCO digit by digit, the rest within tolerance', async () => {
  const { tables, checks, charts } = await studyBuyerBeware(small)
  expect(tables.map(({ name }) => name)).toEqual(['copies', 'posterior', 'measures', 'coding', 'hyperparameters'])
  for (const { name, rows } of tables) {
    for (const row of rows) expect({ name, ...row }).toMatchObject({ within: true })
  }
  expect(checks.filter(({ holds }) => !holds)).toEqual([])
  expect(charts.map(({ name }) => name)).toEqual(['copies', 'worlds', 'posterior', 'over-sets', 'hyperparameters'])
}, 60_000)

it('the same seed gives the same tables', async () => {
  const design = { ...small, releases: 10, syntheses: 20 }
  expect((await studyBuyerBeware(design)).tables).toEqual((await studyBuyerBeware(design)).tables)
}, 60_000)

describe.skipIf(reference() === undefined)('SD2011', () => {
  it('has the published disclosure, with and without information about the target', async () => {
    const data = await referenceTable('data', 'sd2011', 'sd2011.csv')
    const design = { ...small, releases: 5, syntheses: 20, sets: 2 }
    const { tables, checks } = await studyBuyerBeware(design, {}, data)
    const real = tables.filter(({ name }) => name.startsWith('sd2011'))
    expect(real.map(({ rows }) => rows.length)).toEqual([5, 20])
    for (const row of real.flatMap(({ rows }) => rows)) expect(row).toMatchObject({ within: true })
    expect(checks.filter(({ what }) => what.startsWith('SD2011'))).toMatchObject([{ holds: true }])
  }, 120_000)
})

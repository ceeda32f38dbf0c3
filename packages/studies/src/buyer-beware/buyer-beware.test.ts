import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { disco, readTable, repu } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { buyerBewareDesign, studyBuyerBeware } from './buyer-beware.js'

/** Reference data, where they are installed. */
const REFERENCE = process.env.SCRIM_REFERENCE ?? join(import.meta.dirname, '../../../../../shared/reference')
const SURVEY = join(REFERENCE, 'data/sd2011/sd2011.csv')
const registry = [disco, repu]
const small = {
  ...buyerBewareDesign({ seed: 1, quick: true }),
  releases: 60,
  syntheses: 150,
  settingSets: 2,
  permutations: 2,
}

it('repeats the paper: posteriors, repU and DiSCO digit by digit, the rest within tolerance', async () => {
  const { tables, figures, checks, charts } = await studyBuyerBeware(small)
  expect(tables.map(({ name }) => name)).toEqual(['copies', 'posterior', 'measures', 'coding', 'hyperparameters'])
  for (const { name, rows } of tables) {
    for (const row of rows) expect({ name, ...row }).toMatchObject({ within: true })
  }
  const isPublished = tables.filter(({ rows }) => rows.every(({ published }) => published !== null))
  expect(isPublished.map(({ name }) => name)).toEqual(['copies', 'measures'])
  for (const { rows } of tables.filter((one) => !isPublished.includes(one)))
    for (const { published, apart } of rows) expect([published, typeof apart]).toEqual([null, 'number'])
  expect(checks.filter(({ holds }) => !holds)).toEqual([])
  expect(figures.map(({ name }) => name)).toEqual(['frequencies', 'settings', 'self-tests'])
  for (const { header, rows } of figures) for (const row of rows) expect(row.length).toBe(header.length)
  expect(charts.map(({ name }) => name)).toEqual([
    'frequencies',
    'copies',
    'worlds',
    'posterior',
    'over-sets',
    'hyperparameters',
  ])
})

it('the same seed gives the same tables', async () => {
  const design = { ...small, releases: 5, syntheses: 20, settingSets: 1 }
  const [first, second] = [await studyBuyerBeware(design, { registry }), await studyBuyerBeware(design, { registry })]
  expect(first.tables).toEqual(second.tables)
  expect(first.figures).toEqual(second.figures)
})

describe.skipIf(!existsSync(SURVEY))('SD2011', () => {
  it('has the published disclosure, with and without information about the target', async () => {
    const data = await readTable('sd2011.csv', readFileSync(SURVEY))
    const design = { ...small, releases: 5, syntheses: 20, sets: 2, settingSets: 1 }
    const { tables, checks } = await studyBuyerBeware(design, { registry }, data)
    const real = tables.filter(({ name }) => name.startsWith('sd2011'))
    expect(real.map(({ rows }) => rows.length)).toEqual([5, 25])
    for (const row of real.flatMap(({ rows }) => rows)) expect(row).toMatchObject({ within: true })
    expect(checks.filter(({ what }) => what.startsWith('SD2011'))).toMatchObject([{ holds: true }])
  })
})

import { describe, expect, it } from 'vitest'
import { assess } from '../../assess/assess.js'
import { conclude } from '../../assess/assessment.js'
import type { CaseInput } from '../../case/case.js'
import { openCase } from '../../case/open-case.js'
import type { Result } from '../../measure.js'
import { measures } from '../../measures.js'
import { linkability } from '../../peers/risk/article29/linkability.js'
import { numeric } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'
import { comparable, type Files, people, repeated, sampledCase } from '../../testing/sampled-case.js'

const original = people('original', 900, 1)
const holdout = people('holdout', 500, 3)
const others = people('released', 700, 2)
const twice = repeated(others, 900, 3)
const SAID: CaseInput = { type: 'synthetic', matchLevels: false }

const sampled = (said: CaseInput, files: Files, records = 150, most = 1e6) =>
  sampledCase(said, files, ['linkability'], { records, most })

async function agrees(files: Files, options = {}, records = 150) {
  const said = { ...SAID, options: { linkability: options } }
  const { release } = await sampled(said, files, records)
  const found = await linkability.run(release, options)
  expect(found.releases[0]).toMatchObject({ status: 'ok' })
  expect(found.releases[0]).not.toHaveProperty('sample')
  const whole = openCase(said, files).release
  expect(comparable(found)).toEqual(comparable(await linkability.run(whole, options)))
  return found.releases[0].details
}

describe('linkability of samples', () => {
  it.each([
    ['other people', others],
    ['records that are repeated', twice],
    ['all of the original', original],
  ])('is that of all records to the last bit where the release is %s', async (_, released) => {
    await agrees({ original, holdout, released: [released] })
  })

  it.each([
    ['of several releases and neighbours', { k: 3 }],
    ['by few columns, in which many tie', { columnsA: ['sex', 'region'], columnsB: ['born', 'age'], k: 12 }],
    ['by columns that are all that a release has', { columnsA: ['sex'], columnsB: ['country', 'late'], k: 20 }],
  ])('is so %s', async (_, options) => {
    await agrees({ original, holdout, released: [others, twice] }, options)
  })

  it('is so of some of more than 20,000 people, and takes columns that vary among all', async () => {
    const files = { original: people('original', 21_000, 1), holdout: people('holdout', 400, 3), released: [others] }
    const details = await agrees(files, { attacks: 100 })
    expect(details).toMatchObject({
      columnsA: ['age', 'height', 'late', 'sex'],
      columnsB: ['born', 'income', 'region'],
    })
    expect(details).toMatchObject({ main: { attacks: 100 }, control: { attacks: 100 } })
  })

  it('is so of few people and a large release, in an order of all people', async () => {
    await agrees({ original, holdout, released: [people('released', 2000, 2)] }, { attacks: 100 }, 900)
  })

  it.each([
    ['of all records can be LOW', 1e6, 'LOW'],
    ['of the sample is never LOW', 10, 'INCONCLUSIVE'],
  ] as const)('has a threat: what is measured %s', async (_, most, level) => {
    const { release } = await sampled(SAID, { original, holdout, released: [others] }, 400, most)
    const results: Result[] = []
    for await (const result of assess(release, { measures: ['linkability'] })) results.push(result)
    const [{ threats }] = conclude(release, results, measures).releases
    expect(threats.find(({ threat }) => threat === 'linkability')?.level).toBe(level)
  })

  it.each([
    ['there is nobody outside', { holdout: undefined }, {}, {}, 'without a holdout nothing rests on it'],
    ['the first in the file is nearer', {}, { ties: 'index' }, {}, 'it is asked for with options that no scan has'],
    ['another definition is asked for', {}, { definition: 'riskutility' }, {}, 'with options that no scan has'],
    ['people are put into an order', {}, { attacks: 100 }, {}, 'depends on the order of all people'],
    ['numbers are grouped', {}, {}, { keys: ['age'], group: { age: '4' } }, '"age" is compared otherwise'],
  ] as const)('looks at the sample alone where %s, and says so', async (_, files, options, said, why) => {
    const asked: CaseInput = { ...SAID, ...said, options: { linkability: options } }
    const { release } = await sampled(asked, { original, holdout, released: [others], ...files })
    expect(release.notes[0].internal).toContain(why)
  })

  it('looks at the sample alone where numbers have no end, or all people are alike', async () => {
    const endless = (values: ArrayLike<number>) =>
      table('people', [numeric('a', Float64Array.from(values)), numeric('b', Float64Array.from(values))])
    const of = (data: Table) => ({ original: data, holdout: data, released: [data] })
    const far = await sampled(SAID, of(endless([...new Array(899).keys(), Number.POSITIVE_INFINITY])))
    expect(far.release.notes[0].internal).toContain('"a" has values that are no numbers')
    const alike = await sampled(SAID, of(endless(new Array(900).fill(1))))
    expect(alike.release.notes[0].internal).toContain('it takes columns for two files')
  })
})

import { describe, expect, it } from 'vitest'
import { assess } from '../../assess/assess.js'
import { conclude } from '../../assess/assessment.js'
import type { CaseInput } from '../../case/case.js'
import { openCase } from '../../case/open-case.js'
import type { Result } from '../../measure.js'
import { measures } from '../../measures.js'
import { recordLinkage } from '../../peers/risk/linkage/record-linkage.js'
import { stream } from '../../random/stream.js'
import { numeric } from '../../table/column.js'
import { selectRows, type Table, table, tableOf } from '../../table/table.js'
import { type Files, sampledCase } from '../../testing/sampled-case.js'
import { reidentification } from './reidentification.js'

const KEYS = ['sex', 'age', 'region', 'born', 'income']
const IDS = ['reidentification', 'record-linkage']
const SAID: CaseInput = { type: 'perturbed', matchLevels: false, keys: KEYS }

/** Levels, dates, numbers, missing and suppressed values, people of whom some are equal, and a column that is no key. */
function people(rows: number): Table {
  const random = stream(1, 'people')
  const each = Array.from({ length: rows }, () => [2, 40, 9, 11, 4, 3000].map((values) => random.below(values)))
  const base = tableOf('original', {
    sex: each.map(([sex]) => (sex === 0 ? 'm' : 'ф')),
    age: each.map(([, age, , isMissing]) => (isMissing === 0 ? null : 20 + age)),
    region: each.map(([, , region]) => (region === 8 ? null : region === 7 ? '*' : `région ${region}`)),
    income: each.map(([, age, , , more]) => age * 100 + more / 7),
    height: each.map(([, , , , , tall]) => 150 + tall / 70),
    weight: each.map(([, , , , more]) => 1 + more),
  })
  const days = Float64Array.from(each, ([sex, , region, isMissing]) => (isMissing > 8 ? Number.NaN : 9 * region - sex))
  return table('original', [...base.columns, { kind: 'date', name: 'born', values: days, unit: 'day' }])
}

/** Keys of so many rows in a hundred are those of another row, column by column. */
function perturbed(original: Table, share: number, seed = 2): Table {
  const random = stream(seed, 'noise')
  const dealt = original.columns.map((column) => {
    const rows = Int32Array.from({ length: original.rows }, (_, row) =>
      KEYS.includes(column.name) && random.below(100) < share ? random.below(original.rows) : row,
    )
    return selectRows(table('released', [column]), rows).columns[0]
  })
  return table('released', dealt)
}

const original = people(400)
const released = perturbed(original, 30)

async function sampled(said: CaseInput, files: Files, records = 300, most = 1e6) {
  return (await sampledCase(said, files, IDS, { records, most })).release
}

/** Without what is about single records, and numbers of people, which are of the sample. */
function comparable({ releases }: Result) {
  return releases.map((finding) => ({ ...finding, people: 0, shareOfPeople: null, drivers: [] }))
}

async function agrees(files: Files, { said = SAID, options = {}, most = 1e6 } = {}) {
  const asked: CaseInput = { ...said, options: Object.fromEntries(IDS.map((id) => [id, options])) }
  const release = await sampled(asked, files, 300, most)
  const whole = openCase(asked, files).release
  for (const measure of [reidentification, recordLinkage]) {
    const found = await measure.run(release, options)
    expect(found.releases[0]).toMatchObject({ status: 'ok' })
    expect(found.releases[0]).not.toHaveProperty('sample')
    expect(comparable(found)).toEqual(comparable(await measure.run(whole, options)))
  }
}

describe('people looked for in tables that were sampled', () => {
  it.each([
    ['a perturbed release', released],
    ['all of the original', original],
    ['a release of which hardly anything is left', perturbed(original, 95)],
  ])('are found as among all records in memory, to the last bit, in %s', async (_, release) => {
    await agrees({ original, released: [release] })
  })

  it('are so in several releases, and with weights and a population', async () => {
    await agrees({ original, released: [released, perturbed(original, 60, 3)], population: people(800) })
    await agrees({ original, released: [released] }, { said: { ...SAID, weight: 'weight' } })
  })

  it('are so where some are looked for, and all are counted', async () => {
    const many = people(21_000)
    const files = { original: many, released: [perturbed(many, 30)] }
    await agrees(files, { options: { sample: 200 } })
    const few = { sample: 200, variables: ['sex', 'region'] }
    await agrees(files, { options: few, most: 100 })
  })

  it.each([
    { method: 'probabilistic', parameters: 'oracle' },
    { method: 'ranks', missing: 'mismatch', strategy: 'topk', k: 3 },
    { method: 'deterministic', blocking: ['sex', 'region+born'], importance: 'leave-one-out', span: 'robust' },
    { definition: 'riskutility' },
  ])('are so by a linkage with %o', async (options) => {
    const many = people(20_500)
    const files = { original: many, released: [perturbed(many, 30)] }
    const asked = { sample: 100, variables: ['sex', 'age', 'region', 'born'], ...options }
    const said: CaseInput = { ...SAID, options: { 'record-linkage': asked } }
    const found = await recordLinkage.run(await sampled(said, files), asked)
    expect(found.releases[0]).not.toHaveProperty('sample')
    expect(comparable(found)).toEqual(comparable(await recordLinkage.run(openCase(said, files).release, asked)))
  })

  it.each([
    ['of all records can be LOW', perturbed(original, 100), 1e6, 'LOW'],
    ['of the sample is never LOW', perturbed(people(21_000), 100), 10, 'INCONCLUSIVE'],
    ['of the original itself is HIGH', original, 1e6, 'HIGH'],
  ] as const)('have a threat: what is measured %s', async (_, made, most, level) => {
    const release = await sampled(SAID, { original: people(made.rows), released: [made] }, 800, most)
    const results: Result[] = []
    for await (const result of assess(release, { measures: IDS })) results.push(result)
    const [{ threats }] = conclude(release, results, measures).releases
    expect(threats.find(({ threat }) => threat === 'identity')?.level).toBe(level)
  })

  it.each([
    ['there are many combinations', {}, {}, 'more than 5 combinations in original'],
    ['everybody is looked for', { sample: null }, {}, 'with options that no counts have'],
    ['all are matched at once', { matching: 'one-to-one' }, {}, 'with options that no counts have'],
    ['a model learns from records', { method: 'forest' }, {}, 'with options that no counts have'],
    ['an identifier says who is who', {}, { identifier: 'height' }, 'whose record is whose is told by an identifier'],
    ['numbers are grouped', {}, { group: { age: '4' } }, '"age" is compared otherwise'],
  ] as const)('are looked for in the sample alone where %s, and a note says so', async (_, options, said, why) => {
    const many = people(20_001)
    const asked: CaseInput = { ...SAID, ...said, options: { 'record-linkage': options } }
    const { notes } = await sampled(asked, { original: many, released: [perturbed(many, 30)] }, 300, 5)
    expect(notes.find(({ internal }) => internal.startsWith('record-linkage'))?.internal).toContain(why)
  })

  it('are not looked for in a synthetic release, which nobody has a record in', async () => {
    const { notes } = await sampled({ ...SAID, type: 'synthetic' }, { original, released: [released] })
    expect(notes.filter(({ internal }) => IDS.some((id) => internal.startsWith(id)))).toEqual([])
  })

  it('are looked for in the sample alone where files have other numbers of records, or numbers have no end', async () => {
    const longer = await sampled(SAID, { original, released: [people(401)] })
    expect(longer.notes[0].internal).toContain('row i of it is not known to be row i of the original')
    const endless = table('endless', [
      ...original.columns.filter(({ name }) => name !== 'height'),
      numeric(
        'height',
        Float64Array.from({ length: 400 }, (_, row) => (row === 7 ? Number.POSITIVE_INFINITY : row)),
      ),
    ])
    const far = await sampled(SAID, { original: endless, released: [endless] }, 50)
    expect(far.notes[0].internal).toContain('"height" has values that are no numbers')
  })
})

import { describe, expect, it } from 'vitest'
import type { CaseInput } from '../case/case.js'
import { openCase } from '../case/open-case.js'
import { withCounts } from '../case/with-counts.js'
import { DEFAULT_SEED, type Result } from '../measure.js'
import { measures } from '../measures.js'
import { stream } from '../random/stream.js'
import { memorisation } from '../risk/distance/memorisation.js'
import { memorisationTail } from '../risk/distance/memorisation-tail.js'
import { bitsKey, type ScannedBits } from '../risk/shared-information/bits-in-common.js'
import { sharedInformation } from '../risk/shared-information/shared-information.js'
import { sharedInformationTail } from '../risk/shared-information/shared-information-tail.js'
import { type StoredTable, storedInMemory } from '../stored/stored-table.js'
import { numeric } from '../table/column.js'
import { countsFor, scanFor } from '../table/release.js'
import { selectRows, type Table, table, tableOf } from '../table/table.js'
import { assess } from './assess.js'
import { conclude } from './assessment.js'
import { withScans } from './with-scans.js'

const OF_SCANS = [memorisation, memorisationTail, sharedInformation, sharedInformationTail]
const IDS = OF_SCANS.map(({ id }) => id)

/** Levels, numbers, missing values, a column of one number, and people of whom some are equal. */
function people(name: string, rows: number, seed: number): Table {
  const random = stream(seed, 'people')
  const each = Array.from({ length: rows }, () => [2, 40, 9, 11, 1000].map((values) => random.below(values)))
  return tableOf(name, {
    sex: each.map(([sex]) => (sex === 0 ? 'm' : 'f')),
    age: each.map(([, age, , isMissing]) => (isMissing === 0 ? null : 20 + age)),
    region: each.map(([, , region]) => (region === 8 ? null : `${name[0]}${region}`.slice(region === 7 ? 0 : 1))),
    income: each.map(([, age, , , more]) => age * 100 + (more < 500 ? 0 : more / 7)),
    country: each.map(() => 1),
  })
}

const original = people('original', 900, 1)
const others = people('released', 700, 2)
/** Others, and forty people of the original as they are. */
const copies = table(
  'copies',
  others.columns.map((column, k) => {
    const copied = selectRows(
      original,
      Int32Array.from({ length: 40 }, (_, row) => 20 * row),
    ).columns[k]
    if (column.kind !== 'categorical' || copied.kind !== 'categorical')
      return column.kind === 'categorical' || copied.kind === 'categorical'
        ? column
        : { ...column, values: Float64Array.from([...copied.values, ...column.values]) }
    const levels = [...new Set([...column.levels, ...copied.levels])].sort()
    const codes = [copied, column].flatMap((one) =>
      Array.from(one.codes, (code) => (code < 0 ? -1 : levels.indexOf(one.levels[code]))),
    )
    return { ...column, levels, codes: Int32Array.from(codes) }
  }),
)

async function sampled(
  said: CaseInput,
  ours: Table,
  theirs: Table,
  records = 150,
  most = 1e6,
  changed = (stored: StoredTable) => stored,
) {
  const [first, second] = await Promise.all(
    [ours, theirs].map(async (data) => {
      const stored = changed(storedInMemory(data))
      return { stored, table: await stored.sample(records, 1) }
    }),
  )
  const tables = { original: first, released: [second] }
  const opened = openCase(said, { original: first.table, released: second.table })
  return withScans(await withCounts(opened, tables, 1000), tables, IDS, most)
}

/** Without what is about single records, and numbers of people, which are of the sample. */
function comparable({ releases: [finding] }: Result) {
  const withoutPeople = { people: 0, drivers: [] }
  return { ...finding, ...withoutPeople, looks: finding.looks?.map((look) => ({ ...look, ...withoutPeople })) }
}

describe('a Case of samples', () => {
  it.each([
    ['other people', others],
    ['copies', copies],
    ['all of the original', original],
  ])('that is asked about %s has the neighbours among all records, to the last bit', async (_, released) => {
    const said: CaseInput = { type: 'synthetic', matchLevels: false }
    const whole = openCase(said, { original, released }).release
    const { release } = await sampled(said, original, released)
    for (const measure of OF_SCANS) {
      const found = await measure.run(release)
      expect(found.releases[0]).toMatchObject({ status: 'ok' })
      expect(found.releases[0]).not.toHaveProperty('sample')
      expect(comparable(found)).toEqual(comparable(await measure.run(whole)))
    }
  })

  it('has them of some of more people, whom few records of a larger release are near', async () => {
    const options = Object.fromEntries(IDS.map((id) => [id, { sample: 100 }]))
    const said: CaseInput = { type: 'synthetic', matchLevels: false, options }
    const [ours, theirs] = [people('original', 21_000, 1), people('released', 30_000, 2)]
    const { release } = await sampled(said, ours, theirs)
    const whole = openCase(said, { original: ours, released: theirs }).release
    for (const measure of OF_SCANS)
      expect(comparable(await measure.run(release, options[measure.id]))).toEqual(
        comparable(await measure.run(whole, options[measure.id])),
      )
    const chosen = { variables: null, sample: 100 }
    const inBits = scanFor<ScannedBits>(release, bitsKey(0, chosen, DEFAULT_SEED))
    for (const [file, { length }] of (inBits?.numbers ?? []).entries())
      expect(length).toBeLessThan([ours, theirs][file].rows / 2)
  })

  it.each([
    ['of all records can be LOW', 1e6, 'LOW'],
    ['of the sample is never LOW', 10, 'INCONCLUSIVE'],
  ] as const)('has threats of memorisation: what is measured %s', async (_, most, level) => {
    const { release } = await sampled({ type: 'synthetic', matchLevels: false }, original, others, 400, most)
    const results: Result[] = []
    for await (const result of assess(release, { measures: IDS })) results.push(result)
    const [{ threats }] = conclude(release, results, measures).releases
    expect(threats.find(({ threat }) => threat === 'memorisation')?.level).toBe(level)
  })

  it.each([
    ['many records are near', {}, 10, 'more than 10 records are near the people looked at'],
    ['numbers are grouped', { group: { age: '4' } }, 1e6, '"age" is compared otherwise than it is written'],
  ] as const)('looks at the sample alone where %s, and says so', async (_, more, most, why) => {
    const said = { type: 'synthetic', matchLevels: false, keys: ['age'], ...more } as const
    const { release } = await sampled(said, original, others, 150, most)
    expect(release.notes[0].internal).toContain(why)
    expect(release.notes[0].internal).toContain('only the sample is looked at')
    const [finding] = (await memorisation(release)).releases
    expect(finding.sample).toEqual({ records: 150, of: 700 })
  })

  it('looks at the sample alone where columns have too many values together', async () => {
    const { release } = await sampled({ type: 'synthetic', matchLevels: false }, original, others, 150, 300)
    expect(release.notes.map(({ internal }) => internal).join()).toContain(
      'shared-information of released: "income" has more values than memory has room to count: only the sample',
    )
  })

  it.each([
    ['numbers that are compared as levels', 'number', '"region" is compared otherwise than it is written'],
    ['levels that are compared as levels', 'text', 'compared with all 900 original'],
  ])('looks at the sample alone where an engine has %s', async (_, kind, why) => {
    const { release } = await sampled(
      { type: 'synthetic', matchLevels: false },
      original,
      others,
      150,
      1e6,
      (stored) => ({
        ...stored,
        schema: {
          ...stored.schema,
          columns: stored.schema.columns.map((column) => (column.name === 'region' ? { ...column, kind } : column)),
        },
      }),
    )
    for (const { internal } of release.notes.slice(0, IDS.length)) expect(internal).toContain(why)
  })

  it('looks at the sample alone where values that are stored are read as missing', async () => {
    const said: CaseInput = { type: 'synthetic', matchLevels: false }
    const { release } = await sampled(said, original, others, 150, 1e6, (stored) => ({
      ...stored,
      schema: { ...stored.schema, hasTokens: true },
    }))
    for (const { internal } of release.notes.slice(0, IDS.length))
      expect(internal).toContain('is compared otherwise than it is written')
  })

  it('looks at the sample alone where numbers have no end', async () => {
    const endless = table('endless', [
      ...original.columns.slice(0, 3),
      numeric(
        'income',
        Float64Array.from({ length: 900 }, (_, row) => (row === 7 ? Number.POSITIVE_INFINITY : row)),
      ),
    ])
    const { release } = await sampled({ type: 'synthetic', matchLevels: false }, endless, endless)
    for (const { internal } of release.notes.slice(0, IDS.length))
      expect(internal).toContain('"income" has values that are no numbers')
  })

  it('keeps the counts of all records', async () => {
    const { release } = await sampled({ type: 'synthetic', matchLevels: false, keys: ['sex', 'age'] }, original, others)
    expect(countsFor(release, '')?.countedBy).toEqual(['sex', 'age'])
  })
})

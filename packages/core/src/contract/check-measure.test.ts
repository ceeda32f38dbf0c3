import { describe, expect, it } from 'vitest'
import {
  barChart,
  columnOf,
  type Finding,
  isMissing,
  type MeasureDeclaration,
  measure,
  type Release,
  type Table,
  wilson,
  z,
} from '../index.js'
import { checkMeasure } from './check-measure.js'

/** A measure as somebody outside scrim would write it: how many records of a file lack one of their keys. */
const options = z.object({ most: z.number().min(0).default(0.1).describe('share that is acceptable') })
type Details = { readonly records: number; readonly incomplete: number; readonly acceptable: boolean }

const keysMissing: MeasureDeclaration<typeof options, Details> = {
  id: 'keys-missing',
  version: 1,
  title: 'Missing keys',
  summary: 'share of records that lack a key',
  family: 'frequency',
  threat: 'identity',
  role: 'structure',
  orientation: 'risk',
  scope: 'file',
  needs: ['keys'],
  unit: 'share',
  varies: ['people'],
  blindTo: 'everything but missing values',
  options,
  compute({ release, part }, { most }) {
    const rows = incomplete(release, part === 'original' ? release.original : release.released[Number(part)])
    const value = rows.filter(Boolean).length / rows.length
    return {
      value,
      interval: wilson(rows.filter(Boolean).length, rows.length),
      records: () => ({ incomplete: rows.map(Number) }),
      details: { records: rows.length, incomplete: rows.filter(Boolean).length, acceptable: value <= most },
    }
  },
  citations: [],
  records: { incomplete: { riskier: null, meaning: '1 where a key is missing' } },
  sentence: ({ details }) => `${details.incomplete} of ${details.records} records lack a key`,
  charts: ({ details }, { name }) => [
    barChart({ name: 'keys-missing', title: name, x: 'records', y: 'count' }, [
      { label: 'without a key', value: details.incomplete },
    ]),
  ],
}

function incomplete(release: Release, table: Table): boolean[] {
  const keys = release.keys.map((name) => columnOf(table, name))
  return Array.from({ length: table.rows }, (_, row) => keys.some((column) => isMissing(column, row)))
}

const found = (finding: Partial<Finding<Details>>) =>
  measure({
    ...keysMissing,
    compute: async (...args) => ({ ...(await keysMissing.compute(...args)), ...finding }),
  })

it("takes somebody else's measure", async () => {
  await checkMeasure(measure(keysMissing))
})

describe('a broken measure', () => {
  it.each([
    ['a value that is out of range', found({ value: 7 }), '7 is not from 0 to 1'],
    [
      'an interval beside the value',
      found({ value: 0.5, interval: { lower: 0.6, upper: 0.7, level: 0.95, method: 'wilson' } }),
      '0.5 is not from 0.6 to 0.7',
    ],
    ['no value and no reason', found({ value: null, interval: null }), 'neither a value nor a reason'],
    ['scores that nobody declared', measure({ ...keysMissing, records: {} }), 'incomplete is not declared'],
    ['no word on what it does not see', measure({ ...keysMissing, blindTo: '' }), 'what it is blind to'],
    [
      'an option that is not described',
      measure({ ...keysMissing, options: z.object({ most: z.number().default(0.1) }) }),
      'option most has no description',
    ],
    ['no pictures', measure({ ...keysMissing, charts: () => [] }), 'has no picture'],
    [
      'a sentence about nothing',
      measure({ ...keysMissing, sentence: () => `${undefined} records` }),
      'says "undefined records"',
    ],
  ])('is found by %s', async (_what, broken, complaint) => {
    await expect(checkMeasure(broken)).rejects.toThrow(complaint)
  })

  it('is found by a value that depends on the order of rows', async () => {
    const firstRecord = measure({
      ...keysMissing,
      compute: async (subject, chosen, context) => ({
        ...(await keysMissing.compute(subject, chosen, context)),
        value: (columnOf(subject.release.original, 'income') as { values: Float64Array }).values[0] / 1e5,
        interval: null,
      }),
    })
    await expect(checkMeasure(firstRecord)).rejects.toThrow('does not depend on the order of rows')
  })

  it('is told everything that is wrong at once', async () => {
    const broken = measure({ ...keysMissing, blindTo: '', charts: () => [] })
    const complaint = await checkMeasure(broken).catch(String)
    expect(complaint).toContain('what it is blind to')
    expect(complaint).toContain('has no picture')
  })
})

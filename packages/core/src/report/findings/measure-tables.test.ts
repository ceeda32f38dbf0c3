import { describe, expect, it } from 'vitest'
import { discretionFor } from '../../discretion.js'
import type { FindingTable } from '../../evidence/finding-table.js'
import { disclosure } from '../../peers/risk/attribution/disclosure.js'
import { kAnonymity } from '../../risk/frequency/k-anonymity.js'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { describeReference, referenceJson, referenceTable } from '../../testing/reference.js'
import { findingTableView, tablesOf } from './measure-tables.js'

const small = (name: string) =>
  tableOf(name, {
    sex: ['f', 'f', 'f', 'm', 'm', 'm', 'm', 'm'],
    ill: ['yes', 'yes', 'yes', 'no', 'no', 'no', 'no', 'yes'],
    tall: ['no', 'no', 'no', 'no', 'no', 'no', 'no', 'yes'],
  })

const named = (tables: readonly FindingTable[], name: string) => {
  const table = tables.find((one) => one.name === name)
  if (table === undefined) throw new Error(`no table ${name} among ${tables.map((one) => one.name).join(', ')}`)
  return table
}

describe('tables of a result', () => {
  it('stand once, with a row for each target; what is about the keys is said once', async () => {
    const subject = release({ original: small('o'), released: small('r'), keys: ['sex'], target: ['ill', 'tall'] })
    const tables = tablesOf(disclosure, await disclosure.run(subject))
    expect(named(tables, 'ident')).toMatchObject({ rows: [[0, 0, 0, 0]] })
    expect(named(tables, 'attrib')).toMatchObject({
      columns: ['target', 'Dorig', 'Dsyn', 'iS', 'DiS', 'DiSCO', 'DiSDiO', 'max_denom', 'mean_denom'].map((name) => ({
        name,
      })),
      rows: [
        ['ill', 3 / 8, 3 / 8, 1, 3 / 8, 3 / 8, 3 / 8, 3, 3],
        ['tall', 3 / 8, 3 / 8, 1, 3 / 8, 3 / 8, 3 / 8, 3, 3],
      ],
    })
  })

  it('name the release where there are several, and the original where the measure looks at one file', async () => {
    const subject = release({
      original: small('o'),
      released: [small('a'), small('b')],
      keys: ['sex'],
      target: ['ill'],
    })
    expect(named(tablesOf(disclosure, await disclosure.run(subject)), 'ident').rows.map(([table]) => table)).toEqual([
      'a',
      'b',
      'all releases together',
    ])
    expect(named(tablesOf(kAnonymity, await kAnonymity.run(subject)), 'classes').rows.map(([table]) => table)).toEqual([
      'o (original)',
      'o (original)',
      'a',
      'a',
      'b',
      'b',
    ])
  })

  it('are for readers outside only where they say so, and then in steps of ten people', () => {
    const table: FindingTable = {
      name: 'a',
      title: 'A',
      columns: [
        { name: 'share', format: { kind: 'share', digits: 2 } },
        { name: 'people', format: { kind: 'count' } },
        { name: 'largest', format: { kind: 'count' }, internal: true },
      ],
      rows: [[0.123, 3, 17]],
    }
    const outside = discretionFor('publishable')
    expect(findingTableView(table, outside, 1000)).toBeNull()
    const shown = findingTableView({ ...table, publishable: true }, outside, 1000)
    expect(shown?.rows).toEqual([['12 %', 'fewer than 15']])
    expect(findingTableView(table, discretionFor('internal'), 1000)?.rows).toEqual([['12.30 %', '3', '17']])
  })
})

type Row = Readonly<Record<string, string | number>>
type Golden = Readonly<Record<string, { readonly [table: string]: readonly (Row | '')[] }>>

/** Columns that 1.9-3 has renamed since these figures were printed. */
const RENAMED: Readonly<Record<string, string>> = { DCAP: 'DCAPd', TCAP: 'TCAPmatched' }

describeReference('the tables of synthpop 1.9-3 on SD2011, to the last digit', () => {
  const single = ['synthetic-cont-na']
  const five = [1, 2, 3, 4, 5].map((k) => `synthetic-${k}`)
  it.each([
    ['five_depress', five, { target: 'depress' }, {}],
    ['one_depress', single, { target: 'depress' }, {}],
    ['one_ls', single, { target: 'ls' }, {}],
    ['one_marital', single, { target: 'marital' }, {}],
    ['one_workab', single, { target: 'workab' }, {}],
    [
      'one_income_20groups',
      single,
      { target: 'income', groups: { income: { style: 'synthpop', n: 20, codes: [-8] } } },
      {},
    ],
    ['one_income_raw', single, { target: 'income' }, {}],
    ['one_depress_denom1', single, { target: 'depress' }, { denominatorLimit: 1 }],
    ['one_depress_agegroups', single, { target: 'depress', groups: { age: { style: 'synthpop', n: 10 } } }, {}],
    [
      'one_marital_exclude',
      single,
      { target: 'marital' },
      {
        exclude: [
          { key: 'age', level: 19, target: 'SINGLE', in: 'marital' },
          { key: 'age', level: 18, target: 'SINGLE' },
        ],
      },
    ],
    ['one_workab_notNO', single, { target: 'workab' }, { excludeTarget: { workab: 'NO' } }],
    [
      'one_marital_noNA',
      single,
      { target: 'marital' },
      { useMissingTarget: { marital: false }, useMissingKeys: false },
    ],
  ] as const)('%s', async (name, files, roles, options) => {
    const golden = (referenceJson('golden', 'sd2011', 'synthpop-1.9-3.json') as Golden)[name]
    const subject = release({
      original: await referenceTable('golden', 'sd2011', 'original.csv'),
      released: await Promise.all(files.map((file) => referenceTable('golden', 'sd2011', `${file}.csv`))),
      keys: ['sex', 'age', 'region', 'placesize'],
      ...roles,
    })
    const tables = tablesOf(disclosure, await disclosure.run(subject, { ...options, definition: 'synthpop-1.9-3' }))
    for (const table of ['ident', 'attrib', 'allCAPs', 'check_1way', 'check_2way']) {
      const expected = golden[table].flatMap((row) => (row === '' ? [] : [row]))
      const found = tables.find((one) => one.name === table)
      // The attack on all syntheses together is none of synthpop's.
      const rows = (found?.rows ?? []).filter(([first]) => first !== 'all releases together')
      expect(rows.length, table).toBe(expected.length)
      for (const [k, row] of expected.entries())
        for (const [theirs, value] of Object.entries(row)) {
          if (theirs === '_row') continue
          const at = found?.columns.findIndex((column) => column.name === (RENAMED[theirs] ?? theirs)) ?? -1
          const cell = rows[k][at]
          const isShare = found?.columns[at]?.format.kind === 'share'
          const printed = typeof cell === 'number' ? (isShare ? 100 * cell : cell).toFixed(8) : cell
          expect([theirs, printed]).toEqual([theirs, typeof value === 'number' ? value.toFixed(8) : value])
        }
    }
  })
})

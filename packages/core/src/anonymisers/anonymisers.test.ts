import { describe, expect, it } from 'vitest'
import { nonFinitePath } from '../json.js'
import { optionsOf } from '../measure.js'
import { columnLength, isMissing } from '../table/column.js'
import { columnNames, type Table, tableOf } from '../table/table.js'
import { anonymisers } from './anonymisers.js'
import { type Anonymiser, anonymise } from './method/anonymiser.js'

const DATA = tableOf('t', {
  sex: ['f', 'm', 'f', 'm', 'f', null, 'm', 'f'],
  age: [30, 40, 30, 50, null, 40, 30, 50],
  income: [1.5, 2.5, 3, 100, 4, 5, null, 6],
  weight: [1, 2, 1, 2, 1, 2, 1, 2],
})

/** What each method needs to be told to do anything. */
const OPTIONS: Readonly<Record<string, object>> = {
  recode: { groups: { age: 2 }, merge: { sex: { all: ['f', 'm'] } } },
  'top-coding': { bounds: { income: [null, 10] } },
  'risk-suppression': { variables: ['age'] },
  'record-swapping': { hierarchy: ['sex'], swapRate: 0.5 },
  'rank-swapping': { p: 50 },
  sdc: { remove: 'none', bounds: { income: [null, 10] } },
}

function run(anonymiser: Anonymiser, seed = 1, data: Table = DATA) {
  const roles = { keys: ['sex', 'age'], numericKeys: ['income'], weight: 'weight' }
  return anonymise(anonymiser, data, { seed, roles, options: OPTIONS[anonymiser.id] ?? {} })
}

it('has every method once', () => {
  const ids = anonymisers.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

describe.each(anonymisers.map((anonymiser): [string, Anonymiser] => [anonymiser.id, anonymiser]))(
  '%s',
  (_, anonymiser) => {
    it('describes every option and has a default for it', () => {
      for (const { description } of optionsOf(anonymiser)) expect(description).not.toBe('')
    })

    it('keeps rows, columns and their order, and the table that it was given', () => {
      const before = structuredClone(DATA)
      const { table, removed } = run(anonymiser)
      expect(columnNames(table)).toEqual(columnNames(DATA))
      expect([table.rows, removed]).toEqual([DATA.rows, 0])
      for (const column of table.columns) expect(columnLength(column)).toBe(DATA.rows)
      expect(DATA).toEqual(before)
      expect(table.columns[3]).toEqual(DATA.columns[3])
    })

    it('keeps missing values missing', () => {
      const { table } = run(anonymiser)
      for (const [j, column] of DATA.columns.entries())
        for (let row = 0; row < DATA.rows; row++)
          if (isMissing(column, row)) expect(isMissing(table.columns[j], row)).toBe(true)
    })

    it('gives the same for the same seed, and a description that is JSON without the seed', () => {
      const seed = 987_654_321
      const found = run(anonymiser, seed)
      expect(run(anonymiser, seed)).toEqual(found)
      const { table: _table, ...about } = found
      const text = JSON.stringify(about)
      expect(JSON.parse(text)).toEqual(about)
      expect(nonFinitePath(found.description)).toBeUndefined()
      expect(text).not.toContain(String(seed))
    })

    it('refuses an unknown option, an unknown key and a table without records', () => {
      expect(() => anonymise(anonymiser, DATA, { seed: 1, options: { nonsense: 1 } })).toThrow(
        /unknown option "nonsense"/,
      )
      expect(() => anonymise(anonymiser, DATA, { seed: 1, roles: { keys: ['agee'] } })).toThrow(/did you mean "age"/)
      expect(() => anonymise(anonymiser, tableOf('empty', { x: [] }), { seed: 1 })).toThrow('empty has no records')
    })
  },
)

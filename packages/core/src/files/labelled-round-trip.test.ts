import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Column, categorical, columnLength, numeric, valueAt } from '../table/column.js'
import { type Table, table } from '../table/table.js'
import { type ReadOptions, readTable } from './read.js'
import { toSpss } from './spss/write.js'
import { toStata } from './stata/write.js'

/** What was read from a file of R, written by scrim and read again is the same, in the same program and across. */
const folder = join(import.meta.dirname, '../testing/labelled')
const files = readdirSync(folder).filter((name) => !name.endsWith('.json'))
const PROGRAMS = [
  ['again.sav', toSpss],
  ['again.dta', toStata],
] as const
const READINGS: readonly ReadOptions[] = [{}, { keepMissingCodes: true }, { labels: 'codes' }]

function cells(column: Column): (string | number | null)[] {
  return Array.from({ length: columnLength(column) }, (_, row) => valueAt(column, row))
}

/** Without what only one of the programs knows. */
function told({ columns }: Table, sameProgram: boolean) {
  return columns.map((column) => ({
    name: column.name,
    // Without records nothing tells a number of which values are explained from a category.
    kind: columnLength(column) === 0 && !sameProgram ? 'any' : column.kind,
    label: column.codebook?.label,
    cells: cells(column),
    ...(sameProgram && column.kind === 'categorical' ? { levels: column.levels, ordered: column.ordered } : {}),
    ...(sameProgram ? { values: column.codebook?.values, missing: column.codebook?.missing } : {}),
  }))
}

describe.each(files)('%s', (name) => {
  it.each(PROGRAMS)('as %s', async (again, write) => {
    for (const reading of READINGS) {
      const first = await readTable(name, readFileSync(join(folder, name)), reading)
      const second = await readTable(again, write(first), reading)
      const sameProgram = /sav$/.test(name) === /sav$/.test(again)
      // Stata cannot say which numbers mean missing: labels of numbers and of kinds of missing go separate ways.
      const across = (of: Table) => told(sameProgram ? of : withoutTexts(of), sameProgram)
      expect(across(second), JSON.stringify(reading)).toEqual(across(first))
    }
  })
})

/** A labelled text of SPSS is a labelled number in Stata. */
function withoutTexts(of: Table): Table {
  return table(
    of.name,
    of.columns.filter(({ name }) => !['region', 'code'].includes(name)),
  )
}

describe.each(PROGRAMS)('%s from a table without a codebook', (name, write) => {
  const write_ = (columns: readonly Column[]) => readTable(name, write(table('t', columns)))

  it('keeps numbers, levels in their order, texts and missing', async () => {
    const long = Array.from({ length: 300 }, (_, k) => `text ${k}`)
    const { columns } = await write_([
      numeric(
        'x',
        long.map((_, k) => (k % 7 === 0 ? null : k / 4 - 9)),
      ),
      categorical(
        'grade',
        long.map((_, k) => ['low', null, 'high'][k % 3]),
        { levels: ['low', 'mid', 'high'], ordered: true },
      ),
      categorical('text', long),
      categorical(
        'yes',
        long.map((_, k) => (k % 2 === 0 ? 'true' : 'false')),
      ),
    ])
    expect(columns.map((column) => cells(column).slice(0, 4))).toEqual([
      [null, -8.75, -8.5, -8.25],
      ['low', null, 'high', 'low'],
      ['text 0', 'text 1', 'text 2', 'text 3'],
      ['true', 'false', 'true', 'false'],
    ])
  })

  it('does not tell levels that no record has', async () => {
    const bytes = write(table('t', [categorical('job', ['clerk'], { levels: ['astronaut', 'clerk'] })]))
    const text = String.fromCharCode(...bytes)
    expect([text.includes('clerk'), text.includes('astronaut')]).toEqual([true, false])
  })

  it('gives new levels new values', async () => {
    const codebook = { values: [{ value: 7, label: 'single' }] }
    const { columns } = await write_([
      { ...categorical('marital', ['single', 'not single', '3'], { levels: ['single', 'not single', '3'] }), codebook },
    ])
    expect(columns[0].codebook?.values).toEqual([
      { value: 7, label: 'single' },
      { value: 8, label: 'not single' },
    ])
    expect(cells(columns[0])).toEqual(['single', 'not single', '3'])
  })

  it('does not call missing what has become a value', async () => {
    const { columns } = await write_([
      { ...numeric('age', [9, 8, null]), codebook: { missing: { values: [9] }, label: 'Age' } },
    ])
    expect([cells(columns[0]), columns[0].codebook?.label]).toEqual([[9, 8, null], 'Age'])
  })

  it('refuses names that the program does not take', () => {
    expect(() => write(table('t', [numeric('my age', [1])]))).toThrow(/takes no variable of the name "my age"/)
  })
})

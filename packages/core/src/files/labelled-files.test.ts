import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Column, columnLength, valueAt } from '../table/column.js'
import { type ReadOptions, readTable } from './read.js'

/**
 * Files written by R's haven and foreign (scripts/validation/labelled-files.R), cell by cell as R reads them: the JSON beside each file has
 * what R sees. `npm run validate` does the same with larger files, and with files that scrim wrote. What scrim takes for missing and R does not: the empty text.
 */
const folder = process.env.SCRIM_LABELLED_FILES ?? join(import.meta.dirname, '../testing/labelled')
const files = readdirSync(folder).filter((name) => !name.endsWith('.json'))

interface SeenColumn {
  readonly name: string
  readonly kind: 'number' | 'text' | 'date' | 'time'
  readonly label: string | null
  readonly cells: readonly (string | number | null)[]
  readonly tags: readonly (string | null)[] | null
  readonly labels: readonly { value?: string | number | null; tag?: string | null; label: string }[] | null
  readonly levels: readonly string[] | null
}

interface Seen {
  readonly rows: number
  readonly columns: readonly SeenColumn[]
  readonly kept?: readonly SeenColumn[]
}

function seenByR(name: string): Seen {
  return JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'))
}

function read(name: string, options: ReadOptions = {}) {
  return readTable(name, readFileSync(join(folder, name)), options)
}

function cells(column: Column): (string | number | null)[] {
  return Array.from({ length: columnLength(column) }, (_, row) => valueAt(column, row))
}

/** Numbers, texts and dates as they are stored. */
function stored({ kind, cells }: SeenColumn, column: Column): (string | number | null)[] {
  const midnights = column.kind === 'date' && column.unit === 'day' && kind === 'time'
  return cells.map((cell) => (cell === '' ? null : midnights && typeof cell === 'string' ? cell.slice(0, 10) : cell))
}

/** Each stored value under its label; those with a label that is not theirs alone have their value added. */
function labelledCells({ cells, tags, labels }: SeenColumn): (string | null)[] {
  const all = labels ?? []
  const shared = (label: string) => all.filter((one) => one.label === label).length > 1
  const named = (value: string | number, label: string | undefined) =>
    label === undefined ? String(value) : shared(label) ? `${label} (${value})` : label
  return cells.map((cell, row) => {
    const tag = tags?.[row] ?? null
    if (tag !== null) return named(`.${tag}`, all.find((one) => one.tag === tag)?.label)
    if (cell === null || cell === '') return null
    return named(cell, all.find(({ value }) => value === cell)?.label)
  })
}

describe.each(files)('%s', (name) => {
  const seen = seenByR(name)

  it('has the columns and variable labels that R sees', async () => {
    const table = await read(name)
    expect(table.rows).toBe(seen.rows)
    expect(table.columns.map((column) => column.name)).toEqual(seen.columns.map((column) => column.name))
    expect(table.columns.map((column) => column.codebook?.label ?? null)).toEqual(
      seen.columns.map((column) => column.label),
    )
  })

  it('has the stored values that R sees', async () => {
    const table = await read(name, { labels: 'codes' })
    for (const [k, column] of table.columns.entries())
      expect(cells(column), column.name).toEqual(stored(seen.columns[k], column))
  })

  it('has the labels that R sees, in the order of the values', async () => {
    const table = await read(name, { keepMissingCodes: true })
    const expected = seen.kept ?? seen.columns
    for (const [k, column] of table.columns.entries()) {
      const of = expected[k]
      if (column.kind !== 'categorical' || of.labels === null) continue
      expect(cells(column), column.name).toEqual(labelledCells(of))
    }
  })

  it('has levels in the order that R gives them', async () => {
    const table = await read(name)
    for (const [k, column] of table.columns.entries()) {
      const { kind, levels } = seen.columns[k]
      if (column.kind !== 'categorical' || levels === null || kind !== 'number') continue
      const plain = (some: readonly string[]) => some.filter((level) => !/^other/.test(level))
      expect(plain(column.levels), column.name).toEqual(plain(levels).filter((level) => column.levels.includes(level)))
    }
  })
})

it('makes of each variable what it is', async () => {
  const kinds = async (name: string) =>
    Object.fromEntries((await read(name)).columns.map((column) => [column.name, column.kind]))
  expect(await kinds('people.sav')).toMatchObject({
    sex: 'categorical',
    age: 'numeric',
    income: 'numeric',
    grade: 'categorical',
    region: 'categorical',
    größe: 'numeric',
    born: 'date',
    seen: 'date',
    wait: 'numeric',
    nothing: 'numeric',
    a_long_name_of_a_variable_2: 'categorical',
  })
  expect(await kinds('release118.dta')).toMatchObject({
    sex: 'categorical',
    answer: 'categorical',
    income: 'numeric',
    story: 'categorical',
    born: 'date',
    seen: 'date',
  })
})

it('keeps codes for missing as numbers of a number', async () => {
  const { columns } = await read('people.sav', { keepMissingCodes: true })
  const age = columns.find(({ name }) => name === 'age')
  expect(age === undefined ? [] : cells(age)).toEqual([31, -1, 98, -9, 44, 52])
})

it('takes an ordinal variable for ordered', async () => {
  const { columns } = await read('people.sav')
  expect(columns.find(({ name }) => name === 'grade')).toMatchObject({ levels: ['low', 'mid', 'high'], ordered: true })
})

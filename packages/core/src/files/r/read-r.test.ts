import { describe, expect, it } from 'vitest'
import { valueAt } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import { expectSeen, fixture } from '../../testing/files/seen.js'
import { type ReadOptions, readContents, readTable } from '../read.js'

const read = (name: string, options?: ReadOptions) => readTable(name, fixture(name), options)
const contents = (name: string, options?: ReadOptions) => readContents(name, fixture(name), options)
const cells = (table: Table, column: string) =>
  Array.from({ length: table.rows }, (_, row) => valueAt(columnOf(table, column), row))

describe('data frames, as R sees them', () => {
  it.each([
    'people.rds',
    'people-v2.rds',
    'people-ascii.rds',
    'people-hex.rds',
    'people-bzip2.rds',
    'people-xz.rds',
    'people-plain.rds',
    'people-native.rds',
    'people.rda',
    'people-ascii.RData',
    'people-tibble.rds',
    'people-table.rds',
  ])('%s', async (name) => expectSeen(await read(name), 'people'))

  it('vectors kept short: sequences, numbers to become texts, wrappers', async () => {
    expectSeen(await read('short.rds'), 'short')
  })

  it('no rows, many columns, long texts', async () => {
    expectSeen(await read('empty.rds'), 'empty')
    expectSeen(await read('wide.rds'), 'wide')
  })

  it('a file is known by its bytes, whatever it is called', async () => {
    expectSeen(await readTable('people', fixture('people-bzip2.rds')), 'people')
  })
})

describe('labels and kinds of missing', () => {
  it('labels become levels in their order, codes and tagged NA for missing are missing', async () => {
    const table = await read('labelled.rds')
    expect(columnOf(table, 'q1')).toMatchObject({
      levels: ['yes', 'no', 'never'],
      codebook: { label: 'Does it work?' },
    })
    expect(cells(table, 'q1')).toEqual(['yes', 'no', 'no', null])
    expect(cells(table, 'q2')).toEqual(['low', 'high', null, 'low'])
    expect(cells(table, 'q3')).toEqual(['first', 'second', null, 'first'])
    expect(cells(table, 'q4')).toEqual(['one', null, null, 'two'])
    expect(cells(table, 'big')).toEqual(['1', null, '9007199254740993', '-5'])
    expect(cells(table, 'text')).toEqual(['café', 'x', 'y', null])
    expect(columnOf(table, 'note').codebook).toEqual({ label: 'A number with a label' })
  })

  it('or codes, or levels of their own', async () => {
    expect(cells(await read('labelled.rds', { labels: 'codes' }), 'q1')).toEqual([1, 2, 2, null])
    const kept = await read('labelled.rds', { keepMissingCodes: true })
    expect(cells(kept, 'q2')).toEqual(['low', 'high', 'refused', 'low'])
    expect(cells(kept, 'q4')).toEqual(['one', 'refused', '.z', 'two'])
  })

  it('a declared type wins', async () => {
    const types = { income: { kind: 'categorical' }, id: { kind: 'categorical' } } as const
    expect(columnOf(await read('people.rds', { types }), 'id').kind).toBe('categorical')
    await expect(read('people.rds', { types: { idd: { kind: 'numeric' } } })).rejects.toThrow('did you mean "id"')
  })
})

describe('what packages leave', () => {
  it('synthpop: one synthesis, or several', async () => {
    const one = await contents('syn.rds')
    expect(one.tables.map(({ role, part }) => [role, part])).toEqual([['release', '']])
    expect(one.roles).toEqual({ type: 'synthetic' })
    expectSeen(one.tables[0].table, 'syn')
    const two = await contents('syn2.rds')
    expect(two.tables.map(({ role, part }) => [role, part])).toEqual([
      ['release', '1'],
      ['release', '2'],
    ])
    expectSeen(two.tables[1].table, 'syn-2')
    expect((await contents('syn-list.rds')).tables.map(({ role }) => role)).toEqual(['release', 'release'])
  })

  it('a data frame beside syntheses is the original', async () => {
    const saved = await contents('observed-and-syn.rda')
    expect(saved.tables.map(({ role, part }) => [role, part])).toEqual([
      ['original', 'observed'],
      ['release', 'two 1'],
      ['release', 'two 2'],
    ])
    expectSeen(saved.tables[0].table, 'observed')
    const list = await contents('observed-and-syn.rds')
    expect(list.tables.map(({ role, part }) => [role, part])).toEqual([
      ['original', 'original'],
      ['release', 'syn'],
    ])
    expectSeen(list.tables[1].table, 'syn')
  })

  it('sdcMicro: original, protected data, and what columns are for', async () => {
    const { tables, roles } = await contents('sdc.rds')
    expect(tables.map(({ role }) => role)).toEqual(['original', 'release'])
    expectSeen(tables[0].table, 'sdc-original')
    expectSeen(tables[1].table, 'sdc-released')
    expect(roles).toEqual({
      keys: ['urbrur', 'roof', 'sex', 'age'],
      numericKeys: ['expend', 'income'],
      targets: ['savings'],
      weight: 'sampling_weight',
      household: 'ori_hid',
      type: 'perturbed',
    })
    await expect(read('sdc.rds')).rejects.toThrow('sdc.rds holds 2 tables (original, released) where one is expected')
  })

  it('simPop: sample and population', async () => {
    const { tables, roles, notes } = await contents('simpop.rds')
    expect(tables.map(({ role, part, table }) => [role, part, table.rows])).toEqual([
      ['original', 'sample', 3],
      ['release', 'population', 2],
    ])
    expect(cells(tables[1].table, 'age')).toEqual([30, 70])
    expect(roles).toEqual({ weight: 'rb050', household: 'db030', type: 'synthetic' })
    expect(notes).toEqual(['simpop.rds: the strata (db040) are not used by any measure'])
  })

  it('of several data frames one is chosen, or two in order', async () => {
    await expect(contents('several.rda')).rejects.toThrow(
      'several.rda: holds several objects: a (data frame), b (data frame); choose with the option object',
    )
    expectSeen(await read('several.rda', { object: ['b'] }), 'syn')
    const both = await contents('several.rda', { object: ['a', 'b'] })
    expect(both.tables.map(({ role, part }) => [role, part])).toEqual([
      ['original', 'a'],
      ['release', 'b'],
    ])
    await expect(contents('several.rda', { object: ['c'] })).rejects.toThrow('object "c"')
  })

  it('what holds no table is said', async () => {
    await expect(contents('no-frame.rds')).rejects.toThrow('no-frame.rds: holds no data frame, but')
  })
})

describe('damaged files', () => {
  it('every cut ends in a sentence', async () => {
    const whole = fixture('people-native.rds')
    for (let length = 14; length < whole.length; length += 7)
      await expect(readTable('a.rds', whole.subarray(0, length))).rejects.toThrow(/cut short|cannot be read/)
  })

  it('a length of billions makes no array', async () => {
    const bytes = fixture('people-plain.rds')
    const view = new DataView(bytes.buffer)
    // The number of columns, behind the head with version and encoding and the flags of the list.
    const at = 2 + 12 + 4 + 'UTF-8'.length + 4
    expect(view.getInt32(at)).toBe(10)
    view.setInt32(at, 2 ** 31 - 1)
    await expect(readTable('a.rds', bytes)).rejects.toThrow('it is cut short, or a length in it is wrong')
  })
})

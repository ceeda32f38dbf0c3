import { describe, expect, it } from 'vitest'
import type { Note } from '../discretion.js'
import { stream } from '../random/stream.js'
import { columnOf, selectRows, type Table, table, tableOf } from '../table/table.js'
import { inspect } from './inspect.js'
import { findLevelMatches } from './matching/match-levels.js'
import { OpenQuestions } from './questions.js'

const PEOPLE = 60

/** Sixty people, most of them unlike all others. */
function people(name: string, seed: number): Table {
  const random = stream(seed, 'people')
  const draw = (count: number) => Array.from({ length: PEOPLE }, () => random.below(count))
  return tableOf(name, {
    sex: draw(2).map((k) => ['F', 'M'][k]),
    region: draw(4).map((k) => ['Wien', 'Graz', 'Zürich', 'Bern'][k]),
    age: draw(60),
    income: draw(5000),
  })
}

const original = people('original', 1)
const blanket = (matchLevels?: boolean) => () =>
  matchLevels === undefined ? undefined : matchLevels ? ('same' as const) : ('different' as const)

function look(released: Table, matchLevels?: boolean) {
  return inspect({
    original,
    released: [released],
    holdout: undefined,
    population: undefined,
    inRole: new Set(),

    digested: [],
    ownAnswerTo: () => undefined,
    answerTo: blanket(matchLevels),
  })
}

function relabelled(of: Table, column: string, label: (level: string) => string): Table {
  return table(
    'released',
    of.columns.map((one) =>
      one.name === column && one.kind === 'categorical' ? { ...one, levels: one.levels.map(label) } : one,
    ),
  )
}

const inside = (notes: readonly Note[]) => notes.map(({ internal }) => internal)

describe('levels that differ in writing only', () => {
  it.each([
    ['case', 'sex', (level: string) => level.toLowerCase()],
    ['space', 'sex', (level: string) => `${level} `],
    ['accents', 'region', (level: string) => level.normalize('NFD').replace(/\p{M}/gu, '')],
    ['quotes', 'region', (level: string) => `'${level}'`],
    ['labelled codes', 'sex', (level: string) => `${level} = ${level}-label`],
  ])('by %s are found and asked about; matched, the copy is seen', (_, column, label) => {
    const disguised = relabelled(original, column, label)
    expect(() => look(disguised)).toThrow(OpenQuestions)
    expect(look(disguised, true).likeness[0]?.sentence).toBe('released is original itself: every record of it is there')
    expect(look(disguised, true).notes[0].internal).toMatch(
      /is spelled differently in released than in original: .* taken for the same$/,
    )
    expect(look(disguised, false).notes[0].internal).toMatch(/kept apart$/)
  })

  it('in the file of an attacker, with columns of its own', () => {
    const register = table(
      'register',
      relabelled(original, 'region', (level) => level.toUpperCase()).columns.map((column) =>
        column.name === 'region' ? { ...column, name: 'city' } : column,
      ),
    )
    const ask = (matchLevels?: boolean) =>
      inspect({
        original,
        released: [people('released', 2)],
        holdout: undefined,
        population: undefined,
        attacker: register,
        attackerColumns: { city: 'region' },
        inRole: new Set(['region']),

        digested: [],
        ownAnswerTo: () => undefined,
        answerTo: blanket(matchLevels),
      })
    expect(() => ask()).toThrow('"region" is spelled differently in register than in original')
    const levels = (of: Table | undefined) => {
      const column = of && columnOf(of, 'region')
      return column?.kind === 'categorical' ? [...column.levels].sort() : []
    }
    expect(levels(ask(true).attacker)).toEqual(['Bern', 'Graz', 'Wien', 'Zürich'])
    expect(levels(ask(false).attacker)).toEqual(['BERN', 'GRAZ', 'WIEN', 'ZÜRICH'])
  })

  it('by number format', () => {
    const a = tableOf('a', { x: ['1,234.50', '7', 'none'], y: [1, 2, 3] })
    const b = tableOf('b', { x: ['1234.5', '7.0', 'none'], y: ['1 = low', '2 = mid', '3 = high'] })
    expect(findLevelMatches(a, b).map(({ column, levels }) => [column, [...levels]])).toEqual([
      [
        'x',
        [
          ['1234.5', '1,234.50'],
          ['7.0', '7'],
        ],
      ],
      [
        'y',
        [
          ['1 = low', '1'],
          ['2 = mid', '2'],
          ['3 = high', '3'],
        ],
      ],
    ])
  })

  it('numbers with decimals are no codes with labels', () => {
    const a = tableOf('a', { x: [7096.73, 12.5, 3] })
    const b = tableOf('b', { x: ['1956.73', '12.4', 'Inf'] })
    expect(findLevelMatches(a, b)).toEqual([])
  })

  it('are left alone where a form is not of one level only', () => {
    const a = tableOf('a', { x: ['a', 'A', 'b'] })
    const b = tableOf('b', { x: ['a ', 'b', 'c'] })
    expect(findLevelMatches(a, b)).toEqual([])
  })

  it('are not seen in classes of numbers: "20-29" is no code 20 with a label, though only 29 occurs', () => {
    const ages = (values: readonly (string | number)[]) => tableOf('ages', { age: values })
    const numbers = ages([29, 35, 41, 38])
    expect(findLevelMatches(numbers, ages(['20-29', '30-39', '40-49', '30-39']))).toEqual([])
    expect(findLevelMatches(numbers, ages(['a-29', '35', '41', '38']))).toHaveLength(1)
  })

  it('in a few records are told, not asked about', () => {
    const few = table(
      'released',
      people('released', 2).columns.map((one) =>
        one.name === 'sex' && one.kind === 'categorical'
          ? { ...one, levels: [...one.levels, 'f'], codes: one.codes.map((code, row) => (row === 0 ? 2 : code)) }
          : one,
      ),
    )
    expect(inside(look(few).notes)).toEqual([
      '"sex" is spelled differently in released than in original: "f" for "F" (2 % of its records); kept apart',
    ])
  })

  it('take the kind of the original where all of them fit', () => {
    const texts = relabelled(
      table(
        't',
        original.columns.map((one) => (one.name === 'sex' ? one : one)),
      ),
      'sex',
      (level) => level,
    )
    const released = table('released', [
      ...texts.columns.filter(({ name }) => name !== 'age'),
      columnOf(tableOf('x', { age: Array.from({ length: PEOPLE }, (_, row) => `${row} = years`) }), 'age'),
    ])
    const {
      released: [made],
    } = look(released, true)
    expect(columnOf(made, 'age').kind).toBe('categorical')
    const same = table('released', [
      ...texts.columns.filter(({ name }) => name !== 'age'),
      columnOf(
        tableOf('x', {
          age: Array.from({ length: PEOPLE }, (_, row) => {
            const age = columnOf(original, 'age')
            return age.kind === 'numeric' ? `${age.values[row]}: years` : null
          }),
        }),
        'age',
      ),
    ])
    expect(columnOf(look(same, true).released[0], 'age')).toEqual(columnOf(original, 'age'))
  })
})

describe('a release that is the original', () => {
  const reversed = Int32Array.from({ length: PEOPLE }, (_, row) => PEOPLE - 1 - row)

  it('is said in any order, and where it is only contained', () => {
    const shuffled = { ...selectRows(original, reversed), name: 'released' }
    expect(look(shuffled).likeness[0]).toEqual({
      sentence: 'released is original itself: every record of it is there, in another order',
      isCopy: true,
    })
    const doubled = { ...selectRows(original, [...reversed, ...reversed]), name: 'released' }
    expect(look(doubled).likeness[0]?.sentence).toBe('released contains original: every record of it is there')
  })

  it('is seen under other names of columns and values, in another order', () => {
    const renamed = table(
      'released',
      selectRows(original, reversed).columns.map((one, k) =>
        one.kind === 'categorical'
          ? { ...one, name: `v${k}`, levels: one.levels.map((_, code) => `x${9 - code}`) }
          : { ...one, name: `v${k}`, values: one.values.map((value) => 1000 - 3 * value) },
      ),
    )
    expect(look(renamed).likeness[0]).toEqual({
      sentence:
        'released is original with other names for columns or values: both have the same records once these are set aside',
      isCopy: true,
    })
  })

  it('is said of most of it, and not of other people nor of coarse data', () => {
    const half = [...reversed.slice(0, 40)]
    const most = { ...selectRows(original, half), name: 'released' }
    expect(look(most).likeness[0]).toMatchObject({ isCopy: false })
    expect(look(most).likeness[0]?.sentence).toMatch(/^released contains most of original: 40 of the 60 records/)
    expect(look(people('released', 2)).likeness).toEqual([null])
    const coarse = (name: string, shift: number) =>
      tableOf(name, {
        a: Array.from({ length: 80 }, (_, row) => ['x', 'y'][(row + shift) % 2]),
        b: Array.from({ length: 80 }, (_, row) => ['u', 'v'][(row >> 2) % 2]),
      })
    const found = inspect({
      original: coarse('original', 0),
      released: [coarse('released', 1)],
      holdout: undefined,
      population: undefined,
      inRole: new Set(),

      digested: [],
      ownAnswerTo: () => undefined,
      answerTo: blanket(),
    })
    expect(found.likeness[0]?.isCopy).toBe(false)
  })
})

describe('identifiers', () => {
  const withId = (of: Table, id: (row: number) => string | number, name = 'id') =>
    table(of.name, [
      columnOf(tableOf('x', { [name]: Array.from({ length: of.rows }, (_, row) => id(row)) }), name),
      ...of.columns,
    ])
  const both = (a: Table, b: Table, inRole: string[] = []) =>
    inspect({
      original: a,
      released: [b],
      holdout: undefined,
      population: undefined,
      inRole: new Set(inRole),

      digested: [],
      ownAnswerTo: () => undefined,
      answerTo: blanket(false),
    })
  const other = people('released', 2)

  it('are left out with a note; equal ones are a finding', () => {
    const found = both(
      withId(original, (row) => `p${row}`),
      withId(other, (row) => `p${row}`),
    )
    expect(found.original.columns.map(({ name }) => name)).toEqual(['sex', 'region', 'age', 'income'])
    expect(inside(found.notes)).toEqual(['"id" is different for each record of every file: an identifier, left out'])
    expect(inside(found.findings)).toEqual([
      'released has the identifiers of original in "id" (60 of 60): whoever has both files can join them; leave it out of the release',
    ])
    expect(
      both(
        withId(original, (row) => `p${row}`),
        withId(other, (row) => `q${row}`),
      ).findings,
    ).toEqual([])
  })

  it('that count the rows may mean nothing, and that is said', () => {
    const found = both(
      withId(original, (row) => row + 1, 'n'),
      withId(other, (row) => row + 1, 'n'),
    )
    expect(found.findings[0].internal).toContain('if equal numbers are the same person')
  })

  it('are not what numbers happen to be: incomes, or a column with a role', () => {
    const incomes = (of: Table) => withId(of, (row) => 1000 + 37 * row * row, 'income2')
    expect(both(incomes(original), incomes(other)).notes).toEqual([])
    expect(
      both(
        withId(original, (row) => `p${row}`),
        withId(other, (row) => `p${row}`),
        ['id'],
      ).notes,
    ).toEqual([])
  })
})

describe('a level under another name', () => {
  const twelve = (name: string, sex: string) => tableOf(name, { sex: [...sex], age: [...sex].map((_, k) => k) })
  const original = twelve('o', 'fmfmfmfmfmfm')

  it('is asked about where one is missing and a new one as frequent', () => {
    const [match] = findLevelMatches(original, twelve('r', 'wmwmmwwmmwwm'))
    expect([...match.levels]).toEqual([['w', 'f']])
    expect(match.share).toBe(0.5)
  })

  it('is none where none is missing, more are new, shares differ, or chance explains it', () => {
    expect(findLevelMatches(original, twelve('r', 'fmfmfmfmfmfx'))).toEqual([])
    expect(findLevelMatches(original, twelve('r', 'xmxmxmymymym'))).toEqual([])
    expect(findLevelMatches(original, twelve('r', 'xmmmmmmmmmmm'))).toEqual([])
    expect(findLevelMatches(original, twelve('r', 'xm'))).toEqual([])
  })
})

describe('several levels under other names', () => {
  /** Men work longer; regions are as frequent as their place, except for two that are alike. */
  const workers = (name: string, seed: number) => {
    const random = stream(seed, 'workers')
    const sexes = Array.from({ length: 400 }, () => random.below(2))
    return tableOf(name, {
      sex: sexes.map((k) => ['F', 'M'][k]),
      hours: sexes.map((k) => 10 * k + random.below(20)),
      region: sexes.map(() => ['n', 'n', 'n', 'n', 's', 's', 'e', 'w'][random.below(8)]),
    })
  }
  const original = workers('original', 1)
  const other = (column: string, names: Readonly<Record<string, string>>) =>
    relabelled(workers('released', 2), column, (level) => names[level] ?? level)
  const found = (released: Table) => findLevelMatches(original, released).flatMap(({ levels }) => [...levels].sort())

  it('are asked about where the company that they keep tells them apart', () => {
    expect(found(other('sex', { F: 'Women', M: 'Men' }))).toEqual([
      ['Men', 'M'],
      ['Women', 'F'],
    ])
    expect(found(other('sex', { F: 'Men', M: 'Women' }))).toEqual([
      ['Men', 'F'],
      ['Women', 'M'],
    ])
  })

  it('are asked about where only their frequency does, whatever the order of levels', () => {
    expect(found(other('region', { n: 'x', s: 'y' }))).toEqual([
      ['x', 'n'],
      ['y', 's'],
    ])
  })

  it('are left alone where two are alike, where one stands for two, and where others are missing', () => {
    expect(found(other('region', { n: 'x', s: 'y', e: 'z', w: 'v' }))).toEqual([])
    expect(found(other('region', { n: 'x', s: 'y', e: 'y', w: 'y' }))).toEqual([])
    expect(found(other('region', { n: 'x', s: 'x', e: 'y', w: 'y' }))).toEqual([])
  })
})

describe('numbers in other units', () => {
  const scaled = (of: Table, column: string, factor: number) =>
    table(
      'released',
      of.columns.map((one) =>
        one.name === column && one.kind === 'numeric'
          ? { ...one, values: one.values.map((value) => value * factor) }
          : one,
      ),
    )

  it('are asked about; matched, the copy is seen', () => {
    const thousands = scaled(original, 'income', 1 / 1000)
    expect(() => look(thousands)).toThrow(OpenQuestions)
    expect(() => look(thousands)).toThrow(
      '"income" is in other units in released than in original: 1,000 times smaller',
    )
    expect(look(thousands, true).likeness[0]?.isCopy).toBe(true)
    expect(inside(look(thousands, false).notes)).toEqual([
      '"income" is in other units in released than in original: 1,000 times smaller; kept apart',
    ])
  })

  it('are none where they differ by something else', () => {
    expect(look(people('released', 2)).notes).toEqual([])
    expect(look(scaled(original, 'income', 7)).notes).toEqual([])
    expect(look(scaled(original, 'age', 1.5)).notes).toEqual([])
  })
})

import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { stream } from '../random/stream.js'
import { jointCodes, keyClasses, rowsOfPart } from './classes.js'
import { categorical } from './column.js'
import { type Release, type ReleaseInput, release } from './release.js'
import { columnOf, type Table, table, tableOf } from './table.js'

const people = tableOf('people.csv', { sex: ['m', 'f', 'm'], age: [30, 40, 50], job: ['a', 'b', 'a'], w: [1, 2, 3] })
const problemsOf = (input: Partial<ReleaseInput>) => {
  try {
    release({ original: people, released: people, ...input })
  } catch (error) {
    if (error instanceof UserError) return error.problems
    throw error
  }
  return []
}

const told = ({ notes }: Pick<Release, 'notes'>) => notes.map(({ internal }) => internal).join()

describe('what is wrong is told, all of it at once', () => {
  it.each<[Partial<ReleaseInput>, readonly string[]]>([
    [
      { keys: ['sex', 'agge'], target: 'jop' },
      [
        'people.csv has no column "agge" (a key): unknown column "agge"; did you mean "age"?',
        'people.csv has no column "jop" (a target): unknown column "jop"; did you mean "job"?',
        'people.csv has no column "agge" (a key): unknown column "agge"; did you mean "age"?',
        'people.csv has no column "jop" (a target): unknown column "jop"; did you mean "job"?',
      ],
    ],
    [{ keys: ['sex', 'sex'] }, ['"sex" is given twice as a key']],
    [{ keys: ['sex', 'job'], target: 'job' }, ['"job" cannot be both a key and a target']],
    [{ keys: ['w'], weight: 'w' }, ['"w" cannot be both a key and the weight']],
    [{ target: ['job', 'job'] }, ['"job" is given twice as a target']],
    [
      { numericKeys: ['sex'] },
      ['the numeric key "sex" is not numeric; make it a key or declare its type in types: sex=numeric'],
    ],
    [
      { weight: 'sex' },
      ['the weight "sex" of people.csv is not numeric', 'the weight "sex" of people.csv is not numeric'],
    ],
    [{ released: [] }, ['there is no released table to compare with the original']],
    [{ released: tableOf('other.csv', { x: [1] }) }, ['people.csv and other.csv have no column in common']],
    [{ released: tableOf('empty.csv', { sex: [] }) }, ['empty.csv has no records']],
    [
      { keys: ['sex'], holdout: tableOf('held.csv', { age: [1] }) },
      ['held.csv has no column "sex" (a key): unknown column "sex"; there is: age'],
    ],
    [
      { keys: ['age'], released: tableOf('bands.csv', { age: ['thirties', '40-49'] }) },
      [
        'column "age" is numeric in people.csv but text (row 1 has "thirties") in bands.csv; make the files agree or declare its type in types: age=categorical',
      ],
    ],
  ])('%j', (input, expected) => {
    expect(problemsOf(input)).toEqual(expected)
  })

  it('a weight that is not positive, with its row', () => {
    const bad = tableOf('bad.csv', { sex: ['m', 'f'], w: [1, -2] })
    expect(problemsOf({ original: bad, released: bad, weight: 'w' })[0]).toBe(
      'the weight "w" of bad.csv must be a positive number in every row; row 2 has -2',
    )
  })
})

describe('reconciling', () => {
  const build = (original: Table, released: Table) => release({ original, released })

  it('a code means the same in both tables', () => {
    const built = build(tableOf('o', { x: ['b', 'a'] }), tableOf('s', { x: ['c', 'b'] }))
    expect(columnOf(built.original, 'x')).toMatchObject({ levels: ['a', 'b', 'c'], codes: Int32Array.from([1, 0]) })
    expect(columnOf(built.released[0], 'x')).toMatchObject({ levels: ['a', 'b', 'c'], codes: Int32Array.from([2, 1]) })
  })

  it('a column without a value takes the kind of the other', () => {
    const built = build(tableOf('o', { x: ['a'] }), tableOf('s', { x: [null, null] }))
    expect(columnOf(built.released[0], 'x')).toMatchObject({ kind: 'categorical', codes: Int32Array.from([-1, -1]) })
  })

  it('orders must agree', () => {
    const grade = (levels: string[]) => table('t', [categorical('grade', ['low'], { levels, ordered: true })])
    expect(columnOf(build(grade(['low', 'mid', 'high']), grade(['low', 'high'])).released[0], 'grade')).toMatchObject({
      levels: ['low', 'mid', 'high'],
    })
    expect(() =>
      release({ original: grade(['low', 'mid']), released: grade(['mid', 'low']), keys: ['grade'] }),
    ).toThrow('ordered differently')
  })

  it('a column without a role that does not fit is left out with a warning', () => {
    const built = build(tableOf('o', { x: [1], y: [1] }), tableOf('s', { x: ['a'], y: [2] }))
    expect(built.variables).toEqual(['y'])
    expect(built.notes[0].internal).toContain('left out: column "x" is numeric in o but text (row 1 has "a") in s')
  })

  it('columns that only the release has are named', () => {
    expect(told(build(tableOf('o', { x: [1] }), tableOf('s', { x: [1], z: [1] })))).toContain(
      's has columns that o has not, left out: z',
    )
  })

  it('weight and household are not variables', () => {
    const built = release({ original: people, released: people, weight: 'w' })
    expect(built.variables).toEqual(['sex', 'age', 'job'])
  })
})

describe('holdout', () => {
  const many = (from: number) =>
    tableOf('t', {
      x: Array.from({ length: 30 }, (_, k) => from + k),
      y: Array.from({ length: 30 }, (_, k) => `l${k % 5}`),
    })

  it('rows that also occur in the original are told', () => {
    const built = release({ original: many(0), released: many(100), holdout: many(0) })
    expect(told(built)).toContain('30 of 30 holdout records also occur in the original (by chance about 0)')
  })

  it('coincidences that chance explains are not', () => {
    const coarse = tableOf('t', { y: Array.from({ length: 30 }, (_, k) => `l${k % 5}`) })
    expect(release({ original: coarse, released: coarse, holdout: coarse, type: 'synthetic' }).notes).toEqual([])
    expect(release({ original: many(0), released: many(100), holdout: many(50) }).notes).toEqual([])
  })

  it('honest ones are hardly ever told, though twins come and go together', () => {
    const drawn = (name: string, index: number) => {
      const random = stream(5, name, index)
      return tableOf(name, { x: Array.from({ length: 300 }, () => random.below(2000)) })
    }
    const told = Array.from({ length: 200 }, (_, index) => {
      const [original, holdout] = [drawn('original', index), drawn('holdout', index)]
      return release({ original, released: original, holdout, type: 'synthetic' })
        .notes.map(({ internal }) => internal)
        .join()
    }).filter((warnings) => warnings.includes('holdout records also occur'))
    expect(told.length).toBeLessThanOrEqual(2)
  })
})

it('numbers key classes over all tables together, and computes them once', () => {
  const built = release({
    original: tableOf('o', { a: ['x', 'y'], b: [1, 1] }),
    released: [tableOf('s', { a: ['y', 'z'], b: [1, null] }), tableOf('s2', { a: ['x'], b: [1] })],
    keys: ['a', 'b'],
  })
  const classes = keyClasses(built, built.keys)
  expect([...classes.ids]).toEqual([0, 1, 1, 2, 0])
  expect([...rowsOfPart(built, classes, classes.ids, 1)]).toEqual([0])
  expect([...rowsOfPart(built, classes, classes.ids, 'all')]).toEqual([1, 2, 0])
  expect(keyClasses(built, built.keys)).toBe(classes)
  expect(jointCodes(built, 'b')).toMatchObject({ numbers: Float64Array.from([1]), cardinality: 1 })
})

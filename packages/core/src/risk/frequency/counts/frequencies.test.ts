import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { type Table, tableOf } from '../../../table/table.js'
import { frequencies, type MissingOptions } from './frequencies.js'

const usual: MissingOptions = { missing: 'wildcard', alpha: 1, definition: 'standard' }

function counts(table: Table, options: Partial<MissingOptions> = {}) {
  const keys = table.columns.map((column) => column.name).filter((name) => name !== 'w')
  const weight = keys.length < table.columns.length ? 'w' : undefined
  const { f, weighted } = frequencies(release({ original: table, released: table, keys, weight }), 'original', keys, {
    ...usual,
    ...options,
  })
  return { f: [...f], weighted: [...weighted] }
}

const w = [18, 45.5, 39, 17, 92, 8, 123.5, 51]

describe('weighted frequency counts as sdcMicro publishes them', () => {
  it('without missing values', () => {
    const A = [2, 3, 2, 2, 3, 3, 1, 2]
    const B = [3, 3, 3, 3, 3, 3, 4, 3]
    const C = [1, 3, 1, 2, 1, 1, 1, 1]
    expect(counts(tableOf('t', { A, B, C, w }))).toEqual({
      f: [3, 1, 3, 1, 2, 2, 1, 3],
      weighted: [108, 45.5, 108, 17, 100, 100, 123.5, 108],
    })
    const unweighted = counts(tableOf('t', { A, B, C }))
    expect(unweighted.weighted).toEqual(unweighted.f)
  })

  it('with a missing key as a wildcard', () => {
    const A = [2, 3, 2, 2, 3, 3, 1, 2]
    const B = [3, 3, 3, 3, 3, 3, 4, 3]
    const C = [1, 3, null, 2, 1, 1, null, 1]
    expect(counts(tableOf('t', { A, B, C, w }))).toEqual({
      f: [3, 1, 4, 2, 2, 2, 1, 3],
      weighted: [108, 45.5, 125, 56, 100, 100, 123.5, 108],
    })
  })

  it('with a key that is missing everywhere', () => {
    const table = tableOf('t', {
      A: [2, 3, null, 2, 3, 3, 1, 2],
      B: [3, 3, null, 3, 3, 3, 4, 3],
      C: Array(8).fill(null),
      w,
    })
    expect(counts(table)).toEqual({
      f: [4, 4, 8, 4, 4, 4, 2, 4],
      weighted: [125, 184.5, 394, 125, 184.5, 184.5, 162.5, 125],
    })
  })

  it('with a single key', () => {
    expect(counts(tableOf('t', { A: [2, 3, null, 2, 1, null, 1, 2], w }))).toEqual({
      f: [5, 3, 8, 5, 4, 8, 4, 5],
      weighted: [133, 92.5, 394, 133, 262.5, 394, 262.5, 133],
    })
  })

  it('with partial credit for records with missing keys', () => {
    const weights = [18, 45.5, 39, 17, 541, 8, 5, 92]
    const complete = tableOf('t', {
      a: [1, 1, 1, 3, 4, 4, 6, 1],
      b: [2, 2, 2, 3, 3, 3, 2, 2],
      c: [5, 1, 1, 1, 1, 1, 1, 5],
      d: [1, 1, 1, 5, 4, 1, 5, 1],
      w: weights,
    })
    expect(counts(complete)).toEqual({ f: [2, 2, 2, 1, 1, 1, 1, 2], weighted: [110, 84.5, 84.5, 17, 541, 8, 5, 110] })
    const suppressed = tableOf('t', {
      a: [1, 1, 1, null, 4, null, 6, 1],
      b: [2, 2, 2, null, 3, 3, 2, 2],
      c: [5, 1, null, 1, 1, 1, 1, 5],
      d: [1, 1, 1, 5, null, 1, 5, 1],
      w: weights,
    })
    expect(counts(suppressed)).toEqual({
      f: [3, 2, 4, 3, 3, 2, 2, 3],
      weighted: [149, 84.5, 194.5, 563, 566, 549, 22, 149],
    })
    expect(counts(suppressed, { alpha: 0.5 }).f).toEqual([2.5, 1.5, 4, 2.5, 2, 1.5, 1.5, 2.5])
  })
})

describe('readings of a missing key', () => {
  const table = tableOf('t', { a: ['x', 'x', null, 'y'] })

  it('drop leaves the record out', () => {
    expect(counts(table, { missing: 'drop' }).f).toEqual([2, 2, Number.NaN, 1])
  })

  it('category makes it a value of its own; wildcard with alpha 0 is something else', () => {
    expect(counts(table, { missing: 'category' }).f).toEqual([2, 2, 1, 1])
    expect(counts(table, { alpha: 0 }).f).toEqual([2, 2, 4, 1])
  })

  it('a missing value is not the text "NA", and separators in texts merge nothing', () => {
    expect(counts(tableOf('t', { a: [null, 'NA'] }), { missing: 'category' }).f).toEqual([1, 1])
    expect(counts(tableOf('t', { a: ['a|b', 'a'], b: ['c', 'b|c'] })).f).toEqual([1, 1])
  })

  it('numbers are keys by value, not by their print', () => {
    expect(counts(tableOf('t', { a: [1234567.81, 1234567.89], b: ['x', 'x'] })).f).toEqual([1, 1])
    expect(counts(tableOf('t', { a: [5, 5, 15], b: ['x', 'x', 'x'] })).f).toEqual([2, 2, 1])
    expect(counts(tableOf('t', { a: [0, -0] })).f).toEqual([2, 2])
  })
})

it('wildcard counts equal the rule applied to every pair of records', () => {
  const value = fc.option(fc.constantFrom(0, 1, 2), { nil: null, freq: 3 })
  const rows = fc
    .integer({ min: 1, max: 4 })
    .chain((p) => fc.array(fc.array(value, { minLength: p, maxLength: p }), { minLength: 1, maxLength: 12 }))
  fc.assert(
    fc.property(
      rows,
      fc.constantFrom(0, 0.5, 1),
      fc.constantFrom('standard', 'sdcmicro'),
      (records, alpha, definition) => {
        const p = records[0].length
        const table = tableOf(
          't',
          Object.fromEntries(Array.from({ length: p }, (_, j) => [`k${j}`, records.map((record) => record[j])])),
        )
        expect(counts(table, { alpha, definition }).f).toEqual(
          records.map((record) => naive(record, records, alpha, definition === 'sdcmicro')),
        )
      },
    ),
    { numRuns: 300 },
  )
})

function naive(
  own: readonly (number | null)[],
  all: readonly (readonly (number | null)[])[],
  alpha: number,
  quirk: boolean,
): number {
  if (own.every((value) => value === null)) return all.length
  let f = 0
  for (const other of all) {
    const identical = own.every((value, j) => value === other[j])
    const complete = other.every((value) => value !== null)
    if (!own.every((value, j) => value === null || other[j] === null || value === other[j])) continue
    const ignored =
      quirk && own.length >= 2 && other.every((value) => value === null) && own.every((value) => value !== null)
    f += identical || complete ? 1 : ignored ? 0 : alpha
  }
  return f
}

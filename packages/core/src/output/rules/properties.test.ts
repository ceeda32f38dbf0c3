import fc from 'fast-check'
import { expect, it } from 'vitest'
import { selectRows, type Table, tableOf } from '../../table/table.js'
import { parseRequest } from '../exchange/request.js'
import { checkRequest } from '../verdict/check.js'

const LEVELS = ['1', '2', '3']
const NAMES = ['a', 'b', 'c']
const record = fc.tuple(...NAMES.map(() => fc.constantFrom(...LEVELS)))
const people = fc
  .array(record, { minLength: 5, maxLength: 60 })
  .map((rows) => tableOf('people.csv', Object.fromEntries(NAMES.map((name, j) => [name, rows.map((row) => row[j])]))))
const pairs = [
  ['a', 'b'],
  ['a', 'c'],
  ['b', 'c'],
]

function check(data: Table, outputs: readonly object[], threshold = 5) {
  return checkRequest(parseRequest('request.json', { outputs }), data, { appetite: { threshold, zeros: false } }).check
}

function countOf(data: Table, cell: string): number {
  const wanted = cell.split(', ').map((part) => part.split('='))
  let count = 0
  for (let row = 0; row < data.rows; row++) {
    const isIn = wanted.every(([name, level]) => {
      const column = data.columns.find((one) => one.name === name)
      return column?.kind === 'categorical' && column.levels[column.codes[row]] === level
    })
    if (isIn) count++
  }
  return count
}

it('a cell that tables fix is what the data have there', () => {
  let seen = 0
  fc.assert(
    fc.property(people, (data) => {
      const { outputs } = check(
        data,
        pairs.map((by) => ({ id: by.join(''), kind: 'table', by })),
      )
      for (const { rule, element, found } of outputs.flatMap(({ findings }) => findings))
        if (rule === 'bounds') {
          seen++
          expect(found).toBe(countOf(data, element))
        }
    }),
    { numRuns: 20, seed: 1 },
  )
  expect(seen).toBeGreaterThan(10)
})

it('a suppressed cell that is calculated is what the data have there', () => {
  let seen = 0
  fc.assert(
    fc.property(
      people,
      fc.uniqueArray(fc.constantFrom(...LEVELS.flatMap((x) => LEVELS.map((y) => `${x}${y}`))), { maxLength: 4 }),
      (data, hidden) => {
        const present = (name: string) =>
          new Set(
            data.columns.flatMap((column) =>
              column.name === name && column.kind === 'categorical' ? column.levels : [],
            ),
          )
        const suppressed = hidden
          .map(([a, b]) => ({ a, b }))
          .filter(({ a, b }) => present('a').has(a) && present('b').has(b))
        const { outputs } = check(data, [{ id: 't', kind: 'table', by: ['a', 'b'], totals: true, suppressed }], 1)
        for (const { rule, element, found } of outputs[0].findings)
          if (rule === 'suppression') {
            seen++
            expect(found).toBe(countOf(data, element))
          }
      },
    ),
    { numRuns: 20, seed: 1 },
  )
  expect(seen).toBeGreaterThan(10)
})

it('neither the order of records nor that of outputs changes what is found', () => {
  fc.assert(
    fc.property(people, (data) => {
      const outputs = pairs.map((by) => ({ id: by.join(''), kind: 'table', by }))
      const found = (of: ReturnType<typeof check>) =>
        of.outputs
          .flatMap(({ id, verdict, findings }) => [
            `${id} ${verdict}`,
            ...findings.map(({ rule, element, found }) => `${id} ${rule} ${element} ${found}`),
          ])
          .sort()
      const backwards = selectRows(
        data,
        Int32Array.from({ length: data.rows }, (_, k) => data.rows - 1 - k),
      )
      expect(found(check(backwards, outputs))).toEqual(found(check(data, outputs)))
      expect(new Set(found(check(data, [...outputs].reverse())))).toEqual(new Set(found(check(data, outputs))))
    }),
    { numRuns: 12, seed: 1 },
  )
})

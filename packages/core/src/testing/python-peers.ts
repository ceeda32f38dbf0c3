import { type Table, tableOf } from '../table/table.js'

/**
 * Three files of four columns, by formulas that any language can follow, so that what Python's tools print for them can be printed
 * anew: f is 0 for the original, 1 for the release and 2 for the holdout, k counts its records from 0.
 */
function file(name: string, f: number, rows: number): Table {
  const of = <Value>(cell: (k: number) => Value) => Array.from({ length: rows }, (_, k) => cell(k))
  return tableOf(name, {
    age: of((k) => 20 + ((k * (7 + 2 * f) + 3 * f) % 61)),
    income: of((k) => (k % 19 === 4 + f ? null : ((k * k * (3 + f) + 11 * k) % 997) / 4)),
    city: of((k) => {
      if (k % 17 === f + 1) return null
      if (k % 60 === 7) return 'z'
      return 'abcdefgh'[k % 3 > 0 ? (k * (5 + 2 * f) + f) % 8 : 0]
    }),
    sex: of((k) => 'fm'[Math.floor((k + f) ** 2 / 3) % 2]),
  })
}

export const PYTHON_FILES = {
  original: file('original', 0, 120),
  released: file('released', 1, 110),
  holdout: file('holdout', 2, 100),
}

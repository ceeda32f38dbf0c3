import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { tableOfRows } from '../../../table/table.js'
import { type Cells, cellsOf, isWholeClassInRelease } from '../counts/cells.js'
import { prepareTarget } from '../counts/target.js'
import { changeOfClaims, changeOfGuesses, varianceOverFiles } from './variance-over-files.js'

type Rows = readonly (readonly string[])[]

const rows = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.constantFrom('x', 'y', 'z')), {
  minLength: 2,
  maxLength: 12,
})
const cellsFor = (o: Rows, s: Rows) => {
  const pair = release({
    original: tableOfRows('o', ['k', 't'], o),
    released: tableOfRows('s', ['k', 't'], s),
    keys: ['k'],
    target: 't',
  })
  return cellsOf(pair, 'original', 0, prepareTarget(pair, 't', 'none'))
}
const claims = (cells: Cells) => Float64Array.from(cells.d, (_, cell) => (isWholeClassInRelease(cells, cell) ? 1 : 0))
const guesses = ({ s, sClass, classOf }: Cells) =>
  Float64Array.from(s, (same, cell) => (same === 0 ? 0 : same / sClass[classOf[cell]]))
const total = (cells: Cells, scores: Float64Array) =>
  scores.reduce((sum, score, cell) => sum + cells.d[cell] * score, 0)

describe('without one released record', () => {
  it('the scores change as they do when it is taken out of the file', () => {
    fc.assert(
      fc.property(rows, rows, (o, s) => {
        const cells = cellsFor(o, s)
        const [ofClaims, ofGuesses] = [changeOfClaims(cells), changeOfGuesses(cells, () => 0)]
        for (const [row, cell] of cells.cellOfReleased.entries()) {
          const left = cellsFor(
            o,
            s.filter((_, k) => k !== row),
          )
          expect(ofClaims(cell)).toBeCloseTo(total(left, claims(left)) - total(cells, claims(cells)), 12)
          expect(ofGuesses(cell)).toBeCloseTo(total(left, guesses(left)) - total(cells, guesses(cells)), 12)
        }
      }),
    )
  })
})

describe('the variance over people and releases', () => {
  it('is that of people alone where no released record matters by itself', () => {
    const many = (k: string, t: string) => Array.from({ length: 5 }, () => [k, t])
    const cells = cellsFor(
      [
        ['a', 'x'],
        ['a', 'y'],
        ['b', 'x'],
        ['b', 'x'],
      ],
      [...many('a', 'x'), ...many('b', 'x')],
    )
    expect(varianceOverFiles(cells, claims(cells), changeOfClaims(cells))).toBeCloseTo((0.75 * 0.25) / 4, 12)
  })

  it('grows when one record speaks of many people', () => {
    const people = Array.from({ length: 10 }, () => ['a', 'x'])
    const others = Array.from({ length: 10 }, () => ['b', 'x'])
    const cells = cellsFor([...people, ...others], [['a', 'x'], ...Array.from({ length: 9 }, () => ['b', 'y'])])
    // p (1 - p) / n + (9/10) (1/4 - 10 (1/20)²) with p = 1/2, n = 20 and ten released records, one of which takes away 1/2.
    expect(varianceOverFiles(cells, claims(cells), changeOfClaims(cells))).toBeCloseTo(0.0125 + 0.9 * 0.225, 12)
  })
})

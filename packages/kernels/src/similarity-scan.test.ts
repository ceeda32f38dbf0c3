import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type CoarseRecords,
  coarseRecords,
  LARGEST_SCORE,
  NUMBER_CLASSES,
  type SimilarityScan,
  scalarSimilarityScan,
  setCode,
  simdSimilarityScan,
} from './similarity-scan.js'

interface Case {
  readonly records: CoarseRecords
  /** Record by record. */
  readonly codes: readonly (readonly number[])[]
  readonly query: Uint8Array
  readonly agreement: Uint8Array
  readonly classes: Uint8Array
}

const cases = fc
  .record({
    categories: fc.integer({ min: 0, max: 6 }),
    numbers: fc.integer({ min: 0, max: 5 }),
    rows: fc.integer({ min: 1, max: 200 }),
    levels: fc.constantFrom(2, 5, 255),
  })
  .filter(({ categories, numbers }) => categories + numbers > 0)
  .chain(({ categories, numbers, rows, levels }) => {
    const category = fc.nat({ max: levels - 1 })
    const number = fc.nat({ max: NUMBER_CLASSES - 1 })
    const record: fc.Arbitrary<number[]> = fc.tuple(
      ...Array.from({ length: categories + numbers }, (_, column) => (column < categories ? category : number)),
    )
    const bytes = (length: number, max: number) =>
      fc
        .array(fc.nat({ max }), { minLength: length, maxLength: length })
        .map((values: number[]) => Uint8Array.from(values))
    return fc
      .tuple(
        fc.array(record, { minLength: rows, maxLength: rows }),
        bytes(categories, levels - 1),
        bytes(categories, 255),
        bytes(numbers * NUMBER_CLASSES, 255),
      )
      .map(([codes, query, agreement, classes]): Case => {
        const records = coarseRecords(categories, numbers, rows)
        for (const [place, record] of codes.entries())
          for (const [column, code] of record.entries()) setCode(records, place, column, code)
        return { records, codes, query, agreement, classes }
      })
  })

function ask(scan: SimilarityScan, { query, agreement, classes }: Case): void {
  scan.query.set(query)
  scan.agreement.set(agreement)
  scan.classes.set(classes)
  scan.score()
}

const inSimd = (records: CoarseRecords): SimilarityScan => {
  const scan = simdSimilarityScan(records)
  if (scan === null) throw new Error('this platform has no WebAssembly SIMD')
  return scan
}

describe.each([
  ['scalar', scalarSimilarityScan],
  ['simd', inSimd],
])('%s', (_, make) => {
  it('adds up what agrees and counts what differs', () => {
    fc.assert(
      fc.property(cases, (one) => {
        const scan = make(one.records)
        ask(scan, one)
        const { categories } = one.records
        for (const [place, record] of one.codes.entries()) {
          const worth = record.map((code, column) => {
            if (column >= categories) return one.classes[(column - categories) * NUMBER_CLASSES + code]
            return code === one.query[column] ? one.agreement[column] : 0
          })
          expect(scan.scores[place]).toBe(worth.reduce((sum, each) => sum + each, 0))
          expect(scan.mismatches[place]).toBe(
            record.slice(0, categories).filter((code, column) => code !== one.query[column]).length,
          )
        }
      }),
    )
  })

  it('finds the places between two scores, and the highest', () => {
    fc.assert(
      fc.property(
        cases,
        fc.nat({ max: 70 }),
        fc.integer({ min: -400, max: 2000 }),
        fc.nat(900),
        (one, penalty, low, width) => {
          const scan = make(one.records)
          ask(scan, one)
          const { places } = one.records
          const score = (place: number) => scan.scores[place] - penalty * scan.mismatches[place]
          const all = Array.from({ length: places }, (_, place) => place)
          const expected = all.filter((place) => score(place) >= low && score(place) < low + width)
          const count = scan.between(0, places, penalty, low, low + width)
          expect([...scan.found.subarray(0, count)]).toEqual(expected)
          expect(scan.highest(0, places, penalty)).toBe(Math.max(...all.map(score)))
        },
      ),
    )
  })

  it('looks at a stretch of the places only', () => {
    const records = coarseRecords(1, 0, 64)
    for (let place = 0; place < 64; place++) setCode(records, place, 0, place === 40 ? 7 : 3)
    const scan = make(records)
    scan.query[0] = 7
    scan.agreement[0] = 100
    scan.score()
    expect([scan.highest(0, 32, 2), scan.highest(32, 64, 2)]).toEqual([-2, 100])
    expect(scan.between(32, 64, 0, 50, LARGEST_SCORE)).toBe(1)
    expect(scan.found[0]).toBe(40)
  })

  it('stops counting mismatches instead of starting anew', () => {
    const records = coarseRecords(300, 0, 1)
    const scan = make(records)
    scan.score()
    expect(scan.mismatches[0]).toBe(255)
  })
})

it('simd and scalar agree on every place', () => {
  fc.assert(
    fc.property(cases, (one) => {
      const [scalar, simd] = [scalarSimilarityScan(one.records), inSimd(one.records)]
      for (const scan of [scalar, simd]) ask(scan, one)
      expect(simd.scores).toEqual(scalar.scores)
      expect(simd.mismatches).toEqual(scalar.mismatches)
    }),
  )
})

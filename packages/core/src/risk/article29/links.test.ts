import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { releaseSpace } from '../../neighbors/release-space.js'
import { type Points, sumBetween, TIE } from '../../neighbors/space.js'
import { release } from '../../table/release.js'
import { tableOfRows } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { links, linksTask, noLink, type TieRule } from './links.js'

describe('the chance of no link', () => {
  it('is 3/4 when one of two tied records on A is one of two on B', () => {
    expect(noLink({ draws: 1, tied: 2 }, { draws: 1, tied: 2 }, 0, 0, 1)).toBe(0.75)
  })

  it.each([
    [1, 3 / 4],
    [2, 1 / 6],
    [3, 0],
    [4, 0],
  ])('is that of two random choices of %i among 4', (k, expected) => {
    expect(noLink({ draws: k, tied: 4 }, { draws: k, tied: 4 }, 0, 0, 4)).toBeCloseTo(expected, 12)
  })

  it('sees sure records among the tied ones of the other side', () => {
    // A draws 1 of 4, one of which is sure on B; B draws 1 of 3, none shared.
    expect(noLink({ draws: 1, tied: 4 }, { draws: 1, tied: 3 }, 1, 0, 0)).toBe(0.75)
    expect(noLink({ draws: 1, tied: 3 }, { draws: 1, tied: 4 }, 0, 1, 0)).toBe(0.75)
  })
})

const subsets = (of: readonly number[], size: number): number[][] =>
  size === 0 ? [[]] : of.flatMap((one, place) => subsets(of.slice(place + 1), size - 1).map((rest) => [one, ...rest]))

/** All ways to choose the k nearest rows, by comparing with every row. */
function choices(points: Points, ids: Int32Array, query: number, k: number): number[][] {
  const sums = Array.from(ids, (id) => sumBetween(points, query, id))
  const kth = sums.toSorted((a, b) => a - b)[k - 1]
  const rows = [...sums.keys()]
  const sure = rows.filter((row) => sums[row] < kth - TIE)
  const tied = rows.filter((row) => Math.abs(sums[row] - kth) <= TIE)
  return subsets(tied, k - sure.length).map((drawn) => [...sure, ...drawn])
}

const MOST = 4

/** The chance of a link for every person and k, over all choices of different records, or with the first in the file. */
function enumerated({ a, b }: ReturnType<typeof spaces>, rule: TieRule, most: number): number[] {
  const pairs = Array.from(a.released.ids, (id, row) => `${id} ${b.released.ids[row]}`)
  const counts = (_: number, row: number) => rule === 'index' || pairs.indexOf(pairs[row]) === row
  const [idsA, idsB] = [a.released.ids.filter(counts), b.released.ids.filter(counts)]
  return [...a.training.ids.keys()].flatMap((person) =>
    Array.from({ length: most }, (_, at) => {
      const onA = choices(a, idsA, a.training.ids[person], at + 1)
      const onB = choices(b, idsB, b.training.ids[person], at + 1)
      const both = rule === 'index' ? [[onA[0], onB[0]]] : onA.flatMap((one) => onB.map((other) => [one, other]))
      return both.filter(([one, other]) => one.some((row) => other.includes(row))).length / both.length
    }),
  )
}

function spaces(original: readonly (string | number)[][], released: readonly (string | number)[][]) {
  const names = ['a1', 'a2', 'b1', 'b2']
  const subject = {
    release: release({
      original: tableOfRows('original', names, original),
      released: tableOfRows('released', names, released),
    }),
    part: 0,
    target: '',
  }
  const how = { distance: 'gower', missing: 'match', scale: 'range', weights: {} } as const
  return {
    a: releaseSpace(subject, { ...how, variables: ['a1', 'a2'] }),
    b: releaseSpace(subject, { ...how, variables: ['b1', 'b2'] }),
  }
}

const record = fc.tuple(fc.constantFrom('x', 'y'), fc.nat(2), fc.constantFrom('p', 'q', 'r'), fc.nat(3))
const records = (least: number) => fc.array(record, { minLength: least, maxLength: 6 })

describe('links', () => {
  it.each<TieRule>(['expected', 'index'])('are those of trying all choices, ties %s', async (rule) => {
    await fc.assert(
      fc.asyncProperty(records(1), records(MOST), async (original, released) => {
        const { a, b } = spaces(original, released)
        const people = { first: a.training.ids.slice(), second: b.training.ids.slice() }
        const shared = await links({ tasks: inline }, a, b, (counted) => Math.min(MOST, counted), rule)
        const expected = enumerated({ a, b }, rule, shared.most)
        const found = linksTask.run(shared, people)
        for (const [at, value] of expected.entries()) expect(found[at]).toBeCloseTo(value, 12)
      }),
      { numRuns: 100 },
    )
  })
})

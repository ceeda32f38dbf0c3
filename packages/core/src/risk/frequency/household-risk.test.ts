import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { householdRisk } from './household-risk.js'

type Columns = Parameters<typeof tableOf>[1]

async function householdsOf(
  columns: Columns,
  options: Parameters<typeof householdRisk>[1] = {},
  keys = ['A', 'B', 'C'],
) {
  const file = tableOf('file', columns)
  const input = release({
    original: file,
    released: file,
    keys,
    household: 'h',
    ...('w' in columns ? { weight: 'w' } : {}),
  })
  const { original } = await householdRisk(input, options, { records: true })
  if (original === null || original.details === null || original.records === undefined)
    throw new Error(original?.reason?.text)
  return {
    details: original.details,
    warnings: original.warnings,
    risk: Array.from(original.records['householdRisk']),
    records: original.records,
  }
}

const A = [2, 3, 2, 2, 3, 3, 1, 2]
const B = [3, 3, 3, 3, 3, 3, 4, 3]
const C = [1, 3, 1, 2, 1, 1, 1, 1]
const w = [18, 45.5, 39, 17, 92, 8, 123.5, 51]
const h = [1, 1, 2, 2, 2, 3, 3, 4]

describe('household risk', () => {
  it('is the chance that at least one member is re-identified', async () => {
    const { details, risk } = await householdsOf({ A, B, C, w, h })
    for (const [k, expected] of [
      0.0981815, 0.0981815, 0.203473, 0.203473, 0.203473, 0.0573568, 0.0573568, 0.013553,
    ].entries()) {
      expect(risk[k]).toBeCloseTo(expected, 7)
    }
    expect(details.expectedPersons).toBeCloseTo(0.9350486, 7)
    expect(details.expectedHouseholds).toBeCloseTo(0.3725643, 7)
    expect(details.householdRisk).toBeCloseTo(0.9350486 / 8, 7)
    expect(details.individualRisk).toBeCloseTo(0.04755, 7)
    expect(details.households).toBe(4)
  })

  it('combines .1, .2, .5 to .64', async () => {
    const { risk } = await householdsOf({ A: [1, 2, 3], w: [10, 5, 2], h: ['x', 'x', 'x'] }, { method: 'plugin' }, [
      'A',
    ])
    for (const value of risk) expect(value).toBeCloseTo(0.64, 12)
  })

  it.each([
    // Random tables of individual-risk.test.ts with households 1..6 in turn; sums printed by sdcMicro 5.8.2 (approx).
    [
      [1, 3, 1, 2, 1, 3, 3, 2, 2, 3, 3, 1, 1, 1],
      [2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1],
      [2, 2, 2, 1, 2, 1, 1, 2, 1, 2, 2, 2, 2, 1],
      [34.1, 32.7, 47.8, 3.4, 29.7, 44.5, 42.2, 29.7, 52.0, 27.4, 16.2, 6.1, 7.8, 20.3],
      2.756049983,
    ],
    [
      [1, 3, 2, 2, 1, 1, 1, 1, 1, 2, null, 1, 3, null],
      [2, 2, 2, 1, 1, 1, 2, 1, 1, null, 1, 2, 2, 1],
      [2, 1, 2, 2, 2, 1, 2, 2, 2, 1, null, 1, 2, 1],
      [48.1, 58.5, 22.2, 31.1, 49.0, 2.4, 2.9, 41.6, 55.9, 18.0, 49.1, 47.6, 59.4, 37.6],
      1.264764334,
    ],
    [
      [1, 2, null, 2, 3, 3, 2, 3, 1, null, null, 1, 1, 1],
      [1, 1, null, 2, 2, 2, 2, 1, 2, null, 2, 2, 1, 2],
      [2, 1, 2, null, 1, 1, 1, 2, 1, 1, 1, null, 2, null],
      [59.6, 51.0, 54.8, 29.3, 15.0, 9.4, 18.2, 49.3, 5.3, 48.6, 8.1, 46.5, 19.7, 46.6],
      0.3618676262,
    ],
  ])('equals sdcMicro on random tables with weights and missing keys: %#', async (a, b, c, weights, expected) => {
    const columns = { A: a, B: b, C: c, w: weights, h: a.map((_, k) => (k % 6) + 1) }
    const { details } = await householdsOf(columns, { method: 'approx', missing: 'wildcard' })
    expect(details.expectedPersons).toBeCloseTo(expected, 8)
  })

  it('reads household ids of any type, and a missing one as a household of its own', async () => {
    const { details, risk, warnings } = await householdsOf({ A: [1, 1, 1, 1], h: ['10a', null, '10a', null] }, {}, [
      'A',
    ])
    expect(details.households).toBe(3)
    expect(risk[0]).toBeCloseTo(1 - 0.75 ** 2, 12)
    expect(risk[1]).toBeCloseTo(0.25, 12)
    expect(warnings.some((text) => text.includes('without a household id'))).toBe(true)
  })

  it('is 1 where a member is certain to be found, and keeps many small risks', async () => {
    const n = 1000
    const columns = {
      A: Array.from({ length: n }, () => 1),
      w: Array.from({ length: n }, () => 1e9),
      h: Array.from({ length: n }, () => 1),
    }
    const { details } = await householdsOf(columns, { method: 'plugin' }, ['A'])
    expect(details.householdRisk / 1e-9).toBeCloseTo(1, 4)
    const certain = await householdsOf({ A: [1, 2, 2], h: [1, 1, 2] }, {}, ['A'])
    expect(certain.risk).toEqual([1, 1, 0.5])
  })

  it('is not applicable to a table without the household column', async () => {
    const original = tableOf('original', { A: [1, 2], h: [1, 2] })
    const released = tableOf('released', { A: [1, 2] })
    const result = await householdRisk(release({ original, released, keys: ['A'], household: 'h' }))
    expect(result.original?.status).toBe('ok')
    expect(result.status).toBe('not applicable')
    expect(result.reason?.text).toContain('no household column "h"')
  })

  it('leaves dropped records out of their households', async () => {
    const { details, risk } = await householdsOf({ A: [1, null, 1], h: [1, 1, 2] }, { missing: 'drop' }, ['A'])
    expect(details.households).toBe(2)
    expect(risk[0]).toBeCloseTo(0.5, 12)
    expect(risk[1]).toBeNaN()
  })
})

describe('households by the keys of their members', () => {
  it('does not depend on the order of members and tells sizes apart', async () => {
    // households: {x, y}, {y, x}, {x, y, y}, {x}
    const columns = { A: ['x', 'y', 'y', 'x', 'x', 'y', 'y', 'x'], h: [1, 1, 2, 2, 3, 3, 3, 4] }
    const { details, records } = await householdsOf(columns, { k: 2 }, ['A'])
    expect(details.composition).toEqual({
      k: 1,
      threshold: 2,
      classes: 3,
      uniqueHouseholds: 2,
      violatingHouseholds: 2,
      violatingShare: 0.5,
      prosecutorRisk: 0.75,
    })
    expect(Array.from(records['householdsAlike'])).toEqual([2, 2, 2, 2, 1, 1, 1, 1])
  })

  it('equals grouping by sorted lists, and never has a risk below that of a member', async () => {
    const rows = fc.array(fc.record({ key: fc.integer({ min: 0, max: 2 }), home: fc.integer({ min: 0, max: 6 }) }), {
      minLength: 1,
      maxLength: 20,
    })
    await fc.assert(
      fc.asyncProperty(rows, async (list) => {
        const { details, risk, records } = await householdsOf(
          { A: list.map((r) => r.key), h: list.map((r) => r.home) },
          {},
          ['A'],
        )
        const lists = new Map<number, number[]>()
        for (const { key, home } of list) lists.set(home, [...(lists.get(home) ?? []), key].sort())
        expect(details.composition.classes).toBe(new Set([...lists.values()].map((keys) => keys.join(','))).size)
        for (const [k, r] of risk.entries()) expect(r).toBeGreaterThanOrEqual((records['risk'][k] ?? 0) - 1e-12)
      }),
    )
  })
})

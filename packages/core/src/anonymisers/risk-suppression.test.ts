import { describe, expect, it } from 'vitest'
import { individualRisk } from '../risk/frequency/individual-risk.js'
import { isMissing } from '../table/column.js'
import { release } from '../table/release.js'
import { columnOf, type Table, tableOf } from '../table/table.js'
import { anonymise } from './method/anonymiser.js'
import { riskSuppression } from './risk-suppression.js'

// x: a three times, b twice, c once; without weights the risk is 1/f: 1/3, 1/2, 1.
const DATA = tableOf('t', {
  x: ['a', 'a', 'a', 'b', 'b', 'c'],
  y: ['p', 'p', 'p', 'p', 'p', 'p'],
  note: ['1', '2', '3', '4', '5', '6'],
  w: [10, 10, 10, 1, 1, 1],
})

function masked(options: object, roles: object = {}, data: Table = DATA) {
  return anonymise(riskSuppression, data, { seed: 1, roles: { keys: ['x', 'y'], ...roles }, options })
}

function missing(of: Table, name: string): boolean[] {
  return Array.from({ length: of.rows }, (_, row) => isMissing(columnOf(of, name), row))
}

describe('suppression by risk', () => {
  it('makes keys missing in the records above the threshold, not at it', () => {
    const { table, description } = masked({ variables: ['x'], threshold: 0.5 })
    expect(missing(table, 'x')).toEqual([false, false, false, false, false, true])
    // The last record now agrees with all six; every other one gains it: 1/4 three times, 1/3 twice, 1/6.
    expect(description).toMatchObject({
      method: 'sample',
      cells: 1,
      before: { above: 1, highest: 1 },
      after: { above: 0 },
    })
    expect(description.before.expectedReidentifications).toBeCloseTo(3, 12)
    expect(description.after.expectedReidentifications).toBeCloseTo(3 / 4 + 2 / 3 + 1 / 6, 12)
    expect(missing(masked({ variables: ['x', 'y'], threshold: 0.4 }).table, 'y')).toEqual([
      false,
      false,
      false,
      true,
      true,
      true,
    ])
  })

  it('is about the records that the individual risk measure counts, weights included', async () => {
    const own = release({ original: DATA, released: DATA, keys: ['x', 'y'], weight: 'w', type: 'perturbed' })
    for (const threshold of [0.02, 0.3, 0.6]) {
      const { details } = (await individualRisk(own, { threshold })).releases[0]
      const { description } = masked({ variables: ['x'], threshold }, { weight: 'w' })
      expect(description.before.above).toBe(details?.aboveThreshold)
      expect(description.cells).toBe(details?.aboveThreshold)
      expect(description.method).toBe('nb')
    }
  })

  it('says who stays above, and takes ghosts along', () => {
    const { table, description, notes } = masked({ variables: ['y'], threshold: 0.6, ghosts: { y: ['note'] } })
    expect(missing(table, 'note')).toEqual([false, false, false, false, false, true])
    expect(description).toMatchObject({ after: { above: 1 }, ghosts: [{ variable: 'note', cells: 1 }] })
    expect(notes.join()).toContain('still above 0.6: 1 record')
  })

  it('refuses what cannot be done', () => {
    expect(() => masked({ variables: ['x'] }, { keys: [] })).toThrow(/needs keys/)
    expect(() => masked({})).toThrow(/needs the option variables/)
    expect(() => masked({ variables: ['note'] })).toThrow('variables: "note" is not a key')
    expect(() => masked({ variables: ['x'], cliques: [['x']] })).toThrow(/cliques are used by/)
  })
})

import { describe, expect, it } from 'vitest'
import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import { stream } from '../random/stream.js'
import { categorical, numeric } from '../table/column.js'
import { release } from '../table/release.js'
import { type Table, table } from '../table/table.js'
import { assess } from './assess.js'
import { conclude } from './assessment.js'
import { withColumnShares } from './why.js'

/** Nothing depends on anything; `place` has many levels, `sex` two. */
function people(name: string, rows: number): Table {
  const random = stream(5, name)
  const draw = (levels: number) => Array.from({ length: rows }, () => `l${random.below(levels)}`)
  return table(name, [
    categorical('place', draw(80)),
    categorical('sex', draw(2)),
    categorical('ill', draw(2)),
    numeric(
      'height',
      Array.from({ length: rows }, () => Math.round(1700 + 80 * random.uniform())),
    ),
  ])
}

const original = people('original', 200)
const parts = release({
  original,
  released: { ...original, name: 'copy' },
  keys: ['place', 'sex'],
  target: 'ill',
  type: 'synthetic',
})

async function assessed(ids: readonly string[]) {
  const results: Result[] = []
  for await (const result of assess(parts, { measures: ids })) results.push(result)
  return { results, assessment: conclude(parts, results, measures) }
}

describe('the columns that carry an alarm', () => {
  it('are known of attribute inference at once: the key that tells people apart, and not the other', async () => {
    const { assessment } = await assessed(['attribution'])
    const [threat] = assessment.releases[0].threats
    expect(threat.threat).toBe('attribute')
    const [place, sex] = threat.columns
    expect([place.column, sex.column]).toEqual(['place', 'sex'])
    expect(place.share).toBeGreaterThan(0.8)
    expect(place.lower).toBeGreaterThan(sex.upper)
    expect(place.lower).toBeLessThan(place.share)
    expect(
      threat.drivers.every(
        ({ lower, mean, upper }) => lower !== null && upper !== null && lower <= mean && mean <= upper,
      ),
    ).toBe(true)
  })

  it('are found for other threats by doing without each', async () => {
    const { assessment, results } = await assessed(['memorisation'])
    expect(assessment.releases[0].threats[0].columns).toEqual([])
    const why = await withColumnShares(assessment, parts, results, measures)
    const [{ columns }] = why.releases[0].threats
    expect(columns.map(({ column }) => column).sort()).toEqual(['height', 'ill', 'place', 'sex'])
    expect(columns[0].column).toBe('height')
    for (const { share, lower, upper } of columns) expect(lower <= share && share <= upper).toBe(true)
  })
})

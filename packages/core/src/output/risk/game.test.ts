import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { table } from '../../table/table.js'
import { households, HOUSEHOLD_MODEL as MODEL } from '../../testing/scenes/households.js'
import { requestSchema } from '../description/description.js'
import { requestTable } from '../description/variables.js'
import { prepareOutput } from '../embedding/aims/prepare.js'
import { codedTable } from '../embedding/records/coded-records.js'
import { recompute } from '../numbers/recompute.js'
import { outputGame } from './game.js'

describe('the strongest attacker', () => {
  it('excludes what a fit of the changed data excludes', () => {
    const data = households(120)
    const [output] = requestSchema.parse({ outputs: [MODEL] }).outputs
    const own = requestTable(requestSchema.parse({ outputs: [MODEL] }), data)
    const whole = codedTable(own)
    const values = recompute(output, own)
    const aims = prepareOutput(output, own, whole.variables).aims(values, 'print', 1, 'exact')
    const y = whole.variables.findIndex(({ name }) => name === 'y')
    const found = outputGame(whole, aims, y, 120, stream(1, 'game'))
    const printed = values.map(({ value }) => value.toFixed(2))
    let excluded = 0
    for (let row = 0; row < 120; row++) {
      const columns = own.columns.map((column) => {
        if (column.kind !== 'categorical' || column.name !== 'y') return column
        return { ...column, codes: column.codes.map((code, k) => (k === row ? 1 - code : code)) }
      })
      const changed = recompute(output, table('changed', columns)).map(({ value }) => value.toFixed(2))
      if (changed.some((value, k) => value !== printed[k])) excluded++
    }
    expect(found.records).toBe(120)
    expect(Math.abs(found.excluded - excluded / 120)).toBeLessThan(0.05)
    expect(excluded).toBeGreaterThan(0)
  })
})

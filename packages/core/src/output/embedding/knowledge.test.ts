import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { survey } from '../../testing/scenes/survey.js'
import { drawStart, jointGroups } from './knowledge.js'
import { codedTable } from './records/coded-records.js'

describe('public knowledge', () => {
  it('tables that overlap are fitted to each other', () => {
    const data = survey(900)
    const whole = codedTable(data)
    const at = (name: string) => whole.variables.findIndex((variable) => variable.name === name)
    const start = whole.variables.map(({ shares }) => shares)
    const counts = (axes: readonly number[]) => {
      const sizes = axes.map((j) => whole.variables[j].labels.length)
      const cells = new Float64Array(sizes.reduce((a, b) => a * b, 1))
      for (let row = 0; row < data.rows; row++) {
        let place = 0
        for (const [k, j] of axes.entries()) place = place * sizes[k] + whole.codes[row * whole.variables.length + j]
        cells[place]++
      }
      return { variables: axes, counts: cells }
    }
    const tables = [counts([at('sex'), at('ill')]), counts([at('ill'), at('job')])]
    const [group] = jointGroups(tables, whole.variables, start, 900)
    expect(group.exact).toBe(false)
    const margin = new Float64Array(4)
    group.cells.forEach((count, cell) => {
      margin[Math.floor(cell / group.sizes[2])] += count
    })
    expect(Array.from(margin, Math.round)).toEqual(Array.from(tables[0].counts))
    const [exact] = jointGroups([tables[0]], whole.variables, start, 900)
    const codes = drawStart(whole.variables, { start, groups: [exact] }, 900, stream(1, 'draw'))
    const drawn = new Float64Array(4)
    for (let row = 0; row < 900; row++) {
      const here = row * whole.variables.length
      drawn[codes[here + at('sex')] * 2 + codes[here + at('ill')]]++
    }
    expect(drawn).toEqual(tables[0].counts)
  })
})

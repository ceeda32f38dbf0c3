import { beforeAll, describe, expect, it } from 'vitest'
import type { Chart } from '../chart/chart.js'
import { nonFinitePath } from '../json.js'
import { cellTable, ORIGINAL_CELLS, SYNTHETIC_CELLS } from '../testing/scenes/unique-record.js'
import { attackCharts } from './charts.js'
import { attack } from './game.js'

const original = cellTable('original', ORIGINAL_CELLS)
const column = (k: number) => cellTable(`set ${k}`, SYNTHETIC_CELLS[k - 1])
const named = (charts: readonly Chart[], name: string) => {
  const chart = charts.find((one) => one.name === name)
  if (chart === undefined) throw new Error(`no chart ${name}`)
  return chart
}
/** The data of a chart, wherever they lie. */
const valuesOf = (chart: Chart) => JSON.parse(JSON.stringify(chart.spec)).data.values as Record<string, unknown>[]

describe('one record, a release of two sets', () => {
  let charts: Chart[] = []
  beforeAll(async () => {
    charts = attackCharts(await attack({ original, released: [column(2), column(1)], record: 'last' }))
  })

  it('draws worlds, posterior and sets with finite numbers', () => {
    expect(charts.map(({ name }) => name)).toEqual(['worlds', 'posterior', 'over-sets'])
    for (const { spec } of charts) expect(nonFinitePath(spec)).toBeUndefined()
  })

  it('worlds: 16 panels of 16 cells; 1111 is impossible in all but one, which is marked', () => {
    const cells = valuesOf(named(charts, 'worlds'))
    expect(cells).toHaveLength(256)
    expect(cells.slice(0, 3).map(({ cell }) => cell)).toEqual(['0000', '0001', '0010'])
    expect(cells.filter(({ impossible }) => impossible).map(({ cell }) => cell)).toEqual(new Array(15).fill('1111'))
    expect(new Set(cells.filter(({ best }) => best).map(({ world }) => world))).toEqual(new Set(['1111: 1.000 ◀']))
    const truth = cells.at(-1)
    // Bars are means over the sets: none and one copy. The model mean is 1000 x 1/1000.
    expect([truth?.released, truth?.expected, truth?.lower]).toEqual([0.5, expect.closeTo(1, 9), 0])
    expect(truth?.upper).toBeCloseTo(1 + 1.96 * Math.sqrt(0.999), 9)
  })

  it('posterior: a pair of bars per candidate, the truth in the colour of alarm', () => {
    const bars = valuesOf(named(charts, 'posterior'))
    expect(bars).toHaveLength(32)
    expect(bars.filter(({ meaning }) => meaning === 'the truth')).toHaveLength(1)
  })
})

it('worlds of an engine that simulates have boxes instead', async () => {
  const found = await attack({ original, released: [column(1)], record: 'last', engine: 'dm', simulations: 25 })
  const worlds = named(attackCharts(found), 'worlds')
  const cells = valuesOf(worlds)
  expect(cells).toHaveLength(256)
  for (const { lower, lowerQuartile, expected, upperQuartile, upper } of cells) {
    const five = [lower, lowerQuartile, expected, upperQuartile, upper].map(Number)
    expect(five).toEqual([...five].sort((a, b) => a - b))
  }
  expect(cells.filter(({ impossible }) => impossible)).toHaveLength(15)
  expect(JSON.stringify(worlds.spec)).toContain('lowerQuartile')
})

it('a sweep draws copies with what chance gives, the sweep by frequency, and the ranking', async () => {
  const charts = attackCharts(await attack({ original, record: 'all', releases: 40 }))
  expect(charts.map(({ name }) => name)).toEqual(['worlds', 'posterior', 'copies', 'sweep', 'ranking'])
  for (const { spec } of charts) expect(nonFinitePath(spec)).toBeUndefined()
  // Binomial(1000, 0.001) x 40 = 14.7, 14.7, 7.4, 2.5.
  expect(named(charts, 'copies').title).toContain('expected 15, 15, 7')
  const points = valuesOf(named(charts, 'sweep'))
  expect(points.filter(({ meaning }) => meaning === 'more likely than not')).toHaveLength(1)
  expect(Math.min(...points.flatMap(({ x }) => (typeof x === 'number' ? [x] : [])))).toBe(0)
  expect(valuesOf(named(charts, 'ranking'))[0]).toMatchObject({ label: '1000' })
})

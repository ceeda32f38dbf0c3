import { expect, it } from 'vitest'
import { drawnCharts } from './charts.js'

it('a chart that cannot be drawn is told and left out, and the others are drawn', async () => {
  const bar = { mark: 'bar', data: { values: [{ x: 1 }] }, encoding: { x: { field: 'x', type: 'quantitative' } } }
  const good = { name: 'good', title: '', spec: bar }
  const broken = { name: 'broken', title: '', spec: { ...bar, transform: [{ calculate: 'no (', as: 'y' }] } }
  const told: string[] = []
  const drawn = await drawnCharts([broken, null, good], { err: (text) => told.push(text) })
  expect([...drawn.keys()]).toEqual([good])
  expect(told).toEqual([expect.stringMatching(/^scrim: the chart broken could not be drawn: .+\n$/)])
})

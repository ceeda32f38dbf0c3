import { expect, it } from 'vitest'
import { type MapPoint, mapChart } from './map-chart.js'

function point(name: string, risk: number, utility: number, more: Partial<MapPoint> = {}): MapPoint {
  const range = (value: number) => ({ value, lower: value, upper: value })
  return { name, level: 'LOW', risk: range(risk), utility: range(utility), exposure: null, front: null, ...more }
}

type Layer = { mark: { type: string; interpolate?: string }; data?: { values: Record<string, unknown>[] } }
const layersOf = (points: readonly MapPoint[]) => mapChart(points, []).spec.layer as unknown as Layer[]

it('the front goes through those that no other is both safer and more useful than', () => {
  const points = [point('safe', 0.1, 0.3), point('useful', 0.5, 0.9), point('worse', 0.6, 0.4)]
  const front = layersOf(points).find(({ mark }) => mark.interpolate === 'step-before')
  expect(front?.data?.values).toEqual([
    { utility: 0.3, risk: 0.1 },
    { utility: 0.9, risk: 0.5 },
  ])
  expect(layersOf(points.slice(0, 1)).some(({ mark }) => mark.interpolate === 'step-before')).toBe(false)
})

it('names of points that lie together do not cover each other', () => {
  const labels = layersOf([point('a', 0.2, 0.2), point('b', 0.2, 0.2), point('c', 0.2, 0.2)])
    .filter(({ mark }) => mark.type === 'text')
    .flatMap(({ data }) => data?.values ?? [])
  const heights = labels.map(({ y }) => Number(y)).sort((a, b) => a - b)
  expect(heights).toHaveLength(3)
  for (const k of [1, 2]) expect(heights[k] - heights[k - 1]).toBeGreaterThanOrEqual(0.06 - 1e-9)
})

it('draws nobody whose risk or utility is not known, and fades who is surely dominated', () => {
  const front = { probability: 0 }
  const { data } = mapChart([point('a', 0.2, 0.2, { front }), point('b', 0.2, 0.2, { risk: null })], [])
    .spec as unknown as {
    data: { values: { name: string; opacity: number }[] }
  }
  expect(data.values.map(({ name, opacity }) => [name, opacity])).toEqual([['a', 0.35]])
})

import { describe, expect, it } from 'vitest'
import { distanceChart, matrixChart, panelLines } from './comparison.js'

const text = (spec: unknown) => JSON.stringify(spec)

describe('pictures that lay a release beside its original', () => {
  it('marks what an honest sample would give, and what is more than chance', () => {
    const labels = { name: 'd', title: 'Distances', x: 'distance' }
    const { spec } = distanceChart(labels, [
      { label: 'age', value: 0.4, expected: 0.1, alarm: true },
      { label: 'sex', value: 0.1, expected: null },
    ])
    expect(text(spec)).toContain('tick: an honest sample of the same size; red: more than chance')
    expect(text(distanceChart(labels, [{ label: 'age', value: 0.4 }]).spec)).not.toContain('"type":"tick"')
  })

  it('shows at most twelve panels, and says so', () => {
    const points = Array.from({ length: 15 }, (_, k) => ({ panel: `c${k}`, file: 'original' as const, x: 0, y: 0 }))
    const { spec } = panelLines({ name: 'p', title: 'Panels', x: 'x', y: 'y' }, points)
    expect(text(spec.title)).toContain('12 of 15, those that differ most')
    expect(text(spec.data)).not.toContain('c12')
  })

  it('does not paint small differences in full colour', () => {
    const cells = [{ row: 'a', column: 'b', value: 0.01 }]
    const labels = { name: 'm', title: 'Matrix', legend: 'difference' }
    expect(text(matrixChart({ ...labels, span: 0.2 }, cells, ['a', 'b']).spec)).toContain('"domain":[0,0.2]')
    expect(text(matrixChart(labels, [{ row: 'a', column: 'b', value: -0.5 }], ['a', 'b']).spec)).toContain(
      '[-0.5,0,0.5]',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { barChart, lineChart } from './chart.js'

const LABELS = { name: 'bars', title: 'Bars', x: '', y: 'share' }

/** What a bar chart puts on its axes. */
function encodingOf(...args: Parameters<typeof barChart>) {
  const { layer } = barChart(...args).spec as unknown as {
    layer: { encoding: { x: { axis: { labelAngle: number } }; xOffset?: object; y: { scale?: object } } }[]
  }
  return layer[0].encoding
}

describe('barChart', () => {
  it('puts bars side by side only where a label has two', () => {
    const alone = [
      { label: 'release', value: 1 },
      { label: 'outside', value: 2, series: 'original' as const },
    ]
    expect(encodingOf(LABELS, alone).xOffset).toBeUndefined()
    expect(encodingOf(LABELS, [...alone, { label: 'outside', value: 3 }]).xOffset).toBeDefined()
  })

  it('tilts labels that would run into each other', () => {
    const named = (...labels: string[]) =>
      encodingOf(
        LABELS,
        labels.map((label) => ({ label, value: 1 })),
      ).x.axis.labelAngle
    expect(named('a', 'b', 'c')).toBe(0)
    expect(named('in the release', 'outside it', 'a released record at random', 'one guess for all')).toBe(-30)
    expect(named(...'abcdefghijklm')).toBe(-60)
  })

  it('gives nothing but zeros an axis all the same', () => {
    expect(encodingOf(LABELS, [{ label: 'a', value: 0 }]).y.scale).toEqual({ domain: [0, 1] })
    expect(encodingOf(LABELS, [{ label: 'a', value: 0, interval: { lower: 0, upper: 0.1 } }]).y.scale).toBeUndefined()
  })

  it('says below the title what the colours mean', () => {
    expect(barChart({ ...LABELS, subtitle: 'grey: others' }, []).spec.title).toEqual({
      text: 'Bars',
      subtitle: 'grey: others',
    })
    expect(barChart(LABELS, []).spec.title).toBe('Bars')
  })
})

describe('lineChart', () => {
  it('has a logarithmic axis when asked', () => {
    const spec = lineChart(LABELS, [{ x: 0.001, y: 1, series: 'a' }], { log: true }).spec
    expect(JSON.stringify(spec)).toContain('"scale":{"type":"log"}')
  })
})

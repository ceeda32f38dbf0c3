import { describe, expect, it } from 'vitest'
import { barChart, histogramChart, intervalChart, lineChart, withSubtitle } from './chart.js'

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

  it('has a legend only of what labels and subtitle do not tell', () => {
    const legend = (...args: Parameters<typeof barChart>) =>
      (encodingOf(...args) as { color?: { legend?: unknown } }).color?.legend
    const alone = [
      { label: 'release', value: 1 },
      { label: 'people outside', value: 2, series: 'original' as const },
    ]
    expect(legend(LABELS, alone)).toBeNull()
    expect(legend(LABELS, [{ label: 'a', value: 3, alarm: true }, ...alone])).toEqual({ values: ['over the limit'] })
    const both = [...alone, { label: 'people outside', value: 3 }]
    expect(legend(LABELS, both)).toEqual({ values: ['original', 'release'] })
    expect(legend({ ...LABELS, subtitle: 'grey: others accused wrongly' }, both)).toBeNull()
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

describe('all charts', () => {
  const text = (spec: object) => JSON.stringify(spec)

  it('do not let one interval far outside flatten the rest, and say so', () => {
    const estimates = [1, 2, 1.5].map((value, k) => ({ label: `key ${k}`, value, lower: value - 1, upper: value + 1 }))
    expect(intervalChart(LABELS, estimates).spec.title).toBe('Bars')
    const far = { label: 'separated', value: 2, lower: -4000, upper: 5000 }
    const { spec } = intervalChart(LABELS, [...estimates, far])
    expect(text(spec)).not.toMatch(/[45]000/)
    expect(spec.title).toEqual({ text: 'Bars', subtitle: 'intervals that reach far outside are cut' })
    const bars = [0.1, 0.12, 0.11].map((value, k) => ({ label: `${k}`, value, interval: { lower: 0.09, upper: 0.13 } }))
    expect(
      text(barChart(LABELS, [...bars, { label: 'few', value: 0.1, interval: { lower: 0, upper: 29.5 } }])),
    ).not.toContain('29.5')
  })

  it('have a legend wherever red means something', () => {
    const bins = (alarm: boolean) => text(histogramChart(LABELS, [{ lower: 0, upper: 1, count: 3, alarm }]).spec)
    expect(bins(true)).toContain('over the limit')
    expect(bins(true)).not.toContain('"legend":null')
    expect(bins(false)).toContain('"legend":null')
    expect(text(barChart(LABELS, [{ label: 'a', value: 1, alarm: true }]).spec)).not.toContain('"legend":null')
  })

  it('write what a line means above the highest bar, on the side where there is room', () => {
    const bins = [
      { lower: 0, upper: 1, count: 6 },
      { lower: 0, upper: 1, count: 3, alarm: true },
      { lower: 1, upper: 2, count: 5 },
    ]
    const drawn = (value: number) => text(histogramChart(LABELS, bins, [{ value, label: 'this release' }]).spec)
    expect(drawn(0.1)).toContain('"scale":{"domainMax":10,"nice":false}')
    expect(drawn(0.1)).toContain('"align":"left"')
    expect(drawn(1.9)).toContain('"align":"right"')
    expect(text(histogramChart(LABELS, bins).spec)).not.toContain('domainMax')
  })

  it('have percent on axes of shares, along and across', () => {
    const spec = lineChart({ ...LABELS, x: 'share of others', y: 'residual risk' }, [{ x: 0, y: 1, series: 'a' }]).spec
    expect(text(spec).match(/100 \* datum\.value/g)).toHaveLength(2)
    expect(text(lineChart({ ...LABELS, y: 'AUC' }, [{ x: 0, y: 1, series: 'a' }]).spec)).not.toContain('100 *')
  })

  it('take a line below the title', () => {
    const plain = withSubtitle(barChart(LABELS, []), 'HIGH: membership')
    expect(plain.spec.title).toEqual({ text: 'Bars', subtitle: ['HIGH: membership'] })
    const other = withSubtitle(barChart({ ...LABELS, subtitle: 'grey: others' }, []), 'HIGH: membership')
    expect(other.spec.title).toEqual({ text: 'Bars', subtitle: ['HIGH: membership', 'grey: others'] })
  })
})

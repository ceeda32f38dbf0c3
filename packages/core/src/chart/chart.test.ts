import { describe, expect, it } from 'vitest'
import {
  barChart,
  barsOver,
  heatmapChart,
  histogramChart,
  intervalChart,
  lineChart,
  linesOver,
  withSubtitle,
} from './chart.js'

const LABELS = { name: 'bars', title: 'Bars', x: '', y: 'share' }

interface Drawn {
  readonly width: number
  readonly layer: readonly { readonly mark: { readonly type: string }; readonly encoding: Encoding }[]
}
type Encoding = Readonly<Record<'x' | 'y' | 'xOffset' | 'yOffset', unknown>> & {
  readonly color: { readonly legend?: unknown; readonly scale: { readonly domain: readonly string[] } }
}

/** What a bar chart puts on its axes. */
function encodingOf(...args: Parameters<typeof barChart>) {
  const { layer } = barChart(...args).spec as unknown as Drawn
  return layer[0].encoding
}
const named = (...labels: string[]) => labels.map((label, k) => ({ label, value: k + 1 }))

describe('rows drawn by their fields', () => {
  const rows = [
    { age: 20, ours: 1, theirs: 3 },
    { age: 30, ours: 2, theirs: null },
  ]

  it('has a point of each line in each row that has a value', () => {
    expect(linesOver(rows, 'age', { theirs: 'others', ours: 'this release' })).toEqual([
      { x: 20, y: 3, series: 'others' },
      { x: 20, y: 1, series: 'this release' },
      { x: 30, y: 2, series: 'this release' },
    ])
  })

  it('has a bar of each field in each row', () => {
    expect(barsOver(rows, 'age', { theirs: 'original', ours: 'release' })).toEqual([
      { label: '20', value: 3, series: 'original' },
      { label: '20', value: 1, series: 'release' },
      { label: '30', value: null, series: 'original' },
      { label: '30', value: 2, series: 'release' },
    ])
  })
})

describe('barChart', () => {
  it('leaves out bars without a value, as if they had not been given', () => {
    const labels = { name: 'found', title: 'Found', x: '', y: 'share of people' }
    const [first, last] = [
      { label: 'this release', value: 0.4 },
      { label: 'the original', value: 1, series: 'original' },
    ] as const
    const missing = [
      { label: 'outsiders', value: null },
      { label: 'others', value: undefined },
    ]
    expect(barChart(labels, [first, ...missing, last])).toEqual(barChart(labels, [first, last]))
  })

  it('puts bars beside each other only where a label has two', () => {
    const alone = [
      { label: 'release', value: 1 },
      { label: 'outside', value: 2, series: 'original' as const },
    ]
    expect(encodingOf(LABELS, alone).yOffset).toBeUndefined()
    expect(encodingOf(LABELS, [...alone, { label: 'outside', value: 3 }]).yOffset).toBeDefined()
  })

  it('stands numbers side by side and lays names below each other, with the value at the end', () => {
    const along = (...labels: string[]) => encodingOf(LABELS, named(...labels))
    for (const numbers of [
      ['1', '2', '10+'],
      ['0.1 %', '10 %'],
      ['1.16', '2.32'],
    ])
      expect(along(...numbers)).toMatchObject({ x: { field: 'label' }, y: { field: 'value' } })
    expect(along('1', 'a released record at random')).toMatchObject({ x: { field: 'value' }, y: { field: 'label' } })
    const shares = [0.004, 0.5, -0.02].map((value, k) => ({ label: 'abc'[k], value }))
    expect(barChart(LABELS, shares).spec.data).toMatchObject({
      values: [{ text: '0.4 %' }, { text: '50 %' }, { text: '−2.0 %', end: 0 }],
    })
  })

  it('is no wider than its columns need', () => {
    const width = (columns: number) => {
      const bars = named(...Array.from({ length: columns }, (_, k) => String(k)))
      return (barChart(LABELS, bars).spec as unknown as Drawn).width
    }
    expect(width(3)).toBeLessThan(width(6))
    expect(width(30)).toBe(420)
  })

  it('is no picture where there is one bar, or nothing but zeros', () => {
    expect(barChart(LABELS, named('a')).isBlank).toBe(true)
    const zeros = named('a', 'b').map((bar) => ({ ...bar, value: 0 }))
    expect(barChart(LABELS, zeros).isBlank).toBe(true)
    const [first, ...rest] = zeros
    const open = { ...first, interval: { lower: 0, upper: 0.1 } }
    expect(barChart(LABELS, [open, ...rest]).isBlank).toBeUndefined()
  })

  it('has a legend of what labels do not tell, and says what grey and blue are', () => {
    const alone = [
      { label: 'release', value: 1 },
      { label: 'people outside', value: 2, series: 'original' as const },
    ]
    const legend = (...args: Parameters<typeof barChart>) => encodingOf(...args).color.legend
    expect(legend(LABELS, alone)).toBeNull()
    expect(legend(LABELS, [{ label: 'a', value: 3, alarm: true }, ...alone])).toEqual({ values: ['over the limit'] })
    const both = [...alone, { label: 'people outside', value: 3 }]
    expect(legend(LABELS, both)).toEqual({ values: ['original', 'release'] })
    const told = { ...LABELS, grey: 'others accused wrongly', blue: 'training records found' }
    expect(legend(told, both)).toEqual({ values: ['others accused wrongly', 'training records found'] })
    expect(encodingOf(told, both).color.scale.domain).not.toContain('original')
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
  const lines = (...names: string[]) =>
    lineChart(
      LABELS,
      names.flatMap((series, k) => [0, 1].map((x) => ({ x, y: x + k / 1000, series }))),
    ).spec as unknown as { layer: { encoding: { color: Encoding['color'] }; data?: { values: { y: number }[] } }[] }

  it('names few lines at their ends, apart from each other, and many in a legend', () => {
    const few = lines('this release', 'by chance')
    expect(few.layer[0].encoding.color).toMatchObject({ legend: null, scale: { range: ['#2f6db5', '#8a8f98'] } })
    const [low, high] = few.layer[1].data?.values.map(({ y }) => y) ?? []
    expect(high - low).toBeGreaterThan(0.05)
    const many = lines(...'abcde')
    expect(many.layer).toHaveLength(1)
    expect(many.layer[0].encoding.color.legend).toBeUndefined()
  })

  it('needs neither for one line', () => {
    const { layer } = lines('claims')
    expect(layer).toHaveLength(1)
    expect(layer[0].encoding.color.legend).toBeNull()
  })

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

  it('explain only colours that are in them', () => {
    const risen = intervalChart(LABELS, [{ label: 'a', value: 2, lower: 1, upper: 3 }])
    expect(text(risen.spec)).toContain('above 0')
    expect(text(risen.spec)).not.toContain('below')
    // The number in each square is said as it is shown, which need not be what its colour goes by.
    const square = heatmapChart(LABELS, [{ x: 'a', y: 'b', value: 0.47, text: '47 %' }])
    expect(text(square.spec)).toContain('"legend":null')
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

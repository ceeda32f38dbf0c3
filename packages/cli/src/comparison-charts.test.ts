import { type Candidate, type Comparison, comparisonView } from '@scrim/core'
import { compile } from 'vega-lite'
import { expect, it } from 'vitest'
import { chartSvg } from './printing/svg.js'

/** Candidates from safe and useless to useful and risky, with one measure that could not place the last. */
function candidate(name: string, k: number): Candidate {
  const place = (value: number) => ({ value, lower: value - 0.1, upper: value + 0.1 })
  const score = (block: 'risk' | 'relations' | 'columns', id: string, value: number | null) => ({
    block,
    id,
    target: null,
    place: value === null ? null : place(value),
    significant: value === null ? null : value > 0.5,
    level: block === 'risk' ? ('LOW' as const) : null,
    reason: null,
  })
  return {
    name,
    level: k > 2 ? 'HIGH' : 'LOW',
    recommendation: '',
    sentence: '',
    likeness: null,
    risk: { ...place(0.25 * k), threat: 'attribute', target: null },
    utility: { ...place(0.2 + 0.2 * k), level: 'USABLE' },
    exposure: 0.3 * k,
    scores: [
      score('risk', 'attribute', 0.25 * k),
      score('risk', 'memorisation', 0.2 * k * k),
      score('relations', 'pmse', 0.3 * k),
      score('relations', 'tstr', k === 3 ? null : 0.2 + 0.1 * k),
      score('columns', 'wasserstein', 0.9),
    ],
    incomplete: [],
    agreement: [],
    drivers: [],
    exposed: null,
    front: { probability: k === 1 ? 0 : 1, label: k === 1 ? 'dominated' : 'on the front', inEveryMeasure: 1 },
  }
}

const names = ['one.csv', 'two.csv', 'three.csv', 'four.csv']
const comparison: Comparison = {
  schemaVersion: 2,
  seed: 1,
  draws: 300,
  epsilon: 0.01,
  original: { name: 'original.csv', records: 1000 },
  holdout: null,
  keys: ['age'],
  numericKeys: [],
  targets: ['income'],
  anchors: [{ name: 'the original', utility: 1, risk: 1, how: '' }],
  candidates: names.map(candidate),
  dominance: { names, probabilities: names.map((_, i) => names.map((__, j) => (i < j ? 0.2 : 0))) },
  agreement: { measures: null, reason: 'too few candidates' },
  assessments: [],
}

it('draws all displays of four candidates, and Vega has nothing to remark', async () => {
  const provenance = { version: '0', date: '', command: null, files: [], seconds: null }
  const view = comparisonView(comparison, [], [], provenance, 'publishable')
  const charts = [...(view.map === null ? [] : [view.map]), ...view.pictures.map(({ chart }) => chart)]
  expect(charts.map(({ name }) => name)).toEqual([
    'map',
    'heatmap',
    'dots',
    'parallel',
    'radial',
    'biplot',
    'blocks',
    'dominance',
  ])
  expect(view.notDrawn).toEqual([])
  const remarks: string[] = []
  const logger = { level: () => logger, error: keep, warn: keep, info: () => logger, debug: () => logger }
  function keep(...texts: readonly unknown[]) {
    remarks.push(texts.join(' '))
    return logger
  }
  for (const chart of charts) {
    compile(chart.spec as unknown as Parameters<typeof compile>[0], { logger: logger as never })
    expect(await chartSvg(chart)).toContain('<svg')
  }
  expect(remarks).toEqual([])
})

it('says in the first sentence what may be released, and what is most useful of it', () => {
  const provenance = { version: '0', date: '', command: null, files: [], seconds: null }
  const { headline, candidates } = comparisonView(comparison, [], [], provenance, 'internal')
  expect(headline[0]).toBe(
    'Suitable for wider release on this evidence: one.csv, two.csv, three.csv; the most useful of these is three.csv, with utility 60 % (usable).',
  )
  expect(headline[1]).toBe('Not suitable: four.csv (HIGH).')
  expect(candidates[1]).toMatchObject({ leakage: '25 %', leakageBounds: '15 % to 35 %', front: 'dominated' })
})

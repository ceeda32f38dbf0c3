import { expect, it } from 'vitest'
import type { Candidate, Comparison } from '../../compare/comparison.js'
import { comparisonMarkdown } from './comparison-markdown.js'
import { comparisonView } from './comparison-view.js'

const provenance = { version: '0', date: '', command: null, files: [], seconds: null }

function candidate(name: string, risk: number, utility: number): Candidate {
  const place = (value: number) => ({ value, lower: value - 0.1, upper: value + 0.1 })
  return {
    name,
    level: risk > 0.3 ? 'HIGH' : 'LOW',
    recommendation: '',
    sentence: '',
    likeness: null,
    risk: { ...place(risk), threat: 'attribute', target: null },
    utility: { ...place(utility), level: 'USABLE' },
    exposure: null,
    scores: [],
    incomplete: [],
    agreement: [
      {
        a: { threat: 'attribute', target: 'ill' },
        b: { threat: 'membership', target: null },
        spearman: -0.004,
        records: 1234,
      },
    ],
    drivers: [
      {
        threat: 'attribute',
        column: 'age',
        level: '20',
        people: 12,
        mean: 0.25,
        overall: 0.003,
        lower: 0.1,
        upper: 0.4,
      },
    ],
    exposed: null,
    front: { probability: 0.4, label: 'undecided', inEveryMeasure: 0.001 },
  }
}

const comparison = {
  schemaVersion: 2,
  seed: 7,
  draws: 300,
  epsilon: 0.01,
  original: { name: 'original.csv', records: 1000 },
  holdout: null,
  keys: ['age'],
  numericKeys: ['income'],
  targets: [],
  anchors: [{ name: 'the original', utility: 1, risk: 1, how: 'by definition' }],
  candidates: [candidate('a.csv', 0.05, 0.6), candidate('b.csv', 0.5, 0.9)],
  dominance: {
    names: ['a.csv', 'b.csv'],
    probabilities: [
      [0, 0.1],
      [0.3, 0],
    ],
  },
  agreement: { measures: null, reason: 'too few candidates' },
  assessments: [],
} as unknown as Comparison

it('says which may be released, and which may not', () => {
  const { headline, subject, candidates } = comparisonView(comparison, [], [], provenance, 'internal')
  expect(headline.slice(0, 2)).toEqual([
    'Suitable for wider release on this evidence: a.csv, with utility 60 % (usable).',
    'Not suitable: b.csv (HIGH).',
  ])
  expect(headline[2]).toBe(
    'Not decided by these data: a.csv (dominated in 60 % of draws), b.csv (dominated in 60 % of draws).',
  )
  expect(subject).toBe('1,000 people in original.csv · no holdout · keys: age, income · no target')
  expect(candidates[0]).toMatchObject({ leakage: '5 %', utilityBounds: '50 % to 70 %', inEveryMeasure: '<1 %' })
})

it('tells readers outside no small count and no exact share', () => {
  const inside = comparisonView(comparison, [], [], provenance, 'internal')
  const outside = comparisonView(comparison, [], [], provenance, 'publishable')
  expect(inside.drivers?.rows[0]).toEqual(['a.csv', 'attribute inference', 'age 20', '12', '25.0 %'])
  expect(outside.drivers).toBeNull()
  expect([inside.agreement?.rows[0][2], outside.agreement?.rows[0][2]]).toEqual(['0.00', '0.0'])
})

it('has no display where no candidate could be placed, and says so', () => {
  const view = comparisonView(comparison, [], [], provenance, 'internal')
  expect([view.pictures, view.notDrawn]).toEqual([[], ['no candidate could be placed']])
  const text = comparisonMarkdown(view)
  expect(text).toContain('| the original | 100 % | 100 % | by definition |')
  expect(text).toContain('- not drawn: no candidate could be placed')
})

it('says of which threat the leakage is, and where its verdict is a milder one', () => {
  const place = { value: 0.5, lower: 0.4, upper: 0.6 }
  const score = {
    block: 'risk' as const,
    id: 'attribute' as const,
    target: null,
    place,
    significant: false,
    reason: null,
  }
  const threatWith = (scores: Candidate['scores']) =>
    comparisonView(
      { ...comparison, candidates: [{ ...comparison.candidates[1], scores }] } as Comparison,
      [],
      [],
      provenance,
      'publishable',
    ).candidates[0].threat
  expect(threatWith([{ ...score, level: 'HIGH' }])).toBe('attribute inference')
  expect(threatWith([{ ...score, level: 'LOW' }])).toBe('attribute inference, which is LOW')
})

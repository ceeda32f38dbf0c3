import { expect, it } from 'vitest'
import { type Assessment, conclude } from '../assess/assessment.js'
import { measures } from '../measures.js'
import { example } from '../testing/scenes/example.js'
import { answerView, threatsTable, utilityTable, utilityView } from './answer.js'
import { assessmentMarkdown } from './assessment-markdown.js'
import { documentView } from './document.js'
import { documentMarkdown } from './document-markdown.js'

const nothing = conclude(example(), [], measures)
const [release] = nothing.releases
const threat = {
  ...release.threats.find(({ threat: name }) => name === 'attribute'),
  target: null,
  level: 'HIGH',
  leakage: 0.456,
  interval: { lower: -0.3, upper: 1.7 },
  exposure: 0.5,
  people: 1234,
  decidedBy: 'attribution',
  reason: null,
  settles: null,
  drivers: [
    { column: 'sex', level: 'f', people: 1, mean: 0.2, overall: 0.1, lower: null, upper: null },
    { column: 'sex', level: 'm', people: 20, mean: 0.1, overall: 0.05, lower: 0.02, upper: 0.2 },
    { column: 'age', level: '1', people: 20, mean: 0.1, overall: 0.05, lower: 0.02, upper: 0.2 },
  ],
  columns: [{ column: 'age', share: 0.4, lower: 0.3, upper: 0.5 }],
  supports: [{ measure: 'disco' }, { measure: 'disco' }],
  contradicts: [
    { measure: 'dcap', why: null },
    { measure: 'tcap', why: null },
  ],
  structure: [],
  limits: { high: 0.3, matters: 0.05 },
}
const alarming = { ...nothing, releases: [{ ...release, threats: [threat] }] } as unknown as Assessment

it('a threat is a row, with what drives it and who agrees', () => {
  const [view] = answerView(alarming).releases
  expect(threatsTable(view).rows).toEqual([
    [view.threats[0].title, 'HIGH', '46 %', '0 to 100 %', '50 %', '1,234', 'attribution'],
  ])
  expect(view.drivers).toEqual([
    'attribute inference: sex f (1 person): adds 20.0 % each, 10.0 % overall',
    'attribute inference: sex m (20 people): adds 10.0 % each (2 to 20 %), 5.0 % overall',
  ])
  expect(view.columns).toEqual(['attribute inference (46 points), lost without: age 40 (30 to 50)'])
  expect(view.supports).toEqual(['attribute inference HIGH: disco'])
  expect(view.contradicts).toEqual(['attribute inference: dcap, tcap see nothing; attribution decides'])
  const undecided = { ...threat, level: 'LOW', decidedBy: null, supports: [] }
  const low = { ...nothing, releases: [{ ...release, threats: [undecided] }] } as unknown as Assessment
  expect(answerView(low).releases[0].contradicts).toEqual(['attribute inference: dcap, tcap alarm; no measure decides'])
})

it('LOW says why it is none of the higher levels that its bounds reach', () => {
  const resting = (over: object) =>
    answerView({
      ...alarming,
      releases: [{ ...release, threats: [{ ...threat, ...LOW, ...over }] }],
    } as unknown as Assessment).releases[0].restsOn[0].split('the original 50.0 %; ')[1]
  const LOW = {
    level: 'LOW',
    look: 'against a guess',
    value: 0.2,
    unit: 'share',
    controls: { fair: { value: 0.1 }, everything: { value: 0.5 } },
    interval: { lower: 0.08, upper: 0.38 },
    shareOfPeople: { value: 0.01, lower: 0, upper: 0.03, reach: 0.1 },
    p: 0.0521,
    adjustedP: 1,
    correction: 20,
  }
  const few = 'beyond what others explain, it concerns at most 3 % of people'
  expect(resting({})).toBe(`not significant (p = 0.052); ${few}`)
  expect(resting({ p: 0.01 })).toBe(`not significant among 20 comparisons; ${few}`)
  expect(resting({ interval: { lower: -0.1, upper: 0.38 } })).toBe(few)
  expect(resting({ interval: { lower: 0.08, upper: 0.2 } })).toBe('not significant (p = 0.052)')
  const high = { level: 'HIGH', leakage: 0.5, interval: { lower: 0.4, upper: 0.6 } }
  expect(resting({ ...high, people: 3 })).toBe('people are counted: this leakage is not a share of all people')
  expect(resting({ ...high, people: Math.round(0.5 * nothing.original.records) })).toBeUndefined()
})

it('Markdown has the table of threats, and the document each table once', () => {
  expect(assessmentMarkdown(alarming, [], measures)).toContain('| attribute inference | HIGH | 46 % | 0 to 100 % |')
  const provenance = { version: '1', date: 'today', command: null, files: [], seconds: 1.26 }
  const view = documentView(alarming, [], measures, provenance, 'internal')
  expect(view.releases[0].threats[0].drivers?.rows[0]).toEqual(['sex f', '1', '20.0 %', '–', '10.0 %'])
  expect(documentMarkdown(view).match(/\| age \| 40 % \| 30 % to 50 % \|/g)).toHaveLength(1)
  expect(view.run.at(-1)).toEqual(['run time', '1.3 s'])
})

it('readers outside see values of utility by two digits', () => {
  const row = { measure: 'm', target: 'ill', unit: 'score', value: 1.2345, honest: null, ratio: 2.345, place: 0.5 }
  const measuresOf = [{ ...row, sample: 0.12, p: 0.0001, sentence: '' }]
  const utility = {
    level: 'USABLE',
    score: 0.5,
    relations: null,
    columns: 0.5,
    samples: null,
    sentence: '',
    incomplete: [],
    worstColumns: [],
    worstPairs: [],
    measures: measuresOf,
  } as unknown as Parameters<typeof utilityView>[0]
  expect(utilityTable(utilityView(utility)).rows[0]).toEqual(['m (ill)', '1.23', '-', '2.35', '50 %', '12 %', '<0.001'])
})

import { expect, it } from 'vitest'
import { conclude } from '../assess/assessment.js'
import { measures } from '../measures.js'
import { example } from '../testing/scenes/example.js'
import { type GuessedRoles, nextSteps } from './next-steps.js'

const NO_GUESS: GuessedRoles = { keys: [], target: [] }

it('what to do next depends on the answer, not on its words', () => {
  const answer = conclude(example(), [], measures)
  const [release] = answer.releases
  const codes = (changes: object, guess = NO_GUESS) =>
    nextSteps({ ...answer, type: 'synthetic', ...changes }, guess).map(({ code }) => code)

  expect(codes({})).toEqual(['show-measures'])
  expect(codes({ keys: [], targets: [], type: 'unknown' })).toEqual([
    'give-keys',
    'give-target',
    'say-type',
    'show-measures',
  ])
  expect(codes({}, { keys: ['sex'], target: [] })).toEqual(['take-guess', 'show-measures'])
  const settledBy = (settles: object) => ({
    releases: [{ ...release, threats: release.threats.map((threat) => ({ ...threat, settles })) }],
  })
  expect(codes(settledBy({ code: 'holdout' }))).toEqual(['give-holdout', 'show-measures'])
  expect(codes(settledBy({ code: 'records', records: 10 }))).toEqual(['show-measures'])
  const alarming = { releases: [{ ...release, verdict: { ...release.verdict, level: 'HIGH' } }] }
  expect(codes(alarming)).toEqual(['find-columns', 'ask-advice', 'show-measures'])
})

import { expect, it } from 'vitest'
import { openCase } from '../case/open-case.js'
import { stream } from '../random/stream.js'
import { tableOf } from '../table/table.js'
import { assessCase } from './run.js'

const random = stream(3, 'people')
const people = Array.from({ length: 300 }, () => ({
  sex: 'fm'[random.below(2)],
  region: 'abc'[random.below(3)],
  income: 1000 + random.below(900_000),
}))
const original = tableOf('original', {
  sex: people.map(({ sex }) => sex),
  region: people.map(({ region }) => region),
  income: people.map(({ income }) => income),
})
/** Keys swapped for three people in ten, but every income hardly off. */
const released = tableOf('released', {
  sex: people.map(({ sex }) => (random.uniform() < 0.3 ? 'fm'[random.below(2)] : sex)),
  region: people.map(({ region }) => (random.uniform() < 0.3 ? 'abc'[random.below(3)] : region)),
  income: people.map(({ income }) => income + random.below(40)),
})

const answer = async (numericKeys: readonly string[]) => {
  const asked = { keys: ['sex', 'region'], numericKeys, type: 'perturbed' as const, measures: ['reidentification'] }
  const { assessment } = await assessCase(openCase(asked, { original, released }))
  return assessment.releases[0]
}

it('an alarm that rests on numbers counted as known says so, and what it is without them', async () => {
  const { verdict, onlyByNumbers } = await answer(['income'])
  expect(onlyByNumbers).toEqual({ columns: ['income'], with: 'HIGH', identity: 'LOW', overall: 'LOW' })
  expect(verdict.sentence).toContain(
    'Identity is HIGH only because income is counted as known to an attacker; without it it would be LOW, and the release LOW.',
  )
  expect(await answer([])).toMatchObject({ verdict: { level: 'LOW' }, onlyByNumbers: null })
})

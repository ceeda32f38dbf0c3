import { expect, it } from 'vitest'
import { z } from 'zod'
import { bayesianNetwork } from '../../synthesizers/bayesian-network.js'
import { domainsOf } from '../../synthesizers/domain.js'
import { independent } from '../../synthesizers/independent.js'
import type { Synthesizer } from '../../synthesizers/synthesizer.js'
import { valueAt } from '../../table/column.js'
import { columnOf, selectRows, type Table, tableOf } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { auditPrivacy } from './audit.js'
import { playShadowGame } from './game.js'
import { mostIsolated } from './isolated.js'

/** Fifty people of which the eighth, alone in region z, is far from everybody. */
const people = tableOf('people', {
  sex: Array.from({ length: 50 }, (_, k) => (k % 2 === 0 ? 'f' : 'm')),
  age: Array.from({ length: 50 }, (_, k) => (k === 7 ? 99 : 20 + (k % 10))),
  region: Array.from({ length: 50 }, (_, k) => (k === 7 ? 'z' : k % 3 === 0 ? 'x' : 'y')),
})

const copies: Synthesizer = {
  id: 'copies',
  title: 'The original itself',
  options: z.object({}),
  fit: (data: Table) => ({
    sample: (rows) =>
      selectRows(
        data,
        Array.from({ length: rows }, (_, k) => k % data.rows),
      ),
    describe: () => ({}),
  }),
}

it('the most isolated record is the one that is far from all', async () => {
  expect(Array.from(await mostIsolated(people, 1, { tasks: inline }))).toEqual([7])
})

it('a copy is as bad as so many releases can show', async () => {
  const audit = await auditPrivacy({ people, synthesizer: copies, epsilon: 1, releases: 80, seed: 1 })
  expect(audit).toMatchObject({ row: 7, verdict: 'broken', releases: { shadows: 20, choice: 20, counted: 40 } })
  expect(audit.counts).toEqual({ withPerson: 40, truePositives: 40, withoutPerson: 40, falsePositives: 0 })
  expect(audit.bound).toBe(audit.most)
  expect(audit.bound).toBeCloseTo(Math.log(0.025 ** (1 / 40) / (1 - 0.025 ** (1 / 40))), 9)
})

it('of replaced records the world without the person is as long, with the next person twice', async () => {
  const lengths = new Set<string>()
  const looks: Synthesizer = {
    ...copies,
    fit: (data: Table, options, random) => {
      lengths.add(`${data.rows} ${['99', '28'].map((age) => ages(data).filter((own) => own === age).length)}`)
      return copies.fit(data, options, random)
    },
  }
  const audit = await auditPrivacy({
    people,
    synthesizer: looks,
    epsilon: 1,
    neighbours: 'replace',
    releases: 40,
    seed: 1,
  })
  expect(audit).toMatchObject({ row: 7, verdict: 'broken', claim: { neighbours: 'replace' } })
  // Ages 28 are those of every tenth person, the ninth among them, who follows.
  expect(lengths).toEqual(new Set(['50 1,5', '50 0,6']))
})

const ages = (data: Table) => Array.from({ length: data.rows }, (_, row) => String(valueAt(columnOf(data, 'age'), row)))

it('a claim that is kept is not contradicted', async () => {
  const options = { epsilon: 0.5, domains: domainsOf(people.columns) }
  const audit = await auditPrivacy({
    people,
    synthesizer: bayesianNetwork,
    options,
    epsilon: 0.5,
    releases: 80,
    seed: 1,
  })
  expect(audit.verdict).toBe('not contradicted')
})

it('the same seed gives the same scores, and somebody who was never in scores alike', async () => {
  const game = {
    people,
    rows: Int32Array.of(7, 8),
    synthesizer: independent,
    shadows: 10,
    tests: 10,
    queries: 20,
    trees: 20,
    seed: 3,
  }
  const [first, second] = [await playShadowGame(game), await playShadowGame(game)]
  expect(first).toEqual(second)
  expect(first.releases).toBe(60)
  const { inside, outside } = first.people[0].scores['nearest record']
  expect([inside.length, outside.length]).toEqual([10, 10])
  // Region z is released only with the person, so the nearest record is farther without.
  expect(Math.max(...outside)).toBeLessThanOrEqual(Math.max(...inside))
})

it.each([
  [{ epsilon: 0 }, 'epsilon must be above 0, but it is 0'],
  [{ delta: 1 }, 'delta must be at least 0 and below 1, but it is 1'],
  [{ releases: 10 }, 'an audit needs 40 releases of each world, but 10 were asked for'],
  [{ row: 50 }, 'there is no record 51: people has 50'],
])('%j is a mistake', async (wrong, message) => {
  await expect(auditPrivacy({ people, synthesizer: copies, epsilon: 1, seed: 1, ...wrong })).rejects.toThrow(message)
})

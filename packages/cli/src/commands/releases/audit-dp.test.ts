import { toCsv } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { expect, it } from 'vitest'
import { workplace } from '../../testing/run.js'

const FILES = { 'people.csv': toCsv(simulateHealth({ n: 60, kappa: 10, seed: 1 })) }
const QUICK = '--releases 40 --threads 1'

it('a generator that copies breaks its claim: exit code 3', async () => {
  const { run, read } = workplace(FILES)
  const { code, out, err } = await run(
    `audit-dp people.csv --method 'command:cp {in} {out}' --epsilon 1 ${QUICK} --json audit.json`,
  )
  expect([code, err]).toEqual([3, ''])
  expect(out).toContain(
    'BROKEN: the generator is not as private as stated. epsilon 1 was stated, and epsilon is at least 1.60',
  )
  expect(JSON.parse(read('audit.json'))).toMatchObject({
    claim: { epsilon: 1, delta: 0 },
    counts: { withPerson: 20, truePositives: 20, withoutPerson: 20, falsePositives: 0 },
    verdict: 'broken',
  })
})

it('a private one keeps it, which proves nothing', async () => {
  const { run } = workplace(FILES)
  const { code, out } = await run(
    `audit-dp people.csv --method bayesian-network --set epsilon=1 --known-domains --epsilon 1 --record 5 ${QUICK}`,
  )
  expect(code).toBe(0)
  expect(out).toMatch(/^NOT CONTRADICTED: epsilon 1 was stated/)
  expect(out).toContain('record 5 left out')
})

it.each([
  ['audit-dp', 'no file given'],
  ['audit-dp people.csv --epsilon 1', '--method is missing: the generator that is audited'],
  ['audit-dp people.csv --method cart', '--epsilon is missing: the epsilon that is stated'],
  ['audit-dp people.csv --method cart --epsilon 0', '--epsilon must be a number above 0, found 0'],
  ['audit-dp people.csv --method cart --epsilon 1 --releases 5', 'an audit needs 40 releases of each world'],
  ['audit-dp people.csv --method cart --epsilon 1 --record 61', 'there is no record 61'],
  ['audit-dp people.csv --method cart --epsilon 1 --known-domains', 'cart has no domains'],
  ['audit-dp people.csv --method cart --epsilon 1 --neighbours replaces', 'did you mean "replace"?'],
  ['audit-dp people.csv --method folder:x --epsilon 1', 'an audit makes releases of its own'],
])('%s is a mistake', async (command, message) => {
  const { code, err } = await workplace(FILES).run(command)
  expect(code).toBe(2)
  expect(err).toContain(message)
})

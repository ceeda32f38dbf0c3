import { expect, it } from 'vitest'
import { INTERNAL } from '../discretion.js'
import { THREATS, type Threat } from '../evidence/threats.js'
import type { Level } from './judge.js'
import { recommendation, reveals } from './sentences.js'

const all = (level: Level, without: readonly Threat[] = []) =>
  THREATS.map((threat) => ({
    threat,
    level: without.includes(threat) ? ('NOT ASSESSED' as const) : level,
    decidedBy: null,
  }))

it('LOW speaks for wider release only where what needs people outside was tested', () => {
  expect(recommendation('LOW', all('LOW'))).toBe('On this evidence it is suitable for wider release.')
  expect(recommendation('LOW', all('LOW', ['attribute']))).toBe('On this evidence it is suitable for wider release.')
  expect(recommendation('LOW', all('LOW', ['membership', 'singling-out', 'linkability']))).toBe(
    'Nothing that could be tested speaks against wider release; membership, singling out and linkability were not tested.',
  )
  expect(recommendation('LOW', all('LOW', ['linkability']))).toMatch(/; linkability was not tested\.$/)
  expect(recommendation('HIGH', all('HIGH', ['membership']))).toBe('Do not release it.')
})

it('people who are counted are not put as a share of the records', () => {
  const tail = { threat: 'memorisation-tail', target: null, leakage: 0.5, interval: null, says: null } as const
  const found = (people: number) => reveals(200, { ...tail, people } as Parameters<typeof reveals>[1], INTERNAL)
  expect(found(100)).toMatch(
    /else, as if the records of about 100 of 200 people had been released unchanged: leakage 50 %$/,
  )
  expect(found(30)).toMatch(/else, about 30 of 200 people by count: leakage 50 %$/)
})

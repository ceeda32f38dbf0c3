import { expect, it } from 'vitest'
import { THREATS, type Threat } from '../evidence/threats.js'
import type { Level } from './judge.js'
import { recommendation } from './sentences.js'

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

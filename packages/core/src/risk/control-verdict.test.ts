import { describe, expect, it } from 'vitest'
import {
  attackTooWeak,
  byRisk,
  CONTROL_LIMITS,
  type ControlTest,
  controlVerdict,
  notAssessable,
} from './control-verdict.js'

function test(given: Partial<ControlTest>): ControlTest {
  return {
    what: 'residual risk',
    effect: 0.15,
    interval: { lower: 0.11, upper: 0.19 },
    p: 0.001,
    limits: CONTROL_LIMITS.residual,
    minimalDetectable: 0.04,
    ...given,
  }
}

describe('controlVerdict', () => {
  it.each([
    ['a significant effect of at least δ', {}, 'evidence', 'MODERATE'],
    ['one whose lower bound reaches the limit', { interval: { lower: 0.2, upper: 0.3 } }, 'evidence', 'HIGH'],
    ['one at δ exactly', { effect: 0.1, interval: { lower: 0.09, upper: 0.11 } }, 'evidence', 'MODERATE'],
    ['one without interval', { interval: null }, 'evidence', 'MODERATE'],
    ['p = 0.01', { p: 0.01 }, 'inconclusive', 'INCONCLUSIVE'],
    ['an upper bound below δ', { effect: 0, interval: { lower: -0.09, upper: 0.09 }, p: 0.5 }, 'no-evidence', 'LOW'],
    [
      'a significant effect surely below δ',
      { effect: 0.05, interval: { lower: 0.02, upper: 0.08 } },
      'no-evidence',
      'LOW',
    ],
    [
      'an upper bound at δ',
      { effect: 0, interval: { lower: -0.1, upper: 0.1 }, p: 0.5 },
      'inconclusive',
      'INCONCLUSIVE',
    ],
    ['no interval and no significance', { interval: null, p: 0.5 }, 'inconclusive', 'INCONCLUSIVE'],
  ] as const)('%s', (_, given, status, level) => {
    expect(controlVerdict(test(given))).toMatchObject({ status, verdict: { level } })
  })

  it('says what it rests on', () => {
    expect(controlVerdict(test({})).verdict.because).toBe(
      'residual risk 15.0 % (11.0 % to 19.0 %) beyond people outside the release, p = 0.0010; it matters from 10.0 %, high when certain to reach 20.0 %',
    )
    expect(controlVerdict(test({ effect: 0.02, interval: { lower: -0.1, upper: 0.14 }, p: 0.4 })).verdict.because).toBe(
      'residual risk 2.0 % (-10.0 % to 14.0 %) beyond people outside the release, p = 0.40: neither shown to reach 10.0 % nor to stay below it; an effect below 4.0 % would have gone unnoticed',
    )
  })

  it('says of a small effect that it is there, and of too few records that they show nothing', () => {
    const small = controlVerdict(test({ effect: 0.05, interval: { lower: 0.02, upper: 0.08 } }))
    expect(small.verdict.because).toBe(
      'residual risk 5.0 % (2.0 % to 8.0 %) beyond people outside the release, surely below 10.0 %, though not by chance (p = 0.0010): some people are given away',
    )
    const few = controlVerdict(test({ p: 0.3, minimalDetectable: 1.76 }))
    expect(few.verdict.because).toMatch(/with so few records even the largest effect would have gone unnoticed$/)
  })

  it('lets the riskiest of several looks count', () => {
    const low = controlVerdict(test({ effect: 0, interval: { lower: -0.01, upper: 0.01 }, p: 0.5 }))
    const open = controlVerdict(test({ p: 0.5 }))
    expect(
      [attackTooWeak('it fails'), low, open, controlVerdict(test({}))].sort(byRisk).map((one) => one.status),
    ).toEqual(['evidence', 'inconclusive', 'no-evidence', 'attack-too-weak'])
  })

  it('never passes without a holdout, or for an attack that is no attack', () => {
    expect(notAssessable()).toMatchObject({ status: 'not-assessable', verdict: { level: 'NOT ASSESSED' } })
    expect(notAssessable().verdict.because).toContain('--holdout')
    expect(attackTooWeak('3.0 % against 4.0 % for naive guesses')).toMatchObject({
      status: 'attack-too-weak',
      verdict: {
        level: 'NOT ASSESSED',
        because: 'the attack is too weak to say anything: 3.0 % against 4.0 % for naive guesses',
      },
    })
  })
})

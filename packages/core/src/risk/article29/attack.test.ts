import { describe, expect, it } from 'vitest'
import { nonFinitePath } from '../../json.js'
import { attackChart, attackFinding, residualSentence } from './attack.js'

const counts = (successes: number, attacks: number) => ({ successes, attacks })
const found = (main: number, control: number | null, naive = 0, n = 500) =>
  attackFinding({
    main: counts(main, n),
    control: control === null ? null : counts(control, n),
    naive: [{ what: 'a guess', rate: naive }],
  })

describe('an attack', () => {
  it('is 52 of 500 inside and 48 of 500 outside the release', () => {
    const { value, reference, details, verdict } = found(52, 48)
    expect(value).toBe(0.104)
    expect(reference).toEqual({ value: 0.096, what: 'people outside the release' })
    expect(details.residual?.value).toBeCloseTo(0.00885, 6)
    expect(details.residual?.interval?.lower).toBeCloseTo(-0.03352, 6)
    expect(details.residual?.interval?.upper).toBeCloseTo(0.049792, 6)
    expect(details.score).toBe(details.residual?.value)
    expect(details.status).toBe('no-evidence')
    expect(verdict.level).toBe('LOW')
    expect(residualSentence(details)).toBe(
      '9.6 % for people outside the release, residual risk 0.9 % (-3.4 % to 5.0 %)',
    )
  })

  it('reads as the reference implementations print it', () => {
    const { riskutility, anonymeter } = found(52, 48).details.reference ?? {}
    expect(riskutility?.risk).toBeCloseTo(0.00885, 6)
    expect(riskutility?.interval.upper).toBeCloseTo(0.065461, 6)
    expect(riskutility?.pass).toBe(true)
    expect(anonymeter?.risk).toBeCloseTo(0.008812, 6)
    expect(anonymeter?.interval.upper).toBeCloseTo(0.05003, 5)
    const strong = found(200, 50).details
    expect(strong.residual?.value).toBeCloseTo(1 / 3, 12)
    expect(strong.residual?.interval?.lower).toBeCloseTo(0.2816, 6)
    expect(strong.residual?.interval?.upper).toBeCloseTo(0.384683, 6)
    expect(strong.reference?.riskutility).toMatchObject({ pass: false, interval: { lower: expect.closeTo(0.2625, 4) } })
    expect(strong.reference?.anonymeter).toMatchObject({ risk: expect.closeTo(0.3319, 4) })
  })

  it('keeps the sign of R, and shows none on the map below zero', () => {
    const { residual, score } = found(1, 3).details
    expect(residual?.value).toBeCloseTo(-2 / 497, 12)
    expect(score).toBe(0)
  })

  it.each<[string, ReturnType<typeof found>, string, string]>([
    ['finds evidence', found(200, 50), 'evidence', 'HIGH'],
    ['cannot be judged without a holdout', found(500, null), 'not-assessable', 'NOT ASSESSED'],
    ['says nothing when a guess does as well', found(52, 48, 0.104), 'attack-too-weak', 'NOT ASSESSED'],
    ['says nothing when it always succeeds outside', found(500, 500), 'attack-too-weak', 'NOT ASSESSED'],
    ['is evidence even where a guess does better', found(200, 50, 0.9), 'evidence', 'HIGH'],
    ['is too small to tell', found(3, 1, 0, 10), 'inconclusive', 'INCONCLUSIVE'],
  ])('%s', (_, { details, verdict }, status, level) => {
    expect(details.status).toBe(status)
    expect(verdict.level).toBe(level)
    expect(nonFinitePath(details)).toBeUndefined()
    expect(nonFinitePath(attackChart(details, 'title').spec)).toBeUndefined()
  })

  it('warns when a guess does as well', () => {
    expect(found(52, 48, 0.104).warnings).toEqual([
      'the attack is no better than guessing: it succeeds in 10.40 %, a guess in 10.40 % of cases',
    ])
    expect(found(52, 48, 0.1).warnings).toEqual([])
    expect(found(52, null).reference).toEqual({ value: 0, what: 'a guess' })
  })

  it('warns of a leak about few people, which is real though below the limit', () => {
    const { details, verdict } = found(25, 2)
    expect(details.residual?.p).toBeLessThan(0.01)
    expect(verdict.level).toBe('LOW')
    expect(verdict.because).toMatch(/though not by chance .*: some people are given away$/)
    const weak = found(25, 2, 0.1)
    expect(weak.verdict.level).toBe('NOT ASSESSED')
    expect(weak.warnings[1]).toBe('a residual risk of 4.6 % is not chance all the same: some people are given away')
  })

  it('forgives sums of probabilities that exceed their number by a rounding error', () => {
    expect(found(500 + 1e-10, 499).value).toBe(1)
  })
})

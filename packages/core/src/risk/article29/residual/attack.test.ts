import { describe, expect, it } from 'vitest'
import { leakageOf } from '../../../evidence/evidence.js'
import { nonFinitePath } from '../../../json.js'
import { wilson } from '../../../stats/intervals.js'
import { attackChart, attackFinding, rateOf, residualSentence } from './attack.js'

const counts = (successes: number, attacks: number) => ({ successes, attacks })
const found = (main: number, control: number | null, naive = 0, n = 500, everything: number | null = 1) =>
  attackFinding(
    {
      main: counts(main, n),
      control: control === null ? null : counts(control, n),
      naive: [{ what: 'a guess', rate: naive }],
    },
    2000,
    everything === null ? null : counts(everything * 2000, 2000),
  )

const leakage = ({ controls = {}, effect }: ReturnType<typeof found>) => leakageOf(controls, effect).place

describe('a rate', () => {
  it('of chances varies less than one of successes, but some may be certain', () => {
    // Ten chances of 0.1: (0.1 + 0.5 - 0.1) / 100 is the variance of 18 trials.
    expect(rateOf({ ...counts(1, 10), squares: 0.1 }).interval).toEqual(wilson(1.8, 18))
    expect(rateOf({ ...counts(1, 10), squares: 1 })).toEqual(rateOf(counts(1, 10)))
  })
})

describe('an attack', () => {
  it('is 52 of 500 inside and 48 of 500 outside the release', () => {
    const { value, controls, effect, notAssessed, details } = found(52, 48)
    expect(value).toBe(0.104)
    expect(controls).toEqual({
      nothing: { value: 0, se: null, what: 'a guess' },
      fair: {
        value: 0.096,
        se: expect.closeTo(Math.sqrt((0.096 * 0.904) / 500), 12),
        what: 'people outside the release',
        basis: 'outsiders',
      },
      everything: { value: 1, se: null, what: 'the original itself' },
    })
    expect(effect?.value).toBeCloseTo(0.008, 12)
    // Score test: z = .008 / √(.1 .9 2/500) = .42164.
    expect(effect?.p).toBeCloseTo(0.33664, 5)
    // One-sided 95 % bounds from Wilson's ends at 90 %: .083636 to .128627 and .076453 to .119895.
    expect(effect?.lower).toBeCloseTo(-0.023396, 6)
    expect(effect?.upper).toBeCloseTo(0.039441, 6)
    expect(notAssessed).toBeUndefined()
    expect(details.residual?.value).toBeCloseTo(0.00885, 6)
    expect(details.residual?.interval?.lower).toBeCloseTo(-0.03352, 6)
    expect(details.residual?.interval?.upper).toBeCloseTo(0.049792, 6)
    expect(residualSentence(details)).toBe(
      '9.6 % for people outside the release, residual risk 0.9 % (-3.4 % to 5.0 %)',
    )
  })

  it('reads as the published implementations print it', () => {
    const { riskutility, anonymeter } = found(52, 48).details.published ?? {}
    expect(riskutility?.risk).toBeCloseTo(0.00885, 6)
    expect(riskutility?.interval.upper).toBeCloseTo(0.065461, 6)
    expect(riskutility?.pass).toBe(true)
    expect(anonymeter?.risk).toBeCloseTo(0.008812, 6)
    expect(anonymeter?.interval.upper).toBeCloseTo(0.05003, 5)
    const strong = found(200, 50).details
    expect(strong.residual?.value).toBeCloseTo(1 / 3, 12)
    expect(strong.residual?.interval?.lower).toBeCloseTo(0.2816, 6)
    expect(strong.residual?.interval?.upper).toBeCloseTo(0.384683, 6)
    expect(strong.published?.riskutility).toMatchObject({ pass: false, interval: { lower: expect.closeTo(0.2625, 4) } })
    expect(strong.published?.anonymeter).toMatchObject({ risk: expect.closeTo(0.3319, 4) })
  })

  it('keeps the sign of R and of the effect', () => {
    const { details, effect } = found(1, 3)
    expect(details.residual?.value).toBeCloseTo(-2 / 497, 12)
    expect(effect?.value).toBeCloseTo(-2 / 500, 12)
    expect(effect?.p).toBeGreaterThan(0.5)
  })

  it('leaks what lies beyond people outside, between them and the original itself', () => {
    const strong = found(200, 50)
    expect(strong.effect?.p).toBeLessThan(1e-20)
    // (.4 - .1) / (1 - .1), whatever a guess does.
    expect(leakage(strong)?.value).toBeCloseTo(1 / 3, 12)
    expect(leakage(strong)?.lower).toBeGreaterThan(0.28)
    expect(leakage(found(200, 50, 0.9))).toEqual(leakage(strong))
    expect(leakage(found(200, 50, 0, 500, 0.4))?.value).toBeCloseTo(1, 12)
    expect(leakage(found(500, 0))?.value).toBe(1)
  })

  it('knows the original itself exactly when everybody was attacked', () => {
    const of = (attacks: number) =>
      attackFinding({ main: counts(1, 4), control: null, naive: [] }, 100, counts(Math.floor(attacks / 2), attacks))
        .controls
    expect(of(100)?.everything).toEqual({ value: 0.5, se: null, what: 'the original itself' })
    expect(of(25)?.everything).toMatchObject({ value: 0.5 - 0.5 / 25, se: expect.closeTo(0.1, 3) })
  })

  it('has no fair control without people outside the release', () => {
    const { controls, effect, notAssessed, details } = found(500, null)
    expect(controls).not.toHaveProperty('fair')
    expect({ effect, notAssessed }).toEqual({
      effect: undefined,
      notAssessed: { code: 'no-outsiders' },
    })
    expect(details).toMatchObject({ control: null, residual: null, published: null })
    expect(residualSentence(details)).toMatch(/^without a holdout/)
  })

  it('cannot leak where it always succeeds outside too', () => {
    const always = found(500, 500)
    expect(always.effect).toMatchObject({ value: 0, p: 1 })
    expect(always.details.residual).toBeNull()
    expect(leakage(always)).toBeNull()
  })

  it('has wide bounds when few are attacked', () => {
    const few = found(3, 1, 0, 10)
    expect(few.effect?.p).toBeGreaterThan(0.1)
    expect(few.effect?.lower).toBeLessThan(-0.05)
    expect(few.effect?.upper).toBeGreaterThan(0.4)
    const none = found(0, 0, 0, 10)
    expect(none.effect).toMatchObject({ value: 0, p: 1 })
    // Wilson's end for 0 of 10 at 90 %: z² / (10 + z²) = .212942, outside as inside.
    expect(none.effect?.upper).toBeCloseTo(0.212942, 6)
    expect(none.effect?.lower).toBeCloseTo(-0.212942, 6)
  })

  it('shows a leak about few people, which is real though small', () => {
    const { effect, details } = found(25, 2, 0.1)
    expect(effect?.p).toBeLessThan(1e-5)
    expect(effect?.lower).toBeGreaterThan(0)
    expect(effect?.upper).toBeLessThan(0.1)
    expect(details.residual?.p).toBeLessThan(0.01)
  })

  it('warns when a guess does as well', () => {
    expect(found(52, 48, 0.104).warnings).toEqual([
      'the attack is no better than guessing: it succeeds in 10.40 %, a guess in 10.40 % of cases',
    ])
    expect(found(52, 48, 0.1).warnings).toEqual([])
  })

  it.each([
    ['with everything', found(200, 50)],
    ['without people outside', found(500, null)],
    ['that always succeeds', found(500, 500)],
    ['on few', found(0, 0, 0, 1)],
  ])('%s is told in numbers', (_, { details }) => {
    expect(nonFinitePath(details)).toBeUndefined()
    expect(nonFinitePath(attackChart(details, 'title').spec)).toBeUndefined()
  })

  it('forgives sums of probabilities that exceed their number by a rounding error', () => {
    expect(found(500 + 1e-10, 499).value).toBe(1)
  })
})

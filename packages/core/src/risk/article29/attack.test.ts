import { describe, expect, it } from 'vitest'
import { nonFinitePath } from '../../json.js'
import { attackChart, attackDetails, attackEvidence, residualSentence } from './attack.js'

const counts = (successes: number, attacks: number) => ({ successes, attacks })
const details = (main: number, control: number | null, naive = 0, n = 500) =>
  attackDetails({
    main: counts(main, n),
    control: control === null ? null : counts(control, n),
    naive: [{ what: 'a guess', rate: naive }],
  })
const ofOriginal = { value: 0.9, se: 0.01, what: 'the original itself' }
const evidence = (...given: Parameters<typeof details>) => attackEvidence(details(...given), ofOriginal, 1000)

describe('an attack', () => {
  it('is 52 of 500 inside and 48 of 500 outside the release', () => {
    const { value, controls, effect, people, notAssessed } = evidence(52, 48)
    expect(value).toBe(0.104)
    expect(controls).toMatchObject({
      nothing: { value: 0, what: 'a guess' },
      fair: { value: 0.096, se: expect.closeTo(Math.sqrt((0.096 * 0.904) / 500), 12), basis: 'outsiders' },
      everything: ofOriginal,
    })
    expect(effect?.value).toBeCloseTo(0.008, 12)
    // Newcombe at 90 %, and a score test with 10 % pooled.
    expect(effect?.lower).toBeCloseTo(-0.0234, 4)
    expect(effect?.upper).toBeCloseTo(0.0394, 4)
    expect(effect?.p).toBeCloseTo(0.3366, 4)
    expect(people).toBe(8)
    expect(notAssessed).toBeUndefined()
    const found = details(52, 48)
    expect(found.residual?.value).toBeCloseTo(0.00885, 6)
    expect(found.residual?.interval?.lower).toBeCloseTo(-0.03352, 6)
    expect(found.residual?.interval?.upper).toBeCloseTo(0.049792, 6)
    expect(residualSentence(found)).toBe('9.6 % for people outside the release, residual risk 0.9 % (-3.4 % to 5.0 %)')
  })

  it('reads as riskutility and anonymeter print it', () => {
    const { riskutility, anonymeter } = details(52, 48).published ?? {}
    expect(riskutility?.risk).toBeCloseTo(0.00885, 6)
    expect(riskutility?.interval.upper).toBeCloseTo(0.065461, 6)
    expect(riskutility?.pass).toBe(true)
    expect(anonymeter?.risk).toBeCloseTo(0.008812, 6)
    expect(anonymeter?.interval.upper).toBeCloseTo(0.05003, 5)
    const strong = details(200, 50)
    expect(strong.residual?.value).toBeCloseTo(1 / 3, 12)
    expect(strong.residual?.interval?.lower).toBeCloseTo(0.2816, 6)
    expect(strong.residual?.interval?.upper).toBeCloseTo(0.384683, 6)
    expect(strong.published?.riskutility).toMatchObject({ pass: false, interval: { lower: expect.closeTo(0.2625, 4) } })
    expect(strong.published?.anonymeter).toMatchObject({ risk: expect.closeTo(0.3319, 4) })
  })

  it('keeps the sign of its effect', () => {
    expect(details(1, 3).residual?.value).toBeCloseTo(-2 / 497, 12)
    expect(evidence(1, 3)).toMatchObject({ effect: { value: expect.closeTo(-0.004, 12) }, people: 0 })
  })

  it.each<[string, Parameters<typeof details>, { p: [number, number]; lower: [number, number] }]>([
    ['shows a leak', [200, 50], { p: [0, 1e-12], lower: [0.25, 0.3] }],
    ['shows one even where a guess does better', [200, 50, 0.9], { p: [0, 1e-12], lower: [0.25, 0.3] }],
    ['shows one about few people', [25, 2], { p: [0, 1e-4], lower: [0.02, 0.046] }],
    ['is too small to tell', [3, 1, 0, 10], { p: [0.1, 0.2], lower: [-0.2, 0] }],
    ['is not certain of nothing from ten people', [0, 0, -1, 10], { p: [1, 1], lower: [-0.3, -0.2] }],
    ['is not certain that a copy is one from ten people', [10, 0, 0, 10], { p: [0, 1e-4], lower: [0.6, 0.8] }],
  ])('%s', (_, given, { p, lower }) => {
    const { effect, notAssessed } = evidence(...given)
    expect(notAssessed).toBeUndefined()
    expect(effect?.p).toBeGreaterThanOrEqual(p[0])
    expect(effect?.p).toBeLessThanOrEqual(p[1])
    expect(effect?.lower).toBeGreaterThanOrEqual(lower[0])
    expect(effect?.lower).toBeLessThanOrEqual(lower[1])
    expect(nonFinitePath(details(...given))).toBeUndefined()
    expect(nonFinitePath(attackChart(details(...given), 'title').spec)).toBeUndefined()
  })

  it('says nothing without people outside, or when a guess does as well', () => {
    expect(evidence(500, null)).toMatchObject({
      value: 1,
      controls: { nothing: { value: 0 }, everything: ofOriginal },
      notAssessed: 'there is nobody outside the release to compare with',
    })
    expect(evidence(500, null).effect).toBeUndefined()
    const weak = 'the attack is no better than guessing: it succeeds in 10.40 %, a guess in 10.40 % of cases'
    expect(evidence(52, 48, 0.104)).toMatchObject({ notAssessed: weak, warnings: [weak] })
    expect(evidence(52, 48, 0.1).warnings).toEqual([])
  })

  it('always succeeds outside as well: no residual, and nothing that the original would add', () => {
    expect(details(500, 500).residual).toBeNull()
    expect(evidence(500, 500)).toMatchObject({ effect: { value: 0, p: 1 }, controls: { fair: { value: 1 } } })
  })

  it('forgives sums of probabilities that exceed their number by a rounding error', () => {
    expect(evidence(500 + 1e-10, 499).value).toBe(1)
  })
})

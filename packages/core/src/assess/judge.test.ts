import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Leakage } from '../evidence/evidence.js'
import { THREATS, type Threat } from '../evidence/threats.js'
import { normalCdf, normalQuantile } from '../stats/distributions.js'
import {
  byLevel,
  correctedLower,
  judge,
  LEVELS,
  type Level,
  LIMITS,
  levelOf,
  timesMoreRecords,
  worstLevel,
} from './judge.js'

const Z = normalQuantile(0.95)
const leak = (value: number, se: number): Leakage => ({
  value,
  se,
  lower: value - Z * se,
  upper: value + Z * se,
  p: normalCdf(-value / se),
})
/** Seen of people whom the original itself would tell apart to this share: all of them unless said otherwise. */
const look = (value: number, se: number, reach = 1) => {
  const leakage = leak(value, se)
  const scaled = (share: number) => share * reach
  const { lower, upper } = leakage
  const shareOfPeople = { value: scaled(value), se: scaled(se), lower: scaled(lower), upper: scaled(upper), reach }
  return { leakage, shareOfPeople }
}
const question = (threat: Threat, ...looks: readonly (readonly [number, number, number?])[]) => ({
  threat,
  looks: looks.map((seen) => look(...seen)),
})
const levels = (...questions: readonly ReturnType<typeof question>[]) => judge(questions).map(({ level }) => level)

describe('one threat', () => {
  it.each<[string, number, number, Level]>([
    ['certain to reach the high limit', 0.8, 0.05, 'HIGH'],
    ['shown, and may matter', 0.26, 0.075, 'MODERATE'],
    ['shown, and surely too small to matter', 0.03, 0.01, 'LOW'],
    ['not shown, and surely below the high limit', 0.05, 0.06, 'LOW'],
    ['not shown, and not ruled out', 0.1, 0.2, 'INCONCLUSIVE'],
    ['worse than others', -0.4, 0.1, 'LOW'],
  ])('%s', (_, value, se, level) => {
    expect(levels(question('attribute', [value, se]))).toEqual([level])
  })

  it('is HIGH where the lower bound reaches the limit at the level that all comparisons share', () => {
    // Seven threats: the bound lies 2.45 standard errors below, not 1.64.
    expect(levels(question('singling-out', [0.73, 0.29]))).toEqual(['MODERATE'])
    expect(levels(question('singling-out', [0.73, 0.2]))).toEqual(['HIGH'])
    expect(correctedLower(leak(0.73, 0.29), 7)).toBeCloseTo(0.73 - normalQuantile(1 - 0.05 / 7) * 0.29, 12)
    expect(correctedLower(leak(0.73, 0.29), 1)).toBeCloseTo(0.73 - Z * 0.29, 12)
  })

  it('is not assessed without a look, or through one in which the original itself would not be found out', () => {
    expect(judge([{ threat: 'membership', looks: [] }])).toMatchObject([
      { level: 'NOT ASSESSED', by: null, adjustedP: null },
    ])
    const [blurred] = judge([question('membership', [0.9, 0.6])])
    expect(blurred).toMatchObject({ level: 'NOT ASSESSED', by: null, because: { code: 'too-few' } })
  })

  it('is not LOW where something was left out that may hide it, and an alarm stands', () => {
    const texts = { code: 'unexplained-columns' as const, file: 'r', columns: ['remark'] }
    const columns = { code: 'columns-left-out' as const, columns: ['a', 'b'] }
    const low = question('identity', [0.01, 0.01])
    expect(judge([{ ...low, leftOut: texts }])[0]).toMatchObject({ level: 'INCONCLUSIVE', because: texts })
    expect(judge([{ threat: 'identity', looks: [], leftOut: texts }])[0].level).toBe('INCONCLUSIVE')
    expect(judge([{ ...low, threat: 'membership', leftOut: columns }])[0]).toMatchObject({
      level: 'NOT ASSESSED',
      because: columns,
    })
    expect(judge([{ ...question('identity', [0.8, 0.05]), leftOut: texts }])[0].level).toBe('HIGH')
  })

  it('is not assessed where only a part of it was looked for, and nothing found', () => {
    const looks = [{ ...look(0, 0.01), narrow: true }]
    expect(judge([{ threat: 'identity', looks }])).toMatchObject([{ level: 'NOT ASSESSED', by: null, adjustedP: null }])
  })

  it('has the limits of sections 8.4 and 8.9', () => {
    expect(LIMITS.attribute).toEqual({ matters: 0.05, high: 0.3, people: 0.05, reach: 0.05 })
    expect(LIMITS['memorisation-tail']).toEqual({ matters: 0.01, high: 0.05, people: 0.05, reach: 0.05 })
    expect(LIMITS.membership).toEqual({ matters: 0.05, high: 0.2, people: 0.05, reach: 0.05 })
    for (const threat of ['singling-out', 'linkability', 'identity'] as const)
      expect(LIMITS[threat]).toEqual({ matters: 0.05, high: 0.2, people: 0.05, reach: 0 })
  })

  it('is HIGH by names beyond chance, however few, and not by those that chance explains', () => {
    const named = (value: number, se: number) => [{ ...look(value, se), narrow: true, namesPeople: true }]
    const level = (looks: ReturnType<typeof named>) => judge([{ threat: 'identity', looks }])[0].level
    expect(level(named(0.031, 0.008))).toBe('HIGH')
    expect(level(named(0.01, 0.008))).toBe('NOT ASSESSED')
    expect(levels(question('identity', [0.031, 0.008]))).toEqual(['LOW'])
  })
})

describe('on the scale of people', () => {
  it('nothing is left open that concerns few of them, whatever leakage could be', () => {
    expect(levels(question('attribute', [0.1, 0.2]))).toEqual(['INCONCLUSIVE'])
    expect(levels(question('attribute', [0.1, 0.2, 0.1]))).toEqual(['LOW'])
    expect(levels(question('linkability', [0.01, 0.35, 0.007]))).toEqual(['LOW'])
  })

  it('an alarm is one however few they are, if the original itself would concern enough', () => {
    expect(levels(question('attribute', [0.8, 0.05, 0.06]))).toEqual(['HIGH'])
    expect(levels(question('linkability', [0.8, 0.05, 0.01]))).toEqual(['HIGH'])
  })

  it('a threat is LOW where even the original itself would tell hardly anybody apart', () => {
    const [coarse] = judge([question('memorisation', [13.19, 0.05, 0.012])])
    expect(coarse).toMatchObject({ level: 'LOW', by: null, adjustedP: null })
    expect(coarse.because).toEqual({ code: 'nothing-to-tell', atMost: 0.012 + Z * 0.05 * 0.012 })
    // Another look that tells people apart decides.
    expect(levels(question('memorisation', [13.19, 0.05, 0.012], [0.8, 0.05]))).toEqual(['HIGH'])
  })

  it('decides alone where leakage has no scale', () => {
    const short = (upper: number) => ({
      leakage: null,
      shareOfPeople: { value: 0, se: upper / Z, lower: -upper, upper, reach: 0.06 },
    })
    expect(judge([{ threat: 'attribute', looks: [short(0.04)] }])[0].level).toBe('LOW')
    expect(judge([{ threat: 'attribute', looks: [short(0.08)] }])[0].level).toBe('INCONCLUSIVE')
  })

  it('is not opened again by a look without a scale where another says that there is nothing to tell', () => {
    const few = { leakage: null, shareOfPeople: { value: 0.02, se: 0.03, lower: -0.03, upper: 0.07, reach: 0.06 } }
    const [judged] = judge([{ threat: 'attribute', looks: [look(0.1, 0.2, 0.04), few] }])
    expect(judged).toMatchObject({ level: 'LOW', because: { code: 'nothing-to-tell', atMost: 0.04 + Z * 0.2 * 0.04 } })
  })
})

it('a release is as its worst threat; what is the original itself is HIGH', () => {
  expect(worstLevel(['LOW', 'MODERATE', 'NOT ASSESSED'], false)).toBe('MODERATE')
  expect(worstLevel(['NOT ASSESSED', 'LOW'], false)).toBe('LOW')
  expect(worstLevel(['LOW'], true)).toBe('HIGH')
  expect(worstLevel([], false)).toBe('NOT ASSESSED')
})

describe('several looks at one threat', () => {
  it('share the level', () => {
    // p = 0.005 with seven threats: enough alone, not for two
    expect(levels(question('attribute', [0.2576, 0.1]))).toEqual(['MODERATE'])
    expect(levels(question('attribute', [0.2576, 0.1], [0, 0.05]))).toEqual(['LOW'])
  })

  it('share it with those that further evidence would allow, so that it takes no alarm away', () => {
    const alone = { ...question('attribute', [0.2576, 0.1]), unasked: { asItIs: 1, throughViews: 0 } }
    const [before, after] = [judge([alone]), judge([question('attribute', [0.2576, 0.1], [0, 0.3])])]
    expect(after[0].adjustedP).toBe(before[0].adjustedP)
  })

  it('leave a tenth of it to views, however many there are, so that nine copied records are still seen', () => {
    const copies = look(0.0100001, 0.0034838)
    copies.leakage = { ...copies.leakage, p: 1 / 2 ** 9 }
    const nothing = (view?: string) => ({ ...look(0, 0.003), ...(view === undefined ? {} : { view, narrow: true }) })
    const judged = (...views: readonly string[]) =>
      judge([{ threat: 'memorisation-tail', looks: [copies, nothing(), nothing(), ...views.map(nothing)] }])[0]
    expect(judged()).toMatchObject({ level: 'MODERATE', correction: 21 })
    expect(judged('a', 'a', 'a', 'b')).toMatchObject({ level: 'MODERATE', correction: 7 * (3 / 0.9) })
    const [disguised] = judge([
      { threat: 'memorisation', looks: [nothing(), { ...look(0.9, 0.05), view: 'a', narrow: true }, nothing('b')] },
    ])
    expect(disguised).toMatchObject({ level: 'HIGH', correction: 7 * (2 / 0.1) })
  })

  it('let any alarm stand', () => {
    const [{ level, by }] = judge([question('attribute', [-0.4, 0.05], [0.9, 0.1])])
    expect(level).toBe('HIGH')
    expect(by?.leakage?.value).toBe(0.9)
  })

  it('that see a part of the threat only can alarm and cannot reassure', () => {
    const asked = (value: number, narrow: number) => [
      {
        threat: 'attribute' as const,
        looks: [look(value, 0.2), { ...look(narrow, 0.01), narrow: true }],
      },
    ]
    expect(judge(asked(0.1, 0))[0].level).toBe('INCONCLUSIVE')
    expect(judge(asked(0.1, 0.9))[0].level).toBe('HIGH')
    const alone = [{ threat: 'attribute' as const, looks: [{ ...look(0, 0.01), narrow: true }] }]
    expect(judge(alone)[0].level).toBe('NOT ASSESSED')
  })

  it('let the most precise decide where none alarms, so that few outsiders do not open a settled question', () => {
    expect(levels(question('attribute', [0, 0.03], [0.1, 0.25]))).toEqual(['LOW'])
    expect(levels(question('attribute', [0.1, 0.25]))).toEqual(['INCONCLUSIVE'])
  })
})

describe('several threats', () => {
  it('are corrected by Holm over all seven', () => {
    // p = 0.007, 0.008: the first needs 0.05 / 7, the second 0.05 / 6
    const first: readonly [number, number] = [0.2457, 0.1]
    const second: readonly [number, number] = [0.2409, 0.1]
    expect(levels(question('attribute', first), question('memorisation', second))).toEqual(['MODERATE', 'MODERATE'])
    expect(levels(question('attribute', second), question('memorisation', second))).toEqual([
      'INCONCLUSIVE',
      'INCONCLUSIVE',
    ])
    const [{ adjustedP }] = judge([question('attribute', first), question('memorisation', [0, 0.1])])
    expect(adjustedP).toBeCloseTo(7 * normalCdf(-2.457), 6)
  })

  it('count whether they were asked or not, so that asking one takes no alarm away', () => {
    const alone = judge([question('attribute', [0.25, 0.1])])
    const withOpen = judge([question('attribute', [0.25, 0.1]), { threat: 'membership', looks: [] }])
    const withAnswer = judge([question('attribute', [0.25, 0.1]), question('membership', [0, 0.1])])
    for (const [{ level, adjustedP }] of [withOpen, withAnswer])
      expect([level, adjustedP]).toEqual([alone[0].level, alone[0].adjustedP])
  })
})

const seen = fc.record({
  value: fc.double({ min: -1, max: 1.2, noNaN: true }),
  se: fc.double({ min: 1e-4, max: 0.5, noNaN: true }),
})
const asked = fc.array(fc.record({ threat: fc.constantFrom(...THREATS), looks: fc.array(seen, { maxLength: 3 }) }), {
  minLength: 1,
  maxLength: 7,
})
const build = (of: readonly { threat: Threat; looks: readonly { value: number; se: number }[] }[]) =>
  of.map(({ threat, looks }) => ({ threat, looks: looks.map(({ value, se }) => look(value, se)) }))

describe('whatever the evidence', () => {
  it('more records never turn HIGH into LOW on the same effect', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...THREATS),
        seen,
        fc.double({ min: 1, max: 100, noNaN: true }),
        (threat, { value, se }, more) => {
          const [few] = levels(question(threat, [value, se]))
          const [many] = levels(question(threat, [value, se / Math.sqrt(more)]))
          if (few === 'HIGH') expect(many).toBe('HIGH')
          if (few === 'MODERATE') expect(['HIGH', 'MODERATE', 'LOW']).toContain(many)
        },
      ),
    )
  })

  it('a larger effect is never a better level', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...THREATS),
        seen,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (threat, { value, se }, more) => {
          const [small, large] = [value, value + more].map((one) => levels(question(threat, [one, se]))[0])
          if (small === 'NOT ASSESSED' || large === 'NOT ASSESSED') return
          expect(byLevel({ level: large }, { level: small })).toBeLessThanOrEqual(
            small === 'INCONCLUSIVE' ? LEVELS.length : 0,
          )
        },
      ),
    )
  })

  it('the order of questions and looks changes nothing', () => {
    fc.assert(
      fc.property(asked, (of) => {
        const questions = build(of)
        const turned = build(of.toReversed().map((one) => ({ ...one, looks: one.looks.toReversed() }))).toReversed()
        expect(judge(turned).map(({ level }) => level)).toEqual(judge(questions).map(({ level }) => level))
      }),
    )
  })

  it('an alarm of one threat is never taken away by a further threat that is worse', () => {
    fc.assert(
      fc.property(asked, (of) => {
        const before = judge(build(of))
        const after = judge([...build(of), question('linkability', [1, 0.01])])
        // one more hypothesis that is rejected first leaves the others as they were
        for (const [k, { level }] of before.entries()) expect(after[k].level).toBe(level)
      }),
    )
  })
})

it('says how many more records would settle an open question', () => {
  const limits = { matters: 0.05, high: 0.2, people: 0.05, reach: 0 }
  const times = timesMoreRecords(look(0, 0.2), limits)
  expect(times).toBeCloseTo(Z ** 2, 12)
  const settled = 0.2 / Math.sqrt(times ?? 0)
  expect(levelOf(look(0, settled * 0.999), false, limits)).toBe('LOW')
  expect(timesMoreRecords(look(0, 0.01), limits)).toBeNull()
  // On the scale of people, where that is settled first.
  expect(timesMoreRecords(look(0, 0.2, 0.2), limits)).toBeCloseTo((Z * 0.04 * 20) ** 2, 12)
})

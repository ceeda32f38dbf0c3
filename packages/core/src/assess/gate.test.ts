import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { THREATS } from '../evidence/threats.js'
import { figure, MEASURES, released, standing, TODAY, threat } from '../testing/standings.js'
import { evaluate, type Gate, type GateOptions, gateHeadline } from './gate.js'
import { LEVELS } from './judge.js'
import { ALLOWED_LEVELS, type Policy, type Waiver } from './policy.js'
import type { Standing } from './standing.js'

const check = (policy: Policy, now: Standing, how: Partial<GateOptions> = {}): Gate =>
  evaluate(policy, now, { today: TODAY, registry: MEASURES, ...how })
const statuses = (policy: Policy, now: Standing, how: Partial<GateOptions> = {}) =>
  check(policy, now, how).outcomes.map(({ rule, release, target, status }) =>
    [status, rule, release, ...(target === null ? [] : [target])].join(' '),
  )
const one = (policy: Policy, now: Standing, how: Partial<GateOptions> = {}) => check(policy, now, how).outcomes[0]

const leaky = standing(
  released(
    'a.csv',
    [
      threat('attribute', 'HIGH', 0.4, 0.45, 'income'),
      threat('membership', 'LOW', 0.01, 0.06),
      threat('linkability', 'NOT ASSESSED'),
    ],
    [figure('k-anonymity', 0.1), figure('pmse', 0.3, 0.05), figure('suda', null)],
  ),
)

describe('overall', () => {
  it.each(ALLOWED_LEVELS)('%s allows that and what is better', (allowed) => {
    const levels = (['LOW', 'INCONCLUSIVE', 'MODERATE', 'HIGH'] as const).map(
      (level) => one({ overall: allowed }, standing(released('a.csv', [threat('attribute', level, 0.1)]))).status,
    )
    const passing = ALLOWED_LEVELS.indexOf(allowed) + 1
    expect(levels).toEqual([...Array(passing).fill('pass'), ...Array(4 - passing).fill('fail')])
  })

  it('names the threats that break it', () => {
    expect(one({ overall: 'LOW' }, leaky)).toEqual({
      rule: 'overall',
      release: 'a.csv',
      target: null,
      status: 'fail',
      found: 'HIGH',
      limit: 'LOW',
      foundText: 'HIGH',
      limitText: 'LOW',
      sentence: 'The worst level is HIGH (attribute inference (income) HIGH, leakage 40 %); at most LOW is allowed.',
      reason: null,
    })
  })

  it.each([
    [2.5, 'broken', 'fail', 'Epsilon is at least 2.50; epsilon 1, delta 0.001 was stated.'],
    [0.5, 'not contradicted', 'pass', 'Epsilon is at least 0.50; epsilon 1, delta 0.001 was stated.'],
    [null, 'not checked', 'not tested', 'The stated epsilon 1, delta 0.001 was not tested.'],
  ] as const)('privacy that was stated and shown to be %s is a rule too: %s', (bound, verdict, status, sentence) => {
    const audit =
      bound === null ? null : { pairs: 100, attack: 'memorisation', guesses: 100, right: 90, bound, most: 3 }
    const stated = { epsilon: 1, delta: 0.001, verdict, audit }
    const found = standing({ ...released('a.csv', [threat('membership', 'LOW', 0)]), claim: stated })
    const claimOf = (now: Standing, how: Partial<GateOptions> = {}) =>
      check({ overall: 'LOW' }, now, how).outcomes.find(({ rule }) => rule === 'claim')
    expect(claimOf(found)).toMatchObject({ status, sentence, found: bound })
    if (status !== 'fail') return
    expect(claimOf(found, { baseline: found })?.status).toBe('not worse')
    const waiver = { rule: 'claim', reason: 'known', name: 'J', expires: TODAY }
    const outcomes = check({ overall: 'LOW', waivers: [waiver] }, found).outcomes
    expect(outcomes.map((outcome) => outcome.status)).toEqual(['waived', 'pass'])
  })

  it('with nothing tested is not LOW, and no worse than INCONCLUSIVE', () => {
    const nothing = standing(released('a.csv', [threat('attribute', 'NOT ASSESSED')]))
    expect(one({ overall: 'LOW' }, nothing)).toMatchObject({ status: 'fail', found: 'NOT ASSESSED' })
    expect(one({ overall: 'INCONCLUSIVE' }, nothing).status).toBe('not tested')
    expect(one({ overall: 'LOW' }, nothing, { baseline: nothing }).status).toBe('not worse')
    expect(one({ overall: 'LOW' }, nothing, { baseline: leaky }).status).toBe('fail')
  })
})

describe('a threat', () => {
  it('is held to its level, its leakage and its upper bound', () => {
    expect(statuses({ threats: { attribute: { level: 'MODERATE' } } }, leaky)).toEqual([
      'fail threat:attribute a.csv income',
    ])
    expect(one({ threats: { attribute: { leakage: 0.4 } } }, leaky).status).toBe('pass')
    expect(one({ threats: { attribute: { leakage: 0.39 } } }, leaky)).toMatchObject({
      status: 'fail',
      found: 0.4,
      limit: 0.39,
      foundText: '40.0 %',
      limitText: 'at most 39.0 %',
      sentence: 'Leakage by attribute inference (income) is 40.0 %; at most 39.0 % is allowed.',
    })
    expect(one({ threats: { attribute: { bound: 0.45 } } }, leaky).status).toBe('pass')
    expect(one({ threats: { attribute: { bound: 0.4 } } }, leaky)).toMatchObject({
      status: 'fail',
      foundText: 'up to 45.0 %',
      sentence: 'Leakage by attribute inference (income) may be up to 45.0 %; at most 40.0 % is allowed.',
    })
  })

  it('fails as a whole when one of its limits does, and tells all that fail', () => {
    const { status, found, sentence } = one(
      { threats: { attribute: { level: 'HIGH', leakage: 0.1, bound: 0.2 } } },
      leaky,
    )
    expect([status, found]).toEqual(['fail', 0.4])
    expect(sentence).toContain('is 40.0 %; at most 10.0 % is allowed. Leakage')
    expect(sentence).toContain('up to 45.0 %; at most 20.0 %')
    expect(sentence).not.toContain('HIGH')
  })

  it('that was not tested is told, and fails where it must be', () => {
    expect(one({ threats: { linkability: { level: 'LOW' } } }, leaky)).toMatchObject({
      status: 'not tested',
      found: null,
      sentence: 'Linkability was not tested.',
      reason: { code: 'nothing-compared' },
    })
    expect(one({ threats: { linkability: { level: 'LOW', mustBeTested: true } } }, leaky)).toMatchObject({
      status: 'fail',
      limitText: 'tested',
      sentence: 'Linkability must be tested, and was not.',
      reason: { code: 'nothing-compared' },
    })
    expect(one({ threats: { identity: { mustBeTested: true } } }, leaky).status).toBe('fail')
    expect(one({ threats: { membership: { mustBeTested: true } } }, leaky).sentence).toBe('Membership was tested.')
  })

  it('prints as many digits as it takes to see that a limit is broken', () => {
    const close = standing(released('a.csv', [threat('membership', 'LOW', 0.050004)]))
    expect(one({ threats: { membership: { leakage: 0.05 } } }, close).sentence).toContain(
      'is 5.0004 %; at most 5.0000 % is allowed',
    )
  })

  it('cannot leak more than everything, whatever the estimate', () => {
    const original = standing(released('a.csv', [threat('membership', 'HIGH', 1.02, 1.2)]))
    expect(one({ threats: { membership: { leakage: 1, bound: 1 } } }, original).status).toBe('pass')
  })
})

describe('a measure', () => {
  it('is held to its largest and smallest value', () => {
    expect(one({ measures: { 'k-anonymity': { max: 0.1 } } }, leaky).status).toBe('pass')
    expect(one({ measures: { 'k-anonymity': { max: 0.05 } } }, leaky)).toMatchObject({
      status: 'fail',
      sentence: 'k-anonymity is 10.0 %; at most 5.0 % is allowed.',
    })
    expect(one({ measures: { pmse: { min: 0.4 } } }, leaky)).toMatchObject({
      status: 'fail',
      found: 0.3,
      limit: 0.4,
      limitText: 'at least 0.4',
    })
    expect(one({ measures: { pmse: { min: 0.1, max: 0.5 } } }, leaky).status).toBe('pass')
    expect(one({ measures: { pmse: { min: 0.1, max: 0.2 } } }, leaky).status).toBe('fail')
  })

  it('without a value is not tested, with the reason', () => {
    expect(one({ measures: { suda: { max: 1 } } }, leaky)).toMatchObject({
      status: 'not tested',
      sentence: 'suda was not tested.',
      reason: { code: 'needs', needs: ['keys'] },
    })
    expect(one({ measures: { suda: { max: 1, mustBeTested: true } } }, leaky).status).toBe('fail')
    expect(one({ measures: { attribution: { max: 1 } } }, leaky).reason).toEqual({
      code: 'not-run',
      measure: 'attribution',
    })
  })

  it('limited on its harmless side only is remarked upon', () => {
    expect(check({ measures: { pmse: { max: 1 }, 'k-anonymity': { min: 0 } } }, leaky).remarks).toEqual([
      'measure:pmse has a max only, but higher is better: min is the limit that protects',
      'measure:k-anonymity has a min only, but higher is worse: max is the limit that protects',
    ])
    expect(check({ measures: { pmse: { min: 0, max: 1 } } }, leaky).remarks).toEqual([])
  })
})

describe('several releases and targets', () => {
  const several = standing(
    released(
      'a.csv',
      [threat('attribute', 'LOW', 0, 0.02, 'income'), threat('attribute', 'MODERATE', 0.2, 0.3, 'health')],
      [figure('k-anonymity', 0)],
    ),
    released(
      'b.csv',
      [threat('attribute', 'LOW', 0, 0.02, 'income'), threat('attribute', 'LOW', 0, 0.02, 'health')],
      [figure('k-anonymity', 0.5)],
    ),
  )
  const policy: Policy = {
    overall: 'LOW',
    threats: { attribute: { level: 'LOW' } },
    measures: { 'k-anonymity': { max: 0.1 } },
  }

  it('each have an outcome, failures first', () => {
    expect(statuses(policy, several)).toEqual([
      'fail overall a.csv',
      'fail threat:attribute a.csv health',
      'fail measure:k-anonymity b.csv',
      'pass threat:attribute a.csv income',
      'pass measure:k-anonymity a.csv',
      'pass overall b.csv',
      'pass threat:attribute b.csv income',
      'pass threat:attribute b.csv health',
    ])
    expect(gateHeadline(check(policy, several))).toBe('3 of 8 rules fail')
  })

  it('are waived one by one', () => {
    const waivers: Waiver[] = [
      { rule: 'threat:attribute', release: 'a.csv', target: 'health', reason: 'known', name: 'J', expires: TODAY },
      { rule: 'measure:k-anonymity', release: 'b.csv', reason: 'sample', name: 'J', expires: TODAY },
    ]
    const gate = check({ ...policy, waivers }, several)
    expect(gate.outcomes.map(({ status, rule }) => `${status} ${rule}`).slice(0, 3)).toEqual([
      'fail overall',
      'waived threat:attribute',
      'waived measure:k-anonymity',
    ])
    expect([gate.failing, gateHeadline(gate), gate.remarks]).toEqual([1, '1 of 8 rules fails', []])
  })
})

describe('a waiver', () => {
  const policy = (waiver: Partial<Waiver>): Policy => ({
    threats: { attribute: { level: 'LOW' }, membership: { level: 'LOW' } },
    waivers: [{ rule: 'threat:attribute', reason: 'known', name: 'Jane Doe', expires: '2026-12-31', ...waiver }],
  })

  it('lets a broken rule pass and says who, until when and why', () => {
    const gate = check(policy({}), leaky)
    expect(gate.failing).toBe(0)
    expect(gate.outcomes[0]).toMatchObject({
      status: 'waived',
      sentence:
        'Attribute inference (income) is HIGH, leakage 40 %; at most LOW is allowed. Waived by Jane Doe until 2026-12-31: known',
    })
    expect(gate.remarks).toEqual([])
  })

  it('counts on its last day and not after it', () => {
    expect(check(policy({ expires: TODAY }), leaky).failing).toBe(0)
    const expired = check(policy({ expires: '2026-06-14' }), leaky)
    expect(expired.failing).toBe(1)
    expect(expired.remarks).toEqual([
      'the waiver of threat:attribute by Jane Doe expired on 2026-06-14 and does not count',
    ])
  })

  it('of another release or target matches nothing, and that is told', () => {
    expect(check(policy({ release: 'b.csv' }), leaky)).toMatchObject({
      failing: 1,
      remarks: ['the waiver of threat:attribute for b.csv by Jane Doe matches no rule and release'],
    })
    expect(check(policy({ target: 'health' }), leaky).remarks).toEqual([
      'the waiver of threat:attribute (health) by Jane Doe matches no rule and release',
    ])
    expect(check(policy({ rule: 'overall' }), leaky).remarks).toHaveLength(1)
  })

  it('that is not needed is told', () => {
    expect(check(policy({ rule: 'threat:membership' }), leaky).remarks).toEqual([
      'the waiver of threat:membership by Jane Doe is not needed: nothing that it covers is broken',
    ])
    expect(check(policy({}), leaky, { baseline: leaky }).remarks).toEqual([])
  })
})

describe('with a baseline', () => {
  const before = standing(
    released(
      'a.csv',
      [threat('attribute', 'MODERATE', 0.2, 0.3)],
      [figure('k-anonymity', 0.2), figure('pmse', 0.3, 0.05)],
    ),
  )
  const now = (level: 'LOW' | 'MODERATE' | 'HIGH', leakage: number, upper = leakage + 0.1) =>
    standing(released('a.csv', [threat('attribute', level, leakage, upper)]))
  const threats: Policy = { threats: { attribute: { level: 'LOW', leakage: 0.1 } } }

  it('what is broken as much as before passes, and says so', () => {
    const same = check({ overall: 'LOW', ...threats }, before, { baseline: before })
    expect(same.failing).toBe(0)
    expect(same.outcomes.map(({ status }) => status)).toEqual(['not worse', 'not worse'])
    expect(same.outcomes[1].sentence).toBe(
      'Attribute inference is MODERATE, leakage 20 %; at most LOW is allowed. Not worse than the baseline (MODERATE). Leakage by attribute inference is 20.0 %; at most 10.0 % is allowed. Not worse than the baseline (20.0 %).',
    )
  })

  it.each<[string, Standing, string]>([
    ['better, and kept now', now('LOW', 0.02), 'pass'],
    ['better, and still broken', now('MODERATE', 0.15), 'not worse'],
    ['more leakage within the bound of the baseline', now('MODERATE', 0.29), 'not worse'],
    ['leakage beyond the bound of the baseline', now('MODERATE', 0.31), 'fail'],
    ['a worse level', now('HIGH', 0.29), 'fail'],
  ])('%s', (_, standingNow, status) => {
    expect(one(threats, standingNow, { baseline: before }).status).toBe(status)
    expect(one({ overall: 'LOW' }, standingNow, { baseline: before }).status).toBe(status)
  })

  it('a bound may move as far as it lies from its leakage', () => {
    const bound: Policy = { threats: { attribute: { bound: 0.1 } } }
    expect(one(bound, now('MODERATE', 0.2, 0.39), { baseline: before }).status).toBe('not worse')
    expect(one(bound, now('MODERATE', 0.2, 0.41), { baseline: before }).status).toBe('fail')
  })

  it('a new alarm does not hide behind an old one', () => {
    const another = standing(
      released('a.csv', [threat('attribute', 'MODERATE', 0.2, 0.3), threat('membership', 'MODERATE', 0.1)]),
    )
    const old = standing(released('a.csv', [threat('attribute', 'HIGH', 0.2, 0.3), threat('membership', 'LOW', 0)]))
    expect(one({ overall: 'LOW' }, another, { baseline: old }).status).toBe('fail')
  })

  it.each<[string, number, number, string]>([
    ['exact and equal', 0.2, 0, 'not worse'],
    ['exact and larger', 0.2 + 2e-9, 0, 'fail'],
    ['exact and smaller', 0.15, 0, 'not worse'],
    ['within half of the interval, which only the new one has', 0.24, 0.05, 'not worse'],
    ['beyond it', 0.26, 0.05, 'fail'],
  ])('a largest value: %s', (_, value, half, status) => {
    const later = standing(released('a.csv', [], [figure('k-anonymity', value, half)]))
    expect(one({ measures: { 'k-anonymity': { max: 0.1 } } }, later, { baseline: before }).status).toBe(status)
  })

  it.each<[string, number, number, string]>([
    ['within half of the interval', 0.26, 0.05, 'not worse'],
    ['beyond it', 0.24, 0.05, 'fail'],
    ['a wider interval now does not help', 0.24, 0.5, 'fail'],
    ['higher', 0.35, 0.05, 'not worse'],
  ])('a smallest value: %s', (_, value, half, status) => {
    const later = standing(released('a.csv', [], [figure('pmse', value, half)]))
    expect(one({ measures: { pmse: { min: 0.5 } } }, later, { baseline: before }).status).toBe(status)
  })

  it('what must be tested fails when it was tested before, and not when it was not', () => {
    const must: Policy = { threats: { attribute: { mustBeTested: true } }, measures: { suda: { mustBeTested: true } } }
    const untested = standing(released('a.csv', [threat('attribute', 'NOT ASSESSED')], [figure('suda', null)]))
    const tested = standing(released('a.csv', [threat('attribute', 'HIGH', 0.5)], [figure('suda', 1)]))
    expect(check(must, untested, { baseline: untested }).outcomes.map(({ status }) => status)).toEqual([
      'not worse',
      'not worse',
    ])
    expect(check(must, untested, { baseline: tested }).failing).toBe(2)
    expect(one({ threats: { attribute: { level: 'LOW' } } }, untested, { baseline: tested }).sentence).toBe(
      'Attribute inference was not tested. It was HIGH in the baseline.',
    )
  })

  it('matches releases by name, and by position when there is one of each', () => {
    const renamed = standing(released('b.csv', before.releases[0].threats))
    expect(one(threats, renamed, { baseline: before }).status).toBe('not worse')
    const two = standing(
      released('c.csv', [threat('attribute', 'LOW', 0)]),
      released('b.csv', before.releases[0].threats),
    )
    const gate = check(threats, renamed, { baseline: two })
    expect(gate.outcomes[0].status).toBe('not worse')
    const other = check(threats, two, { baseline: before })
    expect(other.outcomes.map(({ status, release }) => `${status} ${release}`)).toEqual(['fail b.csv', 'pass c.csv'])
    expect(other.remarks).toEqual([
      'the baseline has no release c.csv: its rules hold in full',
      'the baseline has no release b.csv: its rules hold in full',
    ])
  })

  it('of another question is told', () => {
    const other: Standing = { ...before, keys: ['sex'], type: 'perturbed' }
    expect(check(threats, before, { baseline: other }).remarks).toEqual([
      'the baseline was made with keys sex, this run with sex, age',
      'the baseline was made as perturbed, this run as synthetic',
    ])
  })
})

describe('measures that broke', () => {
  const broken: Standing = {
    ...leaky,
    failed: [
      { measure: 'attribution', reason: { code: 'failed', message: 'out of luck' } },
      { measure: 'suda', reason: { code: 'failed', message: 'out of luck too' } },
    ],
  }

  it('are told where a rule rests on them', () => {
    const names = (policy: Policy) => check(policy, broken).unfinished.map(({ measure }) => measure)
    expect(names({ overall: 'HIGH' })).toEqual(['attribution'])
    expect(names({ threats: { attribute: { level: 'HIGH' } } })).toEqual(['attribution'])
    expect(names({ threats: { membership: { level: 'HIGH' } } })).toEqual([])
    expect(names({ measures: { suda: { max: 1 } } })).toEqual(['suda'])
  })
})

describe('any policy', () => {
  const level = fc.constantFrom(...LEVELS)
  const place = fc.double({ min: -0.2, max: 1.2, noNaN: true })
  const aThreat = fc
    .record({
      name: fc.constantFrom(...THREATS),
      level,
      leakage: place,
      width: fc.double({ min: 0, max: 0.3, noNaN: true }),
    })
    .map(({ name, level: of, leakage, width }) =>
      of === 'NOT ASSESSED' ? threat(name, of) : threat(name, of, leakage, leakage + width),
    )
  const aRelease = fc
    .record({
      threats: fc.uniqueArray(aThreat, { maxLength: 7, selector: (each) => each.threat }),
      k: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
      utility: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    })
    .map(({ threats, k, utility }) => ({ threats, measures: [figure('k-anonymity', k), figure('pmse', utility, 0.1)] }))
  const aStanding = fc
    .array(aRelease, { minLength: 1, maxLength: 2 })
    .map((releases) =>
      standing(...releases.map(({ threats, measures }, k) => released(`r${k}.csv`, threats, measures))),
    )

  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const allowed = fc.constantFrom(...ALLOWED_LEVELS)
  const strict = fc.record(
    {
      overall: allowed,
      threats: fc.dictionary(
        fc.constantFrom(...THREATS),
        fc.record({ level: allowed, leakage: share, bound: share, mustBeTested: fc.boolean() }, { requiredKeys: [] }),
      ),
      measures: fc.record(
        {
          'k-anonymity': fc.record({ max: share, mustBeTested: fc.boolean() }, { requiredKeys: [] }),
          pmse: fc.record({ min: share, mustBeTested: fc.boolean() }, { requiredKeys: [] }),
        },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  )
  const waiver = fc.record({
    rule: fc.constantFrom('overall', ...THREATS.map((name) => `threat:${name}`), 'measure:pmse'),
    reason: fc.constant('known'),
    name: fc.constant('J'),
    expires: fc.constantFrom('2026-06-14', '2026-06-15'),
  })
  /** How far each limit moves, in the order in which they are met; beyond one half it goes altogether. */
  const moves = fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true }))

  function loosened(policy: Policy, next: () => number): Policy {
    const up = (limit: number | undefined) => loose(limit, (by) => (limit === undefined ? 1 : Math.min(1, limit + by)))
    const down = (limit: number | undefined) =>
      loose(limit, (by) => (limit === undefined ? 0 : Math.max(0, limit - by)))
    const worse = (of: (typeof ALLOWED_LEVELS)[number] | undefined) =>
      loose(
        of,
        (by) => ALLOWED_LEVELS[Math.min(3, (of === undefined ? 3 : ALLOWED_LEVELS.indexOf(of)) + Math.round(4 * by))],
      )
    const must = (of: boolean | undefined) => loose(of, (by) => of === true && by < 0.25)
    function loose<Limit, To>(limit: Limit | undefined, to: (by: number) => To): To | undefined {
      const by = next()
      return limit === undefined || by > 0.5 ? undefined : to(by)
    }
    return {
      overall: worse(policy.overall),
      threats: Object.fromEntries(
        Object.entries(policy.threats ?? {}).map(([name, rule]) => [
          name,
          {
            level: worse(rule.level),
            leakage: up(rule.leakage),
            bound: up(rule.bound),
            mustBeTested: must(rule.mustBeTested),
          },
        ]),
      ),
      measures: Object.fromEntries(
        Object.entries(policy.measures ?? {}).map(([id, rule]) => [
          id,
          { max: up(rule.max), min: down(rule.min), mustBeTested: must(rule.mustBeTested) },
        ]),
      ),
    }
  }

  const key = ({ rule, release, target }: { rule: string; release: string; target: string | null }) =>
    JSON.stringify([rule, release, target])
  const failing = (gate: Gate) => gate.outcomes.filter(({ status }) => status === 'fail').map(key)

  it('that is loosened, or waived, fails nothing that passed', () => {
    let fewer = 0
    fc.assert(
      fc.property(
        aStanding,
        fc.option(aStanding, { nil: undefined }),
        strict,
        fc.array(waiver),
        moves,
        (now, baseline, policy, waivers, stream) => {
          const next = () => stream.next().value
          const before = failing(check(policy, now, { baseline }))
          const after = failing(check({ ...loosened(policy, next), waivers }, now, { baseline }))
          if (after.length < before.length) fewer++
          for (const failure of after) expect(before).toContain(failure)
        },
      ),
      { numRuns: 500 },
    )
    expect(fewer).toBeGreaterThan(50)
  })

  it('passes what has not changed since the baseline, and a baseline fails nothing that passed without', () => {
    fc.assert(
      fc.property(aStanding, aStanding, strict, (now, baseline, policy) => {
        expect(check(policy, now, { baseline: now }).failing).toBe(0)
        const without = failing(check(policy, now))
        for (const failure of failing(check(policy, now, { baseline }))) expect(without).toContain(failure)
      }),
    )
  })
})

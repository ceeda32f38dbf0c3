import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { MEASURES } from '../testing/standings.js'
import { parsePolicy, policySchema } from './policy.js'

const WAIVER = { rule: 'overall', reason: 'agreed', name: 'Jane Doe', expires: '2026-12-31' }

function problems(policy: unknown): readonly string[] {
  try {
    parsePolicy('policy.json', policy, MEASURES)
  } catch (error) {
    if (error instanceof UserError) return error.problems
    throw error
  }
  return []
}

describe('a policy', () => {
  it('is taken as it stands when nothing is wrong', () => {
    const policy = {
      $schema: 'policy.schema.json',
      overall: 'MODERATE',
      threats: {
        attribute: { level: 'LOW', leakage: 0.05, bound: 0.1, mustBeTested: true },
        'memorisation-tail': { bound: 0.01 },
      },
      measures: { 'k-anonymity': { max: 0.05 }, suda: { max: 12.5 }, pmse: { min: 0.2, max: 0.9 } },
      waivers: [{ ...WAIVER, rule: 'threat:attribute', release: 'syn1.csv', target: 'income' }],
    }
    expect(parsePolicy('policy.json', policy, MEASURES)).toEqual(policy)
  })

  it.each<[string, unknown, string]>([
    ['not an object', [1], 'the policy is [1]; expected one object such as { "overall": "LOW" }'],
    ['an unknown field', { overal: 'LOW' }, 'unknown field "overal"; did you mean "overall"?'],
    [
      'an unknown threat',
      { threats: { atribute: {} } },
      'threats: unknown threat "atribute"; did you mean "attribute"?',
    ],
    [
      'an unknown limit',
      { threats: { attribute: { leak: 0.1 } } },
      'threats.attribute: unknown field "leak"; there is: level, leakage, bound, mustBeTested',
    ],
    [
      'an unknown limit of a measure',
      { measures: { suda: { maxx: 1 } } },
      'measures.suda: unknown field "maxx"; did you mean "max"?',
    ],
    [
      'an unknown level',
      { overall: 'low' },
      'overall is "low"; expected one of LOW, INCONCLUSIVE, MODERATE, HIGH; did you mean "LOW"?',
    ],
    [
      'NOT ASSESSED is no limit',
      { threats: { identity: { level: 'NOT ASSESSED' } } },
      'threats.identity.level is "NOT ASSESSED"; expected one of LOW, INCONCLUSIVE, MODERATE, HIGH',
    ],
    [
      'percent instead of a share',
      { threats: { attribute: { leakage: 5 } } },
      'threats.attribute.leakage is 5; expected a share from 0 to 1, such as 0.05 for 5 %',
    ],
    [
      'a text instead of a number',
      { threats: { attribute: { bound: '5%' } } },
      'threats.attribute.bound is "5%"; expected a share from 0 to 1, such as 0.05 for 5 %',
    ],
    [
      'a rule that is no object',
      { threats: { attribute: 'LOW' } },
      'threats.attribute is "LOW"; expected an object such as { "level": "LOW", "bound": 0.1 }',
    ],
    ['a list instead of an object', { measures: [] }, 'measures is []; expected an object with a rule per measure'],
    ['a number that is none', { measures: { suda: { max: true } } }, 'measures.suda.max is true; expected a number'],
    [
      'a missing reason',
      { overall: 'LOW', waivers: [{ ...WAIVER, reason: undefined }] },
      'waivers[0].reason is missing; expected a text',
    ],
    [
      'an empty name',
      { overall: 'LOW', waivers: [{ ...WAIVER, name: ' ' }] },
      'waivers[0].name is " "; expected a text that is not empty',
    ],
    [
      'a day that is not in the calendar',
      { overall: 'LOW', waivers: [{ ...WAIVER, expires: '2026-02-30' }] },
      'waivers[0].expires is "2026-02-30"; expected a date YYYY-MM-DD',
    ],
    [
      'an unknown field of a waiver',
      { overall: 'LOW', waivers: [{ ...WAIVER, until: '2026-01-01' }] },
      'waivers[0]: unknown field "until"; there is: rule, release, target, reason, name, expires',
    ],
    [
      'a waiver of no rule',
      { overall: 'LOW', waivers: [{ ...WAIVER, rule: 'threat:atribute' }] },
      'waivers[0].rule is "threat:atribute"; expected overall, claim, threat:NAME or measure:ID; did you mean "threat:attribute"?',
    ],
    [
      'a waiver that names no kind of rule',
      { overall: 'LOW', waivers: [{ ...WAIVER, rule: 'k-anonimity' }] },
      'waivers[0].rule is "k-anonimity"; expected overall, claim, threat:NAME or measure:ID; did you mean "measure:k-anonymity"?',
    ],
    [
      'an unknown measure',
      { measures: { 'k-anonimity': { max: 0 } } },
      'measures: unknown measure "k-anonimity"; did you mean "k-anonymity"?',
    ],
    [
      'a limit beyond the values of the measure',
      { measures: { 'k-anonymity': { max: 5 } } },
      'measures.k-anonymity.max is 5; expected a number from 0 to 1, as the values of k-anonymity are',
    ],
    [
      'a limit below the values of a measure without an upper end',
      { measures: { suda: { min: -1 } } },
      'measures.suda.min is -1; expected a number of at least 0, as the values of suda are',
    ],
    [
      'limits that nothing can keep',
      { measures: { suda: { min: 2, max: 1 } } },
      'measures.suda.min is 2; expected at most max, which is 1',
    ],
    ['no rule', { waivers: [WAIVER] }, 'the policy has no rule; expected at least one of overall, threats, measures'],
    [
      'a rule without a limit',
      { threats: { attribute: {} } },
      'threats.attribute has no limit; expected at least one of level, leakage, bound, mustBeTested',
    ],
    [
      'a measure without a limit',
      { measures: { suda: {} } },
      'measures.suda has no limit; expected at least one of max, min, mustBeTested',
    ],
  ])('with %s is refused in one sentence', (_, policy, problem) => {
    expect(problems(policy)).toEqual([`policy.json: ${problem}`])
  })

  it('tells everything that is wrong at once', () => {
    expect(problems({ overall: 'BAD', threats: { membership: { leakage: 2, level: 'X' } }, extra: 1 })).toHaveLength(4)
  })

  it('has a JSON Schema that knows its fields and refuses others', () => {
    const schema = z.toJSONSchema(policySchema)
    expect(Object.keys(schema.properties ?? {})).toEqual(['$schema', 'overall', 'threats', 'measures', 'waivers'])
    expect(schema.additionalProperties).toBe(false)
    expect(schema.properties?.overall).toMatchObject({ enum: ['LOW', 'INCONCLUSIVE', 'MODERATE', 'HIGH'] })
  })
})

import { describe, expect, it } from 'vitest'
import type { ReleaseAssessment, ThreatAssessment } from '../assess/assessment.js'
import type { Level } from '../assess/judge.js'
import { openCase } from '../case/open-case.js'
import { tableOf } from '../table/table.js'
import { adviceOf, confirmed } from './advice.js'
import { planText } from './change.js'
import { improvementOf } from './improvement.js'
import { search, type Tried } from './search.js'
import type { Laboratory } from './trial.js'

const rows = 60
const people = tableOf('people.csv', {
  sex: Array.from({ length: rows }, (_, k) => 'fm'[k % 2]),
  age: Array.from({ length: rows }, (_, k) => 20 + (k % 30)),
  ill: Array.from({ length: rows }, (_, k) => (k % 3 === 0 ? 'yes' : 'no')),
})
const files = { original: people, released: people, holdout: undefined, population: undefined }
const opened = openCase(
  { keys: ['sex', 'age'], target: 'ill', type: 'synthetic' },
  { original: people, released: people },
)

const threat = (of: ThreatAssessment['threat'], level: Level, leakage: number | null): ThreatAssessment =>
  ({
    threat: of,
    target: null,
    level,
    leakage,
    interval: leakage === null ? null : { lower: leakage - 0.03, upper: leakage + 0.04 },
  }) as ThreatAssessment

const assessment = (...threats: ThreatAssessment[]): ReleaseAssessment =>
  ({ threats, records: rows, verdict: { level: threats[0].level } }) as unknown as ReleaseAssessment

/** Noise takes the bulk away and PRAM the membership; each costs utility, PRAM more. */
function fakeLab(luck = 0): Laboratory {
  return {
    input: { opened, files },
    try: async (plan, { making }) => {
      const has = (slot: string) => plan.some((change) => change.slot === slot)
      const bulk = has('noise') ? 'LOW' : 'HIGH'
      const membership = has('pram') && making !== luck ? 'LOW' : 'HIGH'
      const level = [bulk, membership].includes('HIGH') ? 'HIGH' : 'LOW'
      const score = 0.95 - (has('noise') ? 0.05 : 0) - (has('pram') ? 0.2 : 0) - 0.1 * Math.max(0, plan.length - 2)
      return {
        plan,
        seed: making,
        candidate: { files, usable: people, made: [] },
        assessment: {
          ...assessment(
            threat('memorisation', bulk, bulk === 'LOW' ? 0 : 0.5),
            threat('membership', membership, membership === 'LOW' ? 0 : 0.4),
          ),
          verdict: { level },
        } as ReleaseAssessment,
        utility: { score, relations: score, columns: 1, without: Array<number>(5).fill(score), shrink: 1 },
      }
    },
  }
}

async function all(
  lab: Laboratory,
  trials = 40,
  signal?: { aborted: boolean },
  each: (tried: Tried) => void = () => {},
) {
  const found: Tried[] = []
  for await (const tried of search(lab, { seeds: { making: 1, measuring: 1 }, trials, signal })) {
    found.push(tried)
    each(tried)
  }
  return found
}

describe('the search', () => {
  it('finds two changes that are better together, and recommends them when they hold again', async () => {
    const lab = fakeLab()
    const found = await all(lab)
    const advice = await confirmed(adviceOf(found), lab, { seeds: { making: 2, measuring: 2 }, trials: 1 })
    expect(advice.recommended?.level).toBe('LOW')
    expect(advice.recommended?.tried.trial.plan.map(({ slot }) => slot).sort()).toEqual(['noise', 'pram'])
    expect(advice.recommended?.again.utilityChange).toEqual({
      value: expect.closeTo(-0.25),
      lower: expect.closeTo(-0.25),
      upper: expect.closeTo(-0.25),
    })
    expect(advice.front.every(({ trial }) => trial.plan.length > 0)).toBe(true)
  })

  it('recommends nothing that held only with the draws that it was chosen by', async () => {
    const found = await all(fakeLab())
    const again = await confirmed(adviceOf(found), fakeLab(2), { seeds: { making: 2, measuring: 2 }, trials: 1 })
    expect(again.confirmed.length).toBeGreaterThan(0)
    expect(again.recommended).toBeNull()
  })

  it('keeps to its budget, and gives what it has when it is stopped', async () => {
    expect(await all(fakeLab(), 3)).toHaveLength(4)
    const signal = { aborted: false }
    const found = await all(fakeLab(), 40, signal, (tried) => {
      signal.aborted = tried.trial.plan.length > 0
    })
    expect(found.map(({ trial }) => planText(trial.plan))).toHaveLength(2)
    expect(adviceOf(found).tried).toHaveLength(1)
  })
})

describe('an improvement', () => {
  const before = assessment(threat('attribute', 'HIGH', 0.6), threat('membership', 'MODERATE', 0.1))

  it('is none where a threat cannot be seen any more, and half of one where it cannot be decided', () => {
    const blind = improvementOf(
      before,
      assessment(threat('attribute', 'NOT ASSESSED', null), threat('membership', 'LOW', 0)),
    )
    expect(blind).toMatchObject({ level: 'HIGH', severity: 2, worst: { threat: 'attribute', leakage: 0.6 } })
    const open = improvementOf(
      before,
      assessment(threat('attribute', 'INCONCLUSIVE', 0.1), threat('membership', 'LOW', 0)),
    )
    expect(open.level).toBe('MODERATE')
  })

  it('has bounds that allow for both measurements', () => {
    const { threats } = improvementOf(before, assessment(threat('attribute', 'LOW', 0.1)))
    expect(threats[0].change).toEqual({
      value: expect.closeTo(-0.5),
      lower: expect.closeTo(-0.5 - Math.hypot(0.03, 0.04)),
      upper: expect.closeTo(-0.5 + Math.hypot(0.04, 0.03)),
    })
  })
})

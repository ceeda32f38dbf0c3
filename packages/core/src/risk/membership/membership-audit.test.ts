import { describe, expect, it } from 'vitest'
import { type Release, release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { type Scene, scene } from '../../testing/membership-scenes.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { membershipAudit } from './membership-audit.js'

const QUICK = { trees: 30, permutations: 199 }

async function find(of: Release, options: Parameters<typeof membershipAudit>[1] = QUICK) {
  const [finding] = (await membershipAudit(of, options)).releases
  if (finding.details === null) throw new Error(finding.reason)
  return { ...finding, details: finding.details }
}

describe('membership-audit', () => {
  it('takes the score with the largest z, and the joint p of all', async () => {
    const { value, interval, details } = await find(scene('20 % copies', 1))
    const { scores, best, p } = details.everybody
    expect(scores.map(({ name }) => name)).toEqual(['closeness', 'log-ratio', 'radius', 'classifier'])
    const largest = scores.reduce((a, b) => (b.z > a.z ? b : a))
    expect(best).toBe(largest.name)
    expect(value).toBe(largest.auc)
    expect(interval).toEqual(largest.interval)
    expect(p).toBe(Math.min(...scores.map(({ jointP }) => jointP)))
    for (const score of scores) expect(score.jointP).toBeGreaterThanOrEqual(largest.jointP)
  })

  it('stays quiet on honest releases', async () => {
    let alarms = 0
    for (let index = 0; index < 100; index++)
      if ((await find(scene('honest', index))).details.status === 'evidence') alarms++
    expect(alarms).toBeLessThanOrEqual(6)
  })

  it.each<[Scene, string[]]>([
    ['near copies', ['HIGH']],
    ['20 % copies', ['MODERATE', 'HIGH', 'INCONCLUSIVE']],
  ])('finds %s', async (kind, levels) => {
    const found = await Promise.all([0, 1, 2, 3].map((index) => find(scene(kind, index), { trees: 30 })))
    for (const { verdict } of found) expect(levels).toContain(verdict?.level)
    expect(found.filter(({ details }) => details.status === 'evidence').length).toBeGreaterThanOrEqual(3)
    for (const { details } of found) {
      const [, almostAll] = details.standingOut
      expect(almostAll.records).toBeGreaterThan(20 * almostAll.byChance)
    }
  })

  it('finds the isolated whose copies an average hides', async () => {
    // 400 people close together of whom none is copied, and 40 far apart of whom the training records are.
    const crowd = (shift: number) => Array.from({ length: 200 }, (_, k) => k / 1000 + shift)
    const loners = (shift: number) => Array.from({ length: 20 }, (_, k) => 2 + k + shift)
    const files = {
      original: tableOf('T', { x: [...crowd(0), ...loners(0)] }),
      holdout: tableOf('H', { x: [...crowd(0.0005), ...loners(0.5)] }),
      released: tableOf('S', { x: [...crowd(0.00025), ...loners(0)] }),
    }
    const { details, verdict } = await find(release(files), { classifier: false, isolated: 40 / 440 })
    expect(details.isolated).toMatchObject({ training: 20, others: 20 })
    expect(details.isolated?.scores[0].auc).toBe(1)
    expect(details.everybody.scores[0].auc).toBeLessThan(0.6)
    expect(verdict?.level).toBe('HIGH')
    expect(verdict?.because).toMatch(/^among the most isolated records: /)
  })

  it('has the same bits on several threads', async () => {
    const sizes = { training: 60, holdout: 40, released: 50 }
    expect(await membershipAudit(scene('honest', 1, sizes), QUICK, { tasks: shuffledRunner(3) })).toEqual(
      await membershipAudit(scene('honest', 1, sizes), QUICK),
    )
  })

  it('goes on without the classifier where there are too few records for folds', async () => {
    const { details, warnings } = await find(scene('honest', 1, { training: 30, holdout: 3, released: 30 }))
    expect(details.everybody.scores).toHaveLength(3)
    expect(warnings).toEqual(['left out: a cross-fitted classifier needs four records of original and holdout'])
  })
})

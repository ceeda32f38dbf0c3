import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { cartSynthesizer } from '../../synthesizers/sequential/synthesizers.js'
import { synthesize } from '../../synthesizers/synthesizer.js'
import { type Release, release } from '../../table/release.js'
import { selectRows, tableOf } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { scene } from '../../testing/scenes/membership-scenes.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { membershipAudit } from './membership-audit.js'

const QUICK = { permutations: 199 }
const ALL: Parameters<typeof membershipAudit>[1] & { attacks: string[] } = {
  ...QUICK,
  trees: 30,
  attacks: ['shared information', 'shared values', 'closeness', 'log-ratio', 'radius', 'classifier'],
}

async function find(of: Release, options: Parameters<typeof membershipAudit>[1] = QUICK, how = {}) {
  const [finding] = (await membershipAudit(of, options, how)).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

describe('membership-audit', () => {
  it('takes the score with the largest z, and the joint p of all', async () => {
    const { value, interval, effect, details } = await find(scene('20 % copies', 1), ALL)
    const { scores, best, p } = details.everybody
    expect(scores.map(({ name }) => name)).toEqual(ALL.attacks)
    const largest = scores.reduce((a, b) => (b.z > a.z ? b : a))
    expect(best).toBe(largest.name)
    expect(value).toBe(largest.auc)
    expect(interval).toEqual(largest.interval)
    expect(p).toBe(Math.min(...scores.map(({ jointP }) => jointP)))
    for (const score of scores) expect(score.jointP).toBeGreaterThanOrEqual(largest.jointP)
    expect(effect).toMatchObject({
      value: largest.auc - 0.5,
      p,
      lower: Math.max(...scores.map(({ bounds }) => bounds.lower)) - 0.5,
      upper: Math.max(...scores.map(({ bounds }) => bounds.upper)) - 0.5,
    })
    expect(details.radius).toBeGreaterThan(0)
  })

  it('tries what does not take long unless told otherwise, and says so', async () => {
    const { details, warnings } = await find(scene('honest', 1))
    const quick = ['shared values', 'closeness', 'log-ratio']
    expect(details.everybody.scores.map(({ name }) => name)).toEqual(['shared information', ...quick])
    expect(details.radius).toBeNull()
    expect(warnings).toEqual([])
    const large = await find(scene('honest', 1, { training: 4500, holdout: 2500, released: 1000 }))
    expect(large.details.everybody.scores.map(({ name }) => name)).toEqual(quick)
    expect(large.warnings).toContain('shared information was left out: it takes long on large files')
    const one = await find(scene('honest', 1), { ...QUICK, attacks: ['closeness', 'closeness'] })
    expect(one.details.everybody.scores.map(({ name }) => name)).toEqual(['closeness'])
  })

  it('finds nothing in honest releases, be there many people outside or few', async () => {
    for (const holdout of [200, 12]) {
      const runs = repeats(40, 100)
      let [found, surely, isolated] = [0, 0, 0]
      for (let index = 0; index < runs; index++) {
        const { effect, looks } = await find(scene('honest', index, { training: 200, holdout, released: 200 }))
        if ((effect?.p ?? 0) < 0.05) found++
        if ((effect?.lower ?? 1) > 0) surely++
        if ((looks?.[0]?.effect.p ?? 1) < 0.05) isolated++
      }
      expect(found / runs).toBeLessThanOrEqual(0.1)
      expect(surely / runs).toBeLessThanOrEqual(0.08)
      expect(isolated / runs).toBeLessThanOrEqual(0.1)
    }
  })

  it('finds near copies', async () => {
    for (const index of [0, 1, 2, 3]) {
      const { leakage, people, details } = await find(scene('near copies', index), {})
      expect(leakage?.lower).toBeGreaterThan(0.2)
      expect(leakage?.p).toBeLessThan(1e-4)
      expect(people).toBe(Math.round(200 * (leakage?.value ?? 0)))
      const [, almostAll] = details.standingOut
      expect(almostAll.records).toBeGreaterThan(20 * almostAll.byChance)
    }
  })

  it('finds copies of one in five', async () => {
    const found = await Promise.all([0, 1, 2, 3].map((index) => find(scene('20 % copies', index), {})))
    for (const { details } of found)
      expect(details.standingOut[1].records).toBeGreaterThan(20 * details.standingOut[1].byChance)
    expect(found.filter(({ leakage }) => (leakage?.p ?? 1) < 0.01).length).toBeGreaterThanOrEqual(3)
  })

  it.each([6, 10, 40, 200])('reads the original itself as 1, as surely as %i people outside allow', async (holdout) => {
    const { original, holdout: others } = scene('honest', 5, { training: 300, holdout, released: 10 })
    const { value, leakage } = await find(release({ original, released: original, holdout: others ?? original }))
    expect(value).toBe(1)
    expect(leakage?.value).toBe(1)
    expect(leakage?.p).toBeLessThan(0.01)
    // Four attacks were tried: each at a quarter of 5 %.
    const lower = 2 * (0.05 / 4) ** (1 / holdout) - 1
    expect(leakage?.lower).toBeLessThanOrEqual(lower)
    expect(leakage?.lower).toBeGreaterThan(lower - 0.05)
    expect(leakage?.upper).toBe(1)
  })

  it('measures against what can be told at all where outsiders equal people in the data', async () => {
    const letters = (name: string, of: string) => tableOf(name, { g: [...of], h: [...of] })
    const original = letters('T', 'abcdefghijklmnop'.repeat(4))
    // Half of the outsiders are of kinds that the original has.
    const holdout = letters('H', 'abcdefghijklmnopABCDEFGHIJKLMNOP'.repeat(2))
    const { value, controls, leakage } = await find(release({ original, released: original, holdout }))
    expect(controls?.everything?.value).toBe(0.75)
    expect(value).toBe(0.75)
    expect(leakage?.value).toBe(1)
    const same = await find(release({ original, released: original, holdout: original }))
    expect(same).toMatchObject({ leakage: null, controls: { everything: { value: 0.5 } } })
    expect(same.notAssessed).toBeDefined()
  })

  it('puts the original itself on the scale where few coarse columns make people alike, and an honest sample at its floor', async () => {
    // 48 kinds of people, so that nearly every outsider equals somebody in the data.
    const people = (name: string, seed: number) => {
      const random = stream(seed, name)
      const draw = (levels: number) => Array.from({ length: 500 }, () => random.below(levels))
      return tableOf(name, { a: draw(4), b: draw(4), c: draw(3) })
    }
    const [original, holdout, sample] = ['T', 'H', 'S'].map((name) => people(name, 3))
    const copied = await find(release({ original, released: original, holdout }))
    expect(copied.exposure).toBeGreaterThan(0.2)
    expect(copied.exposure).toBeLessThanOrEqual(1)
    expect(copied.leakage?.p).toBe(1 / 200)
    const honest = await find(release({ original, released: sample, holdout }))
    expect(honest.leakage?.lower).toBeLessThan(0)
    expect(honest.controls?.everything).toEqual(copied.controls?.everything)
  })

  it('looks at a sample of large files, compared with all, and says so', async () => {
    const large = scene('20 % copies', 3, { training: 900, holdout: 150, released: 700 })
    const { details, warnings, records } = await find(large, { ...QUICK, sample: 200 }, { records: true })
    expect(details.everybody).toMatchObject({ training: 200, others: 150 })
    expect(warnings).toEqual(['a sample of 200 training records and 150 records of others was looked at'])
    const scored = Array.from(records?.membershipPercentile ?? []).filter((one) => !Number.isNaN(one))
    expect(scored).toHaveLength(200)
    expect(records?.membershipPercentile).toHaveLength(900)
  })

  it('finds the isolated whose copies an average hides', async () => {
    // 400 people close together of whom none is copied, and 40 far apart of whom the training records are.
    const random = stream(1, 'crowd')
    const crowd = () => Array.from({ length: 200 }, () => 0.2 * random.uniform())
    const loners = (shift: number) => Array.from({ length: 20 }, (_, k) => 2 + k + shift)
    const files = {
      original: tableOf('T', { x: [...crowd(), ...loners(0)] }),
      holdout: tableOf('H', { x: [...crowd(), ...loners(0.5)] }),
      released: tableOf('S', { x: [...crowd(), ...loners(0)] }),
    }
    const { details, leakage, looks } = await find(release(files), {
      attacks: ['closeness', 'log-ratio'],
      isolated: 40 / 440,
    })
    expect(details.isolated).toMatchObject({ training: 20, others: 20 })
    expect(details.isolated?.scores[0].auc).toBe(1)
    expect(details.everybody.scores[0].auc).toBeLessThan(0.6)
    expect(leakage?.upper).toBeLessThan(0.4)
    expect(looks).toMatchObject([{ what: 'among the most isolated records', value: 1, leakage: { value: 1 } }])
    expect(looks?.[0].leakage?.lower).toBeGreaterThan(0.5)
    expect(looks?.[0].leakage?.p).toBeLessThan(0.003)
  })

  it('has the same bits on several threads', async () => {
    const sizes = { training: 60, holdout: 40, released: 50 }
    expect(await membershipAudit(scene('honest', 1, sizes), ALL, { tasks: shuffledRunner(3) })).toEqual(
      await membershipAudit(scene('honest', 1, sizes), ALL),
    )
  })

  it('goes on without the classifier where there are too few records for folds', async () => {
    const few = scene('honest', 1, { training: 30, holdout: 3, released: 30 })
    const { details, warnings } = await find(few, ALL)
    expect(details.everybody.scores).toHaveLength(5)
    expect(warnings).toEqual(['left out: a cross-fitted classifier needs four records of original and holdout'])
    const alone = await membershipAudit(few, { attacks: ['classifier'] })
    expect(alone).toMatchObject({
      status: 'not applicable',
      reason: { code: 'data', text: expect.stringContaining('needs four records') },
    })
  })
})

describe.skipIf(reference() === undefined)('census', () => {
  const load = (name: string) => referenceTable('data', 'census2k', `census2k-${name}.csv`)

  it('tells the people behind a CART synthesis better than a forest does', async () => {
    const [original, holdout] = [await load('trn'), await load('hol')]
    const released = await synthesize(cartSynthesizer, original, { seed: 1, options: {} })
    const { value, details, leakage } = await find(release({ original, released, holdout }), { permutations: 199 })
    // A cross-fitted forest of 5 x 300 trees has 0.662, log-ratio and closeness 0.595 and 0.565.
    expect(details.everybody.best).toBe('shared values')
    expect(value).toBeGreaterThan(0.8)
    expect(leakage?.lower).toBeGreaterThan(0.55)
  })

  it('finds people of whom 30 % of the cells were replaced', async () => {
    const [original, holdout, released] = [await load('trn'), await load('hol'), await load('syn_flip30')]
    expect((await find(release({ original, released, holdout }))).value).toBeGreaterThan(0.97)
  })

  it('has nothing against people outside as a release', async () => {
    const [original, others] = [await load('trn'), await load('hol')]
    const half = (from: number) =>
      selectRows(
        others,
        Int32Array.from({ length: 1000 }, (_, row) => from + row),
      )
    const { effect, leakage } = await find(release({ original, released: half(0), holdout: half(1000) }))
    expect(effect?.p).toBeGreaterThan(0.05)
    expect(leakage?.upper).toBeLessThan(0.1)
  })
})

import { describe, expect, it } from 'vitest'
import { mia } from '../../peers/risk/membership/mia.js'
import { type Stream, stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { numeric } from '../../table/column.js'
import { type Release, release } from '../../table/release.js'
import { type Table, table, tableOf } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { scene } from '../../testing/scenes/membership-scenes.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'

async function find(of: Release, options: Parameters<typeof mia>[1] = {}) {
  const [finding] = (await mia(of, options)).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

const DEFINITIONS = ['scrim', 'riskutility'] as const

describe('mia', () => {
  it.each(DEFINITIONS)(
    '%s is not fooled by a bad release: recall is nothing without false positives',
    async (definition) => {
      // One binary column, 80 % in the population and 90 % in the release: "released" is the best guess for every 1.
      const ones = (name: string, share: number) =>
        tableOf(name, { x: Array.from({ length: 1000 }, (_, row) => (row < 1000 * share ? 'yes' : 'no')) })
      const { value, details, effect, leakage } = await find(
        release({ original: ones('T', 0.8), released: ones('S', 0.9), holdout: ones('H', 0.8) }),
        { trees: 50, definition },
      )
      expect(details.riskutility.recall.mean).toBeCloseTo(0.8, 10)
      expect(details.riskutility.falsePositiveRate.mean).toBeCloseTo(0.8, 10)
      expect(details.riskutility.verdict).toBe('HIGH')
      expect(value).toBeCloseTo(0.5, 1)
      expect(effect?.upper).toBeLessThan(0.05)
      expect(effect?.p).toBeGreaterThan(0.01)
      // Everybody outside has an equal in the data: no attack could tell them apart.
      expect(leakage).toBeNull()
    },
  )

  it('calls no bad release safe either: recall 0 is a coin', async () => {
    const shifted = (name: string, by: number) =>
      tableOf(name, { x: Array.from({ length: 400 }, (_, row) => by + ((row * 37) % 400)) })
    const { value, details } = await find(
      release({ original: shifted('T', 0), released: shifted('S', 1000), holdout: shifted('H', 0.5) }),
      { trees: 50 },
    )
    expect(details.riskutility.recall.mean).toBe(0)
    expect(details.riskutility.verdict).toBe('LOW')
    expect(value).toBeCloseTo(0.5, 1)
  })

  it('finds copies moved by .02 in three normal columns, and nothing in fresh draws', async () => {
    const normal = (name: string, random: Stream): Table =>
      table(
        name,
        ['x', 'y', 'z'].map((column) =>
          numeric(
            column,
            Array.from({ length: 1000 }, () => drawNormal(random)),
          ),
        ),
      )
    const original = normal('T', stream(1, 'T'))
    const holdout = normal('H', stream(1, 'H'))
    const random = stream(1, 'moved')
    const moved = table(
      'S',
      original.columns.map((column) =>
        column.kind === 'numeric'
          ? { ...column, values: column.values.map((value) => value + 0.02 * drawNormal(random)) }
          : column,
      ),
    )
    const copied = await find(release({ original, released: moved, holdout }), {
      trees: 100,
      definition: 'riskutility',
    })
    expect(copied.details.riskutility.recall.mean).toBeCloseTo(0.81, 1)
    expect(copied.details.riskutility.falsePositiveRate.mean).toBeCloseTo(0.51, 1)
    expect(copied.value).toBeCloseTo(0.72, 1)
    const stronger = await find(release({ original, released: moved, holdout }), { trees: 100 })
    expect(stronger.value).toBeGreaterThan(copied.value ?? 1)
    const fresh = await find(release({ original, released: normal('S', stream(1, 'S')), holdout }), {
      trees: 100,
      definition: 'riskutility',
    })
    expect(fresh.value).toBeCloseTo(0.5, 1)
    expect(fresh.details.riskutility.recall.mean).toBeCloseTo(0.5, 1)
    expect(fresh.details.riskutility.falsePositiveRate.mean).toBeCloseTo(0.49, 1)
  })

  it('stays quiet on honest releases and finds near copies', async () => {
    const runs = repeats(40, 100)
    let alarms = 0
    for (let index = 0; index < runs; index++) {
      const { effect } = await find(scene('honest', index), { trees: 30 })
      if ((effect?.p ?? 0) < 0.01) alarms++
    }
    expect(alarms / runs).toBeLessThanOrEqual(0.04)
    for (let index = 0; index < 3; index++) {
      const { leakage } = await find(scene('near copies', index), { trees: 50 })
      expect(leakage?.lower).toBeGreaterThan(0.2)
      expect(leakage?.p).toBeLessThan(1e-6)
    }
  })

  it('has the same bits on several threads, and fewer folds for few records', async () => {
    const sizes = { training: 60, holdout: 9, released: 50 }
    const found = await mia(scene('honest', 1, sizes), { trees: 20 })
    expect(await mia(scene('honest', 1, sizes), { trees: 20 }, { tasks: shuffledRunner(3) })).toEqual(found)
    expect(found.releases[0].warnings).toEqual(['there are records for 4 folds only'])
    const three = await mia(scene('honest', 1, { ...sizes, holdout: 3 }), { trees: 20 })
    expect(three).toMatchObject({ status: 'not applicable' })
  })
})

import { describe, expect, it } from 'vitest'
import type { TaskRunner } from '../tasks/task.js'
import { simulateHealth } from '../testing/scenes/health.js'
import { cellTable, ORIGINAL_CELLS } from '../testing/scenes/unique-record.js'
import { shuffledRunner } from '../testing/shuffled-runner.js'
import { attack } from './game.js'

const original = cellTable('original', ORIGINAL_CELLS)
const health = simulateHealth({ n: 120, kappa: 10, seed: 2 })
const disease = { kind: 'attribute', sensitive: 'disease_status' } as const

it('gives the same bits on any number of threads', async () => {
  // Enough worlds for threads to be used at all.
  const record = Array.from({ length: 330 }, (_, k) => 999 - 3 * k)
  const given = { original, record, releases: 3, options: { minbucket: 66 } }
  const alone = await attack(given)
  let items = 0
  const together = await attack(given, { tasks: counting(shuffledRunner(3)) })
  expect(items).toBeGreaterThan(10)
  expect(together.targets).toEqual(alone.targets)

  function counting(runner: TaskRunner): TaskRunner {
    return {
      threads: runner.threads,
      map: (task, shared, all, how) => {
        items += all.length
        return runner.map(task, shared, all, how)
      },
    }
  }
})

describe('refine: some', () => {
  it('plays the riskiest 5 % and all near a threshold exactly, and says who rests on the screen', async () => {
    const given = { original, record: 'all', releases: 30, options: { minbucket: 20 } } as const
    const all = await attack({ ...given, refine: 'all' })
    const some = await attack({ ...given, refine: 'some' })
    expect(all.screen).toEqual({ exact: 1000, records: 0, atLeastHalf: 0 })
    expect(some.screen.exact + some.screen.records).toBe(1000)
    expect(some.screen.records).toBeGreaterThan(900)
    expect(some.screen.atLeastHalf).toBe(0)
    expect(some.notes.join()).toContain('rest on the screen')
    expect(some.worst?.screened).toBe(false)
    expect(some.worst?.label).toBe('1111')
    some.targets.forEach((target, k) => {
      if (!target.screened) expect(target.summary).toEqual(all.targets[k].summary)
      else expect(target.summary?.meanPosterior).toBeCloseTo(all.targets[k].summary?.meanPosterior ?? 0, 8)
    })
  })

  it('does not miss what only the structure tells (F7: minbucket 67, F8: cp 0.02)', async () => {
    for (const options of [{ minbucket: 67 }, { cp: 0.02 }]) {
      const { targets } = await attack({ original, record: 'all', releases: 60, options, refine: 'some' })
      const unique = targets.find(({ label }) => label === '1111')
      expect(unique?.screened).toBe(false)
      expect(unique?.summary?.meanPosterior).toBeGreaterThan(0.6)
    }
  })
})

it('a small sweep is exact without asking; a large one keeps one posterior per record', async () => {
  const small = await attack({ original: health, record: 'all', releases: 2, candidates: disease })
  expect(small.screen.records).toBe(0)
  expect(small.targets[0].posteriors).toHaveLength(2)
  const large = await attack({ original, record: 'all', releases: 1300 })
  expect(large.targets[0].posteriors).toHaveLength(1)
  expect(large.targets[0].summary?.releases).toBe(1300)
})

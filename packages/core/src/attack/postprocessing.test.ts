import { describe, expect, it } from 'vitest'
import { tableOf } from '../table/table.js'
import { cellTable, ORIGINAL_CELLS, SYNTHETIC_CELLS } from '../testing/scenes/unique-record.js'
import { attack } from './game.js'

const original = cellTable('original', ORIGINAL_CELLS)
const last = { original, record: 'last', candidates: { kind: 'attribute', sensitive: 'var4' } } as const

describe('sets that went through sdc', () => {
  it('are attacked by dm; exact and path are refused', async () => {
    const found = await attack({ ...last, releases: 3, simulations: 20, postprocessing: { remove: 'replicated' } })
    expect([found.engine, found.synthesizer]).toEqual(['dm', 'cart, then sdc'])
    for (const engine of ['exact', 'path'] as const)
      await expect(attack({ ...last, engine, postprocessing: {} })).rejects.toThrow('after postprocessing')
    await expect(attack({ ...last, postprocessing: { removed: 'none' } })).rejects.toThrow('sdc: unknown option')
  })

  it('lose a single copy of the unique record, and with it most of what it told', async () => {
    const plain = await attack({ ...last, engine: 'dm', releases: 60, simulations: 60, alpha: 1 / 16 })
    const removed = await attack({
      ...last,
      releases: 60,
      simulations: 60,
      alpha: 1 / 16,
      postprocessing: { remove: 'replicated' },
    })
    // 1111 is in 63 % of sets, but twice or more in 26 % only; a single copy is unique in both and removed.
    expect(plain.targets[0].summary?.atLeast90.share).toBeGreaterThan(0.5)
    expect(removed.targets[0].summary?.atLeast90.share).toBeLessThan(0.4)
    expect(removed.game.sets.sizes.some((rows) => rows === 999)).toBe(true)
  })
})

describe('sets of the worlds that somebody made before', () => {
  /** A copy of each world, with the unknown record as the first or the second candidate. */
  const worldOf = (counts: readonly number[], world: number) =>
    counts.map((n, c) => n + (c === 14 && world === 0 ? 1 : 0) + (c === 15 && world === 1 ? 1 : 0))
  const known = ORIGINAL_CELLS.map((n, c) => (c === 15 ? 0 : n))
  const worldSets = async (world: number) =>
    Array.from({ length: 12 }, (_, r) => cellTable(`set ${r}`, worldOf(known, world)))

  it('stand in for a synthesizer', async () => {
    const released = [cellTable('z', SYNTHETIC_CELLS[3])]
    const found = await attack({ ...last, released, worldSets })
    expect([found.engine, found.synthesizer]).toEqual(['dm', 'given sets'])
    expect(found.targets[0].posteriors[0].probabilities[1]).toBeGreaterThan(0.99)
    for (const engine of ['abc', 'classifier', 'mix'] as const)
      expect(
        (await attack({ ...last, released, worldSets, engine })).targets[0].posteriors[0].probabilities,
      ).toHaveLength(2)
  })

  it('tells what is wrong', async () => {
    await expect(attack({ ...last, worldSets })).rejects.toThrow('give the released sets')
    const released = [cellTable('z', SYNTHETIC_CELLS[3])]
    await expect(attack({ ...last, released, worldSets, engine: 'exact' })).rejects.toThrow('use dm')
    await expect(attack({ ...last, record: 'all', released, worldSets })).rejects.toThrow('choose one')
    const uneven = async (world: number) => (await worldSets(world)).slice(world)
    await expect(attack({ ...last, released, worldSets: uneven })).rejects.toThrow(
      'world 2 has 11 sets, world 1 has 12',
    )
  })

  it('are matched by the names of their levels', async () => {
    const people = tableOf('people', { sex: ['f', 'm', 'm', 'f'], job: ['a', 'b', 'a', 'b'] })
    const released = [tableOf('z', { sex: ['m', 'm', 'f', 'f'], job: ['b', 'a', 'a', 'b'] })]
    const sets = (world: number) => [
      tableOf('w', { sex: ['m', 'f', 'm', 'f'], job: ['b', 'a', 'a', world === 0 ? 'a' : 'b'] }),
    ]
    const { targets } = await attack({
      original: people,
      released,
      record: 'last',
      candidates: { kind: 'attribute', sensitive: 'job' },
      worldSets: async (world) => sets(world),
    })
    expect(targets[0].posteriors[0].probabilities[1]).toBeGreaterThan(0.5)
  })
})

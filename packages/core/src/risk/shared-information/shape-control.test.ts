import { expect, it } from 'vitest'
import { bitSpace } from '../../neighbors/in-bits/bits.js'
import { stream } from '../../random/stream.js'
import { inline } from '../../tasks/task.js'
import { people } from '../../testing/scenes/people.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { queriesPerReplicate, shapeControls } from './shape-control.js'

function input(rows: number, released: number) {
  const of = people(rows, stream(1, 'shape'))
  const { columns, ids } = bitSpace(
    [of],
    of.columns.map(({ name }) => name),
  )
  return {
    original: columns.map((column) => ({ ...column, codes: ids[0].map((point) => column.codes[point]) })),
    originals: rows,
    released,
    charges: [0, 4],
    queries: rows,
    seed: 3,
  }
}

it('of one fine column independent marginals are closer than chance: they hold the very values of the original', async () => {
  const all = input(200, 300)
  const [control] = await shapeControls({ ...all, original: all.original.slice(1, 2) }, { tasks: inline })
  expect(control.replicates).toBe(20)
  expect(control.closer).toBeGreaterThan(300 / 499)
  expect(control.standardDeviation).toBeLessThan(0.05)
})

it('of related columns independent marginals are farther when differing categories are charged', async () => {
  const [free, charged] = await shapeControls(input(200, 200), { tasks: inline })
  expect(charged.closer).toBeLessThan(200 / 399)
  expect(charged.closer).toBeLessThan(free.closer)
})

it('is the same on any number of threads and in any order of records', async () => {
  const of = input(80, 60)
  const expected = await shapeControls(of, { tasks: inline })
  expect(await shapeControls(of, { tasks: shuffledRunner(3) })).toEqual(expected)
  const turned = { ...of, original: of.original.map((column) => ({ ...column, codes: column.codes.toReversed() })) }
  const again = await shapeControls(turned, { tasks: inline })
  for (const [k, { closer }] of again.entries()) expect(closer).toBeCloseTo(expected[k].closer, 12)
})

it('asks about as many originals as the release is compared with', () => {
  expect([100, 1000, 20_000].map(queriesPerReplicate)).toEqual([100, 250, 1000])
})

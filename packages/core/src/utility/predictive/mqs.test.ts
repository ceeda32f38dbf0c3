import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { numeric } from '../../table/column.js'
import { release } from '../../table/release.js'
import { table } from '../../table/table.js'
import { mqs } from './mqs.js'

/** y = a + noise. */
function people(name: string, seed: number, noise: number) {
  const random = stream(seed, 'mqs')
  const a = Array.from({ length: 200 }, () => drawNormal(random))
  return table(name, [
    numeric('a', a),
    numeric(
      'y',
      a.map((value) => value + noise * drawNormal(random)),
    ),
  ])
}

const original = people('original', 1, 0.5)
const score = async (noise: number) =>
  (
    await mqs(release({ original, released: people('released', 2, noise), target: 'y' }), {
      resamples: 0,
      learners: ['linear'],
    })
  ).releases[0]

it('is near 0 for a file of the same quality, and tells by the ratio of errors how others differ', async () => {
  const same = await score(0.5)
  expect(same.value).toBeLessThan(0.15)
  const harder = await score(1)
  expect(harder.details?.ratio).toBeGreaterThan(1.6)
  expect(harder.details?.ratio).toBeLessThan(2.4)
  // As wrong: a relation that was made clearer than it is.
  const easier = await score(0.25)
  expect(easier.details?.ratio).toBeLessThan(0.7)
  expect(easier.value).toBeCloseTo(Math.abs(Math.log(easier.details?.ratio ?? 1)), 12)
})

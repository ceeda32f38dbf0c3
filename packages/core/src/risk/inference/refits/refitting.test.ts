import { expect, it } from 'vitest'
import { stream } from '../../../random/stream.js'
import { wilson } from '../../../stats/intervals.js'
import { release } from '../../../table/release.js'
import { tableOf } from '../../../table/table.js'
import { rapid } from '../rapid.js'
import { intervalOverReleases } from './refitting.js'

it('the interval is Wilson’s where models do not vary, and with R’s qt where they do', () => {
  expect(intervalOverReleases(0.36, 300, 0)?.lower).toBeCloseTo(wilson(108, 300)?.lower ?? 0, 10)
  expect(intervalOverReleases(0.36, 300, 0)?.upper).toBeCloseTo(wilson(108, 300)?.upper ?? 0, 10)
  const wide = intervalOverReleases(0.36, 300, 0.003)
  expect(wide?.lower).toBeCloseTo(0.2299484191, 8)
  expect(wide?.upper).toBeCloseTo(0.5144645109, 8)
  expect(intervalOverReleases(0, 300, 0.003)?.lower).toBe(0)
  expect(intervalOverReleases(1, 300, 0.003)?.upper).toBe(1)
})

function people(name: string, n: number, seed: number) {
  const draw = stream(seed, name)
  const x = Array.from({ length: n }, () => draw.below(1000))
  return tableOf(name, {
    x,
    class: x.map((value) => (draw.below(4) === 0 ? 'abc'[draw.below(3)] : 'abc'[Math.floor(value / 334)])),
  })
}

const cheap = { attackers: ['cart'], permutations: 0, bootstrap: 0 } as const
const find = async (n: number, m: number, seed: number) => {
  const given = { original: people('original', n, seed), released: people('released', m, seed) }
  return (await rapid(release({ ...given, keys: ['x'], target: 'class' }), cheap, { seed })).releases[0]
}

it.each([
  ['half', 0.5],
  ['twice', 2],
  ['four times', 4],
])('an honest release of %s the size raises no more alarms than chance', async (_, times) => {
  const runs = 40
  let alarms = 0
  for (let seed = 0; seed < runs; seed++) {
    const { effect } = await find(120, 120 * times, 300 + seed)
    if ((effect?.p ?? 1) < 0.05) alarms++
  }
  expect(alarms / runs).toBeLessThanOrEqual(0.1)
})

it('the value is that of the whole release, whatever the control is compared with', async () => {
  const { value, effect, controls, interval } = await find(120, 600, 7)
  const [{ value: alone }] = (
    await rapid(
      release({
        original: people('original', 120, 7),
        released: people('released', 600, 7),
        holdout: people('holdout', 50, 7),
        keys: ['x'],
        target: 'class',
      }),
      cheap,
      { seed: 7 },
    )
  ).releases
  expect(value).toBe(alone)
  expect(controls?.fair?.basis).toBe('cross-fitting')
  expect((value ?? 0) - (controls?.fair?.value ?? 0)).not.toBe(effect?.value)
  expect(interval?.method).toBe('wilson, over people and releases')
})

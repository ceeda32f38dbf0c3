import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { mutualInformation } from './mutual-information.js'

it('is counted in bits, by hand', async () => {
  const a = 'aabbaabb'.split('')
  const original = tableOf('o', { a, b: a, c: 'cdcdcdcd'.split('') })
  const released = tableOf('r', { a, b: 'ababbaab'.split('').toReversed(), c: 'cdcdcdcd'.split('') })
  const how = { correction: false, resamples: 0 }
  const { releases } = await mutualInformation(release({ original, released }), how)
  const { details, value } = releases[0]
  // a tells all about b in the original (1 bit), and nothing else tells anything.
  expect(details?.meanOriginal).toBeCloseTo(1 / 3, 12)
  expect(details?.worst[0]).toMatchObject({
    a: 'a',
    b: 'b',
    original: expect.closeTo(1, 12),
    release: expect.closeTo(0, 12),
  })
  expect(value).toBeGreaterThanOrEqual(1 / 3 - 1e-12)
  expect(details?.columns.map(({ original: bits }) => bits)).toEqual([1, 1, 1])
})

it('of independent columns is about 0 with the correction, and not without', async () => {
  const random = stream(3, 'x')
  const draw = () => Array.from({ length: 500 }, () => 'abcdefgh'[random.below(8)])
  const data = tableOf('d', { a: draw(), b: draw() })
  const found = async (correction: boolean) =>
    (await mutualInformation(release({ original: data, released: data }), { correction, resamples: 0 })).releases[0]
      .details?.meanOriginal ?? Number.NaN
  expect(Math.abs(await found(true))).toBeLessThan(0.03)
  // (8 - 1)(8 - 1) / (2 · 500 ln 2)
  expect(await found(false)).toBeCloseTo(49 / (1000 * Math.LN2), 1)
  expect(await found(false)).toBeGreaterThan(0.04)
})

it('what keys tell about the target', async () => {
  const data = tableOf('d', {
    k: 'aabb'.repeat(10).split(''),
    l: 'abab'.repeat(10).split(''),
    t: 'xyyx'.repeat(10).split(''),
  })
  const { releases } = await mutualInformation(
    release({ original: data, released: data, keys: ['k', 'l'], target: 't' }),
    { correction: false, resamples: 0 },
  )
  // Exclusive or: no key tells anything alone, both together everything.
  expect(releases[0].details?.meanOriginal).toBeCloseTo(0, 12)
  expect(releases[0].details?.keys).toMatchObject({ target: 't', original: expect.closeTo(1, 12) })
})

import { openCase, tableOf } from '@scrim/core'
import { expect, it } from 'vitest'
import { novelty } from './novelty.js'

it('keeps three shares apart', () => {
  const original = tableOf('original', { key: ['a', 'a', 'b', 'c', 'd'] })
  const released = tableOf('released', { key: ['a', 'a', 'a', 'b', 'x', 'y'] })
  expect(novelty(openCase({}, { original, released }).release, 0, ['key'])).toEqual({
    distinct: 4,
    novelKeys: 2 / 4,
    recordsWithKnownKey: 4 / 6,
    keysThatReappear: 2 / 4,
  })
})

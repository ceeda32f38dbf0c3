import { expect, it } from 'vitest'
import { joined, joinedCodes } from './joined.js'

it('puts parts one after the other, empty ones too', () => {
  expect(joined([Float64Array.of(1, 2), Float64Array.of(), Float64Array.of(3)])).toEqual(Float64Array.of(1, 2, 3))
  expect(joinedCodes([Int32Array.of(), Int32Array.of(4), Int32Array.of(5, 6)])).toEqual(Int32Array.of(4, 5, 6))
  expect(joined([])).toEqual(new Float64Array())
})

import { expect, it } from 'vitest'
import { sharing } from './sharing.js'

it('shares large arrays, each once, and leaves everything else as it is', () => {
  const large = new Float64Array(10_000).fill(7)
  const small = Int32Array.of(1, 2)
  const columns = [{ values: large }, { values: small }, null]
  const data = { name: 'x', large, columns, levels: ['a'], of: new Map([[1, 2]]) }
  const result = sharing(data) as typeof data
  expect(result).toEqual(data)
  expect(result.large.buffer).toBeInstanceOf(SharedArrayBuffer)
  expect(result.columns[0]?.values).toBe(result.large)
  expect(result.columns[1]?.values).toBe(small)
  expect(result.of).toBe(data.of)
  expect((sharing(result) as typeof data).large).toBe(result.large)
})

it('survives the way to a worker without a copy', () => {
  const { numbers } = sharing({ numbers: new Int32Array(20_000) }) as { numbers: Int32Array }
  const arrived = structuredClone(numbers)
  numbers[5] = 3
  expect(arrived[5]).toBe(3)
})

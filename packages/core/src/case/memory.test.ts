import { expect, it } from 'vitest'
import { checkMemory, memoryNeeded } from './memory.js'

const people = { rows: 1_000_000, columns: 12 }

it('grows with the cells and says so where they are many', () => {
  const needed = [1, 2, 3].map((tables) => memoryNeeded(Array.from({ length: tables }, () => people)))
  expect(needed[2] - needed[1]).toBe(needed[1] - needed[0])
  expect(memoryNeeded([{ rows: 1000, columns: 12 }])).toBeLessThan(memoryNeeded([]) + 2e6)
  expect(checkMemory([{ rows: 1000, columns: 12 }], 4e9)).toBeNull()
  expect(checkMemory([people, people], 4e9)).toMatch(/^needs about \d\.\d GB of memory$/)
})

it('refuses what does not fit, in a sentence that says what would', () => {
  expect(() => checkMemory([people, people], 1e9)).toThrow(
    /^this run needs about \d\.\d GB of memory, and 1 GB are allowed: allow more with --memory, or take a sample/,
  )
})

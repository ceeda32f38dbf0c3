import { expect, it } from 'vitest'
import { checkMemory, memoryNeeded } from './memory.js'

const people = { rows: 1_000_000, columns: 12 }

it('grows with the cells and says so where they are many', () => {
  expect(memoryNeeded([people, people]) - memoryNeeded([people])).toBe(memoryNeeded([people]) - memoryNeeded([]))
  expect(checkMemory([{ rows: 1000, columns: 12 }], 4e9)).toBeNull()
  expect(checkMemory([people, people], 4e9)).toMatch(/^needs about \d\.\d GB of memory$/)
})

it('refuses what does not fit, in a sentence that says what would', () => {
  expect(() => checkMemory([people, people], 1e9)).toThrow(
    /^this run needs about \d\.\d GB of memory, and 1 GB are allowed: allow more with --memory, or take a sample/,
  )
})

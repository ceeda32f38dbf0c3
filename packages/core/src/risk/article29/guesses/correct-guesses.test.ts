import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closeGuesses, equalGuesses, naiveGuesses, type ToleranceBase } from './correct-guesses.js'

/** Whether a guess is right for a secret, both among the numbers given. */
function right(guess: number, secret: number, tolerance: number, base: ToleranceBase = 'guess', range = 1): boolean {
  const numbers = Float64Array.from(new Set([guess, secret])).sort()
  const { first, last } = closeGuesses({ numbers }, { value: tolerance, base, range })
  const [g, s] = [guess, secret].map((value) => numbers.indexOf(value) + 1)
  return first[s] <= g && g <= last[s]
}

describe('a guess of a number', () => {
  it.each([
    [1.01, 1, 0.05, true],
    [1, 1.01, 0.05, true],
    [1, 2, 0.05, false],
    [1, 1.05, 0.05, true],
    [1, 1.06, 0.05, false],
    [1, 1.06, 0.06, true],
    [0, 0, 0.05, true],
    [0, 0.001, 0.05, false],
  ])('%d for %d within %d is %s', (guess, secret, tolerance, expected) => {
    expect(right(guess, secret, tolerance)).toBe(expected)
  })

  it('is not right for being negative', () => {
    expect(right(-1, 5, 0.05)).toBe(false)
    expect(right(-1000, -1, 0.05)).toBe(false)
    expect(right(-100, -104, 0.05)).toBe(true)
    expect(right(-100, 100, 0.05)).toBe(false)
  })

  it('may be measured against the secret or the range', () => {
    expect([right(95, 100, 0.05, 'guess'), right(95, 100, 0.05, 'secret')]).toEqual([false, true])
    expect([right(1, 4, 0.05, 'range', 60), right(1, 4, 0.05, 'range', 59)]).toEqual([true, false])
  })

  it('must be missing when the secret is, and only then', () => {
    const { first, last } = closeGuesses(
      { numbers: Float64Array.of(-1, 0, 1) },
      { value: 0.5, base: 'range', range: 100 },
    )
    expect([first[0], last[0]]).toEqual([0, 0])
    expect([...first.subarray(1), ...last.subarray(1)]).toEqual([1, 1, 1, 3, 3, 3])
  })

  it('is right from the first to the last code, as trying all shows', () => {
    const numbers = fc.uniqueArray(fc.integer({ min: -60, max: 60 }), { minLength: 1, maxLength: 25 })
    const bases = fc.constantFrom<ToleranceBase>('guess', 'secret', 'range')
    fc.assert(
      fc.property(numbers, fc.double({ min: 0, max: 0.99, noNaN: true }), bases, (values, tolerance, base) => {
        const sorted = Float64Array.from(values).sort()
        const { first, last } = closeGuesses({ numbers: sorted }, { value: tolerance, base, range: 40 })
        for (const [s, secret] of sorted.entries()) {
          for (const [g, guess] of sorted.entries()) {
            const size = { guess: Math.abs(guess), secret: Math.abs(secret), range: 40 }[base]
            const expected = Math.abs(guess - secret) <= tolerance * Math.max(size, 1e-12) + 1e-12
            expect(first[s + 1] <= g + 1 && g + 1 <= last[s + 1]).toBe(expected)
          }
        }
      }),
    )
  })
})

describe('guessing without knowledge', () => {
  it('is right as often as two draws agree, or as the mode of the release is met', () => {
    // Secrets: 1 is met by 3 of 4 people, and by 1 of 4 released records; 2 by 1 and 3.
    const people = Int32Array.of(1, 1, 1, 2)
    const released = Int32Array.of(1, 2, 2, 2)
    expect(naiveGuesses(people, released, equalGuesses(3))).toEqual({ random: (3 * 1 + 1 * 3) / 16, constant: 0.25 })
  })

  it('averages over modes that tie', () => {
    expect(naiveGuesses(Int32Array.of(1, 1, 1, 2), Int32Array.of(1, 2), equalGuesses(3)).constant).toBe(0.5)
  })

  it('takes the number that most released records are close to', () => {
    // Within 5 % of the guess: 100 is right for 96, 100 and 104; 96 for 96 and 100; 104 for 100 and 104; 10 for 10.
    const correct = closeGuesses(
      { numbers: Float64Array.of(10, 96, 100, 104) },
      { value: 0.05, base: 'guess', range: 0 },
    )
    const { random, constant } = naiveGuesses(Int32Array.of(1, 2, 3), Int32Array.of(1, 1, 2, 3, 4), correct)
    expect(constant).toBeCloseTo(2 / 3, 12)
    expect(random).toBeCloseTo((2 + 2 + 3) / 15, 12)
  })
})

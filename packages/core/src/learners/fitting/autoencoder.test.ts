import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { fitAutoencoder } from './autoencoder.js'

/** Two groups of people: all columns say which. */
function groups(n: number) {
  const random = stream(7, 'groups')
  const group = Int32Array.from({ length: n }, () => random.below(2))
  const near = (centre: number) => Math.min(1, Math.max(0, centre + 0.1 * (random.uniform() - 0.5)))
  const numbers = [0.2, 0.7].map((low) => Float64Array.from(group, (g) => near(g === 0 ? low : 1 - low)))
  return { rows: n, numbers, codes: [group], group }
}

const options = { cardinalities: [2], latent: 2, epochs: 30 }

describe('autoencoder', () => {
  it('keeps in the code what the record is rebuilt from', () => {
    const data = groups(200)
    const model = fitAutoencoder(data, options, stream(1, 'fit'))
    const codes = model.encode(data)
    const centre = [0, 1].map((g) =>
      [0, 1].map((k) => {
        const own = Array.from(data.group.keys()).filter((row) => data.group[row] === g)
        return own.reduce((sum, row) => sum + codes[2 * row + k], 0) / own.length
      }),
    )
    const between = Math.hypot(centre[0][0] - centre[1][0], centre[0][1] - centre[1][1])
    let within = 0
    for (let row = 0; row < data.rows; row++) {
      const [a, b] = centre[data.group[row]]
      within += Math.hypot(codes[2 * row] - a, codes[2 * row + 1] - b) / data.rows
    }
    expect(between).toBeGreaterThan(5 * within)
  })

  it('is the same for the same stream, and learns', () => {
    const data = groups(100)
    const run = (epochs: number) => fitAutoencoder(data, { ...options, epochs }, stream(3, 'fit'))
    expect(run(5).encode(data)).toEqual(run(5).encode(data))
    expect(run(30).loss).toBeLessThan(run(1).loss)
  })

  it('takes missing and unknown values, and one row', () => {
    const data = groups(40)
    data.numbers[0][3] = Number.NaN
    data.codes[0][4] = -1
    const model = fitAutoencoder(data, options, stream(1, 'fit'))
    const codes = model.encode({
      rows: 1,
      numbers: [Float64Array.of(Number.NaN), Float64Array.of(0.5)],
      codes: [Int32Array.of(9)],
    })
    expect([...codes].every(Number.isFinite)).toBe(true)
    const one = { rows: 1, numbers: [Float64Array.of(0.5)], codes: [] }
    expect(
      [...fitAutoencoder(one, { ...options, cardinalities: [] }, stream(1, 'fit')).encode(one)].every(Number.isFinite),
    ).toBe(true)
  })
})

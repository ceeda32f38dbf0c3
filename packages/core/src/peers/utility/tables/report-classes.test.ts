import { describe, expect, it } from 'vitest'
import { release } from '../../../table/release.js'
import { tableOf } from '../../../table/table.js'
import { PYTHON_FILES } from '../../../testing/python-peers.js'
import { totalVariation } from '../univariate/total-variation.js'
import { contingencyFidelity } from './contingency-fidelity.js'

const files = release({ ...PYTHON_FILES, type: 'synthetic' })
const less = { resamples: 0 }

describe('SDMetrics 0.32.0', () => {
  it.each([
    ['age', 'city', 0.6696969696969698],
    ['age', 'sex', 0.8446969696969697],
    ['income', 'city', 0.6431818181818183],
    ['income', 'sex', 0.8712121212121212],
    ['city', 'sex', 0.6651515151515152],
  ])('prints the ContingencySimilarity of %s and %s as %d', async (a, b, printed) => {
    const { value } = await contingencyFidelity(files, { ...less, variables: [a, b], definition: 'sdmetrics' })
    expect(1 - (value ?? 0)).toBeCloseTo(printed, 12)
  })

  it.each([
    ['city', 0.963828507603746],
    ['sex', 1],
  ])(
    'prints the TVComplement of %s as %d, which is the measure itself without missing values',
    async (name, printed) => {
      const { value } = await totalVariation(files, { ...less, variables: [name], missing: 'drop' })
      expect(1 - (value ?? 0)).toBeCloseTo(printed, 12)
    },
  )
})

describe('mostlyai-qa 1.10.11', () => {
  const asThere = { ...less, definition: 'mostlyai-qa' } as const

  it('prints a univariate accuracy of 0.9636375, the mean of figures with five digits', async () => {
    expect(1 - ((await totalVariation(files, asThere)).value ?? 0)).toBeCloseTo(0.9636375, 5)
  })

  it.each([
    [2, 0.751515],
    [3, 0.3829525],
  ])('prints an accuracy of tables of %d columns of %d', async (ways, printed) => {
    expect(1 - ((await contingencyFidelity(files, { ...asThere, ways })).value ?? 0)).toBeCloseTo(printed, 5)
  })

  it('keeps each of ten values apart, and puts an eleventh of the release to the one below', async () => {
    const original = tableOf('original', { x: Array.from({ length: 20 }, (_, k) => (k % 10) * 1.5) })
    const released = tableOf('released', {
      x: Array.from({ length: 20 }, (_, k) => (k % 10) * 1.5 + (k === 0 ? 0.4 : 0)),
    })
    expect((await totalVariation(release({ original, released, type: 'synthetic' }), asThere)).value).toBe(0)
  })
})

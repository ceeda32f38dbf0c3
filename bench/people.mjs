// Simulated people with twelve columns that depend on one another, as a file of a register has them.
import { categorical, numeric, stream, table } from '@scrim/core'

const CATEGORIES = { sex: 2, region: 16, place: 6, education: 5, marital: 5, work: 8, dwelling: 4, health: 5 }

/** Roles for `people`, as flags of the command line. */
export const PEOPLE_ROLES = ['--keys', 'sex,age,region,education,marital', '--target', 'health', '--type', 'synthetic']

export function people(name, rows, seed) {
  const random = stream(seed, name)
  const standing = Float64Array.from({ length: rows }, () => random.uniform())
  const age = Float64Array.from({ length: rows }, () => 16 + Math.floor(75 * random.uniform() ** 1.3))
  const noisy = (value) => (value + random.uniform()) / 2
  const categories = Object.entries(CATEGORIES).map(([column, levels], k) => {
    const driver = k % 2 === 0 ? standing : age.map((years) => (years - 16) / 75)
    return {
      ...categorical(column, [], { levels: Array.from({ length: levels }, (_, level) => `${column} ${level + 1}`) }),
      codes: Int32Array.from(driver, (value) => Math.floor(noisy(value) ** 1.4 * levels)),
    }
  })
  const rounded = (values, unit) => Float64Array.from(values, (value) => unit * Math.round(value / unit))
  return table(name, [
    ...categories,
    numeric('age', age),
    numeric(
      'income',
      rounded(
        standing.map((value) => 800 + 4000 * noisy(value) ** 2),
        10,
      ),
    ),
    numeric(
      'hours',
      rounded(
        standing.map((value) => 60 * noisy(value)),
        1,
      ),
    ),
    numeric(
      'rent',
      rounded(
        standing.map((value) => 200 + 900 * noisy(value)),
        5,
      ),
    ),
  ])
}

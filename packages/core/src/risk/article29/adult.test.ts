import { describe, expect, it } from 'vitest'
import { release } from '../../table/release.js'
import { isLong } from '../../testing/long.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { inference } from './inference.js'
import { linkability } from './linkability.js'

/** Everybody in anonymeter's Adult example: 39,032 people in the release, 9,758 outside it, 39,040 released records. */
async function adult(target: readonly string[] = []) {
  const [original, holdout, released] = await Promise.all(
    ['train', 'control', 'syn_ctgan'].map((name) => referenceTable('data', 'adult', `adults_${name}.csv`)),
  )
  return release({ original, released, holdout, target })
}

const EVERYBODY = 1_000_000

/** All secrets take more than a minute: `npm run validate` asks for them, `npm test` for these. */
const SOME = ['fnlwgt', 'sex']

describe.skipIf(reference() === undefined)('on all of Adult', () => {
  it('links the people it should', async () => {
    const of = await adult()
    const columns = {
      attacks: EVERYBODY,
      columnsA: ['type_employer', 'education', 'hr_per_week', 'capital_loss', 'capital_gain'],
      columnsB: ['race', 'sex', 'fnlwgt', 'age', 'country'],
    }
    const { details: expected, effect, leakage, people } = (await linkability(of, columns)).releases[0]
    expect(expected?.main.successes).toBeCloseTo(2.2199, 4)
    expect(expected?.control?.successes).toBeCloseTo(0.1246, 4)
    expect(effect?.value).toBeCloseTo(2.2199 / 39032 - 0.1246 / 9758, 7)
    expect(effect?.p).toBeGreaterThan(0.2)
    expect(leakage?.upper).toBeLessThan(0.002)
    expect(people).toBe(Math.round(39_032 * (leakage?.value ?? 0)))
    // Some of them give the same, as far as they are.
    const [some] = (await linkability(of, { ...columns, attacks: 2000 })).releases
    expect(some.details?.main.attacks).toBe(2000)
    expect(some.leakage?.lower).toBeLessThan(0)
    expect(some.leakage?.upper).toBeLessThan(0.02)
    if (!isLong) return
    const inOrder = (await linkability(of, { ...columns, ties: 'index' })).releases[0].details
    const links = inOrder?.curve.map(({ main, control }) => [main * 39032, (control ?? 0) * 9758].map(Math.round))
    expect(links?.map(([main]) => main)).toEqual([2, 10, 20, 28, 37, 47, 69, 93, 120, 156])
    expect(links?.map(([, control]) => control)).toEqual([0, 1, 3, 8, 10, 14, 22, 26, 32, 36])
  })

  const everySecret: readonly (readonly [string, number, number, number, number])[] = [
    ['age', 4524, 1150, 0.0764, 0.1192],
    ['type_employer', 22047, 5632, 0.4618, 0.6922],
    ['fnlwgt', 2001.495, 515.633, 0.0521, 0.1038],
    ['education', 22104, 5543, 0.1706, 0.3215],
    ['education_num', 31875, 7981, 0.1722, 0.3215],
    ['marital', 28014, 6954, 0.3198, 0.4605],
    ['occupation', 9122, 2225, 0.1012, 0.1148],
    ['relationship', 24636, 6109, 0.2441, 0.4054],
    ['race', 26882, 6735, 0.6106, 0.8544],
    ['sex', 29560, 7330, 0.546, 0.6688],
    ['capital_gain', 10091, 2436, 0.2503, 0.9177],
    ['capital_loss', 33721, 8446, 0.8417, 0.9539],
    ['hr_per_week', 9732, 2390, 0.2112, 0.4917],
    ['country', 29180, 7281, 0.6949, 0.8981],
    ['income', 29875, 7456, 0.6051, 0.7608],
  ]

  const secrets = everySecret.filter(([name]) => isLong || SOME.includes(name))

  /** R with its 95 % interval, where it is farther than .015 from 0 or mentioned by name. */
  const residuals: readonly (readonly [string, number, number, number])[] = [
    ['marital', 0.0177, -0.0175, 0.0513],
    ['sex', 0.0247, -0.0139, 0.0616],
    ['capital_gain', 0.0118, -0.0011, 0.0243],
    ['type_employer', -0.0291, -0.0562, -0.0031],
  ]

  it('guesses each secret as often as it should', async () => {
    const found =
      (await inference(await adult(secrets.map(([name]) => name)), { attacks: EVERYBODY })).releases[0].targets ?? []
    const detailsOf = (name: string) => found.find(({ target }) => target === name)?.details
    for (const [name, main, control, random, constant] of secrets) {
      const details = detailsOf(name)
      expect(details?.main.successes, name).toBeCloseTo(main, 2)
      expect(details?.control?.successes, name).toBeCloseTo(control, 2)
      expect(details?.naive[0].rate, name).toBeCloseTo(random, 4)
      expect(details?.naive[1].rate, name).toBeCloseTo(constant, 4)
      expect(details?.tied, name).toEqual(name === 'fnlwgt' ? { main: 818, control: 212 } : { main: 0, control: 0 })
    }
    for (const [name, ...expected] of residuals.filter(([name]) => isLong || SOME.includes(name))) {
      const { value, interval } = detailsOf(name)?.residual ?? {}
      for (const [k, one] of [value, interval?.lower, interval?.upper].entries())
        expect(one, name).toBeCloseTo(expected[k], 4)
    }
    const named = new Set(residuals.map(([name]) => name))
    for (const { details } of found) {
      const { value = 1, interval } = details?.residual ?? {}
      if (named.has(details?.secret ?? '')) continue
      expect(Math.abs(value), details?.secret).toBeLessThan(0.015)
      expect([interval?.lower, interval?.upper].map((end) => Math.sign(end ?? 0))).toEqual([-1, 1])
    }
    const weak = found.filter(({ warnings }) => warnings.some((one) => one.includes('no better than guessing')))
    if (isLong) expect(weak).toHaveLength(8)
    for (const { effect, leakage, target } of found) {
      expect(effect?.p, `${target}`).toBeGreaterThan(0.01)
      expect(leakage?.upper, `${target}`).toBeLessThan(0.1)
    }
  })
})

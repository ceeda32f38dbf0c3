import { describe, expect, it } from 'vitest'
import { type Release, release } from '../../table/release.js'
import { tableOf } from '../../table/table.js'
import { levelsForRegression, mostBins } from './effects/key-levels.js'
import { type ModelOptions, patternsOf, productModel, riskModel } from './effects/risk-model.js'
import { rapidAttribution } from './rapid-attribution.js'

type Options = Parameters<typeof rapidAttribution>[1]

/** Everybody is predicted to have 100, so those who do are at risk and those who have 500 are not. */
function people(
  keys: Readonly<Record<string, readonly (string | number | null)[]>>,
  atRisk: readonly boolean[],
): Release {
  const names = Object.keys(keys)
  const original = tableOf('o', { ...keys, y: atRisk.map((flag) => (flag ? 100 : 500)) })
  const released = tableOf('s', { ...keys, y: atRisk.map((_, row) => (row % 2 === 0 ? 99 : 101)) })
  return release({ original, released, keys: names, target: 'y' })
}

/** So many records of each kind, the first `atRisk` of them at risk. */
const cells = <T>(...given: readonly (readonly [T, number, number])[]) => ({
  values: given.flatMap(([value, n]) => Array.from({ length: n }, () => value)),
  atRisk: given.flatMap(([, n, hits]) => Array.from({ length: n }, (_, k) => k < hits)),
})

async function run(of: Release, options: Options = {}) {
  const [finding] = (await rapidAttribution(of, { attackers: ['prior'], targetType: 'numbers', ...options })).releases
  if (finding.details === null) throw new Error(finding.reason?.text)
  return { ...finding, details: finding.details }
}

const digits = (values: readonly (number | null | undefined)[], count = 6) =>
  values.map((value) => (value == null ? null : Number(value.toFixed(count)) + 0))

const sexes = cells(['F', 50, 10], ['M', 50, 30])

describe('one key of two levels: 10 of 50 and 30 of 50', () => {
  const of = people({ sex: sexes.values }, sexes.atRisk)

  it('coefficients that sum to zero', async () => {
    const { details, value } = await run(of, { penalty: 'none' })
    expect(digits([details.fit?.intercept])).toEqual([-0.490415])
    expect(details.levels.map(({ level }) => level)).toEqual(['F', 'M'])
    expect(digits(details.levels.map(({ coefficient }) => coefficient))).toEqual([-0.89588, 0.89588])
    expect(digits(details.levels.map(({ standardError }) => standardError))).toEqual([0.228218, 0.228218])
    expect(digits(details.levels.map(({ oddsRatio }) => oddsRatio))).toEqual([0.408248, 2.44949])
    expect(value).toBeCloseTo(0.4, 9)
  })

  it('with one key the adjusted rates are the rates, and effects are differences of proportions', async () => {
    const { details, sentence } = await run(of, { penalty: 'none' })
    expect(digits(details.levels.map(({ rate }) => rate))).toEqual([0.2, 0.6])
    expect(digits(details.levels.map(({ adjustedRate }) => adjustedRate))).toEqual([0.2, 0.6])
    expect(digits(details.levels.map(({ effect }) => effect))).toEqual([-0.2, 0.2])
    const half = 1.959963984540054 * Math.sqrt((0.2 * 0.8) / 50 + (0.6 * 0.4) / 50)
    expect(digits([details.levels[1].effectInterval?.upper])).toEqual(digits([0.2 + half / 2]))
    expect(sentence).toBe('sex goes with the risk of inference most: M is 40.0 points above F, the other keys held')
    expect(digits([details.keys[0].chiSquared], 3)).toEqual([15.41])
  })

  it('treatment coding: the first level is the reference', async () => {
    const { details } = await run(of, { penalty: 'none', coding: 'treatment' })
    expect(digits([details.fit?.intercept])).toEqual([-1.386294])
    expect(digits(details.levels.map(({ coefficient }) => coefficient))).toEqual([0, 1.791759])
    expect(digits(details.levels.map(({ standardError }) => standardError))).toEqual([null, 0.456435])
    expect(digits(details.levels.map(({ effect }) => effect))).toEqual([0, 0.4])
  })

  it('Firth adds half a record to each cell of a saturated table', async () => {
    const { details } = await run(of)
    const [f, m] = [Math.log(10.5 / 40.5), Math.log(30.5 / 20.5)]
    expect(details.penalty).toBe('firth')
    expect(digits(details.levels.map(({ coefficient }) => coefficient))).toEqual(digits([(f - m) / 2, (m - f) / 2]))
  })

  it('row order and the number of identical people per row do not matter', async () => {
    const turned = people({ sex: sexes.values.toReversed() }, sexes.atRisk.toReversed())
    expect((await run(turned)).value).toBeCloseTo((await run(of)).value ?? -1, 9)
  })
})

describe('separation', () => {
  const { values, atRisk } = cells(['a', 40, 40], ['b', 40, 20], ['c', 40, 0])
  const of = people({ k: values }, atRisk)

  it.each(['firth', 'ridge'] as const)('%s keeps coefficients finite, effects are near the rates', async (penalty) => {
    const { details } = await run(of, { penalty })
    expect(details.fit?.converged).toBe(true)
    for (const { coefficient, standardError } of details.levels) {
      expect(Math.abs(coefficient ?? 99)).toBeLessThan(12)
      expect(standardError).toBeLessThan(60)
    }
    expect(
      digits(
        details.levels.map(({ adjustedRate }) => adjustedRate),
        1,
      ),
    ).toEqual([1, 0.5, 0])
  })

  it('without a penalty coefficients run away, effects do not', async () => {
    const { details } = await run(of, { penalty: 'none' })
    expect(Math.abs(details.levels[0].coefficient ?? 0)).toBeGreaterThan(15)
    expect(
      digits(
        details.levels.map(({ effect }) => effect),
        4,
      ),
    ).toEqual([0.5, 0, -0.5])
  })
})

describe('two keys against R’s glm', () => {
  const counts = [
    ['x', 'p', 40, 10],
    ['y', 'p', 30, 15],
    ['z', 'p', 20, 5],
    ['x', 'q', 25, 15],
    ['y', 'q', 35, 20],
    ['z', 'q', 50, 40],
  ] as const
  const a = cells(...counts.map(([level, , n, hits]) => [level, n, hits] as const))
  const b = cells(...counts.map(([, level, n, hits]) => [level, n, hits] as const))
  const of = people({ a: a.values, b: b.values }, a.atRisk)

  it('main effects', async () => {
    const { details } = await run(of, { penalty: 'none' })
    const ofA = details.levels.filter(({ key }) => key === 'a')
    expect(digits(ofA.map(({ coefficient }) => coefficient))).toEqual([-0.390547, 0.083115, 0.307432])
    expect(digits(ofA.map(({ standardError }) => standardError))).toEqual([0.21964, 0.215048, 0.217851])
    expect(digits(ofA.map(({ adjustedRate }) => adjustedRate))).toEqual([0.436065, 0.542143, 0.591624])
    const { effect, effectInterval } = ofA[0]
    expect(digits([effect, (effect - (effectInterval?.lower ?? 0)) / 1.959963984540054])).toEqual([-0.087213, 0.049413])
    const test = details.keys.find(({ key }) => key === 'a')
    expect(digits([test?.chiSquared, test?.p], 4)).toEqual([3.4924, 0.1744])
    expect(details.keys[0].key).toBe('b')
  })

  it('products: only they are shown, the last levels included', async () => {
    const { details } = await run(of, { penalty: 'none', interactions: true })
    const find = (...levels: string[]) =>
      details.interactions?.find((one) => one.levels[0] === levels[0] && one.levels[1] === levels[1])
    expect(digits([find('x', 'p')?.coefficient, find('x', 'p')?.standardError])).toEqual([-0.039261, 0.22618])
    expect(digits([find('z', 'p')?.coefficient, find('z', 'p')?.standardError])).toEqual([-0.529676, 0.242479])
    expect(digits([find('z', 'q')?.coefficient])).toEqual([0.529676])
    expect(details.interactions).toHaveLength(6)
    expect((await run(of)).details.interactions).toBeNull()
  })

  it('treatment products leave the reference levels out', async () => {
    const { details } = await run(of, { coding: 'treatment', interactions: true })
    expect(details.interactions?.map(({ levels }) => levels.join())).toEqual(['y,q', 'z,q'])
  })
})

describe('weights', () => {
  const model = (weights: Float64Array | null, penalty: ModelOptions['penalty'] = 'none') => {
    const flags = Uint8Array.from(sexes.atRisk, Number)
    const codes = Int32Array.from(sexes.values, (value) => (value === 'F' ? 0 : 1))
    const keys = [{ key: 'sex', codes, labels: ['F', 'M'] }]
    return riskModel(keys, patternsOf(keys, flags, weights), { coding: 'sum', penalty })
  }

  it('equal weights change nothing, whatever their size', async () => {
    const weighted = (weight: number) => {
      const original = tableOf('o', {
        sex: sexes.values,
        y: sexes.atRisk.map((flag) => (flag ? 100 : 500)),
        w: sexes.values.map(() => weight),
      })
      const released = tableOf('s', { sex: ['F', 'M'], y: [99, 101], w: [1, 1] })
      return release({ original, released, keys: ['sex'], target: 'y', weight: 'w' })
    }
    const { details } = await run(weighted(17), { penalty: 'none' })
    expect(digits(details.levels.map(({ standardError }) => standardError))).toEqual([0.228218, 0.228218])
  })

  it('a weight of two is two people', () => {
    const doubled = model(new Float64Array(100).fill(2))
    expect(digits([doubled?.levels[0][0].standardError])).toEqual(digits([0.228218 / Math.SQRT2], 6))
  })
})

describe('levels of keys', () => {
  const of = (values: readonly (string | number | null)[]) =>
    people(
      { k: values },
      values.map((_, row) => row % 2 === 0),
    )
  const levels = (values: readonly (string | number | null)[], bins: number, breaks?: readonly number[]) =>
    levelsForRegression(of(values), 'k', Int32Array.from(values.keys()), bins, breaks)

  it('numbers get one class per five records of the rarer outcome, 2 to 4', () => {
    expect([mostBins(3, 500), mostBins(14, 500), mostBins(500, 15), mostBins(500, 400)]).toEqual([2, 2, 3, 4])
  })

  it('numbers at quantiles, closed on the right, the lowest included', () => {
    const { codes, labels } = levels([1, 2, 3, 4, 5, 6, 7, 8, 9, 20], 4)
    expect(labels).toEqual(['≤ 3.25', '3.25 to 5.5', '5.5 to 7.75', '> 7.75'])
    expect([...codes]).toEqual([0, 0, 0, 1, 1, 2, 2, 3, 3, 3])
  })

  it('numbers in given classes', () => {
    const { codes, labels } = levels([18, 35, 36, 55, 56, 90, 12, 99], 4, [18, 35, 55, 90])
    expect([...codes]).toEqual([0, 0, 1, 1, 2, 2, 0, 2])
    expect(labels).toEqual(['≤ 35', '35 to 55', '> 55'])
  })

  it('breaks that lie close together get the digits that tell them apart', () => {
    const years = [1990, 1990.002, 1990.004, 1990.006, 1990.008].flatMap((year) => [year, year, year])
    expect(levels(years, 4).labels).toEqual([
      '≤ 1990.002',
      '1990.002 to 1990.004',
      '1990.004 to 1990.006',
      '> 1990.006',
    ])
  })

  it('numbers whose quantiles coincide stay as they are', () => {
    expect(levels([0, 0, 0, 0, 0, 0, 0, 0, 0, 7], 2).labels).toEqual(['0', '7'])
  })

  it('more than ten levels in groups of neighbours', () => {
    const names = Array.from('abcdefghijkl')
    const { labels, codes } = levels(names, 4)
    expect(labels).toEqual(['G1: a … c', 'G2: d … f', 'G3: g … i', 'G4: j … l'])
    expect([...codes]).toEqual([0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3])
    const heavy = [...Array.from({ length: 60 }, () => 'a'), ...names]
    expect(levels(heavy, 2).labels).toEqual(['a', '(others)'])
  })

  it('missing is the last level', () => {
    expect(levels(['b', null, 'a'], 2)).toMatchObject({
      labels: ['a', 'b', '(missing)'],
      codes: Int32Array.of(1, 2, 0),
    })
    expect(levels([1, null, 2], 2).labels.at(-1)).toBe('(missing)')
  })
})

describe('edges', () => {
  it('with everybody or nobody at risk nothing is fitted', async () => {
    const { value, reason, details } = await run(
      people(
        { k: ['a', 'b', 'a', 'b'] },
        [true, true, true, true].map((_, row) => row < 0),
      ),
    )
    expect(value).toBeNull()
    expect(reason?.text).toBe('nobody is at risk, so there is nothing to attribute')
    expect(details.fit).toBeNull()
  })

  it('of two keys that say the same the second has no coefficients of its own, unless there is a ridge', async () => {
    const of = people({ k: sexes.values, twin: sexes.values.map((value) => `${value}2`) }, sexes.atRisk)
    const plain = (await run(of, { penalty: 'none' })).details
    expect(plain.levels.map(({ coefficient }) => coefficient === null)).toEqual([false, false, true, true])
    const ridge = (await run(of, { penalty: 'ridge' })).details
    expect(
      digits(
        ridge.levels.map(({ coefficient }) => coefficient),
        3,
      ),
    ).toEqual([-0.448, 0.448, -0.448, 0.448])
  })

  it('a key that only the release varies is left out', async () => {
    const original = tableOf('o', { k: ['a', 'a', 'a', 'a'], y: [100, 500, 100, 500] })
    const released = tableOf('s', { k: ['a', 'b', 'a', 'b'], y: [99, 101, 99, 101] })
    const { value, reason } = await run(release({ original, released, keys: ['k'], target: 'y' }))
    expect(value).toBeNull()
    expect(reason?.text).toBe('no key varies among the people')
  })

  it('rates of fewer than ten records are not told', async () => {
    const { values, atRisk } = cells(['a', 30, 10], ['b', 30, 20], ['rare', 3, 3])
    const { details } = await run(people({ k: values }, atRisk))
    expect(details.levels.map(({ rate }) => rate === null)).toEqual([false, false, true])
    expect(details.keys[0]).toMatchObject({ riskiest: 'b', safest: 'a' })
  })

  it('too many products are refused, not attempted', () => {
    const codes = Int32Array.from({ length: 200_000 }, (_, row) => row)
    const keys = [7, 8, 9, 10].map((size, k) => ({
      key: `k${k}`,
      codes: codes.map((row) => (row * (k + 3)) % size),
      labels: Array.from({ length: size }, (_, level) => `l${level}`),
    }))
    const patterns = patternsOf(keys, new Uint8Array(codes.length), null)
    const many = { ...patterns, records: new Float64Array(100_000) }
    expect(productModel(keys, many, { coding: 'sum', penalty: 'none' })).toBeNull()
  })
})

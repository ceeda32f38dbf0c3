import { expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { release } from '../table/release.js'
import { type Table, tableOf } from '../table/table.js'
import { describeReference, referenceTable } from '../testing/reference.js'
import { riskutilityReport } from './riskutility.js'
import { riskutilityMap } from './riskutility-map.js'

describeReference('the case study of the vignette, as riskutility prints it', async () => {
  const load = (name: string) => referenceTable(`golden/vignette/case-${name}.csv`)
  const original = await load('original')
  const released = await Promise.all(['a-independent', 'b-bootstrap-noise', 'c-near-copy'].map(load))
  const releases = released.map((one) =>
    release({ original, released: one, keys: ['age_group', 'sex', 'education', 'region'], target: 'income' }),
  )
  const rounded = (value: number | null, digits: number) => (value === null ? null : Number(value.toFixed(digits)))

  it('the composites of its map, the order upside down', async () => {
    const { candidates, alpha } = await riskutilityMap(releases, { measures: ['dcap', 'tcap', 'ims', 'wasserstein'] })
    expect(candidates.map(({ risk }) => rounded(risk, 4))).toEqual([0.6667, 0.2606, 0.3333])
    expect(candidates.map(({ scaled }) => scaled.slice(0, 3).map((one) => rounded(one, 4)))).toEqual([
      [0, 1, 1],
      [0.5101, 0.0717, 0.2],
      [1, 0, 0],
    ])
    expect(candidates.map(({ utility }) => rounded(utility, 4))).toEqual([0.7095, 0, 1])
    expect(rounded(alpha.risk, 3)).toBe(-1.49)
  })

  it('the same with the grouped target of 0.2.0', async () => {
    const how = { measures: ['dcap', 'tcap', 'ims', 'wasserstein'], version: '0.2.0' } as const
    const { candidates, alpha } = await riskutilityMap(releases, how)
    expect(candidates.map(({ risk }) => rounded(risk, 4))).toEqual([0.3333, 0.4067, 0.6667])
    expect(rounded(alpha.risk, 3)).toBe(-2.738)
  })

  it('a further candidate moves all others, which is why it decides nothing here', async () => {
    const two = await riskutilityMap(releases.slice(0, 2), { measures: ['dcap', 'tcap', 'ims', 'wasserstein'] })
    expect(two.candidates.map(({ risk }) => rounded(risk, 4))).toEqual([0.6667, 0.3333])
  })

  it('every row of its report, and its counts', async () => {
    const [a, b, c] = await Promise.all(releases.map((one) => riskutilityReport(one, { without: 'RAPID' })))
    const [first, second, third] = [a, b, c].map(({ rows }) => new Map(rows.map((row) => [row.metric, row])))
    const ratios = (metric: string, digits: number) =>
      [first, second, third].map((rows) => rounded(rows.get(metric)?.ratio ?? null, digits))
    const statuses = (metric: string) => [first, second, third].map((rows) => rows.get(metric)?.status)
    expect(ratios('CAP', 4)).toEqual([0.9319, 1.4953, 2.2119])
    expect(ratios('TCAP', 3)).toEqual([0.126, 0.056, 0.036])
    expect(ratios('WEAP', 1)).toEqual([0.1, 0.4, 0])
    expect(ratios('DiSCO', 2)).toEqual([5.91, 1.97, 0.98])
    expect(ratios('k-Anonymity', 0)).toEqual([1, 1, 2])
    expect(ratios('l-Diversity', 0)).toEqual([1, 1, 2])
    expect(ratios('t-Closeness', 2)).toEqual([0.41, 0.45, 0.41])
    expect(ratios('Individual Risk', 4)).toEqual([0.103, 0.0967, 0.1042])
    expect(ratios('Attacker Risk', 2)).toEqual([0.12, 0.12, 0.12])
    expect(statuses('k-Anonymity')).toEqual(['FAIL', 'FAIL', 'WARNING'])
    expect(statuses('Individual Risk')).toEqual(['WARNING', 'PASS', 'WARNING'])
    expect([a, b, c].map(({ passed, warnings, overall }) => [passed, warnings, overall])).toEqual([
      [5, 5, 'HIGH'],
      [6, 4, 'HIGH'],
      [6, 5, 'HIGH'],
    ])
    // One less than it prints, which is RAPID; the twelfth row of A and B is the FAIL that it does not count.
    expect([a, b, c].map(({ counted }) => counted)).toEqual([10, 10, 11])
  })

  it('RAPID of the candidate that tells nothing, just below its limit', async () => {
    const { rows, passed, warnings, counted } = await riskutilityReport(releases[0])
    const share = rows.find(({ metric }) => metric === 'RAPID')?.value ?? 0
    expect(rows.find(({ metric }) => metric === 'RAPID')?.reference).toBe(`${Math.round(1000 * share)} at risk`)
    expect(Math.abs(share - 0.147)).toBeLessThan(0.015)
    expect([passed, warnings, counted]).toEqual(share < 0.15 ? [6, 5, 11] : [5, 6, 11])
  })
})

const original = tableOf('original', {
  sex: ['f', 'f', 'f', 'm', 'm', 'm'],
  age: ['1', '1', '2', '1', '2', '2'],
  ill: ['y', 'n', 'y', 'n', 'n', 'y'],
})
const other = tableOf('other', {
  sex: ['f', 'f', 'm', 'm', 'm', 'f'],
  age: ['1', '2', '1', '2', '1', '2'],
  ill: ['n', 'n', 'y', 'y', 'y', 'n'],
})
const of = (released: Table) => release({ original, released, keys: ['sex', 'age'], target: 'ill' })

it('does not count a FAIL: a file of uniques has one row that is neither passed nor warned of', async () => {
  const { rows, counted, passed, warnings, errors } = await riskutilityReport(of(original), { without: 'RAPID' })
  expect(rows.find(({ metric }) => metric === 'k-Anonymity')).toMatchObject({ value: 1, status: 'FAIL' })
  expect([counted, passed + warnings + errors]).toEqual([rows.length - 1, rows.length - 1])
})

it('scales from the least to the greatest, and one candidate to one half', async () => {
  const measures = ['dcap', 'ims']
  const { candidates } = await riskutilityMap([of(original), of(other)], { measures })
  expect(candidates.map(({ scaled }) => scaled)).toEqual([
    [1, 1],
    [0, 0],
  ])
  const [alone] = (await riskutilityMap([of(original)], { measures })).candidates
  expect([alone.risk, alone.pareto]).toEqual([0.5, true])
})

it('has every row of compute = "all", and says of each that it leaves out why', async () => {
  const random = stream(3, 'riskutility rows')
  const people = (name: string): Table => {
    const sex = Array.from({ length: 60 }, () => 'fm'[random.below(2)])
    const age = sex.map(() => 20 + random.below(40))
    return tableOf(name, { sex, age, income: age.map((years) => 100 * years + random.below(900)) })
  }
  const files = { original: people('o'), released: people('r'), keys: ['sex', 'age'], target: 'income' }
  const all = await riskutilityReport(release({ ...files, holdout: people('h') }), { compute: ['all'] })
  expect(all.rows).toHaveLength(23)
  expect(all.left).toEqual([])
  for (const { status } of all.rows) expect(['PASS', 'WARNING', 'FAIL']).toContain(status)
  const some = await riskutilityReport(release(files), { compute: ['distance', 'kanonymity'] })
  expect(some.rows.map(({ metric }) => metric)).toEqual([
    'k-Anonymity',
    'IMS',
    'dRisk',
    'Hitting Rate',
    'Epsilon-Identifiability',
  ])
  expect(some.left.map((reason) => reason.split(' needs')[0])).toEqual(['DCR', 'NNDR', 'RF Privacy'])
})

it('maps what rumap maps, and asks for a holdout where it needs one', async () => {
  const random = stream(4, 'riskutility map')
  const people = (name: string): Table => {
    const sex = Array.from({ length: 80 }, () => 'fm'[random.below(2)])
    const age = sex.map(() => 20 + random.below(40))
    return tableOf(name, { sex, age, income: age.map((years) => 100 * years + random.below(900)) })
  }
  const files = { original: people('o'), keys: ['sex', 'age'], target: 'income' }
  const releases = [people('a'), people('b')].map((released) => release({ ...files, released }))
  const measures = ['rapid', 'hellinger', 'energy', 'ci_proximity', 'tstr']
  const { candidates } = await riskutilityMap(releases, { measures })
  for (const { values } of candidates) for (const value of values) expect(value ?? -1).toBeGreaterThanOrEqual(0)
  await expect(riskutilityMap(releases, { measures: ['dcr'] })).rejects.toThrow('dcr: needs a holdout')
})

it('leaves out what cannot be computed, with the reason, and takes it for no number', async () => {
  const releases = [of(original), of(other)]
  const { measures, candidates, left } = await riskutilityMap(releases, { measures: ['all'] })
  expect(left).toEqual([
    'rapid has a linear model there, which predicts no classes',
    'dcr needs a holdout',
    'nndr needs a holdout',
    'rf_privacy needs a holdout',
    'energy cannot be computed on these data',
    'ci_proximity cannot be computed on these data',
    'mmd cannot be computed on these data',
    'copula cannot be computed on these data',
    'tail cannot be computed on these data',
    'tstr cannot be computed on these data',
    'wasserstein cannot be computed on these data',
  ])
  expect(measures.map(({ id }) => id)).toEqual([
    'dcap',
    'tcap',
    'ims',
    'disco',
    'repu',
    'hellinger',
    'contingency',
    'pmse',
  ])
  for (const { values } of candidates) expect(values).toHaveLength(measures.length)
  await expect(riskutilityMap(releases, { measures: ['copula'] })).rejects.toThrow('copula cannot be computed')
})

describeReference('the utilities of the map on the running example of the vignette', async () => {
  const load = (name: string) => referenceTable(`golden/vignette/${name}.csv`)
  const files = { original: await load('original'), released: await load('synthetic') }
  const subject = release({ ...files, keys: ['sex', 'region'], target: 'income' })

  it.each([
    ['mmd', 0.999511],
    ['energy', 0.996695],
    ['ci_proximity', 0.7935755],
    ['copula', 0.987728],
    ['tail', 0.953065],
    ['contingency', 1 - 0.074667],
  ])('%s', async (id, expected) => {
    const { candidates } = await riskutilityMap([subject], { measures: [id] })
    expect(candidates[0].values[0]).toBeCloseTo(expected, 5)
  })
})

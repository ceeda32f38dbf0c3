import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categorical } from '../../table/column.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { type Table, table, tableOf } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { tCloseness } from './t-closeness.js'

type Given = Parameters<typeof tCloseness>[1]

async function assess(of: Table, options: Given = {}, more: Partial<ReleaseInput> = {}) {
  const subject = release({ original: of, released: of, keys: ['key'], target: 's', ...more })
  const found = (await tCloseness(subject, options, { records: true })).releases[0]
  if (found.details === null) throw new Error(found.reason?.text)
  return {
    ...found,
    details: found.details,
    list: (name: string) => Array.from(found.records?.[name] ?? [], (one) => one ?? Number.NaN),
  }
}

/** Li et al. 2007, table 3: nine salaries in three classes. */
const salaries = tableOf('salaries', { key: [...'aaabbbccc'], s: [3, 4, 5, 6, 11, 8, 7, 9, 10] })
const halves = tableOf('halves', {
  key: [...'a'.repeat(10), ...'b'.repeat(10)],
  s: [...'x'.repeat(10), ...'y'.repeat(10)],
})

describe('by hand', () => {
  it('the salaries of Li et al.', async () => {
    const { list, details } = await assess(salaries)
    expect(list('emd')[0]).toBeCloseTo(0.375, 14)
    expect(list('emd')[3]).toBeCloseTo(1 / 6, 14)
    expect(details).toMatchObject({ distance: 'ordered', values: 9, classes: 3, violatingClasses: 2, violating: 6 })
    expect(details.achieved).toBeCloseTo(0.375, 14)
  })

  it('two classes with one value each', async () => {
    const found = await assess(halves, { t: 0.1 })
    expect(found.list('emd')).toEqual(Array(20).fill(0.5))
    expect(found.details).toMatchObject({
      distance: 'nominal',
      violating: 20,
      violatingShare: 1,
      meanEmd: 0.5,
      satisfied: false,
    })
    expect(found.details.atLeastK).toMatchObject({ achieved: 0.5, violating: 20, violatingShare: 1 })
    expect((await assess(halves, { t: 0.5 })).details).toMatchObject({ violating: 0, satisfied: true })
  })

  it('one value, and one class', async () => {
    expect((await assess(tableOf('t', { key: [...'aabb'], s: [7, 7, 7, 7] }))).details.achieved).toBe(0)
    const one = await assess(tableOf('t', { key: [...'aaaa'], s: [1, 5, 9, 2] }))
    expect(one.details).toMatchObject({ achieved: 0, meanExpected: 0, simulatedSizes: 0 })
    expect(one.details).toMatchObject({ satisfied: true, violating: 0 })
  })

  it('measures along the numbers with the distance "value"', async () => {
    const skewed = tableOf('t', { key: [...'aab'], s: [0, 1, 10] })
    // F = 1/3 on [0, 1), 2/3 on [1, 10); class b has 0 on both: (1/3 + 9 * 2/3) / 10; class a has 1/2, 1.
    expect((await assess(skewed, { distance: 'value' })).list('emd')[2]).toBeCloseTo(19 / 30, 14)
    expect((await assess(skewed, { distance: 'value' })).list('emd')[0]).toBeCloseTo((1 / 6 + 3) / 10, 14)
    expect((await assess(skewed)).list('emd')[2]).toBeCloseTo(0.5, 14)
    await expect(assess(halves, { distance: 'value' })).rejects.toThrow('needs numbers')
  })

  it('takes ordered categories in their order, and warns when they are not declared so', async () => {
    const labels = ['low', 'mid', 'high', 'low', 'mid', 'high']
    const of = (ordered: boolean) =>
      table('t', [
        categorical('key', [...'aaabbb']),
        categorical('s', labels, { levels: ['low', 'mid', 'high'], ordered }),
      ])
    expect((await assess(of(true))).details.distance).toBe('ordered')
    expect((await assess(of(false))).details.distance).toBe('nominal')
    expect((await assess(of(false), { distance: 'ordered' })).warnings.join()).toContain('not declared as ordered')
  })

  it('uses a tree of values', async () => {
    const tree = { flu: 'lungs', asthma: 'lungs', ulcer: 'stomach', gastritis: 'stomach', lungs: 'any', stomach: 'any' }
    const ill = tableOf('ill', { key: [...'aabb'], s: ['flu', 'asthma', 'ulcer', 'gastritis'] })
    expect((await assess(ill, { distance: 'hierarchical', tree })).list('emd')).toEqual([0.5, 0.5, 0.5, 0.5])
  })

  it('tells before the run what contradicts the distance', async () => {
    const ill = tableOf('ill', { key: [...'aabb'], s: ['flu', 'asthma', 'ulcer', 'gastritis'] })
    const tree = { flu: 'lungs', asthma: 'lungs' }
    await expect(assess(ill, { distance: 'hierarchical' })).rejects.toThrow('needs the option tree')
    await expect(assess(ill, { distance: 'hierarchical', tree })).rejects.toThrow(
      't-closeness: the tree lacks the value "gastritis" of "s"\nt-closeness: the tree lacks the value "ulcer" of "s"',
    )
    await expect(assess(ill, { distance: 'nominal', tree })).rejects.toThrow('by the distance "hierarchical" only')
    await expect(assess(ill, { distance: 'hierarchical', tree, bins: 2 })).rejects.toThrow('leave out bins')
  })

  it('weights the distributions', async () => {
    const weighted = tableOf('t', { key: [...'aabb'], s: [...'xyxy'], w: [3, 1, 1, 3] })
    expect((await assess(weighted, {}, { weight: 'w' })).list('emd')).toEqual([0.25, 0.25, 0.25, 0.25])
    expect((await assess(weighted, { weighted: false }, { weight: 'w' })).list('emd')).toEqual([0, 0, 0, 0])
  })

  it('leaves out missing sensitive values and says so', async () => {
    const gaps = tableOf('t', { key: [...'aabb'], s: ['x', null, 'y', 'y'] })
    const found = await assess(gaps)
    expect(found.details).toMatchObject({ records: 3, droppedSensitive: 1 })
    expect(found.list('emd')[1]).toBeNaN()
    expect(found.list('emd')[0]).toBeCloseTo(2 / 3, 14)
  })
})

describe('small classes', () => {
  const mixed = tableOf('t', { key: ['u', ...'v'.repeat(6), ...'w'.repeat(6)], s: [...'xxyxyxyxyxyxy'] })

  it('gives the figures of classes of at least k records apart', async () => {
    const { details } = await assess(mixed)
    expect(details.achieved).toBeGreaterThan(0.2)
    expect(details.atLeastK).toMatchObject({ k: 5, classes: 2, records: 12, violating: 0, violatingShare: 0 })
    expect(details).toMatchObject({ satisfied: false, violating: 1, violatingClasses: 1 })
    const none = await assess(mixed, { k: 7 })
    expect(none.details.atLeastK).toMatchObject({ classes: 0, achieved: null, violatingShare: null })
  })

  it('expects of a random pair what counting all pairs gives', async () => {
    const pairs = tableOf('t', { key: [...'aabbccddee'], s: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] })
    let sum = 0
    for (let i = 0; i < 10; i++) {
      for (let j = i + 1; j < 10; j++) {
        for (let x = 0; x < 9; x++) sum += Math.abs((Number(i <= x) + Number(j <= x)) / 2 - (x + 1) / 10) / 9
      }
    }
    const { details } = await assess(pairs)
    expect(details.meanExpected).toBeGreaterThan(sum / 45 - 0.02)
    expect(details.meanExpected).toBeLessThan(sum / 45 + 0.02)
    expect(details.meanExcess).toBeCloseTo(details.meanEmd - details.meanExpected, 15)
  })

  it('is the same for the same seed', async () => {
    const again = await Promise.all([assess(salaries), assess(salaries)])
    expect(again[0].details).toEqual(again[1].details)
  })

  it('finds next to no excess in classes made at random, of many sizes', async () => {
    const key: number[] = []
    for (let size = 1; size <= 120; size++) for (let k = 0; k < size; k++) key.push(size)
    const s = key.map((_, row) => (row * 7919) % 101)
    const { details } = await assess(tableOf('t', { key, s }))
    expect(details.simulatedSizes).toBeLessThanOrEqual(40)
    expect(details.simulatedSizes + details.interpolatedSizes).toBe(120)
    expect(Math.abs(details.meanExcess)).toBeLessThan(0.03)
  })
})

it('EMD is between 0 and 1 and does not depend on row order or on the names of keys', async () => {
  const rows = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 5 })), {
    minLength: 1,
    maxLength: 40,
  })
  await fc.assert(
    fc.asyncProperty(rows, async (list) => {
      const forward = await assess(tableOf('t', { key: list.map(([key]) => key), s: list.map(([, s]) => s) }))
      const backward = [...list].reverse()
      const renamed = await assess(
        tableOf('t', { key: backward.map(([key]) => `k${9 - key}`), s: backward.map(([, s]) => s) }),
      )
      for (const emd of forward.list('emd')) {
        expect(emd).toBeGreaterThanOrEqual(0)
        expect(emd).toBeLessThanOrEqual(1)
      }
      expect(renamed.list('emd').reverse()).toEqual(forward.list('emd'))
    }),
  )
})

it('draws its pictures', async () => {
  const found = await assess(salaries)
  const finding = { value: found.value, interval: null, details: found.details }
  const charts = tCloseness.charts(finding, { name: 'r', original: finding, targets: [] })
  expect(charts.map(({ name }) => name)).toEqual(['distances', 'by-size'])
})

describe.skipIf(reference() === undefined)('reference data', () => {
  it('the vignette', async () => {
    const synthetic = await referenceTable('golden', 'vignette', 'synthetic.csv')
    const { details } = await assess(synthetic, {}, { keys: ['age', 'sex', 'education', 'region'], target: 'income' })
    expect(details).toMatchObject({
      values: 500,
      classes: 430,
      violatingClasses: 395,
      violating: 426,
      violatingShare: 0.852,
    })
    expect(details.achieved).toBeCloseTo(0.5, 4)
  })

  it('the case study', async () => {
    const figures = async (file: string) => {
      const of = await referenceTable('golden', 'vignette', file)
      const { details } = await assess(of, {}, { keys: ['age_group', 'sex', 'education', 'region'], target: 'income' })
      return [details.achieved.toFixed(4), details.violatingClasses, details.violating]
    }
    expect(await figures('case-original.csv')).toEqual(['0.4090', 56, 374])
    expect(await figures('case-a-independent.csv')).toEqual(['0.4117', 10, 56])
    expect(await figures('case-b-bootstrap-noise.csv')).toEqual(['0.4465', 52, 336])
    expect(await figures('case-c-near-copy.csv')).toEqual(['0.4106', 55, 366])
  })
})

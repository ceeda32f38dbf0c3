import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { release } from '../../table/release.js'
import { selectRows, type Table, tableOf } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { kAnonymity } from './k-anonymity.js'

async function details(
  table: Table,
  keys: readonly string[],
  options: Parameters<typeof kAnonymity>[1] = {},
  more: object = {},
) {
  const result = await kAnonymity(release({ original: table, released: table, keys, ...more }), options)
  const found = result.releases[0].details
  if (found === null) throw new Error(result.releases[0].reason?.text)
  return found
}

describe('by hand', () => {
  it('twenty records with one key', async () => {
    expect(await details(tableOf('t', { a: Array(20).fill('A') }), ['a'])).toMatchObject({
      k: 20,
      violating: 0,
      uniques: 0,
      classes: 1,
      satisfied: true,
    })
  })

  it('ten records with ten keys', async () => {
    const found = await details(tableOf('t', { a: [...'abcdefghij'] }), ['a'], { k: 2 })
    expect(found).toMatchObject({ k: 1, violating: 10, violatingShare: 1, satisfied: false })
  })

  it('one record', async () => {
    expect(await details(tableOf('t', { a: ['x'] }), ['a'])).toMatchObject({ k: 1, records: 1, uniqueShare: 1 })
  })

  it('k is the size of the smallest class, and 5 satisfies 5', async () => {
    const found = await Promise.all(
      [1, 2, 3, 4, 5].map((size) => details(tableOf('t', { a: Array(size).fill('x') }), ['a'])),
    )
    expect(found.map(({ k }) => k)).toEqual([1, 2, 3, 4, 5])
    expect(found.map(({ satisfied }) => satisfied)).toEqual([false, false, false, false, true])
  })

  it('is a fact about a file, with the same figure of the original beside it and nothing to leak', async () => {
    const [original, released] = [tableOf('o', { a: ['x', 'x', 'y'] }), tableOf('s', { a: ['x', 'y', 'z'] })]
    const result = await kAnonymity(release({ original, released, keys: ['a'] }), { k: 2 })
    expect(result.original).toMatchObject({ value: 1 / 3, exposure: null, leakage: null })
    expect(result.releases[0]).toMatchObject({ value: 1, exposure: null, leakage: null })
    for (const finding of [result.original, result.releases[0]])
      for (const absent of ['effect', 'controls', 'notAssessed']) expect(finding).not.toHaveProperty(absent)
  })

  it('says which key to coarsen', async () => {
    const table = tableOf('t', { sex: ['m', 'm', 'f', 'f'], age: [1, 2, 3, 4] })
    expect((await details(table, ['sex', 'age'])).withoutKey).toEqual([
      { key: 'sex', k: 1, uniques: 4 },
      { key: 'age', k: 2, uniques: 0 },
    ])
  })

  it('shows all three readings when keys are missing', async () => {
    const found = await details(tableOf('t', { a: ['x', 'x', null] }), ['a'])
    expect(found.missingPolicy).toBe('category')
    expect(found.underPolicies).toEqual({
      drop: { k: 2, uniques: 0 },
      category: { k: 1, uniques: 1 },
      wildcard: { k: 3, uniques: 0 },
    })
  })

  it('reads suppressed values of a perturbed release as wildcards', async () => {
    const original = tableOf('o', { a: ['x', 'x', 'y'] })
    const released = tableOf('s', { a: ['x', 'x', null] })
    const result = await kAnonymity(release({ original, released, keys: ['a'], type: 'perturbed' }))
    expect(result.releases[0].details).toMatchObject({ k: 3, missingPolicy: 'wildcard', classes: null })
    expect(result.original?.details).toMatchObject({ k: 1 })
  })

  it('a suppressed record is not a class of its own', async () => {
    const released = tableOf('s', { a: [null, null, 'x', 'x', 'x'] })
    expect(
      (await kAnonymity(release({ original: released, released, keys: ['a'], type: 'perturbed' }))).releases[0].details,
    ).toMatchObject({ k: 5 })
  })

  it('options are not lost between runs on one release', async () => {
    const of = release({
      original: tableOf('o', { a: ['x', 'x', 'x', null] }),
      released: tableOf('s', { a: ['x', 'x', null] }),
      keys: ['a'],
    })
    const violating = async (options: Parameters<typeof kAnonymity>[1]) =>
      (await kAnonymity(of, options)).releases[0].details?.violating
    expect(await violating({ k: 2 })).toBe(1)
    expect(await violating({ k: 3 })).toBe(3)
    expect(await violating({ k: 3, missing: 'wildcard' })).toBe(0)
    expect(await violating({ k: 2 })).toBe(1)
  })

  it('counts violations by weight too', async () => {
    const table = tableOf('t', { a: ['x', 'x', 'y'], w: [1, 1, 10] })
    expect(await details(table, ['a'], { k: 5 }, { weight: 'w' })).toMatchObject({ violating: 3, weightedViolating: 2 })
  })
})

it('adding a key never raises k nor lowers the number of uniques; row order changes nothing', async () => {
  const record = fc.tuple(fc.constantFrom('a', 'b', null), fc.constantFrom(1, 2), fc.constantFrom('u', 'v'))
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1, maxLength: 20 }),
      fc.infiniteStream(fc.nat()),
      async (records, random) => {
        const table = tableOf('t', {
          a: records.map(([a]) => a),
          b: records.map(([, b]) => b),
          c: records.map(([, , c]) => c),
        })
        const fewer = await details(table, ['a', 'b'])
        const more = await details(table, ['a', 'b', 'c'])
        expect(more.k).toBeLessThanOrEqual(fewer.k)
        expect(more.uniques).toBeGreaterThanOrEqual(fewer.uniques)
        const order = records
          .map((_, row) => ({ row, at: random.next().value }))
          .sort((x, y) => x.at - y.at)
          .map(({ row }) => row)
        expect(await details(selectRows(table, order), ['a', 'b', 'c'])).toEqual(more)
      },
    ),
    { numRuns: 50 },
  )
})

describe.skipIf(reference() === undefined)('published figures', () => {
  it('the vignette’s synthetic file: 430 classes, 366 uniques', async () => {
    const found = await details(await referenceTable('golden/vignette/synthetic.csv'), [
      'age',
      'sex',
      'education',
      'region',
    ])
    expect(found).toMatchObject({ classes: 430, uniques: 366, k: 1, violating: 500, violatingShare: 1 })
    expect(found.sizes).toEqual([366, 59, 4, 1].map((classes, k) => ({ size: k + 1, records: classes * (k + 1) })))
  })

  it('SD2011: 48.38 % unique', async () => {
    const found = await details(await referenceTable('golden/sd2011/original.csv'), [
      'sex',
      'age',
      'region',
      'placesize',
    ])
    expect(found).toMatchObject({ classes: 3459, uniques: 2419, uniqueShare: 0.4838 })
    expect(found.sizes.map(({ size, records }) => records / size)).toEqual([2419, 693, 234, 80, 27, 4, 2])
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categorical } from '../../table/column.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { selectRows, type Table, table, tableOf } from '../../table/table.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { lDiversity } from './l-diversity.js'

type Given = Parameters<typeof lDiversity>[1]

async function assess(table: Table, options: Given = {}, more: Partial<ReleaseInput> = {}) {
  const subject = release({ original: table, released: table, keys: ['key'], target: 's', ...more })
  const found = (await lDiversity(subject, options, { records: true })).releases[0]
  if (found.details === null) throw new Error(found.reason?.text)
  return {
    ...found,
    details: found.details,
    list: (name: string) => Array.from(found.records?.[name] ?? [], (one) => one),
  }
}

/** One class per word, one record per letter. */
function words(...classes: string[]): Table {
  return tableOf('t', {
    key: classes.flatMap((word, k) => [...word].map(() => `k${k}`)),
    s: classes.flatMap((word) => [...word]),
  })
}

describe('by hand', () => {
  it('counts 4, 3, 1', async () => {
    const { details } = await assess(words('aaaabbbc'))
    expect(details).toMatchObject({ distinctL: 3, recursiveL: 2, recursive: { satisfied: true } })
    expect(details.meanEntropy).toBeCloseTo(0.9743148, 7)
    expect(details.entropyL).toBeCloseTo(2.649351, 6)
    const three = (await assess(words('aaaabbbc'), { l: 3 })).details
    expect(three).toMatchObject({ cNeeded: 4, recursive: { satisfied: false }, distinct: { satisfied: true } })
    expect((await assess(words('aaaabbbc'), { l: 3, c: 4.1 })).details.recursive.satisfied).toBe(true)
    expect((await assess(words('aaaabbbc'), { l: 3, c: 4 })).details.recursive.satisfied).toBe(false)
  })

  it('counts 9, 1: two values, but one of them nearly always', async () => {
    const { details } = await assess(words('aaaaaaaaab'))
    expect(details).toMatchObject({
      distinctL: 2,
      distinct: { satisfied: true },
      recursive: { satisfied: false, notDiverse: 10 },
    })
  })

  it('splits violating records into too small and not diverse', async () => {
    const { details, value } = await assess(words('a', 'b', 'aaaa', 'ab', 'abc'))
    expect(details.distinct).toEqual({
      satisfied: false,
      classes: 3,
      violating: 6,
      share: 6 / 11,
      tooSmall: 2,
      notDiverse: 4,
    })
    expect(value).toBe(6 / 11)
    expect(details.distinctL).toBe(1)
  })

  it('the least diverse class says what the file achieves', async () => {
    expect((await assess(words('ab', 'abc'))).details).toMatchObject({ distinctL: 2, distinct: { satisfied: true } })
    expect((await assess(words('abc', 'abd'))).details.distinctL).toBe(3)
    expect((await assess(words('ab', 'abc'), { l: 3 })).details.distinct).toMatchObject({ violating: 2, tooSmall: 2 })
  })

  it('the headline follows kind', async () => {
    const table = words('aaaaaaaaab', 'ab')
    expect((await assess(table)).value).toBe(0)
    expect((await assess(table, { kind: 'entropy' })).value).toBe(10 / 12)
    expect((await assess(table, { kind: 'recursive' })).value).toBe(10 / 12)
  })

  it('a class with exactly l equally frequent values satisfies entropy l for every l', async () => {
    for (let l = 1; l <= 26; l++) {
      const letters = 'abcdefghijklmnopqrstuvwxyz'.slice(0, l)
      expect((await assess(words(letters + letters + letters), { l })).details.entropy.satisfied).toBe(true)
    }
  })

  it('one record, one value', async () => {
    expect((await assess(words('a'))).details).toMatchObject({
      distinctL: 1,
      entropyL: 1,
      recursiveL: 1,
      cNeeded: null,
      valuesPerRecord: null,
    })
  })

  it('more values than are sorted by insertion', async () => {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJ'
    const { details } = await assess(words(`${letters}aaab`), { l: 36 })
    expect(details).toMatchObject({ distinctL: 36, cNeeded: 4, maxDistinct: 36 })
  })
})

describe('sdcMicro', () => {
  const key = ['1', '1', '1', '1', '2', '2', '2', '2', '3', '3', '4', '4']
  const s = [1, 1, 2, 3, 1, 1, 1, 1, 1, 2, 3, 3]

  it('gives the same distinct, entropy and recursive values', async () => {
    const found = await assess(tableOf('t', { key, s }))
    expect(found.list('distinct')).toEqual([3, 3, 3, 3, 1, 1, 1, 1, 2, 2, 1, 1])
    expect(found.list('recursiveL')).toEqual([2, 2, 2, 2, 1, 1, 1, 1, 2, 2, 1, 1])
    expect(found.list('entropyL')[0]).toBeCloseTo(2.828427, 6)
    expect(found.list('entropyL')[4]).toBe(1)
    expect(found.list('entropyL')[8]).toBeCloseTo(2, 12)
  })

  it('keeps all values of classes whose keys are missing (sdcMicro#363)', async () => {
    const table = tableOf('t', {
      a: ['x', 'x', 'x', null, null, 'y', 'y'],
      b: [1, 1, 1, 1, 1, null, null],
      s: [1, 0, 2, 1, 0, 0, 1],
    })
    const found = await assess(table, { missing: 'category' }, { keys: ['a', 'b'] })
    expect(found.list('distinct')).toEqual([3, 3, 3, 2, 2, 2, 2])
    expect(found.list('recursiveL')).toEqual([3, 3, 3, 2, 2, 2, 2])
  })
})

describe('missing values', () => {
  const table = tableOf('t', { key: ['x', 'x', 'x', null, 'y'], s: ['a', 'b', null, 'a', null] })

  it('a missing sensitive value leaves the record out, or is one value', async () => {
    const dropped = await assess(table)
    expect(dropped.list('distinct')).toEqual([2, 2, Number.NaN, 1, Number.NaN])
    expect(dropped.details).toMatchObject({ records: 3, classes: 2, droppedSensitive: 2, values: 2 })
    expect(dropped.warnings.join()).toContain('2 records without a value of "s"')
    const category = await assess(table, { sensitiveMissing: 'category' })
    expect(category.list('distinct')).toEqual([3, 3, 3, 1, 1])
    expect(category.details).toMatchObject({ records: 5, values: 3 })
  })

  it('drops records with a missing key on request', async () => {
    const found = await assess(table, { missing: 'drop' })
    expect(found.list('distinct')).toEqual([2, 2, Number.NaN, Number.NaN, Number.NaN])
    expect(found.details).toMatchObject({ droppedKeys: 1, droppedSensitive: 2, records: 2 })
  })

  it('reads wildcards as a category, and says so', async () => {
    const found = await assess(table, { missing: 'wildcard' })
    expect(found.details.missingPolicy).toBe('category')
    expect(found.warnings.join()).toContain('wildcards make no classes')
    expect((await assess(words('ab'), { missing: 'wildcard' })).details.missingPolicy).toBe('wildcard')
  })

  it('has no meaning without any sensitive value', async () => {
    const none = tableOf('t', { key: ['x', 'y'], s: [null, null] })
    const result = await lDiversity(release({ original: words('ab'), released: none, keys: ['key'], target: 's' }))
    expect(result.status).toBe('not applicable')
    expect(result.reason?.text).toBe('"s" has no value in t')
  })
})

describe('numeric sensitive variables', () => {
  const incomes = tableOf('t', { key: [...'aaaabbbb'], s: [1000, 1001, 1002, 1003, 5000, 5001, 9000, 9001] })

  it('warns of similarity and offers bins', async () => {
    const plain = await assess(incomes)
    expect(plain.details.distinctL).toBe(4)
    expect(plain.warnings.join()).toContain('similarity attack')
    const binned = await assess(incomes, { bins: 2 })
    expect(binned.list('distinct')).toEqual([1, 1, 1, 1, 1, 1, 1, 1])
    expect(binned.warnings).toEqual([])
    expect(binned.value).toBe(1)
  })

  it('cannot bin a categorical variable', async () => {
    await expect(assess(words('ab'), { bins: 2 })).rejects.toThrow('cannot be put into 2 bins')
  })
})

describe('weights', () => {
  const table = tableOf('t', { key: [...'aaaa'], s: [...'xxxy'], w: [1, 1, 1, 3] })

  it('replace counts in shares, never in distinct values', async () => {
    const plain = (await assess(table, {}, { weight: 'w' })).details
    expect(plain.weighted).toBe(false)
    expect(plain.entropyL).toBeCloseTo(1.754765, 6)
    const weighted = (await assess(table, { weighted: true }, { weight: 'w' })).details
    expect(weighted).toMatchObject({ weighted: true, distinctL: 2, cNeeded: 1 })
    expect(weighted.entropyL).toBeCloseTo(2, 12)
  })
})

describe('several sensitive variables', () => {
  it('gives each alone, and the least when the others are known', async () => {
    const table = tableOf('t', { key: [...'aaaa'], s: [...'xxyy'], u: [...'1234'], w: [1, 1, 1, 1] })
    const subject = release({ original: table, released: table, keys: ['key'], target: ['s', 'u'] })
    const [first] = (await lDiversity(subject)).releases
    for (const one of first.targets ?? []) {
      expect(one.details?.distinct.satisfied).toBe(true)
      expect(one.details?.multiAttribute).toEqual({ entropyL: 1, recursiveL: 1 })
    }
    expect((await assess(table)).details.multiAttribute).toBeNull()
  })

  it('splits classes by the others', async () => {
    const table = tableOf('t', { key: [...'aaaaaaaa'], s: [...'xyxyxyxy'], u: [...'11223344'] })
    const subject = release({ original: table, released: table, keys: ['key'], target: ['s', 'u'] })
    const [found] = (await lDiversity(subject)).releases
    expect(found.details?.multiAttribute?.entropyL).toBeCloseTo(2, 12)
    expect(found.details?.multiAttribute?.recursiveL).toBe(2)
  })
})

describe('properties', () => {
  const tables = fc
    .array(fc.tuple(fc.constantFrom('a', 'b', 'c', null), fc.constantFrom('u', 'v', 'w', 'x', null)), {
      minLength: 1,
      maxLength: 40,
    })
    .filter((rows) => rows.some(([, s]) => s !== null))
    .map((rows) =>
      table('t', [
        categorical(
          'key',
          rows.map(([key]) => key),
        ),
        categorical(
          's',
          rows.map(([, s]) => s),
        ),
      ]),
    )

  it('distinct >= entropy l >= 1, and recursive l <= distinct', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const found = await assess(table)
        const [distinct, entropyL, recursiveL] = ['distinct', 'entropyL', 'recursiveL'].map((name) => found.list(name))
        for (let row = 0; row < table.rows; row++) {
          if (Number.isNaN(distinct[row])) continue
          expect(entropyL[row]).toBeLessThanOrEqual(distinct[row] ?? 0)
          expect(entropyL[row]).toBeGreaterThanOrEqual(1)
          expect(recursiveL[row]).toBeLessThanOrEqual(distinct[row] ?? 0)
        }
        expect(found.details.byDistinct.reduce((sum, { records }) => sum + records, 0)).toBe(found.details.records)
      }),
    )
  })

  it('equals a count by hand, whatever the order of rows', async () => {
    await fc.assert(
      fc.asyncProperty(tables, async (table) => {
        const [key, s] = table.columns.map((column) => (column.kind === 'categorical' ? [...column.codes] : []))
        const expected = key.map((own, row) => {
          if (s[row] < 0) return Number.NaN
          return new Set(s.filter((value, other) => value >= 0 && key[other] === own)).size
        })
        expect((await assess(table)).list('distinct')).toEqual(expected)
        const backward = selectRows(
          table,
          Array.from({ length: table.rows }, (_, row) => table.rows - 1 - row),
        )
        expect((await assess(backward)).list('distinct').reverse()).toEqual(expected)
      }),
    )
  })
})

it('draws its pictures', async () => {
  const found = await assess(words('ab', 'aac'))
  const finding = { value: found.value, interval: null, details: found.details }
  const charts = lDiversity.charts(finding, { name: 'r', original: finding, targets: [] })
  expect(charts.map(({ name }) => name)).toEqual(['distinct-values', 'entropy'])
})

describe.skipIf(reference() === undefined)('reference data', () => {
  it('the vignette', async () => {
    const synthetic = await referenceTable('golden', 'vignette', 'synthetic.csv')
    const { details } = await assess(synthetic, {}, { keys: ['age', 'sex', 'education', 'region'], target: 'income' })
    expect(details).toMatchObject({
      classes: 430,
      distinctL: 1,
      entropyL: 1,
      distinct: { violating: 366, share: 0.732 },
      entropy: { violating: 366 },
      recursive: { satisfied: false },
    })
  })

  it('the case study', async () => {
    const least = async (file: string) => {
      const table = await referenceTable('golden', 'vignette', file)
      return (await assess(table, {}, { keys: ['age_group', 'sex', 'education', 'region'], target: 'income' })).details
        .distinctL
    }
    expect(await least('case-original.csv')).toBe(2)
    expect(await least('case-a-independent.csv')).toBe(1)
    expect(await least('case-b-bootstrap-noise.csv')).toBe(1)
    expect(await least('case-c-near-copy.csv')).toBe(2)
  })
})

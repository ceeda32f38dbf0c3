import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { binNumbers, GROUPING_STYLES, type Grouping, parseGroupings } from './grouping.js'
import { release } from './release.js'
import { columnOf, tableOf } from './table.js'

/** The labels that the values fall into, the pool being the values themselves. */
function grouped(values: readonly number[], grouping: Grouping): string[] {
  const numbers = Float64Array.from(new Set(values)).sort()
  const counts = numbers.map((number) => values.filter((value) => value === number).length)
  const { bins, labels } = binNumbers({ numbers, counts }, grouping)
  return values.map((value) => labels[bins[numbers.indexOf(value)]])
}

describe('quantile', () => {
  it('gives heavy values a class of their own: a 0/1 variable never becomes one class', () => {
    for (const [zeros, ones] of [
      [10, 10],
      [10, 11],
      [6, 5],
      [12, 9],
      [30, 11],
    ]) {
      const values = [...Array(zeros).fill(0), ...Array(ones).fill(1)]
      expect(new Set(grouped(values, { style: 'quantile', n: 10 })).size).toBe(2)
    }
  })

  it('keeps the codes 1 to 4 apart where plain quantiles merge 1 and 2', () => {
    const values = [1, 2, 3, 4].flatMap((code) => Array(25).fill(code))
    expect(new Set(grouped(values, { style: 'quantile', n: 10 })).size).toBe(4)
    expect(new Set(grouped(values, { style: 'riskutility', n: 10 })).size).toBe(3)
  })

  it('cuts light values at type-7 quantiles around a heavy one', () => {
    const values = [0, 0, 0, 0, 0, 1, 2, 3, 4, 5]
    expect(grouped(values, { style: 'quantile', n: 3 })).toEqual([
      ...Array(5).fill('0'),
      '[1,3)',
      '[1,3)',
      '[3,5]',
      '[3,5]',
      '[3,5]',
    ])
  })
})

describe('synthpop', () => {
  const pool = [1, 2, 3, 4, 5, 6, 7, 8, -9, 1, 1, 2, 2, 3, 3, 9, 10, -9]

  it('cuts the pooled values at quantiles and keeps special codes apart', () => {
    expect(grouped(pool, { style: 'synthpop', n: 4, codes: [-9] }).slice(0, 9)).toEqual([
      '[1,2)',
      '[2,3)',
      '[3,6.25)',
      '[3,6.25)',
      '[3,6.25)',
      '[3,6.25)',
      '[6.25,10]',
      '[6.25,10]',
      'code -9',
    ])
  })

  it('regroups into equal widths when fewer than three classes result', () => {
    const values = [0, 0, 0, 0, 0, 5, 6, 0, 0, 0, 0, 1, 5, 6]
    expect([...new Set(grouped(values, { style: 'synthpop', n: 3 }))]).toEqual(['[0,2)', '[4,6]'])
  })

  it('leaves few values as they are', () => {
    expect(grouped([1, 2, 3, 1], { style: 'synthpop', n: 5 })).toEqual(['1', '2', '3', '1'])
  })
})

describe('other styles', () => {
  const values = [1, 2, 3, 10, 11, 12, 30, 31, 100]

  it.each([
    ['equal', 3, ['[1,34)', '[67,100]']],
    ['fisher', 3, ['[1,21)', '[21,65.5)', '[65.5,100]']],
    ['maximum', 3, ['[1,21)', '[21,65.5)', '[65.5,100]']],
    ['pretty', 5, ['[0,20)', '[20,40)', '[80,100]']],
    ['headtails', 3, ['[1,22.22222222222222)', '[22.22222222222222,53.666666666666664)', '[53.666666666666664,100]']],
    ['box', 4, ['[1,3)', '[3,11)', '[11,30)', '[30,70.5)', '[70.5,100]']],
  ] as const)('%s', (style, n, expected) => {
    expect([...new Set(grouped(values, { style, n }))]).toEqual(expected)
  })

  it('finds the optimal partition of one dimension', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { minLength: 5, maxLength: 9 }), (raw) => {
        const sorted = raw.toSorted((a, b) => a - b)
        const within = (cut: number[]) => {
          const runs = [sorted.slice(0, cut[0]), sorted.slice(cut[0], cut[1]), sorted.slice(cut[1])]
          return runs.reduce((sum, run) => {
            const mean = run.reduce((a, b) => a + b, 0) / run.length
            return sum + run.reduce((a, b) => a + (b - mean) ** 2, 0)
          }, 0)
        }
        const found = grouped(sorted, { style: 'fisher', n: 3 })
        const cut = [...new Set(found)].slice(1).map((label) => found.indexOf(label))
        let best = Number.POSITIVE_INFINITY
        for (let a = 1; a < sorted.length - 1; a++)
          for (let b = a + 1; b < sorted.length; b++) best = Math.min(best, within([a, b]))
        expect(within(cut)).toBeCloseTo(best, 8)
      }),
    )
  })

  it('puts every value into exactly one class, in order', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...GROUPING_STYLES.filter((style) => style !== 'fixed')),
        fc.array(fc.integer({ min: -20, max: 20 }), { minLength: 1, maxLength: 40 }),
        fc.integer({ min: 2, max: 8 }),
        (style, raw, n) => {
          const numbers = Float64Array.from(new Set(raw)).sort()
          const counts = numbers.map((number) => raw.filter((value) => value === number).length)
          const { bins, labels } = binNumbers({ numbers, counts }, { style, n })
          expect(bins.every((bin, k) => bin >= 0 && bin < labels.length && (k === 0 || bin >= bins[k - 1]))).toBe(true)
        },
      ),
    )
  })
})

describe('in a release', () => {
  it('takes the breaks from the original alone, open at both ends', () => {
    const built = release({
      original: tableOf('o', { age: [10, 20, 30, 40, null] }),
      released: tableOf('s', { age: [5, 24, 26, 99, 10] }),
      groups: { age: { style: 'equal', n: 2 } },
    })
    const column = columnOf(built.released[0], 'age')
    expect(column).toMatchObject({ levels: ['[10,25)', '[25,40]'], ordered: true })
    expect(column.kind === 'categorical' && [...column.codes]).toEqual([0, 0, 1, 1, 0])
  })

  it('refuses to group a text or an unknown column', () => {
    const one = tableOf('o', { sex: ['m', 'f'] })
    const of = (name: string) => () =>
      release({ original: one, released: one, groups: { [name]: { style: 'equal', n: 2 } } })
    expect(of('sex')).toThrow('cannot group "sex": it is not numeric')
    expect(of('sexx')).toThrow('did you mean "sex"?')
  })
})

describe('parseGroupings', () => {
  it('reads styles, sizes, fixed breaks and codes', () => {
    expect(parseGroupings('age=10,income=equal:5,height=fixed:1|2.5|4', 'income=-8|-9')).toEqual({
      age: { style: 'quantile', n: 10 },
      income: { style: 'equal', n: 5, codes: [-8, -9] },
      height: { style: 'fixed', n: 2, breaks: [1, 2.5, 4] },
    })
  })

  it.each([
    ['age', '', 'groups: expected name=value, found "age"'],
    ['age=eqal:3', '', 'did you mean "equal"?'],
    ['age=1', '', '"1" is not a number of classes of at least 2'],
    ['age=fixed:1|x', '', '"x" is not a number'],
    ['age=5', 'income=-8', 'codes are given for "income", which is not grouped'],
  ])('says what is wrong with %s %s', (text, codes, message) => {
    expect(() => parseGroupings(text, codes)).toThrow(UserError)
    expect(() => parseGroupings(text, codes)).toThrow(message)
  })
})

describe('as classInt 0.4', () => {
  // Black cherry trees: volumes in cubic feet
  const volumes = [
    10.3, 10.3, 10.2, 16.4, 18.8, 19.7, 15.6, 18.2, 22.6, 19.9, 24.2, 21, 21.4, 21.3, 19.1, 22.2, 33.8, 27.4, 25.7,
    24.9, 34.5, 31.7, 36.3, 38.3, 42.6, 55.4, 55.7, 58.3, 51.5, 51, 77,
  ]
  it.each<[Grouping['style'], readonly number[]]>([
    ['equal', [23.56, 36.92, 50.28, 63.64]],
    ['fisher', [17.3, 29.55, 46.8, 67.65]],
    ['jenks', [17.3, 29.55, 46.8, 67.65]],
    ['sd', [13.733121, 30.170968, 46.608814, 63.046661]],
    ['pretty', [20, 30, 40, 50, 60, 70]],
    ['headtails', [30.170968, 47.175]],
    ['maximum', [12.95, 40.45, 46.8, 67.65]],
    ['box', [19.4, 24.2, 37.3, 64.15]],
    ['hclust', [20.45, 29.55, 46.8, 67.65]],
  ])('%s', (style, breaks) => {
    const classOf = volumes.map((value) => breaks.filter((cut) => value >= cut).length)
    const labels = grouped(volumes, { style, n: 5 })
    for (const [i, label] of labels.entries())
      for (const [j, other] of labels.entries()) expect(label === other).toBe(classOf[i] === classOf[j])
  })

  it.each([
    [[1, 2, 3, 10, 11, 12, 20, 21], 5, [1.5, 2.5, 6.5, 10.5, 11.5, 16, 20.5]],
    [[1, 4, 5, 8, 9, 12, 30], 3, [2.5, 6.5, 10.5, 21]],
    [[1, 4, 5, 8, 9, 12, 30], 2, [21]],
  ])('maximum of %o in %i classes cuts all gaps that tie', (values, n, breaks) => {
    const labels = grouped(values, { style: 'maximum', n })
    expect(new Set(labels).size).toBe(breaks.length + 1)
    const classOf = values.map((value) => breaks.filter((cut) => value >= cut).length)
    for (const [i, label] of labels.entries()) expect(labels.indexOf(label)).toBe(classOf.indexOf(classOf[i]))
  })

  it('kmeans is its optimum, that of fisher', () => {
    expect(grouped(volumes, { style: 'kmeans', n: 5 })).toEqual(grouped(volumes, { style: 'fisher', n: 5 }))
  })

  it('hclust joins what complete linkage joins, whatever the sizes', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 0, max: 100_000 }), { minLength: 6, maxLength: 25 }),
        fc.integer({ min: 2, max: 5 }),
        (values, n) => {
          const sorted = values.toSorted((a, b) => a - b)
          let runs = sorted.map((value) => [value])
          while (runs.length > n) {
            const spans = runs.slice(1).map((run, k) => run[run.length - 1] - runs[k][0])
            const k = spans.indexOf(Math.min(...spans))
            runs = [...runs.slice(0, k), [...runs[k], ...runs[k + 1]], ...runs.slice(k + 2)]
          }
          const labels = grouped(sorted, { style: 'hclust', n })
          expect(runs.map((run) => run.length)).toEqual(
            [...new Set(labels)].map((label) => labels.filter((other) => other === label).length),
          )
        },
      ),
    )
  })
})

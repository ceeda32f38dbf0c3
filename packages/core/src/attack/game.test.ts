import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { cartSynthesizer } from '../synthesizers/sequential/synthesizers.js'
import type { Synthesizer } from '../synthesizers/synthesizer.js'
import { columnOf, selectRows, type Table, table, tableOf, tableOfRows } from '../table/table.js'
import { repeats } from '../testing/long.js'
import { cellTable, ORIGINAL_CELLS, SYNTHETIC_CELLS } from '../testing/scenes/unique-record.js'
import { logDirichletMultinomial } from './engines/dirichlet.js'
import { exactCart } from './engines/exact-cart.js'
import { attack } from './game.js'
import { CART_DEFAULTS, fitCart, leafCounts, logProbabilities } from './generator/cart-generator.js'
import { codeRecords, recordAt, releasedSets, replaceRecord, sumOverSets, variablesOf } from './generator/records.js'
import { prepareGame } from './prepared-game.js'
import { posterior } from './target/posterior.js'

const original = cellTable('original', ORIGINAL_CELLS)
const column = (k: number) => cellTable(`set ${k}`, SYNTHETIC_CELLS[k - 1])
const CELLS = Array.from({ length: 16 }, (_, cell) => cell.toString(2).padStart(4, '0'))

/** Computed apart, in R with rpart: leaves of the trees of var2 to var4, expected copies of 1111, total variation of the model. */
const RPART_SETTINGS: {
  minbucket?: number
  cp?: number
  leaves: number[]
  expected: number
  totalVariation?: number
}[] = [
  { minbucket: 1, leaves: [2, 4, 8], expected: 1, totalVariation: 0 },
  { minbucket: 67, leaves: [2, 4, 8], expected: 1, totalVariation: 0 },
  { minbucket: 68, leaves: [2, 4, 7], expected: 19.803, totalVariation: 0.0376 },
  { minbucket: 100, leaves: [2, 4, 4], expected: 19.803, totalVariation: 0.0636 },
  { minbucket: 200, leaves: [2, 2, 2], expected: 34.545, totalVariation: 0.0781 },
  { cp: 1e-4, leaves: [2, 4, 8], expected: 1, totalVariation: 0 },
  { cp: 0.001, leaves: [2, 3, 7], expected: 1 },
  { cp: 0.005, leaves: [1, 3, 4], expected: 1.072 },
  { cp: 0.01, leaves: [1, 2, 4], expected: 1.333, totalVariation: 0.0579 },
  { cp: 0.02, leaves: [1, 1, 1], expected: 45.937 },
  { cp: 0.05, leaves: [1, 1, 1], expected: 45.937, totalVariation: 0.0865 },
]
const LAST = 15

async function posteriorAfter(released: readonly Table[], more: object = {}) {
  const { targets } = await attack({ original, released, record: 'last', ...more })
  return targets[0].posteriors[0]
}

describe('1000 records in 16 cells, the last of them the only 1111, as numbers', () => {
  it('attacks the rarest record by default, with all cells as candidates', async () => {
    const { targets, worst, engine } = await attack({ original, released: [column(1)] })
    expect(engine).toBe('exact')
    expect(targets.map(({ row, label, frequency }) => [row, label, frequency])).toEqual([[999, '1111', 1]])
    expect(worst?.candidates.worlds.map(({ label }) => label)).toEqual(CELLS)
    expect(worst?.candidates.truth).toBe(LAST)
  })

  it('is sure of 1111 whenever it occurs', async () => {
    for (const k of [1, 3, 4, 5, 6, 7, 9, 10]) {
      const after = await posteriorAfter([column(k)])
      expect(after.probabilities[LAST]).toBe(1)
      expect(after.impossibleWorlds).toBe(15)
      expect(after.empiricalEpsilon).toBe(Number.POSITIVE_INFINITY)
      expect(after.truth?.logBayesFactor).toBe(Number.POSITIVE_INFINITY)
    }
  })

  it('is pushed away from it when it does not: p(c) ∝ (1 + 1/n_c)^s_c', async () => {
    const second = await posteriorAfter([column(2)])
    expect(second.probabilities[LAST]).toBeCloseTo(0.023959, 6)
    expect(second.probabilities[0]).toBeCloseTo(0.061931, 6)
    expect(second.map.map((world) => CELLS[world])).toEqual(['0111'])
    expect(second.probabilities[7]).toBeCloseTo(0.079972, 6)
    const weights = ORIGINAL_CELLS.map((n, c) => (c === LAST ? 1 : (1 + 1 / n) ** SYNTHETIC_CELLS[1][c]))
    const total = weights.reduce((a, b) => a + b)
    second.probabilities.forEach((p, c) => {
      expect(p).toBeCloseTo(weights[c] / total, 10)
    })
    const eighth = await posteriorAfter([column(8)])
    expect(eighth.probabilities[LAST]).toBeCloseTo(0.023796, 6)
    expect(eighth.map.map((world) => CELLS[world])).toEqual(['1001'])
    expect(eighth.probabilities[9]).toBeCloseTo(0.077529, 6)
  })

  it('multiplies over sets', async () => {
    expect((await posteriorAfter([column(2), column(8)])).probabilities[LAST]).toBeCloseTo(0.0089101, 7)
    const { targets } = await attack({
      original,
      released: SYNTHETIC_CELLS.map((_, k) => column(k + 1)),
      record: 'last',
    })
    const [target] = targets
    expect(target.posteriors[0].probabilities[LAST]).toBe(1)
    expect(target.overSets).toHaveLength(10)
    expect(target.overSets[0].probabilities[LAST]).toBe(1)
    expect(target.overSets[9]).toEqual(target.posteriors[0])
  })

  it('over simulated releases: sure in 63 %, mean 0.641, more with more sets', async () => {
    const releases = repeats(800, 3000)
    const one = (await attack({ original, record: 'last', releases })).targets[0].summary
    expect(one?.meanPosterior).toBeCloseTo(0.641, 1)
    expect(Math.abs((one?.meanPosterior ?? 0) - 0.641)).toBeLessThan(4 * (one?.standardError ?? 0))
    expect(Math.abs((one?.atLeast99.share ?? 0) - 0.6323)).toBeLessThan(4 * Math.sqrt((0.6323 * 0.3677) / releases))
    expect(one?.verdict).toBe('certain')
    const fives = repeats(150, 400)
    const five = (await attack({ original, record: 'last', releases: fives, m: 5 })).targets[0].summary
    expect(Math.abs((five?.atLeast99.share ?? 0) - 0.9933)).toBeLessThan(4 * Math.sqrt((0.9933 * 0.0067) / fives))
  })

  it('sweeps all records: the common cells at 0.0633 to 0.0638, the unique one at 0.64', async () => {
    const releases = repeats(1000, 3000)
    const { targets, verdict, worst, shareAtLeastHalf } = await attack({ original, record: 'all', releases })
    expect(targets).toHaveLength(16)
    expect(targets.reduce((sum, { frequency }) => sum + frequency, 0)).toBe(1000)
    for (const { label, summary } of targets) {
      if (label === '1111') expect(summary?.meanPosterior).toBeCloseTo(0.64, 1)
      else {
        expect(summary?.meanPosterior).toBeGreaterThan(0.0628)
        expect(summary?.meanPosterior).toBeLessThan(0.0643)
        expect(summary?.verdict).toBe('none')
      }
    }
    expect([worst?.label, verdict]).toEqual(['1111', 'certain'])
    expect(shareAtLeastHalf).toBeCloseTo(0.001, 10)
  })

  it('minbucket and cp move the threshold at which one record changes the structure', async () => {
    const variables = variablesOf(['var1', 'var2', 'var3', 'var4'], [original])
    const records = codeRecords(variables, original)
    const cells = codeRecords(
      variables,
      cellTable(
        'cells',
        CELLS.map(() => 1),
      ),
    )
    for (const { minbucket = 5, cp = 1e-8, leaves, expected, totalVariation = null } of RPART_SETTINGS) {
      const fitted = fitCart(variables, records, { ...CART_DEFAULTS, minbucket, cp })
      expect([minbucket, cp, ...leafCounts(fitted).slice(1)]).toEqual([minbucket, cp, ...leaves])
      const probabilities = logProbabilities(fitted, cells).map(Math.exp)
      expect(1000 * probabilities[LAST]).toBeCloseTo(expected, 3)
      const distance = probabilities.reduce((sum, p, c) => sum + Math.abs(p - ORIGINAL_CELLS[c] / 1000), 0) / 2
      if (totalVariation !== null) expect(distance).toBeCloseTo(totalVariation, 4)
    }
    const fitted = fitCart(variables, records, { ...CART_DEFAULTS, minbucket: 75 })
    const means = logProbabilities(fitted, cells).map((log) => 1000 * Math.exp(log))
    ;[95.803, 40.197, 47.197, 19.803].forEach((mean, k) => {
      expect(means[12 + k]).toBeCloseTo(mean, 3)
    })
  })

  it('and with it the mean posterior', async () => {
    const at = async (options: object) =>
      (await attack({ original, record: 'last', options, releases: repeats(300, 1000) })).targets[0].summary
    expect((await at({ minbucket: 67 }))?.meanPosterior).toBeCloseTo(0.74, 1)
    for (const minbucket of [68, 100, 200]) {
      const summary = await at({ minbucket })
      expect(Math.abs((summary?.meanPosterior ?? 0) - 0.0635)).toBeLessThan(0.002)
      expect(summary?.verdict).toBe('none')
    }
    expect(Math.abs(((await at({ cp: 0.01 }))?.meanPosterior ?? 0) - 0.736)).toBeLessThan(0.05)
    expect((await at({ cp: 0.05 }))?.meanPosterior).toBeCloseTo(0.0627, 3)
    const leak = await at({ cp: 0.02 })
    expect(leak?.quantile5).toBeGreaterThan(0.999)
    expect(leak?.verdict).toBe('certain')
  })
})

describe('the same as levels', () => {
  const levels = cellTable('levels', ORIGINAL_CELLS, 'levels')
  it('has trees with 1, 2 and 6 leaves, 26.394 expected copies, and gives nothing away', async () => {
    const variables = variablesOf(['var1', 'var2', 'var3', 'var4'], [levels])
    const fitted = fitCart(variables, codeRecords(variables, levels), CART_DEFAULTS)
    expect(leafCounts(fitted)).toEqual([1, 1, 2, 6])
    const [log] = logProbabilities(fitted, codeRecords(variables, selectRows(levels, [999])))
    expect(1000 * Math.exp(log)).toBeCloseTo(26.394, 3)
    const { summary } = (await attack({ original: levels, record: 'last', releases: repeats(400, 1000) })).targets[0]
    expect(Math.abs((summary?.meanPosterior ?? 0) - 0.0636)).toBeLessThan(0.001)
  })
})

describe('a generator given by its probabilities', () => {
  /** Cross table plus a in each cell. */
  const catall = (a: number): Synthesizer => ({
    id: 'catall',
    title: 'cross table',
    options: z.object({}),
    fit(data) {
      const counts = new Float64Array(16).fill(a)
      const cell = (of: Table, row: number) =>
        ['var1', 'var2', 'var3', 'var4'].reduce((sum, name) => {
          const one = columnOf(of, name)
          return 2 * sum + (one.kind === 'categorical' ? 0 : one.values[row])
        }, 0)
      for (let row = 0; row < data.rows; row++) counts[cell(data, row)]++
      return {
        sample: (rows) => selectRows(data, new Int32Array(rows)),
        describe: () => ({}),
        logProb: (records) =>
          Float64Array.from({ length: records.rows }, (_, row) =>
            Math.log(counts[cell(records, row)] / (data.rows + 16 * a)),
          ),
      }
    },
  })

  it('has the posteriors of the plug-in multinomial', async () => {
    for (const [k, p] of [
      [1, 0.29534],
      [2, 0.023981],
      [4, 0.99183],
    ]) {
      const after = await posteriorAfter([column(k)], { synthesizer: catall(1 / 16) })
      expect(after.probabilities[LAST]).toBeCloseTo(p, 5)
    }
  })

  it('and with a parameter draw those of the Dirichlet-multinomial', () => {
    const expected: [number, number[]][] = [
      [1e-4, [0.99701, 0.032272, 0.999]],
      [0.1, [0.26838, 0.032295, 0.5087]],
      [1, [0.062923, 0.032506, 0.11856]],
      [5, [0.0398, 0.033409, 0.052446]],
    ]
    for (const [a, values] of expected) {
      ;[1, 2, 4].forEach((k, place) => {
        const logs = CELLS.map((_, world) => {
          const counts = ORIGINAL_CELLS.map((n, c) => n - (c === LAST ? 1 : 0) + (c === world ? 1 : 0) + a)
          return logDirichletMultinomial(SYNTHETIC_CELLS[k - 1], counts)
        })
        const { probabilities } = posterior(logs, new Array(16).fill(1 / 16), LAST)
        expect(probabilities[LAST]).toBeCloseTo(values[place], 5)
      })
    }
  })
})

it('four known records: the posterior by hand', async () => {
  const known = ['00', '00', '01', '10', '11']
  const rows = (cells: readonly string[]) => cells.map((cell) => [...cell].map(Number))
  const data = tableOfRows('tiny', ['a', 'b'], rows(known))
  // Leaves of one record: saturated resampling.
  const tiny = { original: data, record: 'last' as const, options: { minbucket: 1 } }
  const released = (cells: readonly string[]) => [tableOfRows('z', ['a', 'b'], rows(cells))]
  const { targets } = await attack({ ...tiny, released: released(['00', '00', '00', '01', '10']) })
  const expected = [27, 16, 16, 8].map((weight) => weight / 67)
  targets[0].posteriors[0].probabilities.forEach((p, k) => {
    expect(p).toBeCloseTo(expected[k], 12)
  })
  const seen = await attack({ ...tiny, released: released(['00', '00', '01', '10', '11']) })
  expect(seen.targets[0].posteriors[0].probabilities[3]).toBe(1)
})

describe('against fitting every world anew', () => {
  const levelsOf = (k: number) => fc.integer({ min: 0, max: k - 1 })
  const anyRow = fc.tuple(levelsOf(3), levelsOf(4), levelsOf(5), fc.option(levelsOf(6), { nil: null, freq: 6 }))
  it('on random tables of levels and numbers with missing values', () => {
    fc.assert(
      fc.property(
        fc.array(anyRow, { minLength: 12, maxLength: 60 }),
        fc.array(anyRow, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom(1e-8, 0.02),
        fc.boolean(),
        (rows, released, minbucket, cp, missingInMiddle) => {
          const build = (name: string, from: typeof rows) =>
            tableOf(name, {
              a: from.map((row) => `l${row[0]}`),
              b: from.map((row) => row[1]),
              ...(missingInMiddle ? { m: from.map((row) => row[3]) } : {}),
              c: from.map((row) => `k${row[2]}`),
              ...(missingInMiddle ? {} : { m: from.map((row) => row[3]) }),
            })
          const whole = build('all', [...rows, ...released])
          const data = selectRows(
            whole,
            rows.map((_, k) => k),
          )
          const set = selectRows(
            whole,
            released.map((_, k) => rows.length + k),
          )
          const names = whole.columns.map(({ name }) => name)
          const variables = variablesOf(names, [data, set])
          const base = codeRecords(variables, data)
          const sets = releasedSets(variables, [codeRecords(variables, set), codeRecords(variables, data)])
          const settings = { ...CART_DEFAULTS, minbucket, cp }
          const engine = exactCart(variables, base, settings, sets)
          for (let k = 0; k < 6; k++) {
            const row = (7 * k) % rows.length
            const candidate = recordAt(
              k % 2 === 0 ? base : sets.distinct,
              (5 * k) % (k % 2 === 0 ? base.rows : sets.distinct.rows),
            )
            const anew = fitCart(variables, replaceRecord(base, row, candidate), settings)
            const expected = sumOverSets(sets, logProbabilities(anew, sets.distinct))
            engine.of(row, candidate).forEach((log, s) => {
              if (expected[s] === Number.NEGATIVE_INFINITY) expect(log).toBe(expected[s])
              else expect(log).toBeCloseTo(expected[s], 8)
            })
          }
        },
      ),
      { numRuns: repeats(60, 150) },
    )
  })
})

describe('against the synthesizer itself', () => {
  const people = tableOf('people', {
    sex: Array.from({ length: 120 }, (_, k) => (k % 3 === 0 ? 'f' : 'm')),
    age: Array.from({ length: 120 }, (_, k) => (k % 11 === 0 ? null : 20 + ((k * 7) % 23))),
    region: Array.from({ length: 120 }, (_, k) => (k % 17 === 0 ? null : `r${(k * 5) % 7}`)),
    income: Array.from({ length: 120 }, (_, k) => ((k * k) % 29) * 100),
  })
  const fullOnly = { ...cartSynthesizer, id: 'cart by another name' }
  const candidates = { kind: 'neighbours', size: 12 } as const

  it('the fast engine for trees has the same likelihoods', async () => {
    for (const record of [0, 17, 44, 119]) {
      const given = { original: people, record, releases: 4, candidates, options: { minbucket: 3 } }
      const fast = await attack(given)
      const full = await attack({ ...given, synthesizer: fullOnly })
      fast.targets[0].posteriors.forEach(({ logLikelihoods }, r) => {
        logLikelihoods.forEach((log, k) => {
          const other = full.targets[0].posteriors[r].logLikelihoods[k]
          if (other === Number.NEGATIVE_INFINITY) expect(log).toBe(other)
          else expect(log).toBeCloseTo(other, 8)
        })
      })
    }
  })

  it('also where two columns are the same but for the target, and one is copied from the other', async () => {
    const x = Array.from({ length: 60 }, (_, k) => k % 5)
    const twins = tableOf('twins', { x, z: x.map((v, k) => (k * 3 + v) % 4), y: x.map((v, k) => (k === 59 ? 0 : v)) })
    const given = {
      original: twins,
      record: 'last',
      releases: 6,
      candidates: { kind: 'attribute', sensitive: 'y' },
    } as const
    const fast = await attack(given)
    const full = await attack({ ...given, synthesizer: fullOnly })
    const logs = (of: typeof fast) => of.targets[0].posteriors.flatMap(({ logLikelihoods }) => logLikelihoods)
    logs(fast).forEach((log, k) => {
      if (Number.isFinite(log)) expect(log).toBeCloseTo(logs(full)[k], 8)
      else expect(log).toBe(logs(full)[k])
    })
  })
})

describe('properties', () => {
  it('the posterior sums to 1 and is the prior without information', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: -800, max: 0, noNaN: true }), { minLength: 2, maxLength: 30 }), (logs) => {
        const prior = logs.map(() => 1 / logs.length)
        const after = posterior(logs, prior, 0)
        expect(after.probabilities.reduce((a, b) => a + b)).toBeCloseTo(1, 10)
        const flat = posterior(
          logs.map(() => -5),
          prior,
          0,
        )
        flat.probabilities.forEach((p) => {
          expect(p).toBeCloseTo(1 / logs.length, 12)
        })
        expect(flat.informationGainBits).toBeCloseTo(0, 12)
        expect(flat.truth?.rank).toBe((logs.length + 1) / 2)
        expect(flat.truth?.success).toBeCloseTo(1 / logs.length, 12)
      }),
    )
  })

  it('a set without records leaves the prior', () => {
    const variables = variablesOf(['a'], [tableOf('x', { a: ['p', 'q', 'q'] })])
    const base = codeRecords(variables, tableOf('x', { a: ['p', 'q', 'q'] }))
    const empty = releasedSets(variables, [{ rows: 0, codes: [new Int32Array(0)] }])
    const engine = exactCart(variables, base, CART_DEFAULTS, empty)
    expect([...engine.of(0, Int32Array.of(0)), ...engine.of(0, Int32Array.of(1))]).toEqual([0, 0])
  })

  it('does not depend on the order of the records or on names', async () => {
    const order = Array.from({ length: 1000 }, (_, k) => (k * 37 + 11) % 1000)
    const shuffled = selectRows(original, order)
    const renamed = table(
      'renamed',
      shuffled.columns.map((one, k) => ({ ...one, name: `x${k}` })),
    )
    const set = table(
      'z',
      column(2).columns.map((one, k) => ({ ...one, name: `x${k}` })),
    )
    const before = await posteriorAfter([column(2)])
    const after = (await attack({ original: renamed, released: [set], record: order.indexOf(999) })).targets[0]
      .posteriors[0]
    after.probabilities.forEach((p, k) => {
      expect(p).toBeCloseTo(before.probabilities[k], 10)
    })
  })

  it('the same seed gives the same bits, another one others', async () => {
    const run = async (seed: number) =>
      (await attack({ original, record: 'last', releases: 20, seed })).targets[0].posteriors
    expect(await run(3)).toEqual(await run(3))
    expect(await run(3)).not.toEqual(await run(4))
  })

  it('a world too many: all impossible rejects the model', async () => {
    const set = tableOf('z', { var1: [7], var2: [7], var3: [7], var4: [7] })
    const found = await attack({
      original,
      released: [set],
      record: 'last',
      candidates: { kind: 'attribute', sensitive: 'var4' },
    })
    expect(found.targets[0].posteriors[0].modelRejected).toBe(true)
    expect([found.verdict, found.risk]).toEqual([null, null])
    expect(found.notes.join()).toContain('impossible in every world')
  })
})

describe('other attackers', () => {
  it('one who is not sure of the options averages over them', async () => {
    const sure = await posteriorAfter([column(2)], { options: { minbucket: 5 } })
    const unsure = await posteriorAfter([column(2)], {
      hypotheses: [
        { options: { minbucket: 5 }, weight: 1 },
        { options: { minbucket: 200 }, weight: 0 },
      ],
    })
    unsure.probabilities.forEach((p, k) => {
      expect(p).toBeCloseTo(sure.probabilities[k], 12)
    })
    const both = await attack({
      original,
      released: [column(1)],
      record: 'last',
      hypotheses: [
        { options: { minbucket: 5 }, weight: 1 },
        { options: { minbucket: 100 }, weight: 1 },
      ],
    })
    expect(both.attacker).toContain('one of 2')
    expect(both.targets[0].posteriors[0].truth?.posterior).toBeLessThan(1)
    expect(both.targets[0].posteriors[0].truth?.posterior).toBeGreaterThan(0.5)
  })

  it('one who knows half of the records learns less', async () => {
    const all = (await attack({ original, record: 'last', releases: 60 })).targets[0].summary
    const half = (await attack({ original, record: 'last', releases: 60, knownShare: 0.5 })).targets[0].summary
    expect(half?.meanPosterior).toBeLessThanOrEqual(all?.meanPosterior ?? 0)
  })

  it('membership: two worlds, one half each', async () => {
    const found = await attack({ original, released: [column(1)], record: 'last', candidates: { kind: 'membership' } })
    const [target] = found.targets
    expect(target.prior).toEqual([0.5, 0.5])
    expect(target.posteriors[0].truth?.posterior).toBe(1)
    const common = await attack({ original, record: 0, releases: 50, candidates: { kind: 'membership' } })
    expect(common.verdict).toBe('none')
  })

  it('a prior by frequency puts the unique record last', async () => {
    const { targets } = await attack({ original, released: [column(2)], record: 'last', prior: 'population' })
    expect(targets[0].prior[LAST]).toBeCloseTo(0.5 / (999 + 8), 12)
  })
})

describe('candidates', () => {
  it('attribute: the truth with each level of the sensitive variable', async () => {
    const { targets } = await attack({
      original,
      released: [column(1)],
      record: 'last',
      candidates: { kind: 'attribute', sensitive: 'var4' },
    })
    expect(targets[0].candidates.worlds.map(({ label }) => label)).toEqual(['1110', '1111'])
    expect(targets[0].candidates.truth).toBe(1)
  })

  it('list: the truth may be missing, then there is no success', async () => {
    const list = tableOf('list', { var1: [0, 1], var2: [0, 1], var3: [0, 1], var4: [0, 0] })
    const found = await attack({ original, released: [column(2)], record: 'last', candidates: { kind: 'list' }, list })
    expect(found.targets[0].candidates.truth).toBeNull()
    expect([found.targets[0].summary, found.verdict]).toEqual([null, null])
    expect(found.targets[0].posteriors[0].probabilities).toHaveLength(2)
  })

  it('too many combinations: neighbours, the truth first', async () => {
    const many = tableOf('many', {
      x: Array.from({ length: 80 }, (_, k) => k),
      y: Array.from({ length: 80 }, (_, k) => (k * 17) % 80),
    })
    const game = await attack({ original: many, record: 3, releases: 3, candidates: { size: 20 } })
    expect(game.targets[0].candidates.kind).toBe('neighbours')
    expect(game.targets[0].candidates.worlds).toHaveLength(20)
    expect(game.targets[0].candidates.truth).toBe(0)
    await expect(attack({ original: many, record: 3, candidates: { kind: 'cells' } })).rejects.toThrow(
      '6,400 combinations',
    )
  })

  it('tells what is wrong', async () => {
    await expect(attack({ original, record: 1000 })).rejects.toThrow('there is no record 1001')
    await expect(attack({ original, record: 'uniques', variables: ['var1'] })).rejects.toThrow(
      'no record of the original is unique',
    )
    await expect(attack({ original, variables: ['var9'] })).rejects.toThrow('unknown variable "var9"')
    await expect(attack({ original: selectRows(original, [0, 1]) })).rejects.toThrow('only 1 candidate')
    await expect(attack({ original, prior: [1, 2] })).rejects.toThrow('2 weights for 16 candidates')
    await expect(attack({ original, candidates: { kind: 'attribute' } })).rejects.toThrow('sensitive')
  })
})

it('is fast: 16 worlds in well under a second, all records in seconds', async () => {
  const game = await prepareGame({ original, released: [column(2)] })
  const start = process.cpuUsage()
  await posteriorAfter([column(2)])
  // Work, not time: the machine may have other things to do.
  expect(process.cpuUsage(start).user).toBeLessThan(1_000_000)
  expect(game.original.rows).toBe(1000)
})

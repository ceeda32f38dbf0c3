import { describe, expect, it } from 'vitest'
import { nonFinitePath } from '../../json.js'
import type { Context } from '../../measure.js'
import { stream } from '../../random/stream.js'
import { categorical, numeric } from '../../table/column.js'
import { selectRows, type Table, table, tableOfRows } from '../../table/table.js'
import { inline, type TaskRunner } from '../../tasks/task.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { requestSchema } from '../description/description.js'
import { requestTable } from '../description/variables.js'
import { codedTable } from '../embedding/coded-records.js'
import type { EmbedState } from '../embedding/embed.js'
import { prepareOutput } from '../embedding/prepare.js'
import { recompute } from '../numbers/recompute.js'
import { attackKeys, keySets, marginBaselines, matchColumns, matchingOf, meanRates, ratesOf } from './attribution.js'
import { outputGame } from './game.js'
import { effectOf, extrapolated, marginalRisk, verdictOf } from './marginal.js'
import { outputRisk } from './risk.js'
import { splitsOf } from './splits.js'
import { lineThrough, trajectoryOf } from './trajectory.js'

function attack(
  embedded: readonly (readonly [string, string])[],
  real: readonly (readonly [string, string])[],
  tau = 1,
) {
  const both = codedTable(tableOfRows('both', ['key', 'target'], [...embedded, ...real]))
  const matching = matchingOf(both)
  const columns = matchColumns(both.codes, both.variables, matching)
  const part = (from: number, to?: number) => columns.map((column) => column.slice(from, to))
  return attackKeys(part(0, embedded.length), part(embedded.length), matching, [0], 1, tau)
}

describe('attribution', () => {
  it('O2: kept, matched and guessed by hand', () => {
    const { score, guesses } = attack(
      [
        ['A', '1'],
        ['A', '1'],
        ['B', '1'],
        ['B', '0'],
        ['C', '0'],
      ],
      [
        ['A', '1'],
        ['A', '1'],
        ['A', '0'],
        ['B', '1'],
      ],
    )
    const rates = ratesOf(score)
    expect(score).toMatchObject({ kept: 3, matched: 2, guessed: 3, right: 2 })
    expect(rates.undefined).toBeCloseTo(2 / 3, 12)
    expect(rates.zero).toBeCloseTo(4 / 9, 12)
    expect(rates.matchRate).toBeCloseTo(2 / 3, 12)
    expect(rates.coverage).toBeCloseTo(3 / 5, 12)
    expect(rates.success).toBe(0.5)
    expect(rates.precision).toBeCloseTo(2 / 3, 12)
    expect(Array.from(guesses)).toEqual([1, 1, 1, -1])
  })

  it('O3: the data themselves give 1, whatever else is mixed', () => {
    const mixed = [
      ['A', '1'],
      ['A', '1'],
      ['B', '0'],
      ['C', '0'],
      ['C', '1'],
    ] as const
    const rates = ratesOf(attack(mixed, mixed).score)
    expect([rates.undefined, rates.zero]).toEqual([1, 1])
    expect(ratesOf(attack(mixed.slice(0, 3), mixed.slice(0, 3)).score).success).toBe(1)
  })

  it('with a lower tau the majority speaks', () => {
    const most = [
      ['A', '1'],
      ['A', '1'],
      ['A', '0'],
    ] as const
    expect(ratesOf(attack(most, most, 1).score)).toMatchObject({ undefined: null, success: 0 })
    expect(ratesOf(attack(most, most, 0.6).score).success).toBeCloseTo(2 / 3, 12)
  })

  it('a set of keys that defines nothing counts as 0 only where that is said', () => {
    const [none, some] = [attack([['A', '1']], [['B', '1']]).score, attack([['A', '1']], [['A', '1']]).score]
    expect(meanRates([none, some])).toMatchObject({
      sets: 2,
      defined: 1,
      undefined: 1,
      undefinedOrZero: 0.5,
      success: 0.5,
    })
  })

  it('sets of keys and guesses without data', () => {
    expect(keySets([0, 1, 2, 3, 4, 5], [3, 4, 5, 6])).toHaveLength(20 + 15 + 6 + 1)
    expect(keySets([0, 1], [3, 4])).toEqual([[0, 1]])
    const { drawn, best } = marginBaselines(Int32Array.of(0, 0, 0, 1), 2)
    expect([drawn, best]).toEqual([0.625, 0.75])
  })
})

describe('marginal risk', () => {
  it("O5: the paper's differences; its standard deviations divide by 2", () => {
    const halves = marginalRisk([-0.005878, 0.023028])
    expect(halves.value).toBeCloseTo(0.008575, 6)
    expect((halves.sd ?? 0) / Math.SQRT2).toBeCloseTo(0.014453, 6)
    const quarters = marginalRisk([-0.030879, 0.005609])
    expect(quarters.value).toBeCloseTo(-0.012635, 6)
    expect((quarters.sd ?? 0) / Math.SQRT2).toBeCloseTo(0.018244, 6)
    // Two folds rule nothing out.
    expect(verdictOf(halves, LIMITS, true)).toBe('inconclusive')
  })

  const LIMITS = { margin: 0.02, high: 0.05 }

  it('t interval over splits, and a wider one for new people', () => {
    const found = marginalRisk([0.01, 0.02, 0.03, 0.04])
    // sd 0.0129099, t(3) 3.182446
    expect(found.interval?.lower).toBeCloseTo(0.025 - (3.182446 * 0.01290994) / 2, 6)
    expect(found.population?.upper).toBeCloseTo(0.025 + 3.182446 * 0.01290994 * Math.sqrt(1.25), 6)
    expect(effectOf(found)?.p).toBeCloseTo(0.015233, 6)
  })

  it.each([
    [[0.001, -0.001, 0.002, 0], true, 'no marginal risk detected'],
    [[0.001, -0.001, 0.002, 0], false, 'inconclusive'],
    [[0.08, 0.09, 0.085, 0.081], true, 'high'],
    // A lower bound that is high is high.
    [[0.08, 0.09, 0.085, 0.081], false, 'high'],
    [[0.03, 0.04, 0.035, 0.031], true, 'elevated'],
    [[0.05, -0.05, 0.02, 0.01], true, 'inconclusive'],
    [[0.03], true, 'not assessed'],
  ] as const)('%j is %s %s', (differences, isEmbedded, verdict) => {
    expect(verdictOf(marginalRisk(differences), LIMITS, isEmbedded)).toBe(verdict)
  })

  it('a difference that falls with 1 / n is extrapolated', () => {
    const at = (n: number) => [0.01 + 20 / n - 0.001, 0.01 + 20 / n + 0.001]
    const found = extrapolated(
      [
        { n: 500, differences: at(500) },
        { n: 250, differences: at(250) },
      ],
      1000,
    )
    expect(found?.value).toBeCloseTo(0.03, 9)
    expect(found?.slope).toBeCloseTo(20, 6)
    expect(extrapolated([{ n: 500, differences: at(500) }], 1000)).toBeNull()
  })

  it('splits: everybody is once inside and once outside', () => {
    const random = (purpose: string, index?: number) => stream(1, purpose, index)
    const plan = { splits: 3, folds: 2, depth: 1 }
    for (const design of ['repeated', 'foldfold', 'kfold'] as const) {
      const found = splitsOf(101, { ...plan, design }, random)
      expect(found).toHaveLength({ repeated: 6, foldfold: 12, kfold: 2 }[design])
      for (const { members, outsiders } of found)
        expect(new Set([...members, ...outsiders]).size).toBe(members.length + outsiders.length)
    }
    const five = splitsOf(101, { ...plan, design: 'kfold', folds: 5 }, random)
    expect(five.reduce((sum, { outsiders }) => sum + outsiders.length, 0)).toBe(101)
    expect(splitsOf(101, { ...plan, design: 'none' }, random)).toEqual([])
  })
})

describe('trajectory', () => {
  it("O6: at the paper's error the line is within 2.2e-5 of its end", () => {
    const line = { intercept: 0.2279, slope: -0.0556 }
    const points = [0, 0.1, 0.5, 1].map((mae) => ({ run: 0, mae, risk: line.intercept + line.slope * mae }))
    const found = lineThrough(points)
    expect(found?.intercept).toBeCloseTo(0.2279, 12)
    expect(-(found?.slope ?? 0) * 0.0004).toBeCloseTo(2.2e-5, 6)
    expect(found?.correlation).toBeCloseTo(-1, 12)
  })

  it('runs are drawn anew, and a bend is told', () => {
    const points = [0, 1, 2].flatMap((run) =>
      [1, 0.5, 0.2, 0.1, 0.05, 0.01].map((mae) => ({
        run,
        mae,
        risk: (mae > 0.1 ? 0.2 : 0.4 - mae) + 0.1 * mae * run,
      })),
    )
    const found = trajectoryOf(points, stream(1, 'trajectory'))
    expect(found.interval).not.toBeNull()
    expect(found.warning).toMatch(/last power of ten/)
  })
})

function households(rows: number, seed = 1): Table {
  const random = stream(seed, 'households')
  const columns: string[][] = [[], [], [], []]
  const age: number[] = []
  for (let i = 0; i < rows; i++) {
    age.push(20 + 5 * random.below(8))
    const [a, b, c] = [random.below(3), random.below(2), random.below(4)]
    const y = random.uniform() < 1 / (1 + Math.exp(1 - a - 0.02 * age[i])) ? 1 : 0
    for (const [k, value] of [a, b, c, y].entries()) columns[k].push(String(value))
  }
  return table('households', [
    numeric('age', age),
    ...['a', 'b', 'c', 'y'].map((name, k) => categorical(name, columns[k])),
  ])
}

const MODEL = {
  id: 'm',
  kind: 'regression',
  family: 'logistic',
  response: 'y',
  event: '1',
  decimals: 2,
  terms: [{ var: 'age' }, { var: 'a' }, { var: 'b' }, { var: 'c' }],
}

function run(
  outputs: readonly object[],
  data: Table,
  options: object = {},
  tasks: TaskRunner = inline,
  knowledge: unknown = 'marginals',
) {
  const context: Context = {
    seed: 1,
    random: (purpose, index) => stream(1, purpose, index),
    progress: () => {},
    signal: undefined,
    tasks,
  }
  const small = { replicates: 2, splits: 3, trajectory: 0, gameRecords: 50, contributions: false }
  return outputRisk(requestSchema.parse({ outputs, knowledge }), data, { ...small, ...options }, context)
}

describe('the risk of outputs', () => {
  it('a model of many people adds nothing about members; all of it is plain numbers', async () => {
    const found = await run([MODEL], households(400), { trajectory: 1 })
    expect(nonFinitePath(found as never)).toBeUndefined()
    expect(found.isEmbedded).toBe(true)
    const [{ target, keys, success, splits, look }] = found.targets
    expect([target, keys]).toEqual(['y', ['age', 'a', 'b', 'c']])
    expect(splits).toHaveLength(6)
    expect(Math.abs(success.value ?? 1)).toBeLessThan(0.05)
    expect(look?.controls.fair?.basis).toBe('outsiders')
    expect(found.trajectory?.points.length).toBeGreaterThan(2)
  })

  it('is the same on any number of threads', async () => {
    const data = households(160)
    const options = { splits: 2, proposals: 40_000 }
    expect(await run([MODEL], data, options, shuffledRunner(3))).toEqual(await run([MODEL], data, options))
  })

  it('goes on where it was left, with the same bits', async () => {
    const data = households(160)
    const options = { splits: 2, proposals: 40_000 }
    const searches = new Map<string, readonly EmbedState[]>()
    let rounds = 0
    const write = (what: string, states: readonly EmbedState[]) => {
      searches.set(what, structuredClone(states))
      if (++rounds === 3) throw new Error('power cut')
    }
    const cut = run([MODEL], data, { ...options, kept: { read: () => undefined, write } })
    await expect(cut).rejects.toThrow('power cut')
    const left = new Map(searches)
    expect(left.size).toBeGreaterThan(0)
    rounds = Number.NaN
    const resumed = await run([MODEL], data, { ...options, kept: { read: (what: string) => left.get(what), write } })
    expect(resumed).toEqual(await run([MODEL], data, options))
    // What was finished was not searched again.
    const finished = [...left].filter(([, states]) => states.every(({ ended }) => ended !== null))
    expect(finished.length).toBeGreaterThan(0)
    for (const [what, states] of finished) expect(searches.get(what)).toBe(states)
  })

  it('O11: a table that pins the joint distribution gives everything away', async () => {
    const all = { id: 't', kind: 'table', by: ['age', 'a', 'b', 'c', 'y'] }
    const found = await run([all], households(240), { targets: ['y'], keySizes: [4] })
    expect(found.outputs[0].fidelity).toBe(1)
    const [{ fullKeys, agreed, verdict, splits }] = found.targets
    expect(fullKeys.zero).toBe(1)
    // Every embedded set says the same.
    expect(agreed.precision).toBe(1)
    expect(verdict).toBe('high')
    for (const { success } of splits) expect(success[0]).toBeGreaterThan(success[1])
    expect(found.games[0]).toMatchObject({ excluded: 1, determined: 1 })
  })

  it('O11: independent data and an output about one variable add nothing to marginals', async () => {
    const random = stream(5, 'independent')
    const column = (name: string, levels: number) =>
      categorical(
        name,
        Array.from({ length: 3000 }, () => String(random.below(levels))),
      )
    const data = table('independent', [column('a', 6), column('b', 6), column('c', 8), column('y', 2)])
    const model = { ...MODEL, terms: [{ var: 'a' }, { var: 'b' }, { var: 'c' }] }
    const found = await run([model], data, { design: 'none', replicates: 4, keySizes: [3] })
    expect(Math.abs(found.targets[0].gain.success)).toBeLessThan(0.01)
    expect(found.targets[0].verdict).toBe('not assessed')
  })

  it('several outputs: each alone and left out', async () => {
    const both = [MODEL, { id: 't', kind: 'table', by: ['age', 'a', 'b', 'c', 'y'] }]
    const found = await run(both, households(200), {
      contributions: true,
      contributionSplits: 2,
      splits: 2,
      targets: ['y'],
      gameRecords: 0,
      proposals: 40_000,
    })
    const [model, cells] = found.contributions
    expect([model.output, cells.output]).toEqual(['m', 't'])
    expect(cells.alone.value).toBeGreaterThan(model.alone.value ?? 1)
    // Without the table little is left, without the model nothing changes.
    expect(cells.without?.value).toBeLessThan(model.without?.value ?? 0)
    expect(Math.abs(found.cumulativeExcess ?? 1)).toBeLessThan(0.1)
  })

  it('what was released before is part of what is known', async () => {
    const data = households(200)
    const cells = { id: 't', kind: 'table', by: ['age', 'a', 'b', 'c', 'y'] }
    const released = requestSchema.parse({ outputs: [cells] }).outputs
    const found = await run([{ ...MODEL, decimals: 1 }], data, {
      released,
      design: 'none',
      targets: ['y'],
      keySizes: [4],
    })
    expect(found.targets[0].knowledge.zero).toBe(1)
    expect(found.targets[0].gain.success).toBeCloseTo(0, 9)
  })

  it('people who were never in the data, with levels that it does not have', async () => {
    const data = households(300)
    const [inside, outside] = [selectRows(data, range(0, 150)), selectRows(data, range(150, 300))]
    const found = await run([MODEL], inside, { design: 'holdout', holdout: outside })
    expect(found.holdout).toBe(150)
    expect(found.targets[0].success.interval).not.toBeNull()
    expect(found.targets[0].splits).toHaveLength(1)
  })

  it.each([
    [{ design: 'repeated' }, 60, /30 records on a side are too few/],
    [{ targets: ['x'] }, 200, /target: unknown variable "x"/],
    [{ keys: ['agee'] }, 200, /did you mean "age"/],
    [{ tau: 0 }, 200, /tau/],
    [{ design: 'holdout' }, 200, /needs people who are not in the data/],
  ] as const)('%j on %i records is told', async (options, rows, message) => {
    await expect(run([MODEL], households(rows), options)).rejects.toThrow(message)
  })
})

function range(from: number, to: number): Int32Array {
  return Int32Array.from({ length: to - from }, (_, k) => from + k)
}

describe('the strongest attacker', () => {
  it('excludes what a fit of the changed data excludes', () => {
    const data = households(120)
    const [output] = requestSchema.parse({ outputs: [MODEL] }).outputs
    const own = requestTable(requestSchema.parse({ outputs: [MODEL] }), data)
    const whole = codedTable(own)
    const values = recompute(output, own)
    const aims = prepareOutput(output, own, whole.variables).aims(values, 'print', 1, 'exact')
    const y = whole.variables.findIndex(({ name }) => name === 'y')
    const found = outputGame(whole, aims, y, 120, stream(1, 'game'))
    const printed = values.map(({ value }) => value.toFixed(2))
    let excluded = 0
    for (let row = 0; row < 120; row++) {
      const columns = own.columns.map((column) => {
        if (column.kind !== 'categorical' || column.name !== 'y') return column
        return { ...column, codes: column.codes.map((code, k) => (k === row ? 1 - code : code)) }
      })
      const changed = recompute(output, table('changed', columns)).map(({ value }) => value.toFixed(2))
      if (changed.some((value, k) => value !== printed[k])) excluded++
    }
    expect(found.records).toBe(120)
    expect(Math.abs(found.excluded - excluded / 120)).toBeLessThan(0.05)
    expect(excluded).toBeGreaterThan(0)
  })
})

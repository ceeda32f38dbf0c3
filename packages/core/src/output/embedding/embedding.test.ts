import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { categorical, numeric } from '../../table/column.js'
import { type Table, table, tableOf } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { type Output, requestSchema } from '../description/description.js'
import { requestTable } from '../description/variables.js'
import { recompute } from '../numbers/recompute.js'
import { codedTable, decoded } from './coded-records.js'
import { type EmbedJob, type EmbedState, embed, embedOptions, embedTask } from './embed.js'
import { expectedMutations } from './evolve.js'
import { drawStart, jointGroups } from './knowledge.js'
import { ledgerOf } from './ledger.js'
import { prepareOutput } from './prepare.js'

function survey(rows: number, seed = 1): Table {
  const random = stream(seed, 'survey')
  const age: number[] = []
  const income: number[] = []
  const visits: number[] = []
  const labels: string[][] = [[], [], [], []]
  for (let i = 0; i < rows; i++) {
    const sex = random.uniform() < 0.5 ? 'f' : 'm'
    const area = ['a', 'b', 'c'][random.below(3)]
    age.push(18 + random.below(60))
    const ill = random.uniform() < 1 / (1 + Math.exp(2 - 0.03 * age[i] - (sex === 'f' ? 0.5 : 0)))
    income.push(Math.round(10 + 0.1 * age[i] + 8 * random.uniform() + (area === 'b' ? 4 : 0)))
    visits.push(random.below(ill ? 6 : 3))
    const job = random.uniform() < 0.3 ? 'none' : age[i] > 50 ? 'old' : 'new'
    for (const [k, value] of [sex, area, ill ? 'yes' : 'no', job].entries()) labels[k].push(value)
  }
  return table('survey', [
    numeric('age', age),
    numeric('income', income),
    numeric('visits', visits),
    ...['sex', 'area', 'ill', 'job'].map((name, k) => categorical(name, labels[k])),
  ])
}

function prepared(outputs: readonly object[], data: Table) {
  const request = requestSchema.parse({ outputs })
  const own = requestTable(request, data)
  const whole = codedTable(own)
  const parts = request.outputs.map((output) => ({ output, prepared: prepareOutput(output, own, whole.variables) }))
  const aims = parts.flatMap(({ output, prepared: one }) => one.aims(recompute(output, own), 'joint', 1 / parts.length))
  const exact = parts.flatMap(({ output, prepared: one }) => one.aims(recompute(output, own), 'se', 1, 'exact'))
  return { outputs: request.outputs, own, whole, aims, exact }
}

const LOGISTIC = {
  id: 'm',
  kind: 'regression',
  family: 'logistic',
  response: 'ill',
  event: 'yes',
  decimals: 2,
  terms: [{ var: 'age' }, { var: 'sex' }, { var: 'area' }],
}

describe('sums that a record changes', () => {
  it('O1: a 2x2 logistic model moves by its score', () => {
    const x = [...Array(40).fill(0), ...Array(60).fill(1)]
    const y = [...Array(30).fill('0'), ...Array(10).fill('1'), ...Array(15).fill('0'), ...Array(45).fill('1')]
    const data = tableOf('two', { x, y })
    const output = {
      id: 'm',
      kind: 'regression',
      family: 'logistic',
      response: 'y',
      event: '1',
      decimals: 15,
      terms: [{ var: 'x' }],
    }
    const { whole, exact } = prepared([output], data)
    const [aim] = exact
    expect(Array.from(aim.aims.targets, (value) => Number(value.toFixed(6)))).toEqual([-1.098612, 2.197225])
    const ledger = ledgerOf(exact, 2)
    const sums = ledger.sumsOf(whole.codes)
    const [zero, alsoZero] = sums.slice(4, 6)
    expect(Math.abs(zero)).toBeLessThan(1e-9)
    const [statistic] = ledger.statistics
    const other = whole.codes.slice(0, 2)
    const yAt = whole.variables.findIndex(({ name }) => name === 'y')
    other[yAt] = whole.variables[yAt].labels.indexOf('1')
    ledger.add(whole.codes, 0, -1, sums, 0)
    ledger.add(other, 0, 1, sums, 0)
    const score = Array.from(sums.slice(4, 6), (value) => Math.round(value * 1e9) / 1e9)
    expect(score).toEqual([1, 0])
    expect(Array.from(sums.slice(6, 9), (value) => Math.round(value * 1e9) / 1e9)).toEqual([18.75, 11.25, 11.25])
    const values = new Float64Array(2)
    statistic.evaluate(sums, 0, values)
    expect(values[0] - aim.aims.targets[0]).toBeCloseTo(0.133333, 6)
    expect(values[1] - aim.aims.targets[1]).toBeCloseTo(-0.133333, 6)
    // The exact fit is log(11 / 29): the step is right to second order.
    expect(Math.log(11 / 29) - aim.aims.targets[0]).toBeCloseTo(0.129212, 6)
    ledger.add(other, 0, -1, sums, 0)
    ledger.add(whole.codes, 0, 1, sums, 0)
    expect(Math.abs(sums[4] - zero)).toBeLessThan(1e-12)
    expect(Math.abs(sums[5] - alsoZero)).toBeLessThan(1e-12)
  })

  const all: readonly object[] = [
    { ...LOGISTIC, decimals: 8, report: ['estimate', 'se', 'logLik', 'deviance'] },
    {
      id: 'l',
      kind: 'regression',
      family: 'linear',
      response: 'income',
      decimals: 8,
      report: ['estimate', 'se', 'sigma', 'r2', 'logLik'],
      terms: [{ var: 'age' }, { var: 'area' }, { interaction: ['age', 'area'] }],
    },
    {
      id: 'p',
      kind: 'regression',
      family: 'poisson',
      response: 'visits',
      decimals: 8,
      report: ['estimate', 'se', 'deviance', 'logLik'],
      terms: [{ var: 'age' }, { var: 'sex' }],
    },
    {
      id: 'k',
      kind: 'regression',
      family: 'multinomial',
      response: 'job',
      decimals: 8,
      report: ['estimate', 'logLik'],
      terms: [{ var: 'age' }, { var: 'sex' }],
    },
    { id: 't', kind: 'table', by: ['sex', 'area'], totals: true },
    { id: 'q', kind: 'table', by: ['sex', 'ill'], statistic: 'percentage', decimals: 8 },
    { id: 'f', kind: 'table', by: ['sex'], filter: "age >= 40 & area != 'c'" },
    {
      id: 's',
      kind: 'summary',
      var: 'income',
      by: ['sex'],
      statistics: ['n', 'mean', 'sd', 'variance', 'sum'],
      decimals: 8,
    },
    { id: 'c', kind: 'correlation', vars: ['age', 'income', 'visits'], decimals: 8 },
  ]

  it.each(all.map((output) => [Reflect.get(output, 'id'), output] as const))(
    'are those of the data: %s',
    (_, output) => {
      const { whole, exact, outputs } = prepared([output], survey(400))
      const ledger = ledgerOf(exact, whole.variables.length)
      const sums = ledger.sumsOf(whole.codes)
      let compared = 0
      ledger.statistics.forEach((statistic, k) => {
        const values = new Float64Array(statistic.aims.targets.length)
        statistic.evaluate(sums, ledger.starts[k], values)
        for (const [e, value] of values.entries()) {
          expect(Math.abs(value - statistic.aims.targets[e])).toBeLessThan(2e-6 * Math.max(1, Math.abs(value)))
          compared++
        }
      })
      expect(outputs).toHaveLength(1)
      expect(compared).toBeGreaterThan(1)
    },
  )

  it.each(all.map((output) => [Reflect.get(output, 'id'), output] as const))(
    'a climber sees what a full evaluation sees: %s',
    (_, output) => {
      const { whole, exact } = prepared([output], survey(400))
      const width = whole.variables.length
      const ledger = ledgerOf(exact, width)
      const random = stream(3, 'moves')
      const codes = whole.codes.slice()
      const sums = ledger.sumsOf(codes)
      const climbers = ledger.statistics.map((statistic, k) => statistic.climber(sums, ledger.starts[k], 'near'))
      for (let move = 0; move < 20; move++) {
        const at = random.below(400) * width
        const before = codes.slice(at, at + width)
        const after = before.slice()
        const j = random.below(width)
        after[j] = random.below(whole.variables[j].labels.length)
        const changed = codes.slice()
        changed.set(after, at)
        const proposed = climbers.reduce((sum, climber) => sum + climber.propose(before, after, 1), 0)
        const fresh = ledger.error(ledger.sumsOf(changed), 0)
        // Standard errors move to first order, coefficients with the curvature of before.
        expect(Math.abs(proposed - fresh)).toBeLessThan(0.1 * fresh + 1e-3)
        for (const climber of climbers) climber.accept()
        codes.set(after, at)
      }
      const again = ledger.sumsOf(codes)
      for (const [k, sum] of again.entries())
        expect(Math.abs(sum - sums[k])).toBeLessThan(1e-7 * Math.max(1, Math.abs(sum)))
    },
  )
})

function job(outputs: readonly object[], data: Table, run = 'test') {
  const { whole, aims, outputs: described, own } = prepared(outputs, data)
  const start = whole.variables.map(({ shares }) => shares)
  const one: EmbedJob = { rows: data.rows, aims, knowledge: { start, groups: [] }, seed: 1, run, snapshots: false }
  return { one, variables: whole.variables, described, own }
}

async function made(
  engine: 'direct' | 'hill' | 'ea',
  more: object = {},
  outputs: readonly object[] = [LOGISTIC],
  data = survey(600),
) {
  const { one, variables, described, own } = job(outputs, data)
  const [state] = await embed({ variables, options: embedOptions.parse({ engine, ...more }) }, [one], { tasks: inline })
  const found = decoded('embedded', { variables, codes: state.codes, rows: data.rows })
  const off = described.flatMap((output: Output) => {
    const published = recompute(output, own)
    return recompute(output, found).map(({ value }, k) =>
      Math.abs(value - Number(published[k].value.toFixed(published[k].decimals))),
    )
  })
  return { state, off, found }
}

describe('embedding', () => {
  it.each(['direct', 'hill'] as const)('%s reproduces every printed number', async (engine) => {
    const { state, off } = await made(engine)
    expect(state.ended).toBe('reproduced')
    expect(Math.max(...off)).toBeLessThanOrEqual(0.005 + 1e-9)
  })

  it('several outputs at once', async () => {
    const { state, off } = await made('direct', {}, [
      LOGISTIC,
      { id: 't', kind: 'table', by: ['sex', 'ill'] },
      { id: 's', kind: 'summary', var: 'income', by: ['area'], statistics: ['mean', 'sd'], decimals: 1 },
      { id: 'c', kind: 'correlation', vars: ['age', 'income'], decimals: 2 },
    ])
    expect(state.ended).toBe('reproduced')
    expect(off).toHaveLength(5 + 4 + 6 + 1)
  })

  it('ea brings the error down and never up', async () => {
    const { state } = await made('ea', { generations: 100, phase: 20, population: 16, children: 16 })
    const errors = state.history.map(({ error }) => error)
    expect(errors.at(-1)).toBeLessThan(errors[0] / 20)
    for (let k = 1; k < errors.length; k++) expect(errors[k]).toBeLessThanOrEqual(errors[k - 1])
  })

  it('O7: fewer and fewer cells are mutated', () => {
    const cells = expectedMutations(50_357 * 7, embedOptions.parse({}))
    expect(cells.map((value) => Number(value.toPrecision(2)))).toEqual([1800, 590, 200, 65, 22, 7.3, 2.4, 0.81])
    expect(Math.round(cells[0])).toBe(1762)
  })

  it.each([
    ['direct', {}],
    ['ea', { generations: 100, population: 8, children: 8 }],
  ] as const)('%s goes on where it was left, bit for bit', async (engine, more) => {
    const { one, variables } = job([{ ...LOGISTIC, decimals: 6 }], survey(200))
    const shared = { variables, options: embedOptions.parse({ engine, proposals: 100_000, ...more }) }
    const [whole] = await embed(shared, [one], { tasks: inline })
    let state: EmbedState | null = null
    while (state?.ended == null) state = structuredClone(await embedTask.run(shared, { job: one, state }))
    expect(state.codes).toEqual(whole.codes)
    expect(state.history).toEqual(whole.history)
  })

  it('runs do not depend on who runs them', async () => {
    const { one, variables } = job([LOGISTIC], survey(200))
    const jobs = ['a', 'b', 'c'].map((run) => ({ ...one, run }))
    const shared = { variables, options: embedOptions.parse({ proposals: 80_000 }) }
    const alone = await embed(shared, jobs, { tasks: inline })
    const spread = await embed(shared, jobs, { tasks: shuffledRunner(3) })
    expect(spread.map(({ codes }) => codes)).toEqual(alone.map(({ codes }) => codes))
    expect(alone[0].codes).not.toEqual(alone[1].codes)
  })
})

describe('public knowledge', () => {
  it('tables that overlap are fitted to each other', () => {
    const data = survey(900)
    const whole = codedTable(data)
    const at = (name: string) => whole.variables.findIndex((variable) => variable.name === name)
    const start = whole.variables.map(({ shares }) => shares)
    const counts = (axes: readonly number[]) => {
      const sizes = axes.map((j) => whole.variables[j].labels.length)
      const cells = new Float64Array(sizes.reduce((a, b) => a * b, 1))
      for (let row = 0; row < data.rows; row++) {
        let place = 0
        for (const [k, j] of axes.entries()) place = place * sizes[k] + whole.codes[row * whole.variables.length + j]
        cells[place]++
      }
      return { variables: axes, counts: cells }
    }
    const tables = [counts([at('sex'), at('ill')]), counts([at('ill'), at('job')])]
    const [group] = jointGroups(tables, whole.variables, start, 900)
    expect(group.exact).toBe(false)
    const margin = new Float64Array(4)
    group.cells.forEach((count, cell) => {
      margin[Math.floor(cell / group.sizes[2])] += count
    })
    expect(Array.from(margin, Math.round)).toEqual(Array.from(tables[0].counts))
    const [exact] = jointGroups([tables[0]], whole.variables, start, 900)
    const codes = drawStart(whole.variables, { start, groups: [exact] }, 900, stream(1, 'draw'))
    const drawn = new Float64Array(4)
    for (let row = 0; row < 900; row++) {
      const here = row * whole.variables.length
      drawn[codes[here + at('sex')] * 2 + codes[here + at('ill')]]++
    }
    expect(drawn).toEqual(tables[0].counts)
  })
})

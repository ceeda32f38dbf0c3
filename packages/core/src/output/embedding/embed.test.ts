import { describe, expect, it } from 'vitest'
import type { Table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { LOGISTIC, prepared, survey } from '../../testing/scenes/survey.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import type { Output } from '../description/description.js'
import { recompute } from '../numbers/recompute.js'
import { type EmbedJob, type EmbedState, embed, embedOptions, embedTask } from './embed.js'
import { frontsOf } from './nondominated.js'
import { decoded } from './records/coded-records.js'

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

  it('non-dominated sorting brings every output nearer, and keeps data sets of which none is better in all', async () => {
    const outputs = [LOGISTIC, { id: 's', kind: 'summary', var: 'income', by: ['area'], statistics: ['mean', 'sd'] }]
    const few = { generations: 100, phase: 20, population: 12, children: 12, selection: 'nondominated' }
    const { state } = await made('ea', few, outputs, survey(300))
    const errors = state.history.map(({ error }) => error)
    expect(errors.at(-1)).toBeLessThan(errors[0] / 5)
    for (let k = 1; k < errors.length; k++) expect(errors[k]).toBeLessThanOrEqual(errors[k - 1])
    const front = (state.front ?? []).map((member) => Float64Array.from(member))
    expect(frontsOf(front)).toHaveLength(1)
    expect(front.every((member) => member.length === 2)).toBe(true)
    const sums = front.map(([a, b]) => a + b)
    expect(Math.min(...sums)).toBeCloseTo(state.closeness.error, 12)
    expect((await made('ea', few, outputs, survey(300))).state.codes).toEqual(state.codes)
  })

  it.each([
    ['direct', {}],
    ['ea', { generations: 100, population: 8, children: 8 }],
    ['ea', { generations: 100, population: 8, children: 8, selection: 'nondominated' }],
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

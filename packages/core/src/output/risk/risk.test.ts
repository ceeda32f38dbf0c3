import { describe, expect, it } from 'vitest'
import { nonFinitePath } from '../../json.js'
import type { Context } from '../../measure.js'
import { stream } from '../../random/stream.js'
import { categorical } from '../../table/column.js'
import { selectRows, type Table, table } from '../../table/table.js'
import { inline, type TaskRunner } from '../../tasks/task.js'
import { households, HOUSEHOLD_MODEL as MODEL } from '../../testing/scenes/households.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { requestSchema } from '../description/description.js'
import type { EmbedState } from '../embedding/embed.js'
import { outputRiskCharts } from './charts.js'
import { outputRisk } from './risk.js'

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

it('several outputs by non-dominated sorting have a front, and a picture of it', async () => {
  const table = { id: 't', kind: 'table', by: ['a', 'b'] }
  const few = { engine: 'ea', selection: 'nondominated', generations: 10, population: 6, children: 6, splits: 2 }
  const found = await run([MODEL, table], households(160), few)
  const [front] = found.runs.map((search) => search.front ?? [])
  expect(Object.keys(front[0])).toEqual([MODEL.id, 't'])
  expect(outputRiskCharts(found).map(({ name }) => name)).toContain(`front-${MODEL.id}-t`)
  expect(nonFinitePath(found as never)).toBeUndefined()
})

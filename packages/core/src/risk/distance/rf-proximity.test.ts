import { describe, expect, it } from 'vitest'
import { forest } from '../../learners/forest.js'
import { rfProximity } from '../../peers/risk/distance/rf-proximity.js'
import { type Stream, stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { categorical, numeric, stackColumns } from '../../table/column.js'
import { type ReleaseInput, release } from '../../table/release.js'
import { selectRows, type Table, table, tableOf } from '../../table/table.js'
import { fitContext } from '../../testing/fit.js'
import { repeats } from '../../testing/long.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { shuffledRunner } from '../../testing/shuffled-runner.js'
import { proximities } from './outsiders/proximity.js'

async function find(input: ReleaseInput, options = {}, how = {}) {
  const { details, ...finding } = (await rfProximity(release(input), options, how)).releases[0]
  if (details === null) throw new Error(finding.reason?.text)
  return { ...finding, details }
}

/** Two related numbers and a category. */
function people(rows: number, random: Stream): Table {
  const x = Float64Array.from({ length: rows }, () => drawNormal(random))
  return table('people', [
    numeric('x', x),
    numeric(
      'y',
      x.map((value) => value + drawNormal(random)),
    ),
    categorical(
      'g',
      Array.from(x, () => 'abc'[random.below(3)]),
    ),
  ])
}

function nearly(of: Table, random: Stream): Table {
  return table(
    'nearly',
    of.columns.map((column) =>
      column.kind === 'categorical'
        ? column
        : numeric(
            column.name,
            column.values.map((value) => value + drawNormal(random, 0, 0.02)),
          ),
    ),
  )
}

const stack = (first: Table, second: Table): Table =>
  table(
    'both',
    first.columns.map((column, j) => stackColumns([column, second.columns[j]])),
  )

describe('proximities', () => {
  it('equal those of every pair of leaves', async () => {
    const random = stream(3, 'pairs')
    const real = people(60, random)
    const released = people(40, random)
    const records = Int32Array.from({ length: 60 }, (_, i) => 1 + (i % 3))
    const inTraining = records.map((count, i) => (i % 2 === 0 ? count : Math.min(1, count - 1)))
    const times = Int32Array.from({ length: 40 }, (_, i) => 1 + (i % 2))
    const codes = new Int32Array(100).fill(1, 60)
    const model = await forest.fit(
      stack(real, released),
      { kind: 'classes', codes, levels: ['real', 'released'] },
      forest.options.parse({ trees: 25 }),
      fitContext(),
    )
    const progress = () => {}
    const found = proximities({ model, real, records, inTraining, released, times, progress, signal: undefined })

    const [ofReal, ofReleased] = [model.leaves(real), model.leaves(released)]
    const proximity = (s: number, i: number) => {
      let same = 0
      for (let t = 0; t < 25; t++) if (ofReal[i * 25 + t] === ofReleased[s * 25 + t]) same++
      return same / 25
    }
    const credit = new Float64Array(60)
    const all = Array.from(records.keys())
    const nT = inTraining.reduce((sum, count) => sum + count, 0)
    for (let s = 0; s < 40; s++) {
      const to = all.map((i) => proximity(s, i))
      const most = Math.max(...to)
      const nearest = all.filter((i) => to[i] === most)
      const tied = nearest.reduce((sum, i) => sum + records[i], 0)
      for (const i of nearest) credit[i] += times[s] / tied
      expect(found.greatestToTraining[s]).toBe(Math.max(...all.map((i) => (inTraining[i] > 0 ? to[i] : 0))))
      expect(found.greatestToHoldout[s]).toBe(Math.max(...all.map((i) => (records[i] > inTraining[i] ? to[i] : 0))))
      expect(found.meanToTraining[s]).toBeCloseTo(all.reduce((sum, i) => sum + to[i] * inTraining[i], 0) / nT, 12)
    }
    for (const i of all) expect(found.credit[i]).toBeCloseTo(credit[i], 12)
  })
})

describe('rf-proximity', () => {
  it('finds near-copies of the training records, and says where', async () => {
    const random = stream(5, 'copies')
    const original = people(200, random)
    const holdout = people(100, random)
    const input = { original, released: nearly(original, random), holdout }
    const { value, leakage, details, records } = await find(input, { trees: 200 }, { records: true })
    expect(details.expected).toBeCloseTo(2 / 3, 12)
    expect(value).toBeGreaterThan(0.85)
    expect(leakage?.value).toBeGreaterThan(0.55)
    expect(leakage?.lower).toBeGreaterThan(0.2)
    expect(leakage?.p).toBeLessThan(1e-6)
    expect(details.riskutility.pass).toBe(false)
    expect(records?.releasedRecordsNearest.length).toBe(200)
    const credited = Array.from(records?.releasedRecordsNearest ?? []).reduce((sum, credit) => sum + credit, 0)
    expect(credited).toBeCloseTo((value ?? 0) * 200, 6)
  })

  it('finds nothing in honest releases', async () => {
    const runs = repeats(40, 100)
    let alarms = 0
    let sum = 0
    for (let run = 0; run < runs; run++) {
      const random = stream(run, 'honest')
      const input = { original: people(200, random), released: people(200, random), holdout: people(100, random) }
      const { details, effect } = await find(input, { trees: 50 })
      if ((effect?.p ?? 0) < 0.01) alarms++
      sum += details.excess
    }
    expect(alarms / runs).toBeLessThanOrEqual(0.04)
    expect(Math.abs(sum / runs)).toBeLessThan(0.05)
  })

  it('is the same on any number of threads', async () => {
    const random = stream(6, 'threads')
    const input = { original: people(80, random), released: people(80, random), holdout: people(40, random) }
    const alone = await find(input, { trees: 30 })
    expect(await find(input, { trees: 30 }, { tasks: shuffledRunner(3) })).toEqual(alone)
  })

  it('says that labels cannot matter when all records are equal', async () => {
    const same = tableOf('same', { x: [1, 1, 1, 1], g: ['a', 'a', 'a', 'a'] })
    const { value, details } = await find({ original: same, released: same, holdout: selectRows(same, [0, 1]) })
    expect(value).toBeCloseTo(4 / 6, 12)
    expect(details).toMatchObject({ p: 1, excess: 0, pMethod: 'degenerate' })
  })

  it('warns when the forest tells the files apart, and has no value without holdout', async () => {
    const random = stream(8, 'apart')
    const original = people(100, random)
    const moved = table('moved', [
      numeric('x', new Float64Array(100).fill(50)),
      numeric('y', new Float64Array(100).fill(50)),
      original.columns[2],
    ])
    const input = { original, released: moved, holdout: people(100, random) }
    const result = await rfProximity(release(input), { trees: 50 })
    expect(result.releases[0].warnings[0]).toContain('proximity says little')
    expect(await rfProximity(release({ original, released: moved }))).toMatchObject({ status: 'not applicable' })
  })
})

describe.skipIf(reference() === undefined)('on the vignette of riskutility', () => {
  it('has nothing against independent data', async () => {
    const [original, released, holdout] = await Promise.all(
      ['train', 'synthetic', 'holdout'].map((name) => referenceTable('golden', 'vignette', `${name}.csv`)),
    )
    const { details, effect } = await find({ original, released, holdout }, { categorical: 'order' })
    expect(effect?.p).toBeGreaterThan(0.01)
    expect(details.expected).toBeCloseTo(0.7, 12)
    expect(Math.abs(details.z)).toBeLessThan(3)
    // ranger 0.14 on the same files, four seeds: error 0.2690 to 0.2697, shares 0.676 to 0.681 and 0.468 to 0.478,
    // ratios 1.244 to 1.253 and 0.973 to 0.982
    expect(details.outOfBag.brier).toBeCloseTo(0.269, 2)
    expect(details.share).toBeCloseTo(0.678, 1.5)
    expect(details.riskutility.maxShare).toBeCloseTo(0.678, 1.5)
    expect(details.riskutility.maxRatio).toBeCloseTo(1.25, 1.5)
    expect(details.riskutility.meanShare).toBeCloseTo(0.473, 1.5)
    expect(details.riskutility.meanRatio).toBeCloseTo(0.978, 1.5)
    expect(details.riskutility.pass).toBe(false)
  })
})

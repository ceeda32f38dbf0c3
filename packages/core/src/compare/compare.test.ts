import { beforeAll, describe, expect, it } from 'vitest'
import { measures } from '../measures.js'
import { stream } from '../random/stream.js'
import { categorical, numeric } from '../table/column.js'
import { type Release, release } from '../table/release.js'
import { selectRows, type Table, table } from '../table/table.js'
import { type Compared, compare } from './compare.js'
import type { Candidate } from './comparison.js'

const ROWS = 200

/** People whose income depends on age; a release of them is good, noisy, independent or a copy. */
function people(name: string, seed: number, rows = ROWS): Table {
  const random = stream(seed, 'people')
  const age = Array.from({ length: rows }, () => random.below(4))
  return table(name, [
    categorical(
      'age',
      age.map((one) => 'abcd'[one]),
      { levels: ['a', 'b', 'c', 'd'] },
    ),
    categorical(
      'region',
      age.map(() => 'nesw'[random.below(4)]),
      { levels: ['n', 'e', 's', 'w'] },
    ),
    categorical(
      'sex',
      age.map(() => 'fm'[random.below(2)]),
      { levels: ['f', 'm'] },
    ),
    numeric(
      'income',
      age.map((one) => Math.round(1000 * one + 700 * random.uniform())),
    ),
  ])
}

const original = people('original', 1)
const copy = { ...original, name: 'copy' }
const fresh = people('fresh', 2)
const half = {
  ...selectRows(
    original,
    Int32Array.from({ length: ROWS / 2 }, (_, k) => 2 * k),
  ),
  name: 'half',
}

function shuffledIncome(name: string): Table {
  const random = stream(9, name)
  const others = fresh.columns.filter((column) => column.name !== 'income')
  return table(name, [
    ...others,
    numeric(
      'income',
      Array.from({ length: ROWS }, () => random.below(4000)),
    ),
  ])
}

const noise = shuffledIncome('noise')
const built = (released: Table): Release =>
  release({ original, released, keys: ['age', 'sex', 'region'], target: 'income' })
/** Of the measures that the map rests on those that are fast. */
const FAST = ['attribution', 'memorisation', 'associations', 'wasserstein']
const registry = measures.filter(({ id }) => FAST.includes(id))
const run = (...tables: readonly Table[]) =>
  compare(built(original), tables.map(built), { draws: 60, seed: 3, registry })

let three: Compared
let four: Compared
beforeAll(async () => {
  three = await run(copy, fresh, noise)
  four = await run(half, noise, copy, fresh)
})

const found = ({ comparison }: Compared, name: string): Candidate => {
  const candidate = comparison.candidates.find((one) => one.name === name)
  if (candidate === undefined) throw new Error(name)
  return candidate
}

describe('the map', () => {
  it('does not move when a further candidate comes, in whatever order: bit for bit', () => {
    for (const name of ['copy', 'fresh', 'noise']) {
      const { front: _, ...alone } = found(three, name)
      const { front: __, ...among } = found(four, name)
      expect(JSON.stringify(among)).toBe(JSON.stringify(alone))
    }
    expect(four.comparison.anchors).toEqual(three.comparison.anchors)
    const pair = (of: Compared) => {
      const { names, probabilities } = of.comparison.dominance
      return probabilities[names.indexOf('fresh')][names.indexOf('noise')]
    }
    expect(pair(four)).toBe(pair(three))
  })

  it('has the original at its one corner, and its anchors where they belong', () => {
    const { risk, utility, level } = found(three, 'copy')
    expect(level).toBe('HIGH')
    expect(risk).toMatchObject({ value: 1, upper: 1 })
    expect(utility?.value).toBe(1)
    const at = Object.fromEntries(three.comparison.anchors.map((anchor) => [anchor.name, anchor]))
    expect(at['independent marginals']).toMatchObject({ utility: 0, risk: 0 })
    expect(at['the original']).toMatchObject({ utility: 1, risk: 1 })
    expect(at['a bootstrap'].utility).toBe(1)
    expect(at['a bootstrap'].risk).toBeGreaterThan(0.3)
    expect(at['a fair sample'].risk).toBe(0)
    expect(at['a fair sample'].utility).toBeGreaterThan(0.5)
  })

  it('tells a fresh sample from a copy and from noise', () => {
    const [fair, useless] = [found(three, 'fresh'), found(three, 'noise')]
    expect(fair.risk?.value).toBeLessThan(0.4)
    expect(fair.risk?.lower).toBeLessThan(0.1)
    expect(['LOW', 'INCONCLUSIVE']).toContain(fair.level)
    expect(fair.utility?.value).toBeGreaterThan(0.6)
    expect(useless.utility?.value).toBeLessThan(0.2)
    for (const { risk, utility, scores } of three.comparison.candidates)
      for (const place of [risk, utility, ...scores.map((score) => score.place)])
        if (place !== null) {
          expect(place.lower).toBeLessThanOrEqual(place.value)
          expect(place.upper).toBeGreaterThanOrEqual(place.value)
        }
  })

  it('says who dominates whom, and of nobody that it dominates itself', () => {
    const { names, probabilities } = four.comparison.dominance
    const chance = (winner: string, loser: string) => probabilities[names.indexOf(winner)][names.indexOf(loser)]
    for (const name of names) expect(chance(name, name)).toBe(0)
    // Half of the records as they are is as risky for these people as all of them, and less useful than a fresh sample.
    expect(chance('copy', 'fresh')).toBe(0)
    expect(chance('noise', 'fresh')).toBe(0)
    expect(chance('fresh', 'half')).toBeGreaterThan(0.3)
    for (const [i, row] of probabilities.entries())
      for (const [j, share] of row.entries()) expect(share + probabilities[j][i]).toBeLessThanOrEqual(1)
  })

  it('correlates what threats add over all people', () => {
    const { agreement } = found(three, 'fresh')
    expect(agreement.length).toBeGreaterThan(0)
    for (const { spearman, records } of agreement) {
      expect(records).toBe(ROWS)
      expect(Math.abs(spearman ?? 0)).toBeLessThanOrEqual(1)
    }
    expect(three.comparison.agreement.measures).toBeNull()
  })

  it('leaves equal candidates on the front together, and says nothing of the front of one', async () => {
    const twins = await run(fresh, { ...fresh, name: 'twin' })
    expect(twins.comparison.dominance.probabilities).toEqual([
      [0, 0],
      [0, 0],
    ])
    expect(twins.comparison.candidates.map(({ front }) => front?.label)).toEqual(['on the front', 'on the front'])
    expect((await run(fresh)).comparison.candidates[0].front).toBeNull()
  })

  it('names records only where asked', async () => {
    expect(found(three, 'copy').exposed).toBeNull()
    const asked = await compare(built(original), [built(copy)], { draws: 20, records: true, registry })
    const exposed = found(asked, 'copy').exposed ?? []
    expect(exposed).toHaveLength(10)
    expect(exposed[0].keys).toHaveLength(3)
  })
})

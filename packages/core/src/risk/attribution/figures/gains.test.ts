import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dcap } from '../../../peers/risk/attribution/dcap.js'
import { stream } from '../../../random/stream.js'
import { independentMarginals } from '../../../synthesizers/independent.js'
import { release } from '../../../table/release.js'
import { tableOfRows } from '../../../table/table.js'
import { example, keyAndTarget } from '../../../testing/scenes/example.js'
import { type Cells, cellsOf, classSums } from '../counts/cells.js'
import { prepareTarget } from '../counts/target.js'
import { baselinesAt } from './baselines.js'
import { capGains, claimGains, meanGain } from './gains.js'

const cellsFor = (pair: ReturnType<typeof release>, part: 0 | 'original' = 0) =>
  cellsOf(pair, 'original', part, prepareTarget(pair, 't', 'none'))

const total = (cells: Cells, gains: Float64Array) => classSums(cells, gains).reduce((sum, one) => sum + one, 0)

const rows = fc.array(
  fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.constantFrom('u', 'v'), fc.constantFrom('x', 'y', 'z')),
  { minLength: 2, maxLength: 20 },
)
const of = (o: readonly (readonly string[])[], s: readonly (readonly string[])[]) =>
  release({
    original: tableOfRows('o', ['k1', 'k2', 't'], o),
    released: tableOfRows('s', ['k1', 'k2', 't'], s),
    keys: ['k1', 'k2'],
    target: 't',
  })

describe('claims', () => {
  it('sum to the excess over b3, and people who share their keys add nothing', () => {
    fc.assert(
      fc.property(rows, rows, (o, s) => {
        const pair = of(o, s)
        const cells = cellsFor(pair)
        const gains = claimGains(pair, cells)
        expect(total(cells, gains) / cells.nd).toBeCloseTo(baselinesAt(pair, cells).b3.excess, 12)
        for (const [q, sum] of classSums(cells, gains).entries())
          if (cells.dClassCount[q] > 1) expect(sum).toBeCloseTo(0, 12)
      }),
    )
  })

  it('that are excluded do not count, whether right or wrong', () => {
    const pair = example()
    const cells = cellsFor(pair)
    const notY = (guess: number) => cells.target.levels[cells.level[guess]] !== 'Y'
    // Both people who are alone with their keys are claimed to be Y.
    expect(total(cells, claimGains(pair, cells, notY))).toBeCloseTo(0, 12)
  })
})

describe('guesses', () => {
  const nothingOf = (o: [string, string], s: [string, string]) => {
    const pair = keyAndTarget({ k: [...o[0]], t: [...o[1]] }, { k: [...s[0]], t: [...s[1]] })
    return total(cellsFor(pair), capGains(pair, cellsFor(pair)))
  }

  it.each<[string, [string, string], [string, string], number]>([
    // Three of four right by 3/4; others tell 2/3, the released agree by 1/2.
    ['a mixed class', ['AAAA', 'xxxy'], ['AAAA', 'xxxy'], 10 / 4 - (2 + 2) / 2],
    [
      'one released record: right about one, wrong about the others, as often as they are about each other',
      ['AAA', 'xyz'],
      ['A', 'x'],
      0,
    ],
    ['a class that the release lacks', ['AB', 'xy'], ['CC', 'xy'], 0],
    ['a person alone with the keys', ['ABB', 'xxy'], ['A', 'x'], 1 - 1 / 2],
    ['the same, guessed wrong', ['ABB', 'xxy'], ['A', 'y'], -1 / 2],
  ])('%s', (_, o, s, expected) => {
    expect(nothingOf(o, s)).toBeCloseTo(expected, 12)
  })

  it('a constant target gains nothing: half of what it wins is what it agrees with itself', () => {
    fc.assert(
      fc.property(rows, (o) => {
        const twice = [...o, ...o]
        const pair = of(
          twice,
          twice.map(([k1, k2]) => [k1, k2, 'x']),
        )
        const cells = cellsFor(pair)
        expect(total(cells, capGains(pair, cells))).toBeLessThanOrEqual(1e-9)
      }),
    )
  })

  it('a copy has the largest gain: its ceiling', () => {
    fc.assert(
      fc.property(rows, (o) => {
        const pair = of(o, o)
        const [copy, itself] = [cellsFor(pair), cellsFor(pair, 'original')]
        expect(total(copy, capGains(pair, copy))).toBeCloseTo(total(itself, capGains(pair, itself)), 12)
        expect(total(itself, capGains(pair, itself))).toBeGreaterThanOrEqual(-1e-12)
      }),
    )
  })
})

/** Two keys, many combinations of which occur once, and a target that depends on the first, or on both together. */
function people(name: string, n: number, seed: number, together = false) {
  const draw = stream(seed, name)
  return tableOfRows(
    name,
    ['k1', 'k2', 't'],
    Array.from({ length: n }, () => {
      const [a, b] = [draw.below(8), draw.below(20)]
      const t = draw.below(3) === 0 ? draw.below(4) : (together ? a + b : a) % 4
      return [`a${a}`, `b${b}`, `t${t}`]
    }),
  )
}

it.each([150, 300, 900])('honest samples of %i records raise no more alarms than chance', (m) => {
  const alarms = { claims: 0, guesses: 0 }
  const runs = 200
  for (let seed = 0; seed < runs; seed++) {
    const pair = release({
      original: people('original', 300, seed),
      released: people('released', m, seed),
      keys: ['k1', 'k2'],
      target: 't',
    })
    const cells = cellsFor(pair)
    if ((meanGain(cells, capGains(pair, cells))?.p ?? 1) < 0.05) alarms.guesses++
    if ((meanGain(cells, claimGains(pair, cells))?.p ?? 1) < 0.05) alarms.claims++
  }
  expect(alarms.guesses / runs).toBeLessThanOrEqual(0.08)
  expect(alarms.claims / runs).toBeLessThanOrEqual(0.08)
})

it('knowledge that needs both keys at once is seen through by people outside, not by a single key', async () => {
  const alarms = { others: 0, outsiders: 0 }
  const runs = 60
  for (let seed = 0; seed < runs; seed++) {
    const pair = release({
      original: people('original', 300, seed, true),
      released: people('released', 300, seed, true),
      holdout: people('holdout', 300, seed, true),
      keys: ['k1', 'k2'],
      target: 't',
    })
    const [{ effect, looks }] = (await dcap(pair)).releases
    if ((effect?.p ?? 1) < 0.05) alarms.others++
    if ((looks?.[0].effect.p ?? 1) < 0.05) alarms.outsiders++
  }
  expect(alarms.others / runs).toBeGreaterThan(0.4)
  expect(alarms.outsiders / runs).toBeLessThanOrEqual(0.1)
})

it('nothing found is not a certain nothing: the bounds stay as wide as those of 0 of n', () => {
  const pair = keyAndTarget({ k: [...'ABCD'], t: [...'xyxy'] }, { k: [...'EFGH'], t: [...'xyxy'] })
  const effect = meanGain(cellsFor(pair), capGains(pair, cellsFor(pair)))
  expect(effect?.value).toBe(0)
  expect(effect?.upper).toBeCloseTo(2.7055 / (4 + 2.7055), 4)
})

it('independent columns mislead rather than give away', () => {
  const original = people('original', 500, 1)
  const released = independentMarginals(original, { seed: 1 })
  const pair = release({ original, released, keys: ['k1', 'k2'], target: 't' })
  expect(meanGain(cellsFor(pair), capGains(pair, cellsFor(pair)))?.upper).toBeLessThan(0)
})

import { describe, expect, it } from 'vitest'
import { type Stream, stream } from '../random/stream.js'
import { drawPoisson } from '../stats/draws.js'
import { numeric } from '../table/column.js'
import { release } from '../table/release.js'
import { selectRows, table } from '../table/table.js'
import { seenThrough } from '../testing/through-view.js'
import { unrepeated, withoutRepetition } from './repetition.js'

const random = () => stream(1, 'repetition')
const counted = (ids: Int32Array, points: number) => {
  const counts = new Array<number>(points).fill(0)
  for (const id of ids) counts[id]++
  return counts
}
const upTo = (count: number, from = 0) => Int32Array.from({ length: count }, (_, k) => from + k)
const repeated = (ids: Int32Array, times: number) =>
  Int32Array.from({ length: ids.length * times }, (_, k) => ids[k % ids.length])

describe('repetition of released records', () => {
  it('is taken out when all originals differ', () => {
    const left = withoutRepetition(200, upTo(100), repeated(upTo(100, 100), 5), random())
    expect(left?.toSorted()).toEqual(upTo(100, 100))
  })

  it('of one record alone is taken out too', () => {
    const padded = Int32Array.from([...upTo(100, 100), ...Array(400).fill(100)])
    expect(withoutRepetition(200, upTo(100), padded, random())?.toSorted()).toEqual(upTo(100, 100))
  })

  it('is none when all differ, or but for a few', () => {
    expect(withoutRepetition(200, upTo(100), upTo(100, 100), random())).toBeNull()
    expect(withoutRepetition(200, upTo(100), Int32Array.from([...upTo(98, 100), 100, 101]), random())).toBeNull()
  })

  it('leaves what the original repeats as well', () => {
    // Half of the originals are there twice; everybody is ten times in the release: 50 of them twice, 50 once is left.
    const original = Int32Array.from([...upTo(100), ...upTo(50)])
    const left = withoutRepetition(200, original, repeated(upTo(100, 100), 10), random())
    expect(
      counted(left ?? new Int32Array(), 200)
        .slice(100)
        .sort(),
    ).toEqual([...Array(50).fill(1), ...Array(50).fill(2)])
    expect(
      withoutRepetition(
        200,
        original,
        Int32Array.from(original, (id) => 100 + id),
        random(),
      ),
    ).toBeNull()
  })

  it('is no sign where everybody has an equal: there may be no more different people', () => {
    expect(withoutRepetition(200, repeated(upTo(100), 2), repeated(upTo(100, 100), 10), random())).toBeNull()
  })

  it('is not seen in honest releases of coarse data, whatever their size', () => {
    const draw = (size: number, stream: Stream) =>
      Int32Array.from({ length: size }, () => Math.min(299, Math.floor(300 * stream.uniform() * stream.uniform())))
    let seen = 0
    for (let run = 0; run < 100; run++) {
      const from = stream(run, 'coarse')
      for (const size of [100, 300, 1000])
        if (withoutRepetition(300, draw(300, from), draw(size, from), from) !== null) seen++
    }
    expect(seen / 300).toBeLessThan(0.02)
  })

  it('of coarse data comes down to about the size that has as many different records', () => {
    const from = stream(7, 'coarse')
    const draw = () => Int32Array.from({ length: 400 }, () => drawPoisson(from, 60))
    const left = withoutRepetition(200, draw(), repeated(draw(), 4), random())
    expect(left?.length).toBeGreaterThan(300)
    expect(left?.length).toBeLessThan(600)
  })
})

describe('a release seen without repetition', () => {
  const people = (name: string) => {
    const draw = stream(3, name)
    return table(name, [
      numeric('x', Array.from({ length: 60 }, draw.uniform)),
      numeric('y', Array.from({ length: 60 }, draw.uniform)),
    ])
  }
  const [original, released] = [people('original'), people('released')]
  const times = (count: number) => selectRows(released, repeated(upTo(60), count))

  it('is the release that was repeated', async () => {
    const seen = await seenThrough(unrepeated, release({ original, released: times(3), type: 'perturbed' }))
    expect(seen?.released[0].columns).toEqual(released.columns)
    // Row i is then made from no particular row.
    expect(seen?.type).toBe('unknown')
  })

  it('is none where nothing is repeated', async () => {
    expect(await seenThrough(unrepeated, release({ original, released }))).toBeUndefined()
  })
})

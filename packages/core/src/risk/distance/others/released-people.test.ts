import { describe, expect, it } from 'vitest'
import { LIMITS, levelOf } from '../../../assess/judge.js'
import { stream } from '../../../random/stream.js'
import { drawNormal } from '../../../stats/draws.js'
import { SIGNIFICANCE } from '../../../stats/levels.js'
import { categorical, numeric } from '../../../table/column.js'
import { release } from '../../../table/release.js'
import { selectRows, type Table, table } from '../../../table/table.js'
import { repeats } from '../../../testing/long.js'
import { memorisationTail } from '../memorisation-tail.js'

function people(name: string, rows: number, seed: number): Table {
  const random = stream(seed, name)
  const draw = <T>(value: () => T) => Array.from({ length: rows }, value)
  return table(name, [
    numeric(
      'income',
      draw(() => Math.round(30_000 * Math.exp(0.5 * drawNormal(random)))),
    ),
    numeric(
      'height',
      draw(() => Number((170 + 9 * drawNormal(random)).toFixed(1))),
    ),
    categorical(
      'region',
      draw(() => 'NESW'[random.below(4)]),
    ),
  ])
}

async function fromRelease(original: Table, released: Table) {
  const { releases } = await memorisationTail(release({ original, released }))
  const look = releases[0].looks?.find(({ what }) => what.includes('released records'))
  if (look === undefined || releases[0].details === null) throw new Error('not looked at')
  return { look, counts: releases[0].details.fromRelease, sentence: releases[0].sentence }
}

describe('the tail from the release', () => {
  it('counts released records that are nearer to one original than to the next, against originals left out', async () => {
    // Originals at 0, 1, 10, 100: left out, 0 is 1 from 1 and 10 from 10, which is not twentyfold; nor are the others.
    const original = table('o', [numeric('x', [0, 1, 10, 100])])
    // 0.04 is 0.04 from 0 and 0.96 from 1; 100 is an original, twice; 5 is between.
    const released = table('r', [numeric('x', [0.04, 100, 100, 5])])
    const { counts, look } = await fromRelease(original, released)
    expect(counts).toMatchObject({ records: 4, own: 2 })
    expect(look.value).toBe(0.5)
    expect(look.controls.everything?.value).toBe(1)
  })

  it('takes pairs of originals for what chance gives', async () => {
    // 0 and 1 are 1 apart and at least 49 from the others; so are 50 and 51.
    const both = (name: string, places: readonly number[]) => table(name, [numeric('x', places), numeric('y', places)])
    const { look } = await fromRelease(both('o', [0, 1, 50, 51, 100, 150]), both('r', [25, 75]))
    expect(look.controls.fair?.value).toBeCloseTo(4 / 6, 12)
  })

  it('five real people and nothing else are HIGH', async () => {
    const original = people('original', 900, 1)
    const { look, sentence } = await fromRelease(original, selectRows(original, [3, 140, 500, 777, 899]))
    expect(sentence).toContain('5 of 5 released records are real people')
    expect(look.people).toBe(5)
    expect(look.shareOfPeople?.value).toBeCloseTo(5 / 900, 3)
    expect(look.leakage?.p).toBeLessThan(1e-6)
    expect(levelOf(look, true, LIMITS['memorisation-tail'])).toBe('HIGH')
  })

  it('the original itself leaks all', async () => {
    const original = people('original', 200, 1)
    expect((await fromRelease(original, original)).look.leakage?.value).toBeCloseTo(1, 9)
  })

  it.each([5, 60, 900])('makes few alarms on %d honest records, written twice or once', async (records) => {
    const rounds = repeats(15, 100)
    let alarms = 0
    for (let seed = 0; seed < rounds; seed++) {
      const honest = people('honest', records, seed)
      const twice = selectRows(
        honest,
        [...Array(2 * records).keys()].map((row) => row % records),
      )
      for (const released of [honest, twice])
        if (((await fromRelease(people('original', 150, seed), released)).look.leakage?.p ?? 1) < SIGNIFICANCE / 2)
          alarms++
    }
    expect(alarms / (2 * rounds)).toBeLessThanOrEqual(0.1)
  })
})

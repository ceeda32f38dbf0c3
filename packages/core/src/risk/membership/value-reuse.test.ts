import { describe, expect, it } from 'vitest'
import { type Stream, stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { type Column, categorical, numeric } from '../../table/column.js'
import { release } from '../../table/release.js'
import { table } from '../../table/table.js'
import { repeats } from '../../testing/long.js'
import { valueReuse } from './value-reuse.js'

const PEOPLE = 900

const draws: Readonly<Record<string, (random: Stream) => number>> = {
  'incomes to tens': (random) => 10 * Math.round(3000 * Math.exp(0.5 * drawNormal(random))),
  days: (random) => random.below(20_000),
}

const sampleOf = (draw: (random: Stream) => number, random: Stream, people: number) =>
  Array.from({ length: people }, () => draw(random))

async function found(original: Column, released: Column) {
  const result = await valueReuse(release({ original: table('o', [original]), released: table('r', [released]) }))
  return result.releases[0]
}

async function effectOf(original: readonly number[], released: readonly number[]) {
  const { effect, leakage } = await found(numeric('x', original), numeric('x', released))
  if (effect === undefined || leakage === null) throw new Error('no effect')
  return { ...effect, leakage: leakage.value, z: effect.value / (effect.se ?? 0) }
}

describe('reuse of values', () => {
  it('is by hand the share of released records among those with the value of each person', async () => {
    // 40 people; number 1 shares with an original and two released ones, 3 with one released one, the others with nobody.
    const original = [1, 1, 3, ...Array.from({ length: 37 }, (_, k) => 100 + k)]
    const released = [1, 1, 3, ...Array.from({ length: 7 }, (_, k) => 200 + k)]
    const { details } = await found(numeric('x', original), numeric('x', released))
    const [column] = details?.columns ?? []
    // (2/3 + 2/3 + 1) / 40 shown. ν = 10/49; the effect is (2/3 + 2/3 + 1 - 3 ν) / (40 (1 - ν)).
    const chance = 10 / 49
    const effect = (7 / 3 - 3 * chance) / (40 * (1 - chance))
    expect(column).toMatchObject({ alone: 38, aloneShown: 1, sharedValues: 2, shown: expect.closeTo(7 / 120, 12) })
    expect(column.byChance).toBeCloseTo(7 / 120 - effect, 12)
    // Two shared values, both released. Of 4 of 50 records all are originals with chance a, all released with chance b; so of 2.
    const fourOf = (records: number) => (records * (records - 1) * (records - 2) * (records - 3)) / (50 * 49 * 48 * 47)
    const twoOf = (records: number) => (records * (records - 1)) / (50 * 49)
    const each = [fourOf, twoOf].map((all) => (1 - all(40) - all(10)) / (1 - all(10)))
    expect(column.p).toBeCloseTo(((each[0] + each[1]) / 2) ** 2, 12)
  })

  it('has nothing to say about columns of few values', async () => {
    const random = stream(1, 'ages')
    const ages = () =>
      numeric(
        'age',
        sampleOf((r) => 18 + r.below(70), random, PEOPLE),
      )
    expect(await found(ages(), ages())).toMatchObject({ status: 'not applicable', leakage: null })
  })

  it('sees rare categories reused, and does not mind those of another sample', async () => {
    const random = stream(1, 'postcodes')
    const codes = (people: number) => sampleOf((r) => Math.floor(3000 * r.uniform() ** 2), random, people).map(String)
    const original = codes(PEOPLE)
    const reused = original.map(() => original[random.below(PEOPLE)])
    expect((await found(categorical('zip', original), categorical('zip', reused))).leakage?.lower).toBeGreaterThan(0.3)
    expect((await found(categorical('zip', original), categorical('zip', codes(PEOPLE)))).leakage?.p).toBeGreaterThan(
      SIGNIFICANCE,
    )
  })

  it('is corrected over columns', async () => {
    const random = stream(3, 'columns')
    const days = () => sampleOf(draws.days, random, 300)
    const original = days()
    const released = original.map((day, k) => (k % 10 === 0 ? day : draws.days(random)))
    const others = Array.from({ length: 4 }, (_, k) => [numeric(`c${k}`, days()), numeric(`c${k}`, days())])
    const alone = await effectOf(original, released)
    const { releases } = await valueReuse(
      release({
        original: table('o', [numeric('x', original), ...others.map(([column]) => column)]),
        released: table('r', [numeric('x', released), ...others.map(([, column]) => column)]),
      }),
    )
    expect(releases[0].effect?.p).toBeCloseTo(5 * alone.p, 12)
    expect(releases[0].effect?.lower).toBeLessThan(alone.lower)
  })

  it('can alarm and cannot reassure', async () => {
    const random = stream(4, 'holdout')
    const days = (name: string) => table(name, [numeric('x', sampleOf(draws.days, random, 200))])
    expect((await valueReuse(release({ original: days('o'), released: days('r') }))).releases[0].narrow).toBe(true)
  })
})

describe.each(Object.entries(draws))('%s', (name, draw) => {
  const rounds = repeats(30, 400)

  it.each([0.5, 1, 2, 6])('few honest releases of %d times the size are rejected, changed or not', async (size) => {
    const changes: Readonly<Record<string, (values: number[], original: readonly number[]) => number[]>> = {
      'as they are': (values) => values,
      'rounded to hundreds': (values) => values.map((value) => 100 * Math.round(value / 100)),
      'in two digits': (values) => values.map((value) => Number(value.toPrecision(2))),
      'every record twice': (values) => [...values, ...values],
    }
    for (const [change, changed] of Object.entries(changes)) {
      let rejected = 0
      for (let seed = 0; seed < rounds; seed++) {
        const random = stream(seed, name)
        const original = sampleOf(draw, random, PEOPLE)
        const released = changed(sampleOf(draw, random, size * PEOPLE), original)
        if ((await effectOf(original, released)).p < SIGNIFICANCE) rejected++
      }
      expect(rejected / rounds, change).toBeLessThanOrEqual(repeats(0.2, 0.08))
    }
  })

  it.each([0.5, 1, 2])('reuse is seen in releases of %d times the size', async (size) => {
    for (let seed = 0; seed < repeats(3, 20); seed++) {
      const random = stream(seed, `reused ${name}`)
      const original = sampleOf(draw, random, PEOPLE)
      const all = Array.from({ length: size * PEOPLE }, () => original[random.below(PEOPLE)])
      const tenth = all.map((value, k) => (k % 10 === 0 ? value : draw(random)))
      expect((await effectOf(original, all)).z).toBeGreaterThan(12)
      expect((await effectOf(original, tenth)).z).toBeGreaterThan(0.5)
    }
    const original = sampleOf(draw, stream(1, 'copy'), PEOPLE)
    expect((await effectOf(original, original)).leakage).toBeCloseTo(1, 9)
  })
})

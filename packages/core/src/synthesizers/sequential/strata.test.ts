import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { valueAt } from '../../table/column.js'
import { columnNames, columnOf, type Table, tableOf } from '../../table/table.js'
import { synthesize, synthesizeSets } from '../synthesizer.js'
import { cartSynthesizer } from './synthesizers.js'

const streams = (seed: number) => (purpose: string) => stream(seed, purpose)
const fit = (data: Table, options: object = {}) =>
  cartSynthesizer.fit(data, cartSynthesizer.options.parse(options), streams(1))
const values = (from: Table, name: string) =>
  Array.from({ length: from.rows }, (_, row) => valueAt(columnOf(from, name), row))

const N = 600
const of = (cell: (row: number) => string | number | null) => Array.from({ length: N }, (_, row) => cell(row))
/** In the north x and y rise together, in the south one falls as the other rises. */
const data = tableOf('data', {
  region: of((row) => (row % 3 === 0 ? 'north' : 'south')),
  x: of((row) => (row * 7) % 40),
  y: of((row) => (row % 3 === 0 ? 1 : -1) * ((row * 7) % 40) + (row % 5)),
})

describe('strata', () => {
  it('are made one by one, with their shares, in mixed order', async () => {
    const made = await synthesize(cartSynthesizer, data, { seed: 1, rows: 3000, options: { strata: ['region'] } })
    expect(columnNames(made)).toEqual(columnNames(data))
    const region = values(made, 'region')
    const north = region.filter((value) => value === 'north').length
    expect(Math.abs(north / 3000 - 1 / 3)).toBeLessThan(0.04)
    expect(region.slice(0, 30)).toContain('north')
    expect(region.slice(0, 30)).toContain('south')
    const y = values(made, 'y').map(Number)
    expect(y.every((value, row) => (region[row] === 'north' ? value >= 0 : value <= 4))).toBe(true)
  })

  it('have the share of the stratum times the probability in it', async () => {
    const fitted = await fit(data, { strata: ['region'], method: 'sample' })
    const asked = tableOf('asked', { region: ['north', 'south', 'east'], x: [0, 0, 0], y: [0, 0, 0] })
    const share = (name: string, value: number, region: string) => {
      const rows = values(data, 'region')
        .map((found, row) => (found === region ? row : -1))
        .filter((row) => row >= 0)
      return rows.filter((row) => values(data, name)[row] === value).length / rows.length
    }
    expect(Array.from(fitted.logProb?.(asked) ?? [], Math.exp)).toEqual([
      expect.closeTo((1 / 3) * share('x', 0, 'north') * share('y', 0, 'north'), 12),
      expect.closeTo((2 / 3) * share('x', 0, 'south') * share('y', 0, 'south'), 12),
      0,
    ])
  })

  it('need not be made themselves', async () => {
    const options = { strata: ['region'], visitSequence: ['x', 'y'] }
    const made = await synthesize(cartSynthesizer, data, { seed: 1, options })
    expect(columnNames(made)).toEqual(['x', 'y'])
    expect((await fit(data, options)).logProb).toBeUndefined()
  })

  it('give the same bits for the same seed, however many syntheses', async () => {
    const options = { strata: ['region'], proper: true }
    const three = await synthesizeSets(cartSynthesizer, data, { seed: 3, sets: 3, options })
    const one = await synthesizeSets(cartSynthesizer, data, { seed: 3, sets: 1, options })
    expect(three.sets[0]).toEqual(one.sets[0])
    expect(three.sets[1]).not.toEqual(one.sets[0])
  })

  it('are told in the report, with a note on small ones', async () => {
    const few = tableOf('few', { ...columns(data, 360) })
    const { strata, variables, warnings } = (await fit(few, { strata: ['region'] })).describe()
    expect(strata).toEqual([
      { stratum: 'region = north', records: 120 },
      { stratum: 'region = south', records: 240 },
    ])
    expect(variables).toHaveLength(6)
    expect(variables).toContainEqual(
      expect.objectContaining({ stratum: 'region = north', variable: 'region', method: 'constant' }),
    )
    expect(warnings).toEqual(['region = north: 120 records are few for 3 variables: at least 130 are advised'])
  })

  it('missing is a stratum', async () => {
    const gaps = tableOf('gaps', { g: of((row) => (row % 2 === 0 ? null : 'a')), x: of((row) => row % 50) })
    const { strata } = (await fit(gaps, { strata: ['g'] })).describe()
    expect(strata).toMatchObject([{ stratum: 'g = (missing)' }, { stratum: 'g = a' }])
    expect(values(await synthesize(cartSynthesizer, gaps, { seed: 1, options: { strata: ['g'] } }), 'g')).toContain(
      null,
    )
  })

  it.each([
    [{ strata: ['regions'] }, 'strata: unknown column "regions"; did you mean "region"?'],
    [{ strata: ['x'] }, 'strata: 3 variables need at least 40 records in a stratum, but x = 0 has 15; x = 7 has 15;'],
    [{ strata: ['region'], method: { y: 'keep' } }, 'strata: a variable that is kept'],
  ])('%j is refused', async (options, message) => {
    await expect(fit(data, options)).rejects.toThrow(message)
  })
})

function columns(from: Table, rows: number) {
  return Object.fromEntries(columnNames(from).map((name) => [name, values(from, name).slice(0, rows)]))
}

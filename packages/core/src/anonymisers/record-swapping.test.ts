import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { valueAt } from '../table/column.js'
import { columnOf, type Table, tableOfRows } from '../table/table.js'
import { anonymise } from './method/anonymiser.js'
import { recordSwapping } from './record-swapping.js'

function masked(data: Table, options: object, roles: object = {}, seed = 1) {
  return anonymise(recordSwapping, data, { seed, roles: { household: 'home', ...roles }, options })
}

function cells(of: Table, ...names: string[]): string[] {
  return Array.from({ length: of.rows }, (_, row) => names.map((name) => valueAt(columnOf(of, name), row)).join(' '))
}

// Two homes in each of two regions; only h1 and h4 have two members, and only h1 has a Finn.
const SMALL = tableOfRows(
  't',
  ['home', 'region', 'tenure', 'nation'],
  [
    ['h1', 'north', 'own', 'FI'],
    ['h1', 'north', 'own', 'AT'],
    ['h2', 'north', 'rent', 'AT'],
    ['h3', 'south', 'rent', 'AT'],
    ['h4', 'south', 'own', 'AT'],
    ['h4', 'south', 'own', 'AT'],
  ],
)

/** Households of one to three in two regions of three districts each, by a stream of their own. */
function town(households: number): Table {
  const random = stream(3, 'town')
  const rows: string[][] = []
  for (let h = 0; h < households; h++) {
    const [region, tenure] = [random.below(2), random.below(2)]
    const district = `${region}${random.below(3)}`
    for (let member = random.below(3); member >= 0; member--) {
      const nation = random.uniform() < 0.04 ? `n${random.below(6)}` : 'home'
      rows.push([`h${h}`, `${region}`, district, `${district}-${h % 2}`, `${tenure}`, nation, `${random.below(5)}`])
    }
  }
  return tableOfRows('town', ['home', 'region', 'district', 'block', 'tenure', 'nation', 'age'], rows)
}

describe('record swapping', () => {
  it('swaps the household at risk with the one of its size, and nothing but the area', () => {
    const options = { hierarchy: ['region'], riskVariables: ['nation'], k: 2, swapRate: 0 }
    const { table, description, changed } = masked(SMALL, options)
    expect(cells(table, 'home', 'region')).toEqual([
      'h1 south',
      'h1 south',
      'h2 north',
      'h3 south',
      'h4 north',
      'h4 north',
    ])
    expect(cells(table, 'tenure', 'nation')).toEqual(cells(SMALL, 'tenure', 'nation'))
    expect(changed?.map(({ column, cells: n }) => [column, n])).toEqual([['region', 4]])
    expect(description).toEqual({
      households: 4,
      swapped: 2,
      swappedShare: 0.5,
      records: 4,
      levels: [{ area: 'region', areas: 2, atRisk: 1, withoutPartner: 0 }],
      swapsByProfile: [1],
    })
  })

  it('counts members within areas, the north having two Austrians and the south three', () => {
    const atRisk = (k: number) =>
      masked(SMALL, { hierarchy: ['region'], riskVariables: ['nation'], k, swapRate: 0 }).description.levels[0].atRisk
    expect([0, 1, 2, 3, 4].map(atRisk)).toEqual([0, 0, 1, 2, 4])
  })

  it('asks for the profile, falls back on the next one, and tells who found nobody', () => {
    const data = tableOfRows(
      't',
      ['home', 'region', 'tenure', 'nation'],
      [
        ['h1', 'north', 'own', 'FI'],
        ['h2', 'south', 'rent', 'AT'],
        ['h3', 'south', 'rent', 'AT'],
      ],
    )
    const common = { hierarchy: ['region'], riskVariables: ['nation'], k: 2, swapRate: 0 }
    const strict = masked(data, { ...common, similar: [['tenure']] })
    expect(strict.table).toEqual(data)
    expect(strict.description.levels[0]).toMatchObject({ atRisk: 1, withoutPartner: 1 })
    expect(strict.notes).toHaveLength(1)
    const loose = masked(data, { ...common, similar: [['tenure'], []] })
    expect(loose.description).toMatchObject({ swapped: 2, swapsByProfile: [0, 1] })
  })

  it('keeps households together and the number of each size and profile in each area', () => {
    const data = town(400)
    const options = {
      hierarchy: ['region', 'district'],
      similar: [['tenure']],
      riskVariables: ['nation'],
      carryAlong: ['block'],
      swapRate: 0.2,
    }
    const { table, description } = masked(data, options)
    const areas = ['region', 'district', 'block']
    const homes = (of: Table, ...names: string[]) => [...new Set(cells(of, 'home', ...names))]
    expect(homes(table, ...areas)).toHaveLength(homes(data).length)
    const sizes = new Map<string, number>()
    for (const home of cells(data, 'home')) sizes.set(home, (sizes.get(home) ?? 0) + 1)
    const profile = (of: Table) =>
      homes(of, 'tenure', ...areas)
        .map((text) => text.replace(/^\S+/, (home) => `${sizes.get(home)}`))
        .sort()
    expect(profile(table)).toEqual(profile(data))
    expect(cells(table, 'home', 'tenure', 'nation', 'age')).toEqual(cells(data, 'home', 'tenure', 'nation', 'age'))
    // Districts belong to their regions as before, and all at risk have moved or are told.
    for (const text of cells(table, 'region', 'district')) expect(text[2]).toBe(text[0])
    expect(description.swappedShare).toBeGreaterThanOrEqual(0.2)
    const before = homes(data, ...areas)
    const moved = homes(table, ...areas).filter((text, h) => text !== before[h])
    expect(moved).toHaveLength(description.swapped)
  })

  it('swaps at random up to the rate, mostly within the larger area', () => {
    const data = town(500)
    const options = { hierarchy: ['region', 'district'], riskVariables: ['nation'], k: 0, swapRate: 0.1 }
    const shares = [1, 2, 3].map((seed) => masked(data, options, {}, seed).description.swappedShare)
    for (const share of shares) expect(Math.abs(share - 0.1)).toBeLessThan(0.02)
    const { table } = masked(data, options)
    const before = cells(data, 'region', 'district')
    const after = cells(table, 'region', 'district')
    const moved = before.flatMap((text, row) => (text === after[row] ? [] : [[text, after[row]]]))
    expect(moved.length).toBeGreaterThan(50)
    expect(moved.filter(([from, to]) => to[0] === from[0]).length / moved.length).toBeGreaterThan(0.8)
    expect(masked(data, { ...options, swapRate: 0 }).table).toEqual(data)
  })

  it('takes risks as given: swaps those at the threshold and never a risk of 0', () => {
    const rows = Array.from({ length: 40 }, (_, i) => [`h${i}`, `${i % 2}`, i < 4 ? 0.5 : i < 20 ? 0.01 : 0])
    const data = tableOfRows('t', ['home', 'area', 'risk'], rows)
    const options = { hierarchy: ['area'], risk: ['risk'], threshold: 0.5, swapRate: 0 }
    const { table, description } = masked(data, options)
    expect(description.levels[0]).toMatchObject({ atRisk: 4, withoutPartner: 0 })
    const moved = cells(table, 'area').flatMap((area, row) => (area === rows[row][1] ? [] : [row]))
    for (const row of [0, 1, 2, 3]) expect(moved).toContain(row)
    expect(moved.every((row) => row < 20)).toBe(true)
  })

  it('leaves households without an area where they are', () => {
    const rows = [
      ['h1', 'north', 'FI'],
      ['h2', null, 'SE'],
      ['h3', 'south', 'AT'],
    ]
    const { table, description } = masked(tableOfRows('t', ['home', 'region', 'nation'], rows), {
      hierarchy: ['region'],
      riskVariables: ['nation'],
      swapRate: 1,
    })
    expect(cells(table, 'region')).toEqual(['south', '', 'north'])
    expect(description.levels[0].atRisk).toBe(2)
  })

  it('takes each record for a household without a household column', () => {
    const { description } = masked(
      SMALL,
      { hierarchy: ['region'], riskVariables: ['nation'], k: 2 },
      { household: null },
    )
    expect(description.households).toBe(6)
  })

  it('refuses what cannot be done', () => {
    const hierarchy = ['region']
    expect(() => masked(SMALL, {})).toThrow(/needs the option hierarchy/)
    expect(() => masked(SMALL, { hierarchy })).toThrow(/needs keys or riskVariables/)
    expect(() => masked(SMALL, { hierarchy, riskVariables: ['region'] })).toThrow(
      '"region" is swapped and cannot be compared',
    )
    expect(() => masked(SMALL, { hierarchy: ['nation'], k: 0 })).toThrow(
      'hierarchy: "nation" differs between members of 1 of 4 households',
    )
    expect(() => masked(SMALL, { hierarchy, k: 0, similar: [['nation']] })).toThrow(/similar: "nation" differs/)
    expect(() => masked(SMALL, { hierarchy: ['home'], k: 0 })).toThrow(/is the household and cannot be swapped/)
    expect(() => masked(SMALL, { hierarchy, risk: ['tenure'] })).toThrow(/must be a number of at least 0/)
    expect(() => masked(SMALL, { hierarchy: ['regin'] })).toThrow(/did you mean "region"/)
  })
})

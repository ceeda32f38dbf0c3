import { expect, it } from 'vitest'
import { measures } from '../../measures.js'
import { stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { selectRows, type Table, tableOf } from '../../table/table.js'
import { subgroupsBy } from './subgroups.js'

const random = stream(12, 'people')
const LEVELS = ['north', 'south', 'west']
const draw = (rows: number): Table => {
  const region = Array.from({ length: rows }, () => LEVELS[random.below(3)])
  const x = region.map(() => random.uniform())
  return tableOf('t', { region, x, y: x.map((value) => value + 0.3 * random.uniform()) })
}
const original = draw(600)
const fresh = draw(600)
const subgroup = measures.find(({ id }) => id === 'subgroup-utility')
const run = async (released: Table, options: object = {}) => {
  const result = await subgroup?.run(release({ original, released, keys: ['region'] }), options)
  const details = result?.releases[0].details as {
    groups: { label: string; flagged: boolean; lost: boolean; value: number | null }[]
    invented: string[]
  }
  return { value: result?.value, ...details, sentence: result?.releases[0].sentence }
}

it('finds the group that the release describes wrongly', async () => {
  const shifted = {
    ...fresh,
    columns: fresh.columns.map((column) => {
      const region = fresh.columns[0]
      return column.name === 'x' && column.kind === 'numeric' && region.kind === 'categorical'
        ? {
            ...column,
            values: column.values.map((value, row) =>
              region.levels[region.codes[row]] === 'south' ? value + 0.5 : value,
            ),
          }
        : column
    }),
  }
  const { groups, value } = await run(shifted)
  expect(groups[0]).toMatchObject({ label: 'region = south', flagged: true })
  expect(groups.slice(1).every(({ flagged }) => !flagged)).toBe(true)
  expect(value).toBeGreaterThan(0.25)
  expect(value).toBeLessThan(0.42)
})

it('leaves an honest sample alone', async () => {
  expect((await run(fresh)).value).toBe(0)
})

it('calls a group lost that is not there any more', async () => {
  const region = fresh.columns[0]
  const kept = Array.from({ length: 600 }, (_, row) => row).filter(
    (row) => region.kind === 'categorical' && region.levels[region.codes[row]] !== 'west',
  )
  const { groups, sentence } = await run(selectRows(fresh, kept))
  expect(groups[0]).toMatchObject({ label: 'region = west', lost: true, flagged: true, value: null })
  expect(sentence).toContain('region = west is lost')
})

it('crosses columns and cuts numbers into quarters', () => {
  const groups = subgroupsBy(['region', 'x'], original, fresh)
  expect(groups).toHaveLength(12)
  expect(groups[0].label).toMatch(/^region = north, x = up to 0\.\d+$/)
  expect(groups.reduce((sum, { original: rows }) => sum + rows.length, 0)).toBe(600)
})

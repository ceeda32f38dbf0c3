import { expect, it } from 'vitest'
import { discretionFor, INTERNAL } from '../../discretion.js'
import { categorical, numeric } from '../../table/column.js'
import { release } from '../../table/release.js'
import { table } from '../../table/table.js'
import { utilityPictures } from './utility-pictures.js'

const ROWS = 400
const rows = Array.from({ length: ROWS }, (_, k) => k)
const people = (name: string, shift: number) =>
  table(name, [
    categorical(
      'region',
      rows.map((k) => (k < 5 ? 'Nowhere' : k % 2 === 0 ? 'North' : 'South')),
    ),
    numeric(
      'income',
      rows.map((k) => 1013 + 7 * k + shift),
    ),
    numeric(
      'year',
      rows.map((k) => 1990 + (k % 4)),
    ),
  ])
const opened = release({ original: people('o', 0), released: people('r', 900), keys: ['region'] })
const pictures = (numbers: typeof INTERNAL) =>
  utilityPictures(0, [], opened, numbers, { worstPairs: [{ variables: ['region', 'income'], ratio: 3, adjustedP: 0 }] })

it('has every column, the one that differs most first, and the worst pair', () => {
  const [columns, pairs] = pictures(INTERNAL)
  expect(columns.charts.map(({ title }) => title)).toEqual(['income', 'region', 'year'])
  expect(columns.charts[1].spec.title).toEqual({ text: 'region', subtitle: 'overlap 100 %' })
  expect(pairs.charts.map(({ title }) => title)).toEqual(['region by income'])
})

it('has no class that is in neither file', () => {
  const text = JSON.stringify(pictures(INTERNAL))
  expect(text).not.toContain('missing')
  expect(text).not.toContain('all others')
})

it('names no level of few people, no end of a number, and gives shares in steps to readers outside', () => {
  const text = JSON.stringify(pictures(discretionFor('publishable')))
  expect(JSON.stringify(pictures(INTERNAL))).toContain('Nowhere')
  expect(text).not.toContain('Nowhere')
  expect(text).toContain('North')
  for (const end of [1013, 1013 + 7 * (ROWS - 1)]) expect(text).not.toContain(String(end))
  const shares = [...text.matchAll(/"share":([\d.]+)/g)].map(([, share]) => Number(share))
  expect(shares.length).toBeGreaterThan(20)
  for (const share of shares) expect((100 * share) % 5).toBeCloseTo(0, 6)
})

it('writes years without separators', () => {
  expect(JSON.stringify(pictures(INTERNAL)[0])).toContain('"label":"1990"')
})

it('has two classes of a number that most people have none of', () => {
  const gains = (name: string) =>
    table(name, [
      numeric(
        'gain',
        rows.map((k) => (k % 20 === 0 ? 500 + k : 0)),
      ),
    ])
  const few = release({ original: gains('o'), released: gains('r') })
  const [{ charts }] = utilityPictures(0, [], few, INTERNAL, { worstPairs: [] })
  expect(JSON.stringify(charts[0].spec.data)).toMatch(/up to 0.*over 0/)
})

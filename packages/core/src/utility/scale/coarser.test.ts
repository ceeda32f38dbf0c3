import { expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import type { Column } from '../../table/column.js'
import { release } from '../../table/release.js'
import { columnOf, tableOf } from '../../table/table.js'
import { coarserColumns, onScaleOf } from './coarser.js'

const random = stream(5, 'people')
const incomes = Array.from({ length: 300 }, () => 1000 + random.below(9000))
const ages = Array.from({ length: 300 }, () => 20 + random.below(60))
const jobs = Array.from({ length: 300 }, () => ['nurse', 'doctor', 'clerk', 'teacher'][random.below(4)])
const original = tableOf('original', { income: incomes, age: ages, job: jobs })

const coarserIn = (columns: Parameters<typeof tableOf>[1]) =>
  coarserColumns(release({ original, released: tableOf('released', columns) }), 0).map(({ column }) => column)

it('finds what was rounded and what was recoded', () => {
  const found = coarserColumns(
    release({
      original,
      released: tableOf('released', {
        income: incomes.map((income) => 500 * Math.round(income / 500)),
        age: ages,
        job: jobs.map((job) => (job === 'nurse' || job === 'doctor' ? 'health' : job)),
      }),
    }),
    0,
  )
  expect(found).toEqual([
    { column: 'income', original: new Set(incomes).size, released: 19 },
    { column: 'job', original: 4, released: 3 },
  ])
})

it('leaves samples and noise alone', () => {
  const some = (values: readonly (number | string)[]) => values.slice(0, 120)
  expect(coarserIn({ income: some(incomes), age: some(ages), job: some(jobs) })).toEqual([])
  expect(coarserIn({ income: incomes.map((x) => x + random.below(9)), age: ages, job: jobs })).toEqual([])
})

const valuesOf = (column: Column) =>
  column.kind === 'categorical' ? [...column.codes].map((code) => column.levels[code]) : [...column.values]

const broughtTo = (columns: Parameters<typeof tableOf>[1], own = original) => {
  const scale = onScaleOf(release({ original: own, released: tableOf('released', columns) }), 0)
  return scale === null
    ? null
    : Object.fromEntries(scale.columns.map((name) => [name, valuesOf(columnOf(scale.release.original, name))]))
}

it.each([
  ['nearest', (income: number) => 500 * Math.round(income / 500)],
  ['down', (income: number) => 500 * Math.floor(income / 500)],
  ['up', (income: number) => 500 * Math.ceil(income / 500)],
])('rounds the original as the release was: %s', (_, rounded) => {
  const expected = incomes.map(rounded)
  const shuffled = [...expected].sort((a, b) => (a % 7) - (b % 7))
  expect(broughtTo({ income: shuffled, age: ages, job: jobs })).toEqual({ income: expected })
})

it('recodes the original as the release was: by rows, by the only new level, by classes of numbers', () => {
  const health = jobs.map((job) => (job === 'nurse' || job === 'doctor' ? 'health' : job))
  expect(broughtTo({ income: incomes, age: ages, job: [...health].reverse() })).toEqual({ job: health })
  const two = jobs.map((job) => (job === 'nurse' || job === 'doctor' ? 'health' : 'office'))
  expect(broughtTo({ income: incomes, age: ages, job: two })).toEqual({ job: two })
  const written = tableOf('original', { income: incomes, age: ages.map(String), job: jobs })
  const classes = ages.map((age) => (age < 40 ? '<40' : age < 60 ? '[40,60)' : '>=60'))
  expect(broughtTo({ income: incomes, age: [...classes].reverse(), job: jobs }, written)).toEqual({ age: classes })
})

it('leaves a column whose levels have no place', () => {
  const two = jobs.map((job) => (job === 'nurse' || job === 'doctor' ? 'health' : 'office'))
  expect(broughtTo({ income: incomes, age: ages, job: [...two].reverse() })).toBeNull()
})

it('takes neither many zeros nor a frequent even number for rounding', () => {
  const before = tableOf('original', {
    births: Array.from({ length: 200 }, (_, i) => (i < 170 ? 0 : 1 + (i % 3))),
    hours: Array.from({ length: 200 }, (_, i) => (i < 150 ? 40 : 10 + (i % 61))),
  })
  const after = tableOf('released', {
    births: Array.from({ length: 200 }, (_, i) => (i < 180 ? 0 : i < 199 ? 1 : 2)),
    hours: Array.from({ length: 200 }, (_, i) => (i < 180 ? 40 : 11 + 3 * (i % 17))),
  })
  expect(coarserColumns(release({ original: before, released: after }), 0)).toEqual([])
})

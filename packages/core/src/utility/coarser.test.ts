import { expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { release } from '../table/release.js'
import { tableOf } from '../table/table.js'
import { coarserColumns } from './coarser.js'

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

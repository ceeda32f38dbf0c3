import { expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { release } from '../table/release.js'
import { tableOf } from '../table/table.js'
import { answerOf } from './run.js'

const random = stream(8, 'people')
const ages = Array.from({ length: 400 }, () => 20 + Math.floor(60 * random.uniform() ** 3))
const incomes = ages.map((age) => 1000 + 40 * age + random.below(500))
const original = tableOf('original', { age: ages.map(String), income: incomes })
const classOf = (age: number) => (age < 40 ? '<40' : age < 60 ? '[40,60)' : '>=60')

const utilityOf = async (age: readonly string[], income: readonly number[]) => {
  const { assessment, results } = await answerOf(
    release({ original, released: tableOf('released', { age, income }) }),
    {
      measures: ['pmse', 'total-variation'],
    },
  )
  return { utility: assessment.releases[0].utility, measured: results.map(({ measure }) => measure) }
}

it('an age in classes costs detail, and nothing besides', async () => {
  const { utility, measured } = await utilityOf(ages.map(classOf), incomes)
  expect(measured).toEqual(['pmse', 'total-variation'])
  expect(utility?.score).toBeLessThan(0.5)
  expect(utility?.onCoarserScale).toEqual({ columns: ['age'], score: 1 })
  expect(utility?.sentence).toContain('beside an original as coarse in age it is 100 %')
})

it('an age that is in classes and wrong is wrong on these too', async () => {
  const { utility } = await utilityOf(
    ages.map((_, row) => ['<40', '[40,60)'][row] ?? '>=60'),
    incomes,
  )
  expect(utility?.onCoarserScale?.score).toBeLessThan(0.5)
})

it('numbers beside classes are compared in these, and the score says what it does not count', async () => {
  const numbers = tableOf('original', { age: ages, income: incomes })
  const released = tableOf('released', { age: ages.map(classOf), income: incomes })
  const { assessment } = await answerOf(release({ original: numbers, released }), {
    measures: ['pmse', 'total-variation'],
  })
  const { utility } = assessment.releases[0]
  expect(utility?.inClasses).toEqual([{ column: 'age', original: new Set(ages).size, released: 3 }])
  expect(utility?.score).toBe(1)
  expect(utility?.coarser).toEqual([])
  expect(utility?.sentence).toMatch(
    /in the classes of the release: age \(\d+ values, now 3\), and the detail that is lost is not counted$/,
  )
})

it('is not asked where nothing is coarser', async () => {
  expect((await utilityOf(ages.map(String).reverse(), incomes)).utility?.onCoarserScale).toBeNull()
})

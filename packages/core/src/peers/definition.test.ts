import { expect, it } from 'vitest'
import { optionsOf } from '../measure.js'
import { release } from '../table/release.js'
import { tableOf } from '../table/table.js'
import { ciProximity } from './utility/univariate/ci-proximity.js'

const numbers = (name: string, factor: number) =>
  tableOf(name, { v: Array.from({ length: 60 }, (_, k) => 40 + ((k * factor) % 61)) })
const pair = release({ original: numbers('original', 7), released: numbers('released', 11) })

it('the own definition is the default, and the others are in the help of the option', async () => {
  const option = optionsOf(ciProximity).find(({ name }) => name === 'definition')
  expect(option).toMatchObject({ default: 'scrim', description: expect.stringMatching(/^riskutility: /) })
  const [own, chosen] = [await ciProximity(pair), await ciProximity(pair, { definition: 'scrim' })]
  expect(own).toEqual(chosen)
  expect(own.releases[0].details).not.toHaveProperty('definition')
})

it('another definition is that of the honest samples too, and its name is in the details', async () => {
  const [own, other] = [await ciProximity(pair), await ciProximity(pair, { definition: 'riskutility' })]
  expect(other.releases[0].details).toMatchObject({ definition: 'riskutility' })
  expect(other.value).not.toBe(own.value)
  expect(other.releases[0].controls?.honest?.value).not.toBe(own.releases[0].controls?.honest?.value)
})

it('a name that no definition has is an error', async () => {
  await expect(ciProximity.run(pair, { definition: 'riskutilty' })).rejects.toThrow('did you mean "riskutility"')
})

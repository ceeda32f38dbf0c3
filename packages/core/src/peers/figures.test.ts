import { expect, it } from 'vitest'
import { hittingRate as measured } from '../risk/distance/hitting-rate.js'
import { release } from '../table/release.js'
import { tableOf } from '../table/table.js'
import { pmse as measuredPmse } from '../utility/global/pmse.js'
import { hittingRate } from './risk/distance/hitting-rate.js'
import { pmse } from './utility/global/pmse.js'

const numbers = (name: string, factor: number) =>
  tableOf(name, { v: Array.from({ length: 60 }, (_, k) => 40 + ((k * factor) % 61)) })
const pair = release({ original: numbers('original', 7), released: numbers('released', 11) })

it('figures of others stand behind the details of the measure, which are as they were', async () => {
  const [own, beside] = [(await measured(pair)).releases[0], (await hittingRate(pair)).releases[0]]
  const { riskutility, ...details } = beside.details ?? { riskutility: null }
  expect(details).toEqual(own.details)
  expect(riskutility).toMatchObject({ threshold: 0.05, rate: own.value, rateAtZero: expect.any(Number) })
  expect(beside.value).toBe(own.value)
})

it('what the details were made of is in no result', async () => {
  const { releases } = await hittingRate(pair)
  expect(releases[0]).not.toHaveProperty('workings')
  expect((await pmse(pair, { resamples: 0 })).releases[0]).not.toHaveProperty('workings')
})

it('a sentence and cuts of theirs take the place of the measure’s own, everything else stays', () => {
  expect(hittingRate.literature).toHaveLength(2)
  expect(measured.literature ?? []).toHaveLength(0)
  expect({ ...hittingRate, compute: null, literature: null, sentence: null, charts: null }).toMatchObject({
    id: measured.id,
    title: measured.title,
    needs: measured.needs,
    blindTo: measured.blindTo,
  })
})

it('those of a measure of utility are held against the same honest samples', async () => {
  const asked = { resamples: 3 }
  const [own, beside] = [(await measuredPmse(pair, asked)).releases[0], (await pmse(pair, asked)).releases[0]]
  expect(beside.controls).toEqual(own.controls)
  expect(beside.details?.riskutility.PO50).toBe((own.details?.po50 ?? 0) + 50)
})

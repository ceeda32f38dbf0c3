import { expect, it } from 'vitest'
import { numeric } from '../../../table/column.js'
import { codeJointly } from '../../../table/joint.js'
import { alikeValues } from './alike-values.js'

const strataOf = (values: readonly number[], records: number) => {
  const joint = codeJointly([numeric('x', values)])
  return [...alikeValues(joint, new Int32Array(values.length).fill(records))]
}

it('tells round values from others', () => {
  const strata = strataOf([1, 3, 7, 9, 10, 30, 70, 90, 100], 200)
  expect(new Set(strata.slice(0, 4)).size).toBe(1)
  expect(new Set(strata.slice(4, 8)).size).toBe(1)
  expect(new Set([strata[0], strata[4], strata[8]]).size).toBe(3)
})

it('puts classes of few records to the next finer one', () => {
  expect(new Set(strataOf([1, 3, 7, 9, 10, 100], 30)).size).toBe(1)
})

it('tells large values from small ones where there are values and records enough', () => {
  const odd = Array.from({ length: 80 }, (_, k) => [10 * k + 1, 10 * k + 3]).flat()
  expect(new Set(strataOf(odd, 5)).size).toBe(8)
  expect(new Set(strataOf(odd, 1)).size).toBe(1)
})

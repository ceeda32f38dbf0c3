import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { ages, bySex, check, rulesOf } from '../../testing/scenes/checked-people.js'

it('refuses two tables together that differ by one person, though each passes alone', () => {
  const almost = { ...bySex, id: 'almost', filter: 'age < 97' }
  expect(check([bySex]).verdict).toBe('release')
  expect(check([almost]).verdict).toBe('release')
  const both = check([bySex, almost])
  expect(both.verdict).toBe('refuse')
  expect(both.outputs.map(({ alone, verdict }) => [alone, verdict])).toEqual([
    ['release', 'refuse'],
    ['release', 'refuse'],
  ])
  expect(both.outputs[0].findings[0]).toMatchObject({ rule: 'differencing', found: 1, others: ['almost'] })
  expect(both.outputs[0].findings[0].sentence).toBe('"sex" and "almost" differ by 1 record in all; minimum 10')
})

it('sees the difference of percentages where a record is seen in their digits', () => {
  const shares = { ...bySex, statistic: 'percentage' }
  const almost = { ...shares, id: 'almost', filter: 'age < 97' }
  expect(
    rulesOf(
      check([
        { ...shares, decimals: 1 },
        { ...almost, decimals: 1 },
      ]),
    ),
  ).toEqual(['differencing', 'differencing'])
  const coarse = check([
    { ...shares, decimals: 0 },
    { ...bySex, id: 'counts', filter: 'age < 97' },
  ])
  expect(rulesOf(coarse)).toEqual([])
})

it('finds groups whose limits are shifted by a little', () => {
  const data = tableOf('ages.csv', {
    a: ages.map((age) => (age <= 50 ? 'to 50' : 'over')),
    b: ages.map((age, k) => (age <= 50 || k === 5 ? 'to 51' : 'over')),
  })
  const found = check(
    ['a', 'b'].map((name) => ({ id: name, kind: 'table', by: [name] })),
    {},
    data,
  )
  expect(ages[5]).toBeGreaterThan(50)
  expect(found.outputs[0].findings[0]).toMatchObject({ rule: 'differencing', found: 1 })
  const same = tableOf('ages.csv', {
    a: ages.map((age) => (age <= 50 ? 'young' : 'old')),
    b: ages.map((age) => (age <= 50 ? 'x' : 'y')),
  })
  expect(
    rulesOf(
      check(
        ['a', 'b'].map((name) => ({ id: name, kind: 'table', by: [name] })),
        {},
        same,
      ),
    ),
  ).toEqual([])
})

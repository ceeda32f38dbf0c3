import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { check } from '../../testing/scenes/checked-people.js'

it('checks given numbers to half a unit of the last printed digit', () => {
  const data = tableOf('r.csv', {
    a: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    b: [2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 13],
  })
  const output = { id: 'c', kind: 'correlation', vars: ['a', 'b'], decimals: 2 }
  const r = check([output], {}, data).outputs[0].values[0].value
  const given = (value: number) => () => check([{ ...output, values: [{ pair: ['b', 'a'], value }] }], {}, data)
  expect(given(Number(r.toFixed(2)))).not.toThrow()
  expect(given(r + 0.0049)).not.toThrow()
  expect(given(r + 0.0051)).toThrow(/output "c": a, b pearson is given as .*, but r.csv gives 0.97/)
})

import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { requestSchema } from './description.js'
import { describedVariables, labelled, requestTable, usedVariables } from './variables.js'

const data = tableOf('t.csv', { sex: ['f', 'm', 'f'], area: [10, 9, 10], age: [20.5, 30, 40.25], other: [1, 2, 3] })
const request = (outputs: readonly object[], more: object = {}) => requestSchema.parse({ outputs, ...more })

it('has the variables of the request only; a number that is crossed is a category in its own order', () => {
  const asked = request([{ id: 't', kind: 'table', by: ['sex', 'area'], filter: 'age > 20' }])
  expect(usedVariables(asked, data)).toEqual(['sex', 'area', 'age'])
  const [sex, area, age] = requestTable(asked, data).columns
  expect([sex.kind, area.kind, age.kind]).toEqual(['categorical', 'categorical', 'numeric'])
  expect(area.kind === 'categorical' && area.levels).toEqual(['9', '10'])
})

it('a number that is also calculated with stays a number', () => {
  const asked = request([
    { id: 't', kind: 'table', by: ['area'] },
    { id: 's', kind: 'summary', var: 'area', statistics: ['mean'] },
  ])
  expect(requestTable(asked, data).columns[0].kind).toBe('numeric')
})

it('describes what the data say of a variable', () => {
  const asked = request([{ id: 's', kind: 'summary', var: 'age', by: ['sex'], statistics: ['mean'] }])
  expect(describedVariables(asked, requestTable(asked, data))).toEqual([
    { name: 'sex', type: 'categorical', levels: ['f', 'm'] },
    { name: 'age', type: 'numeric', min: 20.5, max: 40.25, decimals: 2 },
  ])
})

it('says which level the request does not name', () => {
  const asked = request([{ id: 't', kind: 'table', by: ['sex'] }], {
    variables: [{ name: 'sex', type: 'categorical', levels: ['f'] }],
  })
  expect(() => requestTable(asked, data)).toThrow('t.csv has the level "m", which the request does not name')
  expect(labelled(data.columns[0], ['m', 'f']).levels).toEqual(['m', 'f'])
})

import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { bySex, check, regions, sexes } from '../../testing/scenes/checked-people.js'
import { parseEarlier } from './history.js'

it('sees the difference to what was released before', () => {
  const first = check([{ ...bySex, filter: 'age < 97' }])
  const earlier = parseEarlier('first.json', JSON.parse(JSON.stringify(first)))
  const second = check([{ ...bySex, id: 'all' }], { earlier })
  expect(second.verdict).toBe('refuse')
  expect(second.outputs[0]).toMatchObject({ alone: 'release', change: 'new' })
  expect(second.outputs[0].findings[0]).toMatchObject({
    rule: 'differencing',
    others: ['first.json: sex'],
    earlier: true,
  })
  expect(check([{ ...bySex, filter: 'age < 97' }], { earlier }).outputs[0]).toMatchObject({
    change: 'unchanged',
    verdict: 'release',
  })
})

it('sees that a released table has grown by one person', () => {
  const earlier = parseEarlier('first.json', JSON.parse(JSON.stringify(check([bySex]))))
  const grown = tableOf('people.csv', { sex: [...sexes, 'f'], region: [...regions, 'west'] })
  const again = check([bySex], { earlier }, grown)
  expect(again.outputs[0]).toMatchObject({ change: 'changed', verdict: 'refuse' })
  expect(again.outputs[0].findings).toMatchObject([{ rule: 'update', element: 'sex=f, region=west', found: 1 }])
})

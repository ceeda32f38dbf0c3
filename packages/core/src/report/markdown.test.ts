import { expect, it } from 'vitest'
import { bullets, harmless, markdownTable, paragraphs, section, titledBullets } from './markdown.js'
import { tableUnlessEmpty, tableView } from './table-view.js'

it('leaves out what there is none of, with its heading', () => {
  expect(paragraphs(['a', null, '', 'b'])).toBe('a\n\nb')
  expect([bullets([]), titledBullets('Notes', []), section('## Notes', null, null)]).toEqual([null, null, null])
  expect(section('## Notes', titledBullets('Said', ['x', 'y']))).toBe('## Notes\n\nSaid:\n\n- x\n- y')
})

it('draws a table; no cell ends its column', () => {
  const table = tableView(
    't',
    ['measure', { title: 'value', align: 'right' }],
    [
      ['a|b', '1'],
      [{ text: 'c', note: '(d)' }, '2'],
    ],
  )
  expect(markdownTable(table)).toBe('| measure | value |\n| --- | --- |\n| a\\|b | 1 |\n| c (d) | 2 |')
  expect(markdownTable(tableUnlessEmpty('t', ['a'], []))).toBeNull()
  expect(markdownTable(table, (cell, column) => `${column}${cell}`)).toContain('| 0a|b | 11 |')
})

it('makes names from files harmless', () => {
  expect(harmless('<b>@me\n# *x*')).toBe('&#60;b&#62;&#64;me &#35; &#42;x&#42;')
})

import { expect, it } from 'vitest'
import { tableUnlessEmpty, tableView } from './findings/table-view.js'
import { bullets, markdownTable, md, paragraphs, section, titledBullets } from './markdown.js'

it('leaves out what there is none of, with its heading', () => {
  expect(paragraphs(['a', null, '', 'b']).markdown).toBe('a\n\nb')
  expect([bullets([]), titledBullets('Notes', []), section(md`## Notes`, null, null)]).toEqual([null, null, null])
  expect(section(md`## Notes`, titledBullets('Said', ['x', 'y']))?.markdown).toBe('## Notes\n\nSaid:\n\n- x\n- y')
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
  expect(markdownTable(table)?.markdown).toBe('| measure | value |\n| --- | --- |\n| a&#124;b | 1 |\n| c (d) | 2 |')
  expect(markdownTable(tableUnlessEmpty('t', ['a'], []))).toBeNull()
  expect(markdownTable(table, (cell) => md`**${cell}**`)?.markdown).toContain('| **a&#124;b** | **1** |')
})

it('takes a string for text, and only what says so for markup', () => {
  const name = '</details><img src=x> **b**'
  const text = '&#60;/details&#62;&#60;img src=x&#62; &#42;&#42;b&#42;&#42;'
  expect(paragraphs([name, md`# ${name}`, bullets([name, md`**${name}**`])]).markdown).toBe(
    `${text}\n\n# ${text}\n\n- ${text}\n- **${text}**`,
  )
})

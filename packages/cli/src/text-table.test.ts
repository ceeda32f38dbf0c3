import { expect, it } from 'vitest'
import { textTable, wrap } from './text-table.js'

it('aligns columns and folds the one that may be folded', () => {
  const columns = [{ title: 'measure' }, { title: 'value', align: 'right' as const }, { title: 'says', fold: true }]
  const rows = [
    ['k-anonymity', '1.5 %', 'three records are alone with their key'],
    ['suda', '10.0 %', 'none'],
  ]
  expect(textTable(columns, rows, 45)).toBe(
    [
      'measure       value  says',
      '-----------  ------  ------------------------',
      'k-anonymity   1.5 %  three records are alone',
      '                     with their key',
      'suda         10.0 %  none',
      '',
    ].join('\n'),
  )
})

it('keeps a word that is longer than the line whole', () => {
  expect(wrap('see /a/very/long/path there', 8)).toEqual(['see', '/a/very/long/path', 'there'])
})

it('counts characters, not code units', () => {
  expect(
    textTable(
      [{ title: 'a' }, { title: 'b' }],
      [
        ['𝑘', 'x'],
        ['kk', 'y'],
      ],
      80,
    ),
  ).toBe('a   b\n--  -\n𝑘   x\nkk  y\n')
})

it('keeps a number and its percent sign together', () => {
  expect(wrap('about 9.0 % of all', 9)).toEqual(['about', '9.0 % of', 'all'])
})

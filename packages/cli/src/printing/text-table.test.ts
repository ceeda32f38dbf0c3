import { expect, it } from 'vitest'
import { shortened, textTable, wrap } from './text-table.js'

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

it('makes no column wider than what is in it, however little room there is', () => {
  const columns = [{ title: 'release', fold: true }, { title: 'leakage' }]
  expect(textTable(columns, [['a.csv', '25.1 %']], 16)).toBe('release  leakage\n-------  -------\na.csv    25.1 %\n')
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

it('leaves spare columns out where there is no room for them, the last first', () => {
  const columns = [{ title: 'measure' }, { title: 'nothing', spare: true }, { title: 'interval', spare: true }]
  const head = (width: number) => textTable(columns, [['a', 'b', 'c']], width).split('\n')[0]
  expect([26, 25, 15].map(head)).toEqual(['measure  nothing  interval', 'measure  nothing', 'measure'])
})

it('shortens a text to a line: whole clauses, else whole words', () => {
  expect(shortened('k = 1; 3 records alone', 30)).toBe('k = 1; 3 records alone')
  expect(shortened('three records are alone; two are not, which is few', 30)).toBe('three records are alone')
  expect(shortened('three records are alone, two are not', 30)).toBe('three records are alone, two …')
})

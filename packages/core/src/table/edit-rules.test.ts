import { expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { parseEditRules } from './edit-rules.js'
import { columnOf, tableOf } from './table.js'

const data = tableOf('people', { age: [10, 16, 40], marital: ['SINGLE', 'MARRIED', 'MARRIED'], 'no #': [1, 2, 3] })
const read = (text: string) => parseEditRules({ name: 'rules.txt', text }, data)

it('reads one rule per line, with names and comments', () => {
  const rules = read('# children\nage < 15 => marital = "SINGLE" # single\r\n\nadults: age >= 18\n`no #` < 3\n')
  expect(rules.map(({ name }) => name)).toEqual(['age < 15 => marital = "SINGLE"', 'adults', '`no #` < 3'])
  expect(rules.map(({ condition }) => [...condition.truth((name) => columnOf(data, name), 3)])).toEqual([
    [1, 1, 1],
    [0, 0, 1],
    [1, 1, 0],
  ])
})

it('tells all mistakes with their lines', () => {
  expect(() => read('age < 15\n\nagee < 3\nmarital = "X"\nage < 15')).toThrow(
    new UserError([
      'rules.txt, line 3: unknown column "agee"; did you mean "age"?',
      'rules.txt, line 4: unknown level of "marital" "X"; there is: MARRIED, SINGLE',
      'rules.txt, line 5: "age < 15" is the rule of line 1 already',
    ]),
  )
  expect(() => read('# nothing')).toThrow(/rules.txt has no rules/)
})

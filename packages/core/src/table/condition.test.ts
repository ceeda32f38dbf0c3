import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { type Column, categorical, numeric } from './column.js'
import { parseCondition } from './condition.js'
import { columnOf, table } from './table.js'

const data = table('people', [
  numeric('age', [10, 16, 40, null]),
  categorical('marital', ['SINGLE', 'MARRIED', 'MARRIED', 'SINGLE']),
  categorical('spouse', ['NONE', 'MARRIED', null, 'NONE']),
  numeric('gross', [0, 10, 0.3, 5]),
  numeric('tax', [0, 4, 0.2, 6]),
  numeric('net', [0, 6, 0.1, 1]),
  { kind: 'date', name: 'born', unit: 'day', values: Float64Array.of(0, 365, 730, Number.NaN) } satisfies Column,
])

const truth = (text: string) => {
  const condition = parseCondition(text, data, 'rule')
  return [...condition.truth((name) => columnOf(data, name), data.rows)].map((value) => 'FT?'[value]).join('')
}

describe('truth in four records', () => {
  it.each([
    ['age < 15', 'TFF?'],
    ['15 > age', 'TFF?'],
    ['age < 15 => marital = "SINGLE"', 'TTTT'],
    ['marital = "MARRIED" => age >= 18', 'TFTT'],
    ['age >= 18 => marital = "SINGLE"', 'TTFT'],
    ['if (age >= 18) marital == "SINGLE"', 'TTFT'],
    ['never age < 18 & marital = "MARRIED"', 'TFTT'],
    ['marital = "SINGLE" => age < 20', 'TTT?'],
    ['gross - tax = net', 'TTTF'],
    ['(gross - tax) / 2 <= net * 3', 'TTTT'],
    ['tax <= gross', 'TTTF'],
    ['-1 < age - 11', 'FTT?'],
    ['gross / tax > 2', '?TFF'],
    ['spouse = marital', 'FT?F'],
    ['spouse is missing', 'FFTF'],
    ['spouse is not missing', 'TTFT'],
    ['age in (10, 40)', 'TFT?'],
    ['(age < 15 | age > 30) & marital = "MARRIED"', 'FFTF'],
    ['born < "1971-06-01"', 'TTF?'],
  ])('%s', (text, expected) => {
    expect(truth(text)).toBe(expected)
  })

  it('says where an implication speaks about a record', () => {
    const { applies, names } = parseCondition('marital = "MARRIED" => age >= 18', data, 'rule')
    expect([...(applies?.((name) => columnOf(data, name), 4) ?? [])]).toEqual([0, 1, 1, 0])
    expect(names).toEqual(['marital', 'age'])
    expect(parseCondition('age > 3', data, 'rule').applies).toBeNull()
  })
})

describe('mistakes are told in one sentence', () => {
  it.each([
    [
      'age => 15',
      'rule: expected a comparison such as == or < before "=>" ("at least" is written >=, and => means "then") in "age => 15"',
    ],
    ['agee < 15', 'rule: unknown column "agee"; did you mean "age"?'],
    ['marital = "SINGEL"', 'rule: unknown level of "marital" "SINGEL"; did you mean "SINGLE"?'],
    [
      'marital < "SINGLE"',
      'rule: the levels of "marital" have no order, so "<" says nothing about them in "marital < "SINGLE""',
    ],
    ['marital + 1 > 2', 'rule: "marital" is a category, not a number, in "marital + 1 > 2"'],
    ['age + "x" > 2', 'rule: "x" is a text, not a number, in "age + "x" > 2"'],
    ['age <', 'rule: expected a number or a text in quotes at the end in "age <"'],
    ['age < 3)', 'rule: unexpected ")" in "age < 3)"'],
    ['', 'rule: there is no condition in ""'],
    ['age ~ 3', 'rule: cannot read "~ 3" in "age ~ 3"'],
  ])('%s', (text, message) => {
    expect(() => parseCondition(text, data, 'rule')).toThrow(new UserError(message))
  })
})

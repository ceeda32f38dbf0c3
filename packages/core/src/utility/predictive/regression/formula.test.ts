import { describe, expect, it } from 'vitest'
import { UserError } from '../../../errors.js'
import { tableOf } from '../../../table/table.js'
import { parseFormula } from './formula.js'
import { modelDesign } from './model-matrix.js'

const data = tableOf('people', {
  income: [10, 20, 30, 40],
  age: [1, 2, 3, 4],
  sex: ['f', 'm', 'f', 'm'],
  region: ['a', 'b', 'c', null],
  'body mass': [1, 4, 9, 16],
})
const termsOf = (text: string) => parseFormula(text, data).terms.map((term) => term.map(({ label }) => label).join(':'))

describe('a formula as R reads it', () => {
  it.each([
    ['income ~ age + sex', ['age', 'sex']],
    ['income ~ age * sex', ['age', 'sex', 'age:sex']],
    ['income ~ age:sex + region', ['region', 'age:sex']],
    ['income ~ age + sex + sex:age', ['age', 'sex', 'age:sex']],
    ['income ~ (age + sex + region)^2', ['age', 'sex', 'region', 'age:sex', 'age:region', 'sex:region']],
    ['income ~ (age + sex) * region', ['age', 'sex', 'region', 'age:region', 'sex:region']],
    ['income ~ .', ['age', 'sex', 'region', 'body mass']],
    ['income ~ . - sex', ['age', 'region', 'body mass']],
    ['log(income) ~ log(age) + I(age^2) + `body mass`', ['log(age)', 'I(age^2)', 'body mass']],
    ['income ~ age + age + age:age', ['age']],
    ['income ~ 1', []],
  ])('%s', (text, terms) => {
    expect(termsOf(text)).toEqual(terms)
  })

  it('with and without intercept', () => {
    expect(
      ['y', 'y - 1', '0 + y', 'y + 1'].map(
        (side) => parseFormula(`income ~ ${side.replace('y', 'age')}`, data).intercept,
      ),
    ).toEqual([true, false, false, true])
  })

  it('calculates', () => {
    const numbers = (text: string) => {
      const column = parseFormula(`${text} ~ 1`, data).response.values(data)
      return column.kind === 'categorical' ? [] : [...column.values]
    }
    expect(numbers('income - 2 * age')).toEqual([8, 16, 24, 32])
    expect(numbers('sqrt(`body mass`)')).toEqual([1, 2, 3, 4])
    expect(numbers('I(-age^2 + 1)')).toEqual([0, -3, -8, -15])
    expect(numbers('log(age - 1)')).toEqual([Number.NaN, 0, Math.log(2), Math.log(3)])
    expect(numbers('region == "b"')).toEqual([0, 1, 0, Number.NaN])
    expect(numbers('age > 2 & sex == "f"')).toEqual([0, 0, 1, 0])
    const odd = tableOf('odd', { a: ['~', 'b'] })
    expect(parseFormula('a == "~" ~ 1', odd).response.label).toBe('a == "~"')
  })

  it.each([
    ['income', 'formula: expected a response, "~" and predictors in "income"'],
    ['income ~ agee', 'formula: unknown column "agee"; did you mean "age"?'],
    ['income ~ age +', 'formula: expected a column at the end in "income ~ age +"'],
    ['income ~ lg(age)', 'formula: unknown function "lg"; did you mean "log"? in "income ~ lg(age)"'],
    ['income ~ log(sex)', 'formula: "sex" is a category, not a number, in "income ~ log(sex)"'],
    ['income ~ age sex', 'formula: unexpected "sex" in "income ~ age sex"'],
    ['income ~ (age', 'formula: expected ")" at the end in "income ~ (age"'],
    ['income ~ 0', 'formula: there is nothing to fit in "income ~ 0"'],
  ])('mistake: %s', (text, message) => {
    expect(() => parseFormula(text, data)).toThrow(new UserError(message))
  })
})

describe('the model matrix', () => {
  const columnsOf = (text: string) => {
    const { termNames, frames } = modelDesign(parseFormula(text, data), [data])
    return { termNames, rows: [...frames[0].rows], columns: frames[0].columns.map((column) => [...column]) }
  }

  it('codes levels against the first and drops incomplete rows', () => {
    expect(columnsOf('income ~ region')).toEqual({
      termNames: ['(Intercept)', 'regionb', 'regionc'],
      rows: [0, 1, 2],
      columns: [
        [0, 1, 0],
        [0, 0, 1],
      ],
    })
  })

  it('names products as R does, the first variable running fastest', () => {
    expect(columnsOf('income ~ sex * region').termNames).toEqual([
      '(Intercept)',
      'sexm',
      'regionb',
      'regionc',
      'sexm:regionb',
      'sexm:regionc',
    ])
  })

  it('keeps all levels where the margin is not in the model', () => {
    expect(columnsOf('income ~ age:sex').termNames).toEqual(['(Intercept)', 'age:sexf', 'age:sexm'])
    expect(columnsOf('income ~ age + age:sex').termNames).toEqual(['(Intercept)', 'age', 'age:sexm'])
    expect(columnsOf('income ~ sex - 1').termNames).toEqual(['sexf', 'sexm'])
    expect(columnsOf('income ~ factor(age)').termNames.at(-1)).toBe('factor(age)4')
  })

  it('names logicals as R does, and other levels as they are', () => {
    const files = tableOf('files', { y: [1, 2, 3], lg: ['true', 'false', 'true'], word: ['no', 'true', 'no'] })
    const names = (text: string) => modelDesign(parseFormula(text, files), [files]).termNames
    expect(names('y ~ lg')).toEqual(['(Intercept)', 'lgTRUE'])
    expect(names('y ~ lg - 1')).toEqual(['lgFALSE', 'lgTRUE'])
    expect(names('y ~ word')).toEqual(['(Intercept)', 'wordtrue'])
  })

  it('gives both files the same columns', () => {
    const other = tableOf('other', { income: [1, 2], sex: ['m', 'x'] })
    const { termNames, frames } = modelDesign(parseFormula('income ~ sex', data), [data, other])
    expect(termNames).toEqual(['(Intercept)', 'sexm', 'sexx'])
    expect(frames[1].columns.map((column) => [...column])).toEqual([
      [1, 0],
      [0, 1],
    ])
    expect([...frames[0].columns[1]]).toEqual([0, 0, 0, 0])
  })
})

import { describe, expect, it } from 'vitest'
import { UserError } from '../errors.js'
import { checkDeclaredColumns, declaredType, parseTypes } from './types.js'

describe('parseTypes', () => {
  it('reads one declaration per column', () => {
    expect(parseTypes('age=numeric, region=categorical,grade=ordered:low<mid<high,born=date')).toEqual({
      age: { kind: 'numeric' },
      region: { kind: 'categorical' },
      grade: { kind: 'ordered', levels: ['low', 'mid', 'high'] },
      born: { kind: 'date' },
    })
    expect(parseTypes('')).toEqual({})
  })

  it('tells all mistakes at once', () => {
    const problemsOf = (text: string) => {
      try {
        return parseTypes(text)
      } catch (error) {
        return error instanceof UserError ? error.problems : error
      }
    }
    expect(problemsOf('age=numerc,region,grade=ordered,a=date,a=date,x=ordered:p<p,y=numeric:3')).toEqual([
      'types: column "age" has the unknown type "numerc"; did you mean "numeric"?',
      'types: "region" is not column=type; write for example age=numeric',
      'types: column "grade" needs its levels in order, as in grade=ordered:low<mid<high',
      'types: column "a" is declared more than once',
      'types: column "x" has the level "p" twice',
      'types: column "y" is numeric and takes nothing after "numeric"',
    ])
  })
})

it('a column may be called like a property of every object', () => {
  expect(declaredType({}, 'constructor')).toBeUndefined()
  expect(declaredType(parseTypes('__proto__=date'), '__proto__')).toEqual({ kind: 'date' })
})

it('a declared column that is not there is an error with the nearest name', () => {
  expect(() => checkDeclaredColumns('t.csv', ['age', 'sex'], { aeg: { kind: 'numeric' } })).toThrow(
    new UserError('t.csv: unknown column "aeg"; did you mean "age"?'),
  )
})

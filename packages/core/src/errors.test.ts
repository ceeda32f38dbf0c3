import { describe, expect, it } from 'vitest'
import { byId, knownName, nearestName, unknownName, unknownNames } from './errors.js'

describe('nearestName', () => {
  it.each([
    ['aeg', ['sex', 'age', 'income'], 'age'],
    ['icnome', ['sex', 'age', 'income'], 'income'],
    ['sxe', ['age', 'sex'], 'sex'],
    ['incom', ['sex', 'income'], 'income'],
    ['AGE', ['sex', 'age'], 'age'],
    ['region', ['sex', 'age'], undefined],
  ])('%s of %j is %s', (name, candidates, expected) => {
    expect(nearestName(name, candidates)).toBe(expected)
  })
})

describe('unknownName', () => {
  it('lists few names, and of many the nearest', () => {
    expect(unknownName('column', 'region', ['sex', 'age'])).toBe('unknown column "region"; there is: sex, age')
    const many = Array.from({ length: 30 }, (_, index) => `income-${index}`)
    expect(unknownName('column', 'xyz', many)).toMatch(/^unknown column "xyz"; the nearest are: (income-\d+(, )?){5}$/)
  })
})

describe('names that must be known', () => {
  it('are given back, or refused with what there is', () => {
    expect(knownName('preset', 'acro', ['acro', 'essnet'])).toBe('acro')
    expect(() => knownName('preset', 'Acro', ['acro', 'essnet'])).toThrow('unknown preset "Acro"; did you mean "acro"?')
  })

  it('name a thing by its id', () => {
    const methods = [
      { id: 'cart', trees: 1 },
      { id: 'forest', trees: 50 },
    ]
    expect(byId('method', 'forest', methods).trees).toBe(50)
    expect(() => byId('method', 'ipf', methods)).toThrow('unknown method "ipf"; there is: cart, forest')
  })

  it('are all reported at once', () => {
    expect(unknownNames('column', ['sex', 'agee', 'region'], ['sex', 'age'])).toEqual([
      'unknown column "agee"; did you mean "age"?',
      'unknown column "region"; there is: sex, age',
    ])
  })
})

import { describe, expect, it } from 'vitest'
import { nearestName, unknownName } from './errors.js'

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

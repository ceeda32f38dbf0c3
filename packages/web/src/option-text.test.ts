import { optionFromText } from '@scrim/core'
import { expect, it } from 'vitest'
import { optionsOf } from './engine/options.js'
import { optionText } from './option-text.js'

it.each([
  [undefined, ''],
  ['mdav', 'mdav'],
  [['sex', 'age'], 'sex,age'],
  [[], '[]'],
  [{ age: 10 }, '{"age":10}'],
  [0.05, '0.05'],
])('writes %j as %s', (value, text) => {
  expect(optionText(value)).toBe(text)
})

it('writes the default of every option of a measure so that it is read as the same', () => {
  const options = optionsOf('k-anonymity').filter(({ usual }) => usual !== '')
  expect(options.length).toBeGreaterThan(1)
  for (const { name, usual, schema } of options)
    expect(optionFromText(schema, [], usual).value, name).toEqual(schema.default)
})

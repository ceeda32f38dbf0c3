import { describe, expect, it } from 'vitest'
import { caseSchema, groupingsIn, parseCase } from './case.js'

describe('a Case', () => {
  it('takes texts as flags write them, and lists and objects as they stand', () => {
    const texts = parseCase({
      released: 'a,b.csv',
      keys: 'sex, age',
      attackerColumns: 'city=region',
      types: 'age=numeric,grade=ordered:low<high',
      group: 'age=10',
      codes: 'age=-8|-9',
      answers: 'r.csv:sex=same',
      delimiter: 'tab',
    })
    const values = parseCase({
      released: ['a,b.csv'],
      keys: ['sex', 'age'],
      attackerColumns: { city: 'region' },
      types: { age: { kind: 'numeric' }, grade: 'ordered:low<high' },
      group: { age: 10 },
      codes: { age: [-8, -9] },
      answers: { 'r.csv:sex': 'same' },
      delimiter: '\t',
    })
    expect(texts).toEqual(values)
    expect(texts).toMatchObject({
      keys: ['sex', 'age'],
      types: { grade: { kind: 'ordered', levels: ['low', 'high'] } },
    })
    expect(groupingsIn(texts)).toEqual({ age: { style: 'quantile', n: 10, codes: [-8, -9] } })
  })

  it('can be written and read again', () => {
    const once = parseCase({ keys: 'sex,age', types: 'age=date', group: 'age=equal:5', measures: 'ks', seed: 3 })
    expect(parseCase(JSON.parse(JSON.stringify(once)))).toEqual(once)
  })

  it('keeps names with commas and equals signs apart where they are given as values', () => {
    const { keys, group, attackerColumns } = parseCase({
      keys: ['a,b'],
      group: { 'a,b': 5 },
      attackerColumns: { 'x=1': 'a,b' },
    })
    expect(keys).toEqual(['a,b'])
    expect(groupingsIn({ group, codes: {} })).toEqual({ 'a,b': { style: 'quantile', n: 5 } })
    expect(attackerColumns).toEqual({ 'x=1': 'a,b' })
  })

  it.each([
    [
      { type: 'sinthetic' },
      'field "type" must be "synthetic", "perturbed" or "unknown", found "sinthetic"; did you mean "synthetic"?',
    ],
    [{ threads: 0 }, 'field "threads" must be a whole number of at least 1, found 0'],
    [{ answers: 'r.csv:sex=yes' }, 'the answer to r.csv:sex must be same or different, found "yes"'],
    [{ attackerColumns: 'city' }, 'attacker-columns takes theirs=ours, but there is "city"'],
    [{ codes: { age: -8 } }, 'codes are given for "age", which is not grouped'],
  ])('%j is refused', (given, message) => {
    expect(() => parseCase(given as object)).toThrow(message)
  })

  it('describes every field', () => {
    const silent = Object.entries(caseSchema.shape).filter(([, field]) => (field.description ?? '') === '')
    expect(silent.map(([name]) => name)).toEqual([])
  })
})

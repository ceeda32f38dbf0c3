import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { parseEditRules } from '../../table/edit-rules.js'
import { release } from '../../table/release.js'
import { columnOf, tableOf } from '../../table/table.js'
import { findBreaks, learnRules } from './rule-learning.js'

const random = stream(5, 'people')
const draw = <T>(n: number, make: (k: number) => T) => Array.from({ length: n }, (_, k) => make(k))
const ages = draw(400, () => random.below(90))
const people = {
  age: ages,
  marital: ages.map((age) => (age < 18 || random.below(3) === 0 ? 'SINGLE' : 'MARRIED')),
  sex: draw(400, (k) => 'fm'[k % 2]),
  pregnant: draw(400, (k) => (k % 2 === 0 && random.below(3) === 0 ? 'yes' : 'no')),
}
const bad = {
  age: [8, 40, 40, 120, null],
  marital: ['MARRIED', 'MARRIED', 'WIDOWED', 'SINGLE', 'MARRIED'],
  sex: ['f', 'm', 'f', 'f', 'm'],
  pregnant: ['no', 'yes', 'no', 'yes', 'no'],
}
const { original, released, variables } = release({
  original: tableOf('original', people),
  released: tableOf('released', bad),
})
const everybody = Int32Array.from({ length: 400 }, (_, row) => row)
const learnt = learnRules(original, variables, everybody)

describe('what the original suggests', () => {
  it('keeps it without an exception', () => {
    expect(findBreaks(learnt, original).rules).toEqual([])
    expect(learnt.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThan(4)
  })

  it('is broken by impossible people', () => {
    const { any, rules } = findBreaks(learnt, released[0])
    expect([...any]).toEqual([1, 1, 1, 1, 0])
    const texts = rules.map(({ rule }) => rule)
    expect(texts.find((rule) => rule.startsWith('marital = "MARRIED" =>'))).toMatch(/age >= 1[5-8]$/)
    expect(texts).toContain('never sex = "m" & pregnant = "yes"')
    expect(texts).toContain('marital in ("MARRIED", "SINGLE")')
    expect(texts.find((rule) => rule.startsWith('age >= '))).toMatch(/^age >= -?\d+ & age <= \d+$/)
  })

  it('can be written into a file of rules and means the same', () => {
    const { rules, any } = findBreaks(learnt, released[0])
    const read = parseEditRules({ name: 'learnt', text: rules.map(({ rule }) => rule).join('\n') }, released[0])
    const broken = read.map(({ condition }) =>
      condition.truth((name) => columnOf(released[0], name), 5).map((t) => (t === 0 ? 1 : 0)),
    )
    expect(broken.map((flags) => flags.reduce((sum, flag) => sum + flag, 0))).toEqual(rules.map((rule) => rule.broken))
    expect([...any]).toEqual([...any].map((_, row) => Math.max(...broken.map((flags) => flags[row]))))
  })

  it('shows nobody: a bound is shared by five people, or lies beyond all of them', () => {
    const values = [1, 2, 3, 4, 5, ...draw(40, (k) => 10 + (k % 10)), 20, 20, 20, 20, 20]
    const one = tableOf('one', { x: values })
    const rules = learnRules(one, ['x'], Int32Array.from(values.keys()))
    expect(findBreaks(rules, tableOf('two', { x: [-4, 0, 21] })).rules).toEqual([
      { kind: 'range', broken: 2, rule: 'x >= -3 & x <= 20' },
    ])
  })

  it('does not take chance for a rule', () => {
    const noise = stream(6, 'noise')
    const independent = tableOf('i', {
      a: draw(300, () => 'pqrstuvw'[noise.below(8)]),
      b: draw(300, () => 'pqrstuvw'[noise.below(8)]),
      x: draw(300, () => noise.uniform()),
    })
    const all = Int32Array.from({ length: 300 }, (_, row) => row)
    // Two columns with levels and one with a range; nothing of two columns together.
    expect(learnRules(independent, ['a', 'b', 'x'], all)).toHaveLength(3)
  })
})

import { describe, expect, it } from 'vitest'
import { assembled } from '../../../learners/predictions.js'
import type { Context } from '../../../measure.js'
import { stream } from '../../../random/stream.js'
import { numeric } from '../../../table/column.js'
import { release } from '../../../table/release.js'
import { columnOf, type Table, table } from '../../../table/table.js'
import { inline } from '../../../tasks/task.js'
import { describeReference, referenceTable } from '../../../testing/reference.js'
import { agreement, spearman } from '../feature-importance.js'
import { fitQuestion, predictRows, type Question } from './prediction.js'
import { resampleSkills, skillOf } from './skill.js'

const context: Context = {
  seed: 1,
  random: (purpose, index) => stream(1, purpose, index),
  progress: () => {},
  signal: undefined,
  tasks: inline,
}

/** Probabilities of the second class. */
const binary = (scores: number[], truth: number[]) =>
  skillOf({
    kind: 'classes',
    levels: ['no', 'yes'],
    truth: Int32Array.from(truth),
    probabilities: Float64Array.from(scores.flatMap((p) => [1 - p, p])),
  })

describe('skill', () => {
  it('of classes is 2 AUC - 1', () => {
    const skill = binary([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    expect(skill(null)).toBeCloseTo(2 * 0.75 - 1, 12)
    expect(binary([0.3, 0.3, 0.3], [0, 1, 1])(null)).toBe(0)
    expect(binary([0.1, 0.2], [1, 1])(null)).toBeNull()
  })

  it('counts a record as often as its weight says', () => {
    const once = binary([0.1, 0.4, 0.4, 0.35, 0.8], [0, 0, 0, 1, 1])(null)
    expect(binary([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])(Float64Array.of(1, 2, 1, 1))).toBeCloseTo(once ?? 9, 12)
  })

  it('of three classes weighs each by its share', () => {
    const probabilities = Float64Array.of(0.8, 0.1, 0.1, 0.6, 0.3, 0.1, 0.2, 0.5, 0.3, 0.3, 0.3, 0.4)
    const skill = skillOf({ kind: 'classes', levels: ['a', 'b', 'c'], truth: Int32Array.of(0, 0, 1, 2), probabilities })
    // Every class is told apart from the others perfectly.
    expect(skill(null)).toBe(1)
  })

  it('of numbers is signed', () => {
    const skill = (predicted: number[]) =>
      skillOf({ kind: 'numbers', truth: Float64Array.of(1, 2, 3), predicted: Float64Array.from(predicted) })(null)
    expect(skill([2, 2, 2])).toBe(0)
    expect(skill([1, 2, 3])).toBe(1)
    expect(skill([3, 2, 1])).toBe(-3)
    expect(
      skillOf({ kind: 'numbers', truth: Float64Array.of(2, 2), predicted: Float64Array.of(1, 2) })(null),
    ).toBeNull()
  })

  it('has the same records in every resample, so a ratio of equals is 1', () => {
    const skill = binary([0.1, 0.4, 0.35, 0.8, 0.7, 0.2], [0, 0, 1, 1, 1, 0])
    const { ratio } = resampleSkills([skill, skill], 6, null, 50, (draw) => stream(2, 'd', draw))
    expect(ratio).toMatchObject({ lower: 1, upper: 1 })
  })
})

describe('importance', () => {
  it('agrees from 0 to 1', () => {
    expect(agreement([0.2, 0.1], [0.2, 0.1])).toBe(1)
    expect(agreement([0.2, 0], [0, 0.2])).toBe(0)
    expect(agreement([0.3, 0.1], [0.1, 0.1])).toBeCloseTo(1 - 0.2 / 0.6, 12)
    expect(agreement([-0.1, 0], [0, -0.2])).toBeNull()
  })

  it('ranks with ties', () => {
    expect(spearman([1, 2, 3], [10, 20, 30])).toBeCloseTo(1, 12)
    expect(spearman([1, 2, 2, 4], [4, 3, 2, 1])).toBeCloseTo(-4.5 / Math.sqrt(4.5 * 5), 12)
    expect(spearman([1, 2], [1, 2])).toBeNull()
  })
})

describeReference('linear models of the case study', async () => {
  const data = release({
    original: await referenceTable('golden', 'vignette', 'case-original.csv'),
    released: [
      await referenceTable('golden', 'vignette', 'case-a-independent.csv'),
      await referenceTable('golden', 'vignette', 'case-b-bootstrap-noise.csv'),
      await referenceTable('golden', 'vignette', 'case-c-near-copy.csv'),
    ],
  })
  const logged = (of: Table) =>
    table(
      of.name,
      of.columns.map((column) =>
        column.kind === 'numeric' ? numeric(column.name, column.values.map(Math.log)) : column,
      ),
    )
  const question: Question = {
    target: 'income',
    predictors: ['age_group', 'sex', 'education', 'region'],
    weight: null,
    learner: 'linear',
  }
  const all = Int32Array.from({ length: 1000 }, (_, row) => row)
  const r2 = async (training: Table, tested: Table) => {
    const model = await fitQuestion(question, training, all, 'test', context)
    return skillOf(await predictRows(question, model, tested, all))(null)
  }

  it.each([
    ['A', 0, 0.023248, 0.042806],
    ['B', 1, 0.357917, 0.383126],
    ['C', 2, 0.368263, 0.389073],
    ['the original', -1, 0.368293, 0.3891],
  ])('%s', async (_, k, raw, log) => {
    const training = k < 0 ? data.original : data.released[k]
    expect(await r2(training, data.original)).toBeCloseTo(raw, 6)
    expect(await r2(logged(training), logged(data.original))).toBeCloseTo(log, 6)
  })

  it.each([
    ['raw', (of: Table) => of, 0.352544],
    ['logarithms', logged, 0.374466],
  ])('cross-fitted in ten folds: %s', async (_, of, expected) => {
    const original = of(data.original)
    const parts = []
    for (let fold = 0; fold < 10; fold++) {
      const inside = all.filter((row) => row % 10 === fold)
      const model = await fitQuestion(
        question,
        original,
        all.filter((row) => row % 10 !== fold),
        'test',
        context,
      )
      parts.push({ places: inside, predictions: await predictRows(question, model, original, inside) })
    }
    expect(skillOf(assembled(parts))(null)).toBeCloseTo(expected, 6)
    expect(columnOf(data.original, 'income').kind).toBe('numeric')
  })
})

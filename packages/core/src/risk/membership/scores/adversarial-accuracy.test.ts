import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Space, space, sumBetween, TIE } from '../../../neighbors/space.js'
import { categorical, numeric } from '../../../table/column.js'
import { table } from '../../../table/table.js'
import { compareSamples } from './adversarial-accuracy.js'

const least = (values: readonly number[]) => Math.min(...values)

/** By the definition: every record against every other. */
function accuracyByDefinition(points: Space, real: readonly number[], released: readonly number[]): number {
  const win = (mean: number, than: number) => (mean > than + TIE ? 1 : mean < than - TIE ? 0 : 0.5)
  const nearest = (from: number, to: readonly number[]) => least(to.map((other) => sumBetween(points, from, other)))
  const without = (all: readonly number[], k: number) => all.filter((_, other) => other !== k)
  const left = real.map((a, k) => win(nearest(a, released), nearest(a, without(real, k))))
  const right = released.map((s, k) => win(nearest(s, real), nearest(s, without(released, k))))
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  return (mean(left) + mean(right)) / 2
}

const numbers = (size: number) => fc.array(fc.integer({ min: 0, max: 6 }), { minLength: size, maxLength: size })
const file = (name: string, x: readonly number[]) =>
  table(name, [
    numeric('x', x),
    categorical(
      'side',
      x.map((value) => (value % 2 === 0 ? 'even' : 'odd')),
      { levels: ['even', 'odd'] },
    ),
  ])

/** All ways to call three of six records training. */
const labellings = Array.from({ length: 64 }, (_, mask) => mask).filter(
  (mask) => [0, 1, 2, 3, 4, 5].filter((bit) => (mask >> bit) & 1).length === 3,
)

describe('compareSamples', () => {
  it('is the definition, and so is every exchange of labels', () => {
    fc.assert(
      fc.property(numbers(3), numbers(3), numbers(3), fc.nat(1000), (t, h, s, seed) => {
        const points = space([file('T', t), file('H', h), file('S', s)], ['x', 'side'], [0, 1])
        const [training, holdout, released] = points.ids
        const found = compareSamples.run({ points, training, holdout, released, size: 3, permutations: 30, seed }, 0)
        expect(found.training.accuracy).toBeCloseTo(accuracyByDefinition(points, [...training], [...released]), 12)
        expect(found.holdout.accuracy).toBeCloseTo(accuracyByDefinition(points, [...holdout], [...released]), 12)
        const real = [...training, ...holdout]
        const possible = labellings.map((mask) => {
          const inTraining = real.filter((_, k) => (mask >> k) & 1)
          const inHoldout = real.filter((_, k) => !((mask >> k) & 1))
          return (
            accuracyByDefinition(points, inHoldout, [...released]) -
            accuracyByDefinition(points, inTraining, [...released])
          )
        })
        for (const loss of found.nullLosses)
          expect(least(possible.map((one) => Math.abs(one - loss)))).toBeLessThan(1e-12)
      }),
      { numRuns: 200 },
    )
  })

  it('reaches every exchange of labels, as often in either direction', () => {
    const points = space([file('T', [0, 10, 11]), file('H', [4, 6, 25]), file('S', [1, 9, 12])], ['x'], [0, 1])
    const [training, holdout, released] = points.ids
    const { nullLosses } = compareSamples.run(
      { points, training, holdout, released, size: 3, permutations: 4000, seed: 1 },
      0,
    )
    const mean = nullLosses.reduce((sum, loss) => sum + loss, 0) / nullLosses.length
    expect(Math.abs(mean)).toBeLessThan(0.02)
    const all = labellings.map((mask) => {
      const real = [...training, ...holdout]
      const of = (label: number) =>
        accuracyByDefinition(
          points,
          real.filter((_, k) => ((mask >> k) & 1) === label),
          [...released],
        )
      return of(0) - of(1)
    })
    const share = (losses: ArrayLike<number>, limit: number) =>
      Array.from(losses).filter((loss) => loss > limit - 1e-9).length / losses.length
    for (const limit of [0.1, 0.3]) expect(share(nullLosses, limit)).toBeCloseTo(share(all, limit), 1)
  })

  it('finds neighbours beyond the stored lists: many records of one kind in front', () => {
    const near = Array.from({ length: 40 }, (_, k) => k / 1000)
    const far = Array.from({ length: 40 }, (_, k) => 5 + k / 1000)
    const points = space(
      [
        file('T', near),
        file('H', far),
        file(
          'S',
          near.map((x) => x + 0.0005),
        ),
      ],
      ['x'],
      [0, 1],
    )
    const [training, holdout, released] = points.ids
    const found = compareSamples.run({ points, training, holdout, released, size: 40, permutations: 5, seed: 1 }, 0)
    expect(found.holdout.accuracy).toBe(accuracyByDefinition(points, [...holdout], [...released]))
    expect(found.holdout.accuracy).toBe(1)
  })
})

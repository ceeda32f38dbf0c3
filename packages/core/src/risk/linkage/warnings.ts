import { count, percent } from '../../print.js'
import { isMetric, type Tried } from './suite.js'
import type { Summary } from './summary.js'
import type { Sides } from './truth/sides.js'
import { withoutTruth } from './truth/truth.js'

/** An own record that costs more than so much of what any costs may be another's. */
const HARDLY_NEARER = 0.9

export function warningsOf(
  { attack: { matched, about, truth, files }, options: { method } }: Tried,
  { blockRecall, costs }: Summary,
  n: number,
  sides: Sides,
): string[] {
  const none = withoutTruth(truth)
  const classes = files.keys.flatMap(({ name, kind }) => (kind === 'classes' ? [name] : []))
  const apart = costs.own === null || costs.any === null || costs.any <= 0 ? 0 : costs.own / costs.any
  return [
    ...(n < sides.of ? [`${count(n, 'person', 'people')} were looked for, drawn at random from ${sides.of}`] : []),
    ...(none > 0 ? [`${count(none, 'record')} of ${n} looked for have no counterpart: they count as not found`] : []),
    ...(sides.kind === 'row' && isMetric(method) && apart > HARDLY_NEARER
      ? [
          `the own record is at ${percent(apart)} of the distance of any: either hardly anything is left of people, or rows were put into another order`,
        ]
      : []),
    ...(classes.length > 0
      ? [`${classes.join(', ')}: a number and a class of numbers that it may be in count as equal, by their labels`]
      : []),
    ...(blockRecall < 1 && n > none
      ? [`blocking hides the true record of ${percent(1 - blockRecall)} of people, so that the risk is understated`]
      : []),
    ...(matched !== null && !matched.converged
      ? ['the transport plan has not converged: its sums are off by more than 1e-6']
      : []),
    ...(matched !== null && matched.tied === null
      ? ['too many assignments are equally good to average over them: one was taken']
      : []),
    ...(about.em !== undefined && about.em !== null && !about.em.converged
      ? [`EM had not converged after ${about.em.iterations} iterations`]
      : []),
  ]
}

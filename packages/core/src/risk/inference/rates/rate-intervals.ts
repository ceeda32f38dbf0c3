import type { Stream } from '../../../random/stream.js'
import { drawBinomial, drawMultinomial } from '../../../stats/draws.js'
import { clopperPearson, type Interval, normalInterval, percentileInterval, wilson } from '../../../stats/intervals.js'
import { countUpTo } from '../../../stats/sorted.js'
import type { Scored } from '../attack/attack.js'
import { type ClassPredictions, TIE, trueClassProbabilities } from '../attack/classes.js'
import type { EvaluationOptions, Flags } from './evaluation.js'

/** (sum w)^2 / sum w^2: how many equally weighted records the weighted ones are worth. */
export function effectiveSize(n: number, weights: Float64Array | null): number {
  if (weights === null) return n
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return total ** 2 / weights.reduce((sum, weight) => sum + weight ** 2, 0)
}

/** An interval over people, release and model held fixed. */
export function intervalOf(
  { rate, atRisk }: Flags,
  weights: Float64Array | null,
  kind: Exclude<EvaluationOptions['interval'], 'refit'>,
  replicates: Float64Array,
): Interval | null {
  const n = effectiveSize(atRisk.length, weights)
  if (kind === 'bootstrap') return percentileInterval(replicates)
  if (kind === 'wald') return { ...normalInterval(rate, Math.sqrt((rate * (1 - rate)) / n)), method: 'Wald' }
  return kind === 'wilson' ? wilson(rate * n, n) : clopperPearson(rate * n, n)
}

/**
 * Rates of resampled original records, the attacker kept: rows are drawn with replacement, the class shares and with them the
 * cut on the probability are those of the drawn rows. Without weights no row need be drawn: the drawn class sizes are
 * multinomial, and given them the records at risk in a class are binomial, which is the same law at no cost.
 */
export function bootstrapRates(
  scored: Scored,
  flags: Flags,
  options: EvaluationOptions,
  random: (draw: number) => Stream,
): Float64Array {
  const n = flags.atRisk.length
  const { predictions, weights } = scored
  const classes = predictions.kind === 'classes' && options.score === 'gain' ? classesOf(predictions) : null
  const rates = new Float64Array(n === 0 ? 0 : options.bootstrap)
  const rate =
    weights === null ? lawOfRate(n, flags.rate, classes, options.tau) : rowsDrawn(flags, weights, classes, options.tau)
  for (let draw = 0; draw < rates.length; draw++) rates[draw] = rate(random(draw))
  return rates
}

interface ClassProbabilities {
  readonly truth: Int32Array
  readonly g: Float64Array
  readonly levels: number
}

function classesOf(predictions: ClassPredictions): ClassProbabilities {
  return { truth: predictions.truth, g: trueClassProbabilities(predictions), levels: predictions.levels.length }
}

/** The least probability that puts a record at risk when its class has this share; a tie is no risk. */
function cutAt(share: number, tau: number): number {
  return tau + (1 - tau) * share + TIE
}

function lawOfRate(
  n: number,
  rate: number,
  classes: ClassProbabilities | null,
  tau: number,
): (random: Stream) => number {
  if (classes === null) return (random) => drawBinomial(random, n, rate) / n
  const sorted = Array.from({ length: classes.levels }, (_, k) =>
    classes.g.filter((_, row) => classes.truth[row] === k).sort(),
  )
  const sizes = Float64Array.from(sorted, (own) => own.length)
  return (random) => {
    const drawn = drawMultinomial(random, n, sizes)
    let atRisk = 0
    for (const [k, own] of sorted.entries()) {
      if (drawn[k] === 0) continue
      const above = own.length - countUpTo(own, cutAt(drawn[k] / n, tau))
      atRisk += drawBinomial(random, drawn[k], above / own.length)
    }
    return atRisk / n
  }
}

function rowsDrawn(
  { atRisk }: Flags,
  weights: Float64Array,
  classes: ClassProbabilities | null,
  tau: number,
): (random: Stream) => number {
  const n = atRisk.length
  const drawn = new Int32Array(n)
  const shares = new Float64Array(classes?.levels ?? 0)
  return (random) => {
    let total = 0
    shares.fill(0)
    for (let k = 0; k < n; k++) {
      const row = random.below(n)
      drawn[k] = row
      total += weights[row]
      if (classes !== null) shares[classes.truth[row]] += weights[row]
    }
    const cuts = shares.map((share) => cutAt(share / total, tau))
    let sum = 0
    for (let k = 0; k < n; k++) {
      const row = drawn[k]
      const risky = classes === null ? atRisk[row] === 1 : classes.g[row] > cuts[classes.truth[row]]
      if (risky) sum += weights[row]
    }
    return sum / total
  }
}

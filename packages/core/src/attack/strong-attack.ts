import { z } from 'zod'
import { histogramChart } from '../chart/chart.js'
import { NotApplicable } from '../errors.js'
import { normalEffect } from '../evidence/effects.js'
import { column, figureTable, findingTable } from '../evidence/finding-table.js'
import { errorOfMean } from '../evidence/looks.js'
import { type Context, measure, type Subject } from '../measure.js'
import { toRows } from '../neighbors/release-space.js'
import { whole } from '../option-kinds.js'
import { percent } from '../print.js'
import { histogram } from '../stats/histogram.js'
import { normalInterval, within } from '../stats/intervals.js'
import { mean, variance } from '../stats/sums.js'
import { generatorProblems } from '../synthesizers/synthesizers.js'
import { remember } from '../table/classes.js'
import { meanFactor, play, summarised } from './play.js'

/**
 * The strong-attacker game (Latner, Neunhoeffer and Drechsler 2025; Reiter, Wang and Zhang 2014) on the synthesizer that made
 * the release: somebody knows it, its options and every record but one, and asks whether a person was in the data or somebody
 * else in their place. With prior one half and exact likelihoods of simulated releases Bayes' theorem gives the posterior; the
 * headline is its mean over a random sample of people and over releases, the fair control the prior: that is what a generator
 * leaves which does not depend on any one record, and a posterior of 1 is certainty.
 * It bounds what the generator gives away. Blind to weaker attackers, who learn less, and to the released file itself.
 */
const options = z.object({
  records: whole(20, { min: 2 }).describe('people to attack, drawn at random'),
  releases: whole(10, { min: 1 }).describe('simulated releases'),
  replacements: whole(10, { min: 1 }).describe('records that may have been there in place of the person'),
})

export type Options = z.output<typeof options>

const BINS = 20

export const strongAttack = measure({
  id: 'strong-attack',
  title: 'The strong attacker',
  summary: 'how sure somebody who knows everybody else and the synthesizer becomes that a person was in the data',
  family: 'generator',
  threat: 'membership',
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  about: 'generator',
  profile: 'full',
  needs: ['generator'],
  unit: 'share',
  varies: ['people', 'release', 'attacker'],
  blindTo: 'weaker attackers, who learn less, and to the released file itself',
  stochastic: true,
  options,
  check: (release) => generatorProblems(release.generator),
  compute,
  citations: ['latner2025'],
  records: {
    posterior: { riskier: 'higher', meaning: 'mean posterior of the truth for somebody who knows all other records' },
  },
  sentence: ({ value, details: { prior, atLeast90 } }) =>
    `who knows everybody else and how releases are made is on average ${percent(value ?? 0)} sure that a person was in the data (${percent(prior)} before); for ${percent(atLeast90)} of people 90 % or more`,
  tables: ({ details: { quantiles, atLeast75, atLeast90, atLeast99 } }) => [
    figureTable(
      'posterior',
      'Belief of the attacker in the truth, quantiles over records and releases',
      quantiles,
      column.share,
    ),
    findingTable(
      'certainty',
      'How often the attacker is so sure of the truth',
      [
        { belief: 0.75, share: atLeast75 },
        { belief: 0.9, share: atLeast90 },
        { belief: 0.99, share: atLeast99 },
      ],
      [
        [column.share('belief', 0), ({ belief }) => belief],
        [column.share('records'), ({ share }) => share],
      ],
    ),
  ],
  charts: ({ details }, { name }) => [
    histogramChart(
      {
        name: 'posteriors',
        title: `How sure the strong attacker is: ${name}`,
        x: 'mean posterior of having been in the data',
        y: 'people',
      },
      details.posteriors,
      [{ value: details.prior, label: 'prior' }],
    ),
  ],
})

async function compute({ release }: Subject, chosen: Options, context: Context) {
  if (release.generator === null) throw new NotApplicable({ code: 'needs', needs: ['generator'] })
  const { generator } = release
  const key = `strong attack ${JSON.stringify([chosen, generator, context.seed])}`
  const game = await remember(release, key, () => play(release, generator, chosen, context))
  const played = game.targets.flatMap(({ row, summary }) => (summary === null ? [] : [{ row, summary }]))
  if (played.length < 2) throw new NotApplicable('every simulated release contradicts what the attacker assumes')
  const posteriors = Float64Array.from(played, ({ summary }) => summary.meanPosterior)
  const { prior } = played[0].summary
  const value = mean(posteriors) ?? prior
  // The place between prior and certainty is what a share of people is compared with, so its error has the same floor.
  const places = posteriors.map((posterior) => (posterior - prior) / (1 - prior))
  const se = (1 - prior) * errorOfMean((variance(places) ?? 0) / places.length, places.length)
  const people = { rows: Int32Array.from(played, ({ row }) => row), fileRows: release.original.rows }
  const what = 'the prior: a coin for who was in the data'
  return {
    value,
    interval: within(normalInterval(value, se), 0, 1),
    controls: {
      nothing: { value: prior, se: null, what },
      fair: { value: prior, se: null, what, basis: 'chance' as const },
      everything: { value: 1, se: null, what: 'certainty' },
    },
    effect: normalEffect(value - prior, se),
    people: null,
    added: () =>
      toRows(
        people,
        posteriors.map((posterior) => posterior - prior),
      ),
    details: {
      synthesizer: game.synthesizer,
      attacker: game.attacker,
      records: played.length,
      releases: game.releases,
      prior,
      ...summarised(posteriors),
      /** Mean over people and releases of the log Bayes factor of having been in the data; null where it is infinite. */
      meanLogBayesFactor: meanFactor(played.map(({ summary }) => summary)),
      posteriors: histogram(posteriors, BINS, 0, 1),
    },
    warnings: game.notes,
    records: () => ({ posterior: toRows(people, posteriors) }),
  }
}

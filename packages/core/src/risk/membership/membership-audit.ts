import { z } from 'zod'
import type { Look } from '../../evidence/evidence.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceOptions, distanceProblems, toRows } from '../../neighbors/release-space.js'
import { real, whole } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { jointAucTest } from '../../stats/tests/auc.js'
import { scanFor } from '../../table/release.js'
import { lowFalsePositivesChart, rocChart, scoredChart, scoredTable, scoresChart } from './charts.js'
import { ATTACKS, type Attacked, attack, COLUMN_OF, type NamedScores } from './scores/attack-scores.js'
import { MEMBERSHIP, membershipEvidence, membershipScore, percentilesAmongOthers } from './scores/membership-score.js'
import { auditKey } from './scores/scanned-scores.js'

/**
 * Several membership attacks on every real record x at once: how much the release has in common with x, in bits, beyond
 * what other people have (shared information; `shared-information/membership-score.ts` has the formula); how many of the
 * records that share its values are released (shared values); closeness -d(x, S); how much closer the release is than
 * other people, log(d(x, R \ x) / d(x, S)); and when asked for released over real records within a radius, and the score
 * of a cross-fitted classifier. Each has an AUC and finds so many training records while accusing few others; labels are
 * permuted once for all scores, and the largest z decides (max-T, Westfall and Young 1993). Headline: the AUC of the score
 * with the largest z. Bounds hold for the best of all: the largest lower bound at the level 5 % / attacks, and the largest
 * upper bound. A further look is the same among the most isolated records, because an average hides outliers.
 * Blind to leaks that none of the scores can see; an attacker who knows the generator can do better (see `scrim attack`).
 */
const options = z.object({
  attacks: z
    .array(z.enum(ATTACKS))
    .min(1)
    .nullable()
    .default(null)
    .describe(
      'the scores that are tried; when not given shared values, closeness and log-ratio, and shared information where the files are small; radius and classifier take long (see domias and mia)',
    ),
  sample: whole(5000, { min: 100 }).describe(
    'how many training and how many holdout records are looked at when there are more; they are compared with all',
  ),
  trees: whole(300, { min: 1 }).describe('trees of each forest of the classifier'),
  folds: whole(5, { min: 2, max: 50 }).describe('folds of the classifier'),
  isolated: real(0.1, { above: 0, max: 1 }).describe('share of real records that count as isolated'),
  permutations: whole(999, { min: 199 }).describe('random exchanges of the labels training and holdout'),
  ...distanceOptions,
})

export type Options = z.output<typeof options>

/** All scores on one set of records. */
type Battery = ReturnType<typeof battery>

export const membershipAudit = measure({
  id: 'membership-audit',
  version: 2,
  title: 'Membership audit',
  summary: 'how well the best of several attacks tells training records from other people, as an AUC',
  ...MEMBERSHIP,
  role: 'decides',
  looksOutside: 2,
  unit: 'AUC',
  blindTo: 'leaks that none of its scores can see, such as what somebody finds who knows the generator',
  stochastic: true,
  options,
  check: distanceProblems,
  compute,
  records: {
    membershipPercentile: { riskier: 'higher', meaning: 'share of outsiders who look less like members' },
    sharedInformationPercentile: { riskier: 'higher', meaning: 'the same by shared information' },
    sharedValuesPercentile: { riskier: 'higher', meaning: 'the same by shared values' },
    closenessPercentile: { riskier: 'higher', meaning: 'the same by distance' },
    logRatioPercentile: { riskier: 'higher', meaning: 'the same by the ratio of densities' },
  },
  literature: [
    { value: 0.6, meaning: 'AUC above which there is a membership risk (of DOMIAS)', source: 'riskutility' },
  ],
  sentence: ({ details: { everybody, isolated } }) =>
    `of ${count(everybody.scores.length, 'attack')} the best (${everybody.best}) ranks a training record above somebody else in ${percent(bestOf(everybody).auc)} of pairs (50 % by chance)${isolated === null ? '' : `, among isolated records ${percent(bestOf(isolated).auc)}`}`,
  tables: ({ details: { everybody, isolated } }) =>
    Object.entries({ everybody, isolated }).flatMap(([who, people]) =>
      people === null
        ? []
        : [
            scoredTable(
              who,
              `Attacks on ${who === 'isolated' ? 'isolated people' : 'everybody'}`,
              'score',
              people.scores,
            ),
          ],
    ),
  charts: ({ details: { everybody, isolated } }, { name }) => [
    rocChart(bestOf(everybody), name),
    scoresChart(bestOf(everybody), name),
    lowFalsePositivesChart(bestOf(everybody), name),
    scoredChart('attacks', `AUC of each attack: ${name}`, everybody.scores),
    ...(isolated === null
      ? []
      : [scoredChart('isolated', `AUC of each attack on isolated records: ${name}`, isolated.scores)]),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context) {
  const scan = scanFor<Attacked>(subject.release, auditKey(subject.part, chosen, context.seed))
  const attacked = scan ?? (await attack(subject, chosen, context))
  const { scores, members, training, radius, warnings } = attacked
  const everybody = battery(scores, attacked, chosen, context, 'everybody')
  const isolated = amongIsolated(attacked, chosen, context)
  const best = bestOf(everybody)
  const bestScores = scores.find(({ name }) => name === best.name)?.scores ?? scores[0].scores
  const percentiles = percentilesAmongOthers(bestScores, members)
  const added = () =>
    toRows(
      training,
      percentiles.map((percentile) => percentile - 0.5),
    )
  return {
    value: best.auc,
    interval: best.interval,
    ...evidenceOf(attacked, everybody),
    ...(isolated === null ? {} : { looks: [{ ...isolatedLook(attacked, isolated), added }] }),
    added,
    isOfAll: scan !== undefined,
    details: {
      everybody,
      /** Null when the isolated records are all of one kind, or have twins. */
      isolated,
      /** Of the radius attack, when that was tried. */
      radius,
      /** Training records that look more like members than 99 % and 99.9 % of others, and how many would by chance. */
      standingOut: [0.99, 0.999].map((above) => ({
        above,
        records: percentiles.filter((percentile) => percentile > above).length,
        byChance: (1 - above) * members,
      })),
    },
    warnings,
    records: () => ({
      membershipPercentile: toRows(training, percentiles),
      ...Object.fromEntries(
        scores.map((one) => [COLUMN_OF[one.name], toRows(training, percentilesAmongOthers(one.scores, members))]),
      ),
    }),
  }
}

/** The AUC of the best score, with bounds that hold for the best of all. */
function evidenceOf({ bestArea }: Attacked, { scores, p, ...of }: Battery): ReturnType<typeof membershipEvidence> {
  const bounds = {
    lower: Math.max(...scores.map((score) => score.bounds.lower)),
    upper: Math.max(...scores.map((score) => score.bounds.upper)),
  }
  return membershipEvidence(bestArea, { ...bestOf({ scores, p, ...of }), bounds, p })
}

/** Isolated records have no twin, so that the original itself would give all of them away. */
function isolatedLook(attacked: Attacked, isolated: Battery): Look {
  const { controls, effect } = evidenceOf(attacked, isolated)
  if (controls === undefined || effect === undefined) throw new Error('membership always has its evidence')
  const everything = { value: 1, se: null, what: 'the best attack on the original itself' }
  return {
    what: 'among the most isolated records',
    value: bestOf(isolated).auc,
    controls: { ...controls, everything },
    effect,
    people: null,
  }
}

function battery(
  scores: readonly NamedScores[],
  { members, households }: Pick<Attacked, 'members' | 'households'>,
  { permutations }: Options,
  context: Context,
  whom: string,
) {
  const found = scores.map((one) => membershipScore(one.name, one.scores, members, scores.length, households))
  const joint = jointAucTest(
    scores.map((one) => one.scores),
    members,
    context.random(`labels of ${whom}`),
    permutations,
    households,
  )
  const largest = Math.max(...found.map(({ z }) => z))
  return {
    training: members,
    others: scores[0].scores.length - members,
    /** That the largest z of all scores is as large as found. */
    p: joint.p,
    /** Name of the score with the largest z. */
    best: (found.find(({ z }) => z === largest) ?? found[0]).name,
    scores: found.map((one, k) => ({ ...one, jointP: joint.scores[k].p })),
  }
}

function bestOf({ scores, best }: Battery) {
  return scores.find(({ name }) => name === best) ?? scores[0]
}

/** The records farthest from any other real one; as many as asked for, and those that tie with the last. */
function amongIsolated(
  { scores, isolation, members, households }: Attacked,
  chosen: Options,
  context: Context,
): Battery | null {
  const sorted = isolation.slice().sort()
  const cut = sorted[sorted.length - Math.max(1, Math.floor(chosen.isolated * sorted.length))]
  if (cut === 0) return null
  const rows = Int32Array.from(isolation.keys()).filter((record) => isolation[record] >= cut)
  const inTraining = rows.filter((record) => record < members).length
  if (inTraining === 0 || inTraining === rows.length) return null
  const restricted = scores.map((one) => ({
    ...one,
    scores: Float64Array.from(rows, (record) => one.scores[record]),
  }))
  const restrictedTo = {
    members: inTraining,
    households: households === null ? null : rows.map((record) => households[record]),
  }
  return battery(restricted, restrictedTo, chosen, context, 'isolated')
}

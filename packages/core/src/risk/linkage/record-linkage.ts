import { NotApplicable } from '../../errors.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { toRows } from '../../neighbors/release-space.js'
import { count, percent } from '../../print.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { type Interval, wilson } from '../../stats/intervals.js'
import { BOUNDS_LEVEL, INTERVAL_LEVEL } from '../../stats/levels.js'
import { standardDeviation, weightedMean } from '../../stats/sums.js'
import { remember, tableOfPart, weightsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { selectRows, type Table } from '../../table/table.js'
import { type About, type Attack, attack } from './attack.js'
import { claimCharts, linkageCharts } from './charts.js'
import { problemsOf } from './checks.js'
import { type Claims, claimsOf } from './claims.js'
import { type LinkedFiles, linkedFiles } from './costs/linked-files.js'
import { importanceOf, type KeyImportance } from './importance.js'
import { gowerCosts, hasMissing } from './methods/gower.js'
import { type AttackOptions, attackOptions, givenFor, type Method, type Options, options } from './options.js'
import { type Summary, summaryOf } from './summary.js'
import { pOfAttack } from './truth/finds-by-chance.js'
import { type Found, found } from './truth/found.js'
import { NO_CORRESPONDENCE, rowsCorrespond } from './truth/row-order.js'
import { type Sides, sidesOf, type TruthKind } from './truth/sides.js'
import { multiplicity, truthOfRows, withoutTruth } from './truth/truth.js'

/**
 * Record linkage: the intruder holds a file on people (the original's keys, or a register of their own), compares everybody
 * with every released record, and names the record that fits best, one at random if several do. With weights π_ij of the
 * records named and T(i) those that are person i's,
 *   r_i = Σ_{j in T(i)} π_ij,   value = mean r: the expected share of right links.
 *   by chance       R0 = mean of |T(i)| / candidates: scores that have nothing to do with who is who
 *   everything      the same attack on the original itself; mean 1/f_i where that is so by definition
 * Ties are shared, never broken by the order of rows, which is the truth. How records are compared is the `method`, whether
 * everybody is linked alone or all at once the `matching`; by default the suite of four, of which the most successful counts.
 * Domingo-Ferrer and Torra (2001); Fellegi and Sunter (1969); Herranz et al. (2016).
 *
 * In a synthetic release nobody has a record: then the value is how often a claim would be right all the same, and nothing is decided.
 */
type Details = {
  readonly variables: readonly string[]
  readonly method: string
  readonly matching: string
  readonly truth: TruthKind
  readonly people: number
  readonly lookedFor: number
  readonly records: number
  readonly withoutTruth: number
  readonly summary: Summary | null
  readonly weightedValue: number | null
  /** The value for somebody who does not know who is in the file: risks times the share of the population that is; null if unknown. */
  readonly unknownMembership: number | null
  /** The attacks of the suite, the most successful first. */
  readonly suite: readonly { readonly attack: string; readonly value: number; readonly byChance: number }[]
  readonly about: About
  /** Where rates of agreement are found by EM: what the same attack reaches with those of the truth, an insider's. */
  readonly insider: number | null
  readonly matched: {
    readonly total: number | null
    readonly epsilon: number | null
    readonly converged: boolean
    readonly tied: number | null
  } | null
  readonly importance: readonly KeyImportance[]
  readonly claims: Claims | null
  readonly riskutility: { readonly pass: boolean } | null
}

/** riskutility's cut of the mean. */
const RISKUTILITY_PASSES_UP_TO = 0.1

export const recordLinkage = measure({
  id: 'record-linkage',
  version: 1,
  title: 'Record linkage',
  summary: 'share of people whose released record is named by somebody who links it with what they know',
  family: 'linkage',
  threat: 'identity',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: ['paired rows'],
  // An identifier does as well, and of a synthetic release it says what would be claimed.
  needsWith: ({ truth }, { identifier, type }) =>
    truth !== 'auto' || identifier !== null || type === 'synthetic' ? [] : ['paired rows'],
  unit: 'share',
  varies: ['people'],
  stochastic: true,
  blindTo: 'rows that were put into another order where there is no identifier, and what is learnt from a link',
  fooledBy: {
    'shuffle rows': 'whose record is whose is then not known without an identifier, and nothing is said',
    'repeat records': 'whose record is whose is then not known without an identifier, and nothing is said',
    'pad with noise': 'whose record is whose is then not known without an identifier, and nothing is said',
  },
  options,
  check: problemsOf,
  compute,
  citations: ['fellegi1969', 'domingo2001', 'herranz2016'],
  records: {
    linkageRisk: { riskier: 'higher', meaning: 'chance that the intruder names the person’s own record' },
    named: { riskier: 'lower', meaning: 'released records that the intruder would name' },
    nearestRecords: { riskier: 'lower', meaning: 'released records at the smallest distance' },
    nearerThanOwn: { riskier: 'lower', meaning: 'released records nearer than the person’s own' },
    costOfOwn: { riskier: 'lower', meaning: 'cost of the record that is the person’s own' },
    costOfNearest: { riskier: 'lower', meaning: 'least cost of any released record' },
    gapToSecond: { riskier: 'higher', meaning: 'how much the best record stands out; 0 where several are best' },
  },
  thresholds: {
    literature: [
      {
        value: RISKUTILITY_PASSES_UP_TO,
        meaning: 'mean linkage risk up to which a release passes',
        source: 'riskutility 0.1.0',
      },
    ],
  },
  sentence: ({ value, details }) =>
    details.claims === null ? linkSentence(value ?? 0, details) : claimSentence(details.claims),
  charts: (finding, { name }) =>
    finding.details.claims === null ? linkageCharts(finding, name) : claimCharts(finding.details.claims, name),
})

function linkSentence(value: number, { variables, method, matching, summary, lookedFor }: Details): string {
  const how = matching === 'independent' ? method : `${method}, ${matching}`
  const by = summary === null ? '' : `; ${Number(summary.foundByChance.toPrecision(2))} by chance`
  return `whoever knows ${variables.join(', ')} names the right record of ${percent(value)} of people (${how}; ${(value * lookedFor).toFixed(1)} of ${lookedFor.toLocaleString('en-US')}${by})`
}

function claimSentence({ claimed, people, precision, right, rightOfOthers }: Claims): string {
  const rightly = precision === null ? '' : `, ${percent(precision)} of them rightly in everything else`
  return `nobody has a record in it; an intruder would claim one for ${percent(claimed / people)} of people${rightly} (over all people ${percent(right)}; ${percent(rightOfOthers)} with other people’s records)`
}

const SAMPLE_ABOVE = 20_000
/** The assignment of the suite is made up to so many people. */
const ONE_TO_ONE_UP_TO = 3000
const CLAIMS_OF = 2000

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const sides = sidesOf(subject, chosen)
  if (sides.names.length === 0) throw new NotApplicable('there is no column to link records by')
  return sides.kind === 'none'
    ? unknownTruth(subject, sides, chosen, context)
    : linkage(subject, sides, chosen, context)
}

interface Tried {
  readonly method: Method
  readonly options: AttackOptions
  readonly attack: Attack
  readonly found: Found
  readonly value: number
  readonly byChance: number
}

async function linkage(
  { release, part }: Subject,
  sides: Sides,
  chosen: Options,
  context: Context,
): Promise<Finding<Details>> {
  const looked = lookedFor(sides, chosen, context)
  const files = linkedFiles(looked.query, sides.search, sides.names, chosen)
  const tried: Tried[] = []
  for (const one of attacksOf(chosen, files)) {
    const made = await attack(files, looked.truth, one, sides.known, context)
    const result = found(made)
    tried.push({
      method: one.method,
      options: one,
      attack: made,
      found: result,
      value: meanOf(result.risk),
      byChance: meanOf(result.chance),
    })
  }
  tried.sort((a, b) => b.value - b.byChance - (a.value - a.byChance))
  const [best] = tried
  const summary = summaryOf(best.attack, best.found)
  const everything = await ceilingOf(release, sides, looked, best, context)
  const n = looked.rows.length
  const copies = Math.max(1, multiplicity(looked.truth))
  const keys = best.found.perKey.map((sum) => Math.min(1, sum / copies))
  // Whoever is matched wrongly one to one takes the record of somebody who is too: misses come in pairs, or in longer circles.
  const together = best.options.matching === 'independent' ? 1 : 2
  const bound = (level: number) =>
    scaled(wilson(sumOf(keys) / together, keys.length / together, level), (copies * keys.length) / n)
  // The most successful of several attacks: its lower bound and p allow for the choice.
  const lower = bound(1 - (1 - BOUNDS_LEVEL) / tried.length).lower
  const { value, byChance } = best
  const original = release.original.rows
  const onOriginal = { rows: looked.people, fileRows: original }
  const inRows = release.identifier === null && release.attacker === null
  const corresponds =
    sides.kind !== 'row' ||
    !inRows ||
    rowsCorrespond(release.variables, [release.original, tableOfPart(release, part)], context.random('other rows'))
  return {
    value,
    interval: bound(INTERVAL_LEVEL),
    controls: {
      nothing: { value: byChance, se: null, what: 'a record at random' },
      fair: { value: byChance, se: null, what: 'a record at random', basis: 'chance' },
      everything: { value: everything, se: null, what: 'the original itself' },
    },
    effect: {
      value: value - byChance,
      se: ((standardDeviation(keys) ?? 0) * copies * Math.sqrt(together * keys.length)) / n,
      lower: lower - byChance,
      upper: bound(BOUNDS_LEVEL).upper - byChance,
      p: Math.min(1, tried.length * pOfAttack(best.attack, summary.found)),
    },
    people: Math.round(sides.query.rows * Math.max(0, value - byChance)),
    ...(corresponds ? {} : { notAssessed: NO_CORRESPONDENCE }),
    added: () =>
      onPeople(
        onOriginal,
        best.found.risk.map((risk, k) => risk - best.found.chance[k]),
      ),
    details: {
      variables: sides.names,
      method: best.method,
      matching: best.options.matching,
      truth: sides.kind,
      people: sides.query.rows,
      lookedFor: n,
      records: sides.search.rows,
      withoutTruth: withoutTruth(looked.truth),
      summary,
      weightedValue: weightedValue(release, looked, best.found.risk),
      unknownMembership: unknownMembership(release, looked, best.found.risk),
      suite:
        tried.length === 1
          ? []
          : tried.map((one) => ({ attack: nameOf(one.options), value: one.value, byChance: one.byChance })),
      about: best.attack.about,
      insider: chosen.method === 'probabilistic' ? await insiderOf(files, looked, sides, best, context) : null,
      matched: best.attack.matched === null ? null : describeMatched(best.attack),
      importance: await importanceOf(chosen.importance, looked, sides, best.options, context),
      claims: null,
      riskutility: { pass: value <= RISKUTILITY_PASSES_UP_TO },
    },
    warnings: warningsOf(best, summary, n, sides),
    records: () => recordsOf(best.found, onOriginal),
  }
}

/** The suite, or the one attack that was asked for. */
function attacksOf(chosen: Options, files: LinkedFiles): readonly AttackOptions[] {
  if (chosen.method !== 'suite') return [attackOptions(chosen, chosen.method)]
  if (chosen.matching !== 'independent') return [attackOptions(chosen, 'deterministic')]
  const alone = (['deterministic', 'ranks', 'probabilistic'] as const).map((method) => ({
    ...attackOptions(chosen, method),
    rule: 'best' as const,
  }))
  const isSmall = Math.max(files.query.classes, files.search.classes) <= ONE_TO_ONE_UP_TO
  return isSmall && chosen.blocking.length <= 1
    ? [...alone, { ...attackOptions(chosen, 'deterministic'), matching: 'one-to-one' }]
    : alone
}

function nameOf({ method, matching }: AttackOptions): string {
  return matching === 'independent' ? method : `${method}, ${matching}`
}

interface Looked {
  readonly query: Table
  readonly rows: Int32Array
  readonly truth: Sides['truth']
  /** The original's row behind each; -1 where there is none. */
  readonly people: Int32Array
}

/** Everybody, or a sample; all where everybody is matched at once. */
function lookedFor({ query, truth, people }: Sides, { sample, matching }: Options, context: Context): Looked {
  const n = query.rows
  if (matching !== 'independent' || sample === null || n <= SAMPLE_ABOVE || sample >= n)
    return { query, rows: Int32Array.from({ length: n }, (_, row) => row), truth, people }
  const rows = sampleWithoutReplacement(context.random('people'), n, sample).sort()
  return {
    query: selectRows(query, rows),
    rows,
    truth: truthOfRows(truth, rows),
    people: Int32Array.from(rows, (row) => people[row]),
  }
}

async function insiderOf(
  files: LinkedFiles,
  { truth }: Looked,
  { known }: Sides,
  { options: chosen }: Tried,
  context: Context,
): Promise<number | null> {
  if (chosen.parameters !== 'em') return null
  const quiet = { ...context, progress: () => {} }
  return meanOf(found(await attack(files, truth, { ...chosen, parameters: 'oracle' }, known, quiet)).risk)
}

/** What the same attack reaches on the original itself. */
async function ceilingOf(
  release: Release,
  { everything, names, known, query }: Sides,
  { query: asked, rows }: Looked,
  best: Tried,
  context: Context,
): Promise<number> {
  const { options: chosen } = best
  const own = linkedFiles(query, everything.search, names, chosen)
  const closed =
    isMetric(chosen.method) &&
    own.keys.every(({ kind }) => kind !== 'interval' && kind !== 'hierarchy') &&
    chosen.strategy === 'nearest' &&
    chosen.matching !== 'transport' &&
    release.attacker === null &&
    known === 'query'
  if (closed && !hasMissing(own) && chosen.blocking.length === 0) {
    const { ids, counts } = own.query
    return meanOf(Float64Array.from(rows, (row) => 1 / counts[ids[row]]))
  }
  // Searched for in the original by the intruder's own file; in the other direction the original is searched by itself.
  const from = known === 'query' ? asked : everything.search
  const truth = known === 'query' ? truthOfRows(everything.truth, rows) : everything.truth
  const key = `record-linkage ceiling ${JSON.stringify([chosen, rows.length, context.seed, names])}`
  return remember(release, key, async () => {
    const files = linkedFiles(from, everything.search, names, chosen)
    const quiet = { ...context, progress: () => {} }
    return meanOf(found(await attack(files, truth, chosen, 'query', quiet)).risk)
  })
}

function isMetric(method: Method): boolean {
  return method === 'deterministic' || method === 'ranks' || method === 'mahalanobis'
}

/** Nobody's record is known: what would be claimed, and how often rightly. */
function unknownTruth({ release, part }: Subject, sides: Sides, chosen: Options, context: Context): Finding<Details> {
  const { original } = release
  const released = tableOfPart(release, part)
  const others = release.variables.filter((name) => !sides.names.includes(name))
  if (release.attacker !== null || others.length === 0)
    throw new NotApplicable(
      release.attacker !== null
        ? 'nobody knows who of the attacker’s file is who: an identifier is needed, and it must be in the release unless that is perturbed'
        : 'nobody has a record in this release, and there is no other column by which a claim could be right',
    )
  const n = original.rows
  const rows =
    n <= CLAIMS_OF
      ? Int32Array.from({ length: n }, (_, row) => row)
      : sampleWithoutReplacement(context.random('people'), n, CLAIMS_OF).sort()
  const query = selectRows(original, rows)
  const files = {
    released: linkedFiles(query, released, sides.names, chosen),
    original: linkedFiles(query, original, sides.names, chosen),
  }
  const one = attackOptions(chosen, 'deterministic')
  const costsIn = (of: LinkedFiles) =>
    gowerCosts(of, {
      weights: of.keys.map(({ name }) => (one.weights === 'information' ? 1 : (givenFor(one.weights, name) ?? 1))),
      missing: one.missing,
      span: one.span,
      original: 'query',
    })
  const costs = { released: costsIn(files.released), original: costsIn(files.original) }
  const { claims, effect, interval, perPerson } = claimsOf(files, costs, { query, released, original }, others, rows)
  return {
    value: claims.right,
    interval,
    controls: {
      fair: {
        value: claims.rightOfOthers,
        se: null,
        what: 'the nearest record of another person',
        basis: 'leave-one-out',
      },
      everything: { value: claims.rightOfOriginal, se: null, what: 'the original itself' },
    },
    effect,
    people: Math.round(n * Math.max(0, effect.value)),
    notAssessed:
      'nobody has a record of their own in it, so that none can be found; whether it repeats people’s records is for memorisation to say',
    added: () => toRows({ rows, fileRows: n }, perPerson),
    details: {
      variables: sides.names,
      method: 'deterministic',
      matching: 'independent',
      truth: 'none',
      people: n,
      lookedFor: rows.length,
      records: released.rows,
      withoutTruth: rows.length,
      summary: null,
      weightedValue: null,
      unknownMembership: null,
      suite: [],
      about: {},
      insider: null,
      matched: null,
      importance: [],
      claims,
      riskutility: null,
    },
    warnings:
      rows.length < n ? [`${count(rows.length, 'person', 'people')} were looked for, drawn at random from ${n}`] : [],
  }
}

function describeMatched({ matched }: Attack): Details['matched'] {
  if (matched === null) return null
  const { total, epsilon, converged, tied } = matched
  return { total, epsilon, converged, tied }
}

function weightedValue(release: Release, { people }: Looked, risk: Float64Array): number | null {
  const weights = weightsOfPart(release, 'original')
  if (weights === null || people.some((row) => row < 0)) return null
  return weightedMean(
    risk,
    Float64Array.from(people, (row) => weights[row]),
  )
}

/** By weights, which say for how many people somebody stands, or by the population. */
function unknownMembership(release: Release, { people }: Looked, risk: Float64Array): number | null {
  const weights = weightsOfPart(release, 'original')
  if (weights !== null && people.every((row) => row >= 0))
    return meanOf(risk.map((one, k) => one / Math.max(1, weights[people[k]])))
  const { population, original } = release
  return population === null ? null : meanOf(risk) * Math.min(1, original.rows / population.rows)
}

/** An own record that costs more than so much of what any costs may be another's. */
const HARDLY_NEARER = 0.9

function warningsOf(
  { attack: { matched, about, truth }, method }: Tried,
  { blockRecall, costs }: Summary,
  n: number,
  sides: Sides,
): string[] {
  const none = withoutTruth(truth)
  const apart = costs.own === null || costs.any === null || costs.any <= 0 ? 0 : costs.own / costs.any
  return [
    ...(n < sides.query.rows
      ? [`${count(n, 'person', 'people')} were looked for, drawn at random from ${sides.query.rows}`]
      : []),
    ...(none > 0 ? [`${count(none, 'record')} of ${n} looked for have no counterpart: they count as not found`] : []),
    ...(sides.kind === 'row' && isMetric(method) && apart > HARDLY_NEARER
      ? [
          `the own record is at ${percent(apart)} of the distance of any: either hardly anything is left of people, or rows were put into another order`,
        ]
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

function recordsOf(of: Found, on: { readonly rows: Int32Array; readonly fileRows: number }) {
  return {
    linkageRisk: onPeople(on, of.risk),
    named: onPeople(on, of.guessed),
    nearestRecords: onPeople(on, of.tied),
    nearerThanOwn: onPeople(on, of.nearer),
    costOfOwn: onPeople(on, of.own),
    costOfNearest: onPeople(on, of.least),
    gapToSecond: onPeople(on, of.gap),
  }
}

/** On the rows of the original; the larger one where several records are one person's. What is not finite is not known. */
function onPeople({ rows, fileRows }: { readonly rows: Int32Array; readonly fileRows: number }, scores: Float64Array) {
  const spread = new Float64Array(fileRows).fill(Number.NaN)
  for (let k = 0; k < rows.length; k++) {
    if (rows[k] < 0 || !Number.isFinite(scores[k])) continue
    const known = spread[rows[k]]
    spread[rows[k]] = Number.isNaN(known) ? scores[k] : Math.max(known, scores[k])
  }
  return spread
}

function scaled(interval: Interval | null, factor: number): Interval {
  if (interval === null) throw new NotApplicable('there is nobody to look for')
  return { ...interval, lower: factor * interval.lower, upper: factor * interval.upper }
}

function sumOf(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum
}

function meanOf(values: Float64Array): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length
}

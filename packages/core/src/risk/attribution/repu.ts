import { countIds, math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { unknownName } from '../../errors.js'
import type { Control, Controls, Look } from '../../evidence/evidence.js'
import { evidenceOf, lookAtOutsiders, peopleConcerned, tally } from '../../evidence/looks.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { count, percent } from '../../print.js'
import { binomialCdf } from '../../stats/distributions.js'
import { newcombe, wilson } from '../../stats/intervals.js'
import { BOUNDS_LEVEL } from '../../stats/levels.js'
import { mean } from '../../stats/sums.js'
import { clusterRobustVariance } from '../../stats/tests.js'
import { jointCodes, keyClasses, type Part, rowsOfPart, weightsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { effectivePeople, theOriginal } from './gains.js'
import { type MarginalRisk, marginalShare } from './holdout.js'
import { completeCases, spreadOver } from './preparation.js'

/**
 * Replicated uniques (Raab, Nowok and Dibben 2024): original records that are alone with their keys and find exactly one
 * record with these keys in the release, as a share of the original,
 *   repU = #{q: d_q = 1 and s_q = 1} / N_d
 * between UiO, what the original itself would give, and what independent columns would, Σ_q m π_q (1 - π_q)^(m - 1) / N_d over
 * the unique keys, π_q the product of the shares of their values. Two records may agree by coincidence, so there are two fair
 * controls. Outsiders: people of the holdout whose keys no original and exactly one released record has. Pairs: of two records
 * that are alone with their keys in both files together, both are in one file at least as often as one is in each,
 *   E #{d_q = s_q = 1} <= E #{d_q = 2, s_q = 0} + E #{d_q = 0, s_q = 2},   since 2xy <= x² + y²,
 * for any release that was made without the records; the number of mixed pairs is then at most Binomial(pairs, 1/2).
 * Blind to people who share their keys with somebody, and to whether the rest of the record is right.
 *
 * riskutility's repu is something else: the share of released records that equal, on all variables, a record that is unique
 * in the original; a released record counts as often as it occurs.
 */
const options = z.object({
  definition: z
    .enum(['synthpop', 'riskutility'])
    .default('synthpop')
    .describe(
      'synthpop: unique in both, on the keys, share of the original; riskutility: share of the release, all variables',
    ),
  variables: z
    .array(z.string())
    .min(1)
    .nullable()
    .default(null)
    .describe('what records are compared on; not given: the keys (synthpop), all common variables (riskutility)'),
  uniquesOnly: z
    .boolean()
    .default(true)
    .describe('riskutility only; false: released records that equal any original record (identical match share)'),
  missing: z
    .enum(['auto', 'drop', 'category'])
    .default('auto')
    .describe('records with a missing value: left out, or missing is a value; auto: left out under riskutility'),
})

type Options = z.output<typeof options>

type Identity = {
  readonly UiO: number
  readonly UiS: number
  readonly UiOiS: number
  readonly repU: number
}

type Details = Identity & {
  readonly definition: 'synthpop' | 'riskutility'
  readonly variables: readonly string[]
  readonly records: { readonly original: number; readonly released: number }
  readonly dropped: { readonly original: number; readonly released: number }
  /** Replicated uniques as a share of the released records. */
  readonly repUofReleased: number
  /** Counts as synthpop's replicated.uniques prints them. */
  readonly counts: {
    readonly uniqueInOriginal: number
    readonly uniqueInReleased: number
    /** Unique in the release and present in the original: the records that its cautious removal would drop. */
    readonly uniqueInReleasedFound: number
    readonly replicated: number
  }
  /** Released records that equal an original one, or a unique original one (riskutility). */
  readonly identical: {
    readonly toAny: { readonly count: number; readonly share: number }
    readonly toUnique: { readonly count: number; readonly share: number }
    /** Unique original records that stand in the release at least once. */
    readonly uniquesCopied: number
    readonly uniquesCopiedShare: number | null
    readonly passesRiskutility: boolean
  }
  /** Key classes of two records in all: one in each file, or both in the same one. */
  readonly pairs: { readonly mixed: number; readonly inOriginal: number; readonly inReleased: number }
  /** The share of the holdout that would be replicated uniques if they were in the original, and the difference to it. */
  readonly holdout: { readonly records: number; readonly repU: number } | null
  readonly marginal: MarginalRisk | null
}

export const repu = measure({
  id: 'repu',
  version: 1,
  title: 'Replicated uniques (repU)',
  summary: 'people unique on the keys in the original who find exactly one such record in the release',
  family: 'attribution',
  threat: 'identity',
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys'],
  unit: 'share',
  varies: ['people', 'release'],
  blindTo: 'people who share their keys with somebody, and whether the rest of the record is right',
  fooledBy: {
    'leave the step': 'keys that are numbers off the step match nobody; attribution rounds them back',
    'repeat records': 'a key that is written twice is unique no more',
    'pad with noise': 'noisy records take the keys that were unique',
  },
  options,
  check: (release, { variables }) =>
    (variables ?? [])
      .filter((name) => !release.variables.includes(name))
      .map((name) => unknownName('variable', name, release.variables)),
  compute,
  citations: ['raab2024'],
  records: {
    replicated: { riskier: 'higher', meaning: '1: unique in the original, and unique in the release' },
    uniqueAndFound: { riskier: 'higher', meaning: '1: unique in the original, and the key is in the release' },
    uniqueInOriginal: { riskier: 'higher', meaning: '1: nobody else in the original has this key' },
  },
  thresholds: {
    literature: [
      {
        value: 0.01,
        meaning: 'share of identical released records from which risk is called elevated',
        source: 'riskutility',
      },
      { value: 0.05, meaning: 'share of identical released records called serious', source: 'riskutility' },
    ],
  },
  sentence: ({ details: { definition, repU, UiO, holdout, identical, variables } }) =>
    definition === 'synthpop'
      ? `${percent(repU)} of people are unique in both files, of ${percent(UiO)} unique in the original${holdout === null ? '' : `; ${percent(holdout.repU)} of people who are not in the data`}`
      : `${count(identical.toUnique.count, 'released record')} (${percent(identical.toUnique.share)}) ${identical.toUnique.count === 1 ? 'equals' : 'equal'} a unique original record on ${count(variables.length, 'variable')}`,
  charts: ({ details }, { name }) => [
    barChart({ name: 'uniques', title: `Unique records: ${name}`, x: '', y: 'share of original records' }, [
      { label: 'unique (UiO)', value: details.UiO, series: 'original' },
      { label: 'and in the release (UiOiS)', value: details.UiOiS },
      { label: 'unique in both (repU)', value: details.repU },
      ...(details.holdout === null
        ? []
        : [{ label: 'holdout (repU)', value: details.holdout.repU, series: 'original' as const }]),
    ]),
  ],
})

function compute({ release, part }: Subject, chosen: Options): Finding<Details> {
  const variables = chosen.variables ?? (chosen.definition === 'synthpop' ? release.keys : release.variables)
  const drop = chosen.missing === 'drop' || (chosen.missing === 'auto' && chosen.definition === 'riskutility')
  const complete = drop ? completeCases(release, variables) : null
  const compared = complete?.release ?? release
  const classes = countClasses(compared, variables, 'original', part)
  const own = identityOf(classes)
  const holdout = compared.holdout === null ? null : outsidersReplicated(compared, variables, classes)
  const n = classes.truthIds.length
  const identical = identicalRecords(classes)
  const asRiskutility = chosen.definition === 'riskutility'
  const { count: copies, share } = chosen.uniquesOnly ? identical.toUnique : identical.toAny
  const dropped = {
    original: release.original.rows - n,
    released: (typeof part === 'number' ? release.released[part].rows : classes.ns) - classes.ns,
  }
  const { truthIds, dCount, sCount } = classes
  const put = (flags: ArrayLike<number>) => spreadOver(flags, complete?.kept.get('original'), release.original.rows)
  const isReplicated = (q: number) => dCount[q] === 1 && sCount[q] === 1
  const people = independentPeople(truthIds, isReplicated, dCount.length, effectivePeople(compared, 'original', n))
  return {
    value: asRiskutility ? share : own.figures.repU,
    interval: asRiskutility ? wilson(copies, classes.ns) : wilson(own.figures.repU * people, people),
    ...(asRiskutility
      ? evidenceOfCopies(compared, variables, classes, own.figures, chosen)
      : evidence(compared, variables, classes, own.figures, people, holdout)),
    added: () =>
      put(Float64Array.from(truthIds, (q) => (isReplicated(q) ? 1 : isPair(dCount[q], sCount[q]) ? -0.5 : 0))),
    details: {
      ...own.figures,
      definition: chosen.definition,
      variables,
      records: { original: n, released: classes.ns },
      dropped,
      repUofReleased: own.counts.replicated / classes.ns,
      counts: own.counts,
      identical,
      pairs: pairsOf(classes),
      holdout: holdout === null ? null : { records: holdout.records, repU: holdout.repU },
      marginal: holdout === null ? null : marginalShare(own.figures.repU, n, holdout.repU, holdout.records),
    },
    records: () => ({
      uniqueInOriginal: put(truthIds.map((q) => (dCount[q] === 1 ? 1 : 0))),
      uniqueAndFound: put(truthIds.map((q) => (dCount[q] === 1 && sCount[q] > 0 ? 1 : 0))),
      replicated: put(truthIds.map((q) => (isReplicated(q) ? 1 : 0))),
    }),
  }
}

/** People outside first, where there are any; the pairs within the files beside them. */
function evidence(
  release: Release,
  variables: readonly string[],
  classes: Classes,
  { repU, UiO }: Identity,
  people: number,
  holdout: Replicated | null,
) {
  const isUnique = (q: number) => classes.dCount[q] === 1
  const rest = {
    nothing: independentColumns(
      release,
      variables,
      classes,
      isUnique,
      (p, q) => (classes.dWeight[q] / classes.nd) * classes.ns * p * math.pow(1 - p, classes.ns - 1),
    ),
    everything: theOriginal(UiO),
  }
  const n = classes.truthIds.length
  const outsiders =
    holdout === null ? [] : [lookAtOutsiders(tally(repU, people), tally(holdout.repU, holdout.people), rest, n)]
  return evidenceOf([...outsiders, lookAtPairs(classes, repU, UiO, rest)], rest, 'there is nobody to compare with')
}

/** Mixed pairs against pairs within a file, both as shares of the original; the original itself has UiO of the first, none of the other. */
function lookAtPairs(
  classes: Classes,
  repU: number,
  UiO: number,
  rest: Pick<Controls, 'nothing' | 'everything'>,
): Look {
  const { mixed, inOriginal, inReleased } = pairsOf(classes)
  const { ns, truthIds } = classes
  const n = truthIds.length
  const within = inOriginal + inReleased
  const all = n + ns
  const bounds = newcombe(mixed, all, within, all, BOUNDS_LEVEL) ?? { lower: -1, upper: 1 }
  const effect = {
    value: (mixed - within) / n,
    se: Math.sqrt(Math.max(1, mixed + within)) / n,
    lower: (bounds.lower * all) / n,
    upper: (bounds.upper * all) / n,
    p: mixed + within === 0 ? 1 : binomialCdf(within, mixed + within, 0.5),
    ceiling: UiO,
  }
  return {
    what: 'against pairs within the files',
    value: repU,
    controls: {
      ...rest,
      fair: {
        value: repU - effect.value,
        se: Math.sqrt(within) / n,
        what: 'pairs within the files',
        basis: 'leave-one-out',
      },
    },
    effect,
    people: peopleConcerned(n, effect),
  }
}

/** A count of released records has no fair control; independent columns and the original itself are its ends. */
function evidenceOfCopies(
  release: Release,
  variables: readonly string[],
  classes: Classes,
  { UiO }: Identity,
  { uniquesOnly }: Options,
) {
  return {
    controls: {
      nothing: independentColumns(
        release,
        variables,
        classes,
        (q) => !uniquesOnly || classes.dCount[q] === 1,
        (p) => p,
      ),
      everything: theOriginal(uniquesOnly ? UiO : 1),
    },
    notAssessed: 'how many released records equal an original one depends on how many originals there are to equal',
  }
}

/** What columns drawn independently would give: the sum over keys of the original of something that depends on their π. */
function independentColumns(
  release: Release,
  variables: readonly string[],
  { truthIds, dCount }: Classes,
  counts: (q: number) => boolean,
  given: (p: number, q: number) => number,
): Control {
  const columns = variables.map((name) => {
    const joint = jointCodes(release, name)
    const codes = rowsOfPart(release, joint, joint.codes, 'original')
    const shares = new Float64Array(joint.cardinality + 1)
    for (const code of codes) shares[code + 1] += 1 / codes.length
    return { codes, shares }
  })
  const seen = new Uint8Array(dCount.length)
  let value = 0
  for (let row = 0; row < truthIds.length; row++) {
    const q = truthIds[row]
    if (seen[q] === 1 || !counts(q)) continue
    seen[q] = 1
    value += given(
      columns.reduce((p, { codes, shares }) => p * shares[codes[row] + 1], 1),
      q,
    )
  }
  return { value, se: null, what: 'every column drawn on its own' }
}

/** Outsiders whose keys no original and exactly one released record has: what a unique member is, for any size of the holdout. */
function outsidersReplicated(release: Release, variables: readonly string[], { dCount, sCount }: Classes): Replicated {
  const classes = keyClasses(release, variables)
  const ids = rowsOfPart(release, classes, classes.ids, 'holdout')
  const weights = weightsOfPart(release, 'holdout')
  const isReplicated = (q: number) => dCount[q] === 0 && sCount[q] === 1
  let replicated = 0
  let all = 0
  for (let row = 0; row < ids.length; row++) {
    const weight = weights === null ? 1 : weights[row]
    all += weight
    if (isReplicated(ids[row])) replicated += weight
  }
  return {
    records: ids.length,
    repU: replicated / all,
    people: independentPeople(ids, isReplicated, classes.count, effectivePeople(release, 'holdout', ids.length)),
  }
}

interface Replicated {
  readonly records: number
  readonly repU: number
  /** As many independent people as vary as much. */
  readonly people: number
}

/**
 * Whether a key is found once in the release is settled for all who have it: people with the same keys are replicated
 * together, and vary as fewer independent ones would, by the variance clustered by key class. Never more than `most`.
 */
function independentPeople(ids: Int32Array, isHit: (q: number) => boolean, classes: number, most: number): number {
  const hits = Float64Array.from(ids, (q) => (isHit(q) ? 1 : 0))
  const share = mean(hits) ?? 0
  const variance = clusterRobustVariance(hits, ids, classes) ?? 0
  return variance > 0 ? Math.min(most, (share * (1 - share)) / variance) : most
}

function pairsOf({ dCount, sCount }: Classes): Details['pairs'] {
  let mixed = 0
  let inOriginal = 0
  let inReleased = 0
  for (let q = 0; q < dCount.length; q++) {
    if (dCount[q] + sCount[q] !== 2) continue
    if (dCount[q] === 1) mixed++
    else if (dCount[q] === 2) inOriginal++
    else inReleased++
  }
  return { mixed, inOriginal, inReleased }
}

function isPair(originals: number, released: number): boolean {
  return originals === 2 && released === 0
}

interface Classes {
  readonly truthIds: Int32Array
  /** Records per class in the truth and in the release, and the weight of the truth's. */
  readonly dCount: Int32Array
  readonly sCount: Int32Array
  readonly dWeight: Float64Array
  readonly nd: number
  readonly ns: number
}

function countClasses(release: Release, variables: readonly string[], truth: Part, part: Part): Classes {
  const classes = keyClasses(release, variables)
  const truthIds = rowsOfPart(release, classes, classes.ids, truth)
  const releasedIds = rowsOfPart(release, classes, classes.ids, part)
  const weights = weightsOfPart(release, truth)
  const dCount = countIds(truthIds, classes.count)
  const dWeight = new Float64Array(classes.count)
  for (let row = 0; row < truthIds.length; row++) dWeight[truthIds[row]] += weights === null ? 1 : weights[row]
  return {
    truthIds,
    dCount,
    sCount: countIds(releasedIds, classes.count),
    dWeight,
    nd: dWeight.reduce((sum, weight) => sum + weight, 0),
    ns: releasedIds.length,
  }
}

function identityOf({ dCount, sCount, dWeight, nd, ns }: Classes): { figures: Identity; counts: Details['counts'] } {
  const counts = { uniqueInOriginal: 0, uniqueInReleased: 0, uniqueInReleasedFound: 0, replicated: 0 }
  let UiO = 0
  let UiOiS = 0
  let repU = 0
  for (let q = 0; q < dCount.length; q++) {
    if (sCount[q] === 1) counts.uniqueInReleased++
    if (sCount[q] === 1 && dCount[q] > 0) counts.uniqueInReleasedFound++
    if (dCount[q] !== 1) continue
    counts.uniqueInOriginal++
    UiO += dWeight[q]
    if (sCount[q] > 0) UiOiS += dWeight[q]
    if (sCount[q] !== 1) continue
    counts.replicated++
    repU += dWeight[q]
  }
  return { figures: { UiO: UiO / nd, UiS: counts.uniqueInReleased / ns, UiOiS: UiOiS / nd, repU: repU / nd }, counts }
}

const RISKUTILITY_PASSES_BELOW = 0.01

function identicalRecords({ dCount, sCount, ns }: Classes): Details['identical'] {
  let any = 0
  let unique = 0
  let copied = 0
  let uniques = 0
  for (let q = 0; q < dCount.length; q++) {
    if (dCount[q] > 0) any += sCount[q]
    if (dCount[q] !== 1) continue
    uniques++
    unique += sCount[q]
    if (sCount[q] > 0) copied++
  }
  return {
    toAny: { count: any, share: any / ns },
    toUnique: { count: unique, share: unique / ns },
    uniquesCopied: copied,
    uniquesCopiedShare: uniques > 0 ? copied / uniques : null,
    passesRiskutility: unique / ns < RISKUTILITY_PASSES_BELOW,
  }
}

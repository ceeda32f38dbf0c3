import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { evidenceOf, lookAtOutsiders, tally } from '../../evidence/looks.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { count, percent } from '../../print.js'
import { wilson, wilsonWithVariance } from '../../stats/intervals.js'
import { type Baselines, baselinesAt } from './baselines.js'
import { type Cells, isWholeClassInTruth } from './cells.js'
import { type ChanceLevel, chanceOfDisco, chanceOfDiscoAmong } from './chance.js'
import {
  BY_DISTANCE,
  claimGains,
  dealtAtRandom,
  effectivePeople,
  lookAtOthers,
  meanGain,
  ONE_CLASS,
  perRecord,
  theOriginal,
} from './gains.js'
import { type MarginalRisk, marginalShare } from './holdout.js'
import { isRightForSure, type Matches, type MatchingOptions, matchesOf, matchingOptions } from './matches.js'
import { type Prepared, preparationOptions, prepare } from './preparation.js'
import { type RiskutilityWording, riskutilityWording } from './riskutility-wording.js'
import { changeOfClaims, varianceOverFiles } from './variance-over-files.js'

/**
 * DiSCO, disclosive in synthetic and correct in the original (Raab, Nowok and Dibben 2024): the share of original records
 * whose keys show one single target value in the release, and that value is theirs.
 *   DiSCO = (1/N_d) sum over q, t of d_tq [s_tq = s_q > 0]
 * It counts chance and facts about the population too (a constant target raises it), so its exact chance level and what
 * could be claimed without the release (b1 to b3) stand beside it; the effect is what remains beyond b3, and with a holdout
 * beyond what the release says about other people. Blind to values given away with less than certainty; `attribution` has
 * the curve.
 *
 * riskutility gives the name to two counts of released records: `potential`, whose keys and target occur in the original,
 * and `certain`, whose keys moreover have one target value there. Neither bounds DiSCO. Their chance is that of meeting any
 * of the originals with the same keys: sum over q of s_q sum over t of (s_t / N_s) [d_tq > 0].
 */
const options = z.object({
  definition: z
    .enum(['synthpop', 'riskutility-potential', 'riskutility-certain'])
    .default('synthpop')
    .describe('synthpop: share of original records; riskutility: share of released records that meet an original'),
  ...matchingOptions,
  ...preparationOptions,
})

type Definition = z.output<typeof options>['definition']

type Count = { readonly count: number; readonly share: number }

type ReleasedCount = Count & {
  /** How many chance would give, exactly, and the ratio to it; null for matching by distance or without any. */
  readonly chance: number | null
  readonly chanceRatio: number | null
  /** riskutility's baseline (one random pair agrees), and the ratio to it. */
  readonly baseline: number
  readonly ratio: number | null
}

type Details = {
  readonly definition: Definition
  readonly matching: string
  /** Shares of original records: found; one value shown; and it is right; and the key is homogeneous in the original too. */
  readonly iS: number
  readonly DiS: number
  readonly DiSCO: number
  readonly DiSDiO: number
  /** The same for the original with itself. */
  readonly Dorig: number
  readonly chance: ChanceLevel
  readonly baselines: Baselines | null
  readonly marginal: MarginalRisk | null
  /** What riskutility prints about its count; null under the other definition. */
  readonly riskutility: RiskutilityWording | null
  /** Counted on the released records, as riskutility does. */
  readonly released: {
    readonly keyMatches: number
    readonly potential: ReleasedCount
    readonly certain: ReleasedCount
    /** Original records with a homogeneous key whose key and target are in the release; null for matching by distance. */
    readonly originalsDisclosed: Count | null
  }
  readonly dropped: { readonly original: number; readonly released: number }
  readonly targetGrouping: string
}

export const disco = measure({
  id: 'disco',
  version: 1,
  title: 'Disclosive in synthetic, correct in original (DiSCO)',
  summary: 'share of people whose keys show one target value in the release, and it is theirs',
  family: 'attribution',
  threat: 'attribute',
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  unit: 'share',
  varies: ['people', 'release'],
  blindTo: 'values given away with less than certainty',
  fooledBy: {
    'leave the step': 'keys that are numbers off the step match nobody; attribution rounds them back',
    'pad with noise': 'a class with one noisy record no longer shows one value',
  },
  pools: true,
  options,
  compute,
  citations: ['raab2024'],
  records: {
    disclosed: {
      riskier: 'higher',
      meaning: '1: the release shows one target value for the key, and it is the person’s',
    },
    oneValueShown: { riskier: 'higher', meaning: '1: the released records with this key have one target value' },
    found: { riskier: 'higher', meaning: '1: the key is in the release' },
  },
  thresholds: {
    literature: [
      { value: 0.05, meaning: 'DiSCO below 5 % is often called low', source: 'riskutility vignette' },
      { value: 1.5, meaning: 'ratio to the baseline above which risk is elevated', source: 'riskutility' },
    ],
  },
  sentence: ({ details: { definition, DiSCO, chance, baselines, Dorig, released } }) =>
    definition === 'synthpop'
      ? `${percent(DiSCO)} of people have keys that show one value in the release, and theirs (chance ${percent(chance.expected)}${baselines === null ? '' : `, beyond one key ${percent(baselines.b2.excess)}`}, in the original ${percent(Dorig)})`
      : `${count(counted(definition, released).count, 'released record')} (${percent(counted(definition, released).share)}) have the keys and target of an original${definition === 'riskutility-certain' ? ' whose key has one value' : ''}`,
  charts: ({ details }, { name }) => [
    barChart({ name: 'steps', title: `The intruder's steps: ${name}`, x: '', y: 'share of original records' }, [
      { label: 'key found (iS)', value: details.iS },
      { label: 'one value (DiS)', value: details.DiS },
      { label: 'right (DiSCO)', value: details.DiSCO },
      { label: 'by chance', value: details.chance.expected, series: 'original' },
      { label: 'original (Dorig)', value: details.Dorig, series: 'original' },
    ]),
    barChart(
      { name: 'released', title: `Released records that meet an original: ${name}`, x: '', y: 'released records' },
      [
        { label: 'potential', value: details.released.potential.count },
        ...expectedBar('potential', details.released.potential),
        { label: 'certain', value: details.released.certain.count },
        ...expectedBar('certain', details.released.certain),
      ],
    ),
  ],
})

function compute(subject: Subject, chosen: z.output<typeof options>): Finding<Details> {
  const asSynthpop = chosen.definition === 'synthpop'
  const prepared = prepare(subject, chosen, asSynthpop ? 'scrim' : 'riskutility ungrouped')
  const { cells, held, release } = prepared
  const exact = chosen.matching === 'exact'
  const matches = matchesOf(release, cells, 'truth', chosen)
  const steps = intruderSteps(cells, matches)
  const chance = exact ? chanceOfDisco(steps.DiSCO, cells) : chanceOfDiscoAmong(steps.DiSCO, cells, matches)
  const baselines = exact ? baselinesAt(release, cells) : null
  const n = cells.cellOfTruth.length
  const marginal =
    held === null
      ? null
      : marginalShare(
          steps.DiSCO,
          n,
          intruderSteps(held, matchesOf(release, held, 'truth', chosen)).DiSCO,
          held.cellOfTruth.length,
        )
  const people = effectivePeople(release, 'original', n)
  const released = countReleased(cells, matchesOf(release, cells, 'release', chosen), exact)
  const { count: hits, share, ratio } = counted(chosen.definition, released)
  const gains = asSynthpop && exact ? claimGains(release, cells) : null
  return {
    value: asSynthpop ? steps.DiSCO : share,
    interval: asSynthpop ? intervalOf(cells, matches, steps.DiSCO, people, exact) : wilson(hits, cells.ns),
    ...(asSynthpop
      ? evidence(prepared, steps.DiSCO, chance, gains, marginal, chosen)
      : evidenceOfCount(prepared, released, chosen)),
    ...(gains === null ? {} : { added: () => prepared.toRows(perRecord(cells, gains)) }),
    details: {
      definition: chosen.definition,
      matching: exact ? 'exact' : `gower ${chosen.threshold}`,
      ...steps,
      chance,
      baselines,
      marginal,
      riskutility: asSynthpop ? null : riskutilityWording(ratio),
      released,
      dropped: prepared.dropped,
      targetGrouping: cells.target.grouping,
    },
    warnings: [
      ...prepared.warnings,
      ...(asSynthpop
        ? []
        : [
            "riskutility's baseline is the chance that one random pair agrees; compare with the exact chance beside it",
          ]),
    ],
    records: () => ({
      found: prepared.toRows(cells.cellOfTruth.map((cell) => (matches.records[cells.classOf[cell]] > 0 ? 1 : 0))),
      oneValueShown: prepared.toRows(cells.cellOfTruth.map((cell) => matches.homogeneous[cells.classOf[cell]])),
      disclosed: prepared.toRows(cells.cellOfTruth.map((cell) => (isRightForSure(matches, cells, cell) ? 1 : 0))),
    }),
  }
}

/** Over people and releases; where records are found by a distance, over people alone. */
function intervalOf(cells: Cells, matches: Matches, DiSCO: number, people: number, exact: boolean) {
  const right = Float64Array.from(cells.d, (_, cell) => (isRightForSure(matches, cells, cell) ? 1 : 0))
  return wilsonWithVariance(DiSCO, exact ? varianceOverFiles(cells, right, changeOfClaims(cells)) : 0, people)
}

/** Against everybody else's records, and against people outside the release where there are any. */
function evidence(
  { release, cells, held, own }: Prepared,
  DiSCO: number,
  chance: ChanceLevel,
  gains: Float64Array | null,
  marginal: MarginalRisk | null,
  matching: MatchingOptions,
) {
  const itself = own()
  const copied = intruderSteps(itself, matchesOf(release, itself, 'truth', matching))
  const rest = { nothing: dealtAtRandom(chance.expected, chance.sd), everything: theOriginal(copied.DiSCO) }
  const n = cells.cellOfTruth.length
  const others =
    gains === null
      ? []
      : lookAtOthers(DiSCO, meanGain(cells, gains), meanGain(itself, claimGains(release, itself)), rest, n)
  const outsiders =
    held === null || marginal === null
      ? []
      : [
          lookAtOutsiders(
            tally(DiSCO, effectivePeople(release, 'original', n)),
            tally(marginal.holdout, effectivePeople(release, 'holdout', held.cellOfTruth.length)),
            rest,
            n,
          ),
        ]
  return evidenceOf([...others, ...outsiders], rest, gains === null ? BY_DISTANCE : ONE_CLASS)
}

/** A count of released records grows with the number of originals there are to meet, so it has no fair control. */
function evidenceOfCount(
  { release, cells, own }: Prepared,
  released: Details['released'],
  chosen: MatchingOptions & { readonly definition: Definition },
) {
  const { chance } = counted(chosen.definition, released)
  const copied = countReleased(own(), matchesOf(release, own(), 'release', chosen), chosen.matching === 'exact')
  return {
    controls: {
      ...(chance === null ? {} : { nothing: dealtAtRandom(chance / cells.ns, null) }),
      everything: theOriginal(counted(chosen.definition, copied).share),
    },
    notAssessed: 'how many released records meet an original depends on how many originals there are to meet',
  }
}

function intruderSteps(cells: Cells, matches: Matches): Pick<Details, 'iS' | 'DiS' | 'DiSCO' | 'DiSDiO' | 'Dorig'> {
  let found = 0
  let shown = 0
  let right = 0
  let known = 0
  let original = 0
  for (let cell = 0; cell < cells.d.length; cell++) {
    const d = cells.d[cell]
    const q = cells.classOf[cell]
    if (d === 0) continue
    const inOriginal = isWholeClassInTruth(cells, cell)
    if (inOriginal) original += d
    if (matches.records[q] > 0) found += d
    if (matches.homogeneous[q] === 1) shown += d
    if (!isRightForSure(matches, cells, cell)) continue
    right += d
    if (inOriginal) known += d
  }
  const { nd } = cells
  return { iS: found / nd, DiS: shown / nd, DiSCO: right / nd, DiSDiO: known / nd, Dorig: original / nd }
}

function countReleased(cells: Cells, inOriginal: Matches, exact: boolean): Details['released'] {
  const { s, sLevel, classOf, level, ns } = cells
  let keyMatches = 0
  let potential = 0
  let certain = 0
  let potentialChance = 0
  let certainChance = 0
  let originals = 0
  for (let cell = 0; cell < s.length; cell++) {
    const q = classOf[cell]
    const meets = inOriginal.agreeing[cell] > 0
    const only = meets && inOriginal.homogeneous[q] === 1
    if (inOriginal.records[q] > 0) keyMatches += s[cell]
    if (meets) potential += s[cell]
    if (only) certain += s[cell]
    if (!exact) continue
    if (meets) potentialChance += (cells.sClass[q] * sLevel[level[cell]]) / ns
    if (only) certainChance += (cells.sClass[q] * sLevel[level[cell]]) / ns
    if (only && s[cell] > 0) originals += cells.dCount[cell]
  }
  const n = cells.cellOfTruth.length
  const baseline = keyMatches * cells.dLevel.reduce((sum, of) => sum + (of / cells.nd) ** 2, 0)
  const compared = (hits: number, chance: number): ReleasedCount => ({
    count: hits,
    share: hits / ns,
    chance: exact ? chance : null,
    chanceRatio: exact && chance > 0 ? hits / chance : null,
    baseline,
    ratio: baseline > 0 ? hits / baseline : null,
  })
  return {
    keyMatches,
    potential: compared(potential, potentialChance),
    certain: compared(certain, certainChance),
    originalsDisclosed: exact ? { count: originals, share: originals / n } : null,
  }
}

function counted(definition: Definition, { potential, certain }: Details['released']): ReleasedCount {
  return definition === 'riskutility-certain' ? certain : potential
}

function expectedBar(label: string, { chance }: ReleasedCount) {
  return chance === null ? [] : [{ label, value: chance, series: 'original' as const }]
}

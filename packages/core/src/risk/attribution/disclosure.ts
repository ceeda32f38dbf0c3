import { z } from 'zod'
import { barChart, dumbbellChart } from '../../chart/chart.js'
import type { Look } from '../../evidence/evidence.js'
import { evidenceOf, lookAtOutsiders, tally } from '../../evidence/looks.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { count, percent } from '../../print.js'
import { wilsonWithVariance } from '../../stats/intervals.js'
import { keyClasses, type Part, remember } from '../../table/classes.js'
import { groupedAsSynthpop, type Release } from '../../table/release.js'
import { type Baselines, baselinesAt } from './baselines.js'
import { type Cells, cellsOf, countCells, isWholeClassInRelease } from './cells.js'
import { type Chance, chanceOfDcap, chanceOfDisco } from './chance.js'
import { checkOptions, type OneWayCheck, oneWayCheck, type TwoWayPair, twoWayCheck } from './checks.js'
import { excludedCells, exclusionOptions, exclusionProblems, isOverLimit } from './exclusions.js'
import { type Figures, figures } from './figures.js'
import {
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
import { type PreparedTarget, pooledTarget, prepareTarget, targetGroupsBy } from './target.js'
import { changeOfClaims, varianceOverFiles } from './variance-over-files.js'

/**
 * The disclosure tables of synthpop (Raab, Nowok and Dibben 2024) for the keys and each target: identity disclosure
 * (repU against UiO), attribute disclosure (DiSCO against Dorig), the CAP family (Elliot 2014; Taub et al. 2018), with the
 * exclusions and the checks for common knowledge. The headline is DiSCO: the share of original records whose key class
 * shows one target value in the release, and it is the right one.
 * DiSCO counts chance and population facts too; the effect is what remains beyond what everybody else's records tell (b3),
 * and with a holdout beyond what the release says about other people.
 */
const options = z.object({
  definition: z
    .enum(['scrim', 'synthpop-1.9-3'])
    .default('scrim')
    .describe(
      'synthpop-1.9-3: exclusions also change uniqueness and proportions, and numbers are grouped by breaks of all files together',
    ),
  targetGroups: targetGroupsBy('none'),
  ...exclusionOptions,
  ...checkOptions,
})

type Options = z.output<typeof options>

type Details = Figures & {
  readonly checks: { readonly oneWay: OneWayCheck | null; readonly twoWay: readonly TwoWayPair[] }
  readonly chance: { readonly DiSCO: Chance; readonly DCAPd: Chance }
  readonly baselines: Baselines
  readonly marginal: MarginalRisk | null
  readonly targetGrouping: string
}

export const disclosure = measure({
  id: 'disclosure',
  version: 1,
  title: 'Disclosure tables (synthpop)',
  summary: 'identity (UiO, repU ...) and attribute disclosure (DiSCO, DCAP, TCAP ...) with exclusions and checks',
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
  check: (given, chosen) => {
    const release = groupedBy(given, chosen)
    return exclusionProblems(
      release,
      chosen,
      release.targets.map((target) => targetOf(release, target, chosen)),
    )
  },
  compute,
  citations: ['raab2024'],
  records: {
    disclosed: {
      riskier: 'higher',
      meaning: '1: the release shows one target value for the key, and it is the person’s',
    },
    classSizeOriginal: { riskier: 'lower', meaning: 'original records with the same key' },
    classSizeReleased: { riskier: null, meaning: 'released records with the same key' },
  },
  thresholds: {
    literature: [{ value: 0.05, meaning: 'DiSCO below 5 % is often called low', source: 'riskutility vignette' }],
  },
  sentence: ({ details: { attribute, chance, identity } }) =>
    `${percent(attribute.DiSCO)} of records have a key that shows one value, and theirs (chance ${percent(chance.DiSCO.expected)}, original ${percent(attribute.Dorig)}); ${percent(identity.repU)} are unique in both`,
  charts: ({ details }, { name, targets }) => [
    dumbbellChart(
      { name: 'disclosure', title: `Disclosure, original and release: ${name}`, x: 'share of records', y: '' },
      [
        { label: 'unique on the keys (UiO, repU)', original: details.identity.UiO, release: details.identity.repU },
        ...(targets.length === 0 ? [{ target: null, details }] : targets).flatMap(({ target, details: of }) =>
          of === null
            ? []
            : [
                {
                  label: `${target ?? 'target'} (Dorig, DiSCO)`,
                  original: of.attribute.Dorig,
                  release: of.attribute.DiSCO,
                  reference: of.chance.DiSCO.expected,
                },
              ],
        ),
      ],
    ),
    barChart({ name: 'intruder', title: `The intruder's steps: ${name}`, x: '', y: 'share of original records' }, [
      { label: 'key found (iS)', value: details.attribute.iS },
      { label: 'one value (DiS)', value: details.attribute.DiS },
      { label: 'right (DiSCO)', value: details.attribute.DiSCO },
      { label: 'certain (DiSDiO)', value: details.attribute.DiSDiO },
      { label: 'chance', value: details.chance.DiSCO.expected, series: 'original' },
    ]),
  ],
})

function compute({ release: given, part, target }: Subject, chosen: Options): Finding<Details> {
  const release = groupedBy(given, chosen)
  const cells = cellsFor(release, 'original', part, target, chosen)
  const rule = excludedCells(release, cells, chosen)
  const found = figures(cells, rule, chosen, chosen.definition === 'synthpop-1.9-3')
  const twoWay = twoWayCheck(release, cells, rule, chosen)
  const oneWay = oneWayCheck(cells, rule, chosen)
  const isExcluded = (cell: number) => rule[cell] > 0 || isOverLimit(cells.dCount[cell], chosen)
  const { DiSCO } = found.attribute
  const counted = withoutPeople(cells, isExcluded)
  const chance = chanceOfDisco(DiSCO, counted)
  const n = cells.cellOfTruth.length
  const people = effectivePeople(release, 'original', n)
  const right = Float64Array.from(cells.d, (_, cell) => (isWholeClassInRelease(cells, cell) ? 1 : 0))
  const held = release.holdout === null ? null : cellsFor(release, 'holdout', part, target, chosen)
  const marginal =
    held === null ? null : marginalShare(DiSCO, n, disclosedOutside(held, cells, isExcluded), held.cellOfTruth.length)
  const gains = claimGains(release, cells, (guess) => !isExcluded(guess))
  const rest = { nothing: dealtAtRandom(chance.expected, chance.sd), everything: theOriginal(found.attribute.Dorig) }
  const outsiders: Look[] =
    held === null || marginal === null
      ? []
      : [
          lookAtOutsiders(
            tally(DiSCO, people),
            tally(marginal.holdout, effectivePeople(release, 'holdout', held.cellOfTruth.length)),
            rest,
            n,
          ),
        ]
  const others = lookAtOthers(
    DiSCO,
    meanGain(cells, gains),
    gainOfOriginal(cellsFor(release, 'original', 'original', target, chosen), release, chosen),
    rest,
    n,
  )
  return {
    value: DiSCO,
    interval: wilsonWithVariance(DiSCO, varianceOverFiles(counted, right, changeOfClaims(counted)), people),
    ...evidenceOf([...others, ...outsiders], rest, ONE_CLASS),
    added: () => perRecord(cells, gains),
    details: {
      ...found,
      checks: { oneWay, twoWay },
      chance: { DiSCO: chance, DCAPd: chanceOfDcap(found.cap.DCAPd, cells) },
      baselines: baselinesAt(release, cells),
      marginal,
      targetGrouping: cells.target.grouping,
    },
    warnings: [
      ...(oneWay?.flagged
        ? [
            `${percent(oneWay.levelDisclosiveShare)} of disclosed records have ${target} = ${oneWay.level}: is that a secret?`,
          ]
        : []),
      ...(twoWay.length > 0
        ? [`${count(twoWay.length, 'pair')} of key level and ${target} may be common knowledge`]
        : []),
      'DCAPs, DCAPb, TCAPs and TCAPb divide original by released counts, as synthpop does; they depend on the size of the release',
    ],
    records: () => ({
      classSizeOriginal: cells.cellOfTruth.map((cell) => cells.dClassCount[cells.classOf[cell]]),
      classSizeReleased: cells.cellOfTruth.map((cell) => cells.sClass[cells.classOf[cell]]),
      disclosed: cells.cellOfTruth.map((cell) => (isWholeClassInRelease(cells, cell) ? 1 : 0)),
    }),
  }
}

/** synthpop takes breaks from the original and all syntheses together, of keys and targets. */
function groupedBy(release: Release, { definition }: Options): Release {
  if (definition === 'scrim') return release
  return remember(release, 'grouped as synthpop', () => groupedAsSynthpop(release))
}

function targetOf(release: Release, target: string, { definition, targetGroups }: Options): PreparedTarget {
  return definition === 'synthpop-1.9-3'
    ? pooledTarget(release, 'all', target, targetGroups, 'synthpop')
    : prepareTarget(release, target, targetGroups)
}

function cellsFor(release: Release, truth: Part, part: Part, target: string, chosen: Options): Cells {
  const { definition, targetGroups } = chosen
  if (definition === 'scrim' || targetGroups === 'none') return cellsOf(release, truth, part, target, targetGroups)
  return remember(release, `synthpop cells ${JSON.stringify([truth, part, target, targetGroups])}`, () =>
    countCells(release, truth, part, keyClasses(release, release.keys), targetOf(release, target, chosen)),
  )
}

/** The people of excluded cells are not counted as disclosed; the denominator stays. */
function withoutPeople(cells: Cells, isExcluded: (cell: number) => boolean): Cells {
  return { ...cells, d: cells.d.map((people, cell) => (isExcluded(cell) ? 0 : people)) }
}

/** DiSCO of the holdout, without the claims that are excluded for the original. */
function disclosedOutside(held: Cells, cells: Cells, isExcluded: (cell: number) => boolean): number {
  const levels = cells.target.levels.length
  const codeOf = (of: Cells, cell: number) => of.classOf[cell] * levels + of.level[cell]
  const excluded = new Set(
    Array.from(cells.d.keys())
      .filter(isExcluded)
      .map((cell) => codeOf(cells, cell)),
  )
  let disclosed = 0
  for (let cell = 0; cell < held.d.length; cell++)
    if (isWholeClassInRelease(held, cell) && !excluded.has(codeOf(held, cell))) disclosed += held.d[cell]
  return disclosed / held.nd
}

function gainOfOriginal(itself: Cells, release: Release, chosen: Options) {
  const rule = excludedCells(release, itself, chosen)
  return meanGain(
    itself,
    claimGains(release, itself, (guess) => rule[guess] === 0 && !isOverLimit(itself.dCount[guess], chosen)),
  )
}

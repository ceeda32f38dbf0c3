import { z } from 'zod'
import { barChart, dumbbellChart } from '../../chart/chart.js'
import { evidenceOf } from '../../evidence/looks.js'
import { measure, type Subject } from '../../measure.js'
import { count, percent } from '../../print.js'
import { wilsonWithVariance } from '../../stats/intervals.js'
import type { Part } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { ATTACK_SCORES, ATTRIBUTE_ATTACK } from './counts/attack.js'
import { type Cells, cellsOf, isWholeClassInRelease, perRecord } from './counts/cells.js'
import { checkOptions, oneWayCheck, twoWayCheck } from './counts/checks.js'
import { COUNTS, type Exclusions, exclusionOptions, exclusionProblems, exclusionsFrom } from './counts/exclusions.js'
import { type PreparedTarget, prepareTarget, targetGroupsBy } from './counts/target.js'
import { baselinesAt } from './figures/baselines.js'
import { chanceOfDcap, chanceOfDisco } from './figures/chance.js'
import { type Counts, figures } from './figures/figures.js'
import {
  claimGains,
  dealtAtRandom,
  effectivePeople,
  lookAtOthers,
  lookAtOutsidersShare,
  meanGain,
  ONE_CLASS,
  theOriginal,
} from './figures/gains.js'
import { marginalShare } from './figures/holdout.js'
import { synthpopTables } from './figures/synthpop-tables.js'
import { changeOfClaims, varianceOverFiles } from './figures/variance-over-files.js'

/**
 * The disclosure tables of synthpop (Raab, Nowok and Dibben 2024) for the keys and each target: identity disclosure
 * (repU against UiO), attribute disclosure (DiSCO against Dorig), the CAP family (Elliot 2014; Taub et al. 2018), with the
 * exclusions and the checks for common knowledge. The headline is DiSCO: the share of original records whose key class
 * shows one target value in the release, and it is the right one.
 * DiSCO counts chance and population facts too; the effect is what remains beyond what everybody else's records tell (b3),
 * and with a holdout beyond what the release says about other people.
 */
const options = z.object({ targetGroups: targetGroupsBy('none'), ...exclusionOptions, ...checkOptions })

export type Options = z.output<typeof options>

export const disclosure = measure({
  ...ATTRIBUTE_ATTACK,
  id: 'disclosure',
  title: 'Disclosure tables (synthpop)',
  summary: 'identity (UiO, repU ...) and attribute disclosure (DiSCO, DCAP, TCAP ...) with exclusions and checks',
  blindTo: 'values given away with less than certainty',
  everyTarget: true,
  isOfCounts: () => true,
  options,
  check: (release, chosen) =>
    exclusionProblems(
      release,
      chosen,
      release.targets.map((target) => prepareTarget(release, target, chosen.targetGroups)),
    ),
  compute: ({ release, part, target }: Subject, chosen: Options) =>
    disclosureFinding(release, part, prepareTarget(release, target, chosen.targetGroups), chosen),
  citations: ['raab2024'],
  records: {
    disclosed: ATTACK_SCORES.disclosed,
    classSizeOriginal: ATTACK_SCORES.classSizeOriginal,
    classSizeReleased: ATTACK_SCORES.classSizeReleased,
  },
  literature: [{ value: 0.05, meaning: 'DiSCO below 5 % is often called low', source: 'riskutility vignette' }],
  sentence: ({ details: { attribute, chance, identity } }) =>
    `${percent(attribute.DiSCO)} of records have a key that shows one value, and theirs (chance ${percent(chance.DiSCO.expected)}, original ${percent(attribute.Dorig)}); ${percent(identity.repU)} are unique in both`,
  charts: ({ details }, { name, targets }) => [
    dumbbellChart(
      {
        name: 'disclosure',
        title: `Disclosure, original and release: ${targets[0]?.name ?? name}`,
        x: 'share of records',
        y: '',
      },
      [
        { label: 'unique on the keys (UiO, repU)', original: details.identity.UiO, release: details.identity.repU },
        ...(targets.length === 0 ? [{ target: null, details }] : targets).flatMap(({ target, details: found }) =>
          found === null
            ? []
            : [
                {
                  label: `${target ?? 'target'} (Dorig, DiSCO)${checksText(found.checks)}`,
                  original: found.attribute.Dorig,
                  release: found.attribute.DiSCO,
                  reference: found.chance.DiSCO.expected,
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
  tables: ({ details }, { target }) => synthpopTables(details, target ?? ''),
})

/** The flags as synthpop prints them behind the name of a target. */
function checksText({ oneWay, twoWay }: { oneWay: { flagged: boolean } | null; twoWay: readonly unknown[] }): string {
  const flags = [...(oneWay?.flagged ? ['1'] : []), ...(twoWay.length > 0 ? ['2'] : [])]
  return flags.length === 0 ? '' : `, ${flags.join('&')}way checks`
}

/** `seenAfter` is what a definition counts uniqueness and proportions with; the full tables unless given. */
export function disclosureFinding(
  release: Release,
  part: Part,
  target: PreparedTarget,
  chosen: Options,
  seenAfter?: (cells: Cells, excluded: Exclusions) => Counts,
) {
  const cells = cellsOf(release, 'original', part, target)
  const excluded = exclusionsFrom(release, cells, chosen)
  const found = figures(cells, excluded, seenAfter?.(cells, excluded))
  const twoWay = twoWayCheck(release, cells, excluded, chosen)
  const oneWay = oneWayCheck(cells, excluded, chosen)
  const { DiSCO, Dorig } = found.attribute
  // The people of excluded cells are not counted as disclosed; the denominator stays.
  const counted = { ...cells, d: cells.d.map((people, cell) => (excluded.truth[cell] === COUNTS ? people : 0)) }
  const chance = chanceOfDisco(DiSCO, counted)
  const n = cells.n
  const isDisclosed = (cell: number) => Number(isWholeClassInRelease(cells, cell))
  const right = Float64Array.from(cells.d, (_, cell) => isDisclosed(cell))
  const held = release.holdout === null ? null : cellsOf(release, 'holdout', part, target)
  const outside = held === null ? null : disclosedOutside(held, cells, excluded)
  const gains = claimGains(release, cells, (guess) => excluded.truth[guess] === COUNTS)
  const ends = { nothing: dealtAtRandom(chance.expected, chance.sd), everything: theOriginal(Dorig) }
  const itself = cellsOf(release, 'original', 'original', target)
  const ofItself = exclusionsFrom(release, itself, chosen)
  const ceiling = meanGain(
    itself,
    claimGains(release, itself, (guess) => ofItself.truth[guess] === COUNTS),
  )
  const looks = [
    ...lookAtOthers(DiSCO, meanGain(cells, gains), ceiling, ends),
    ...(held === null || outside === null ? [] : [lookAtOutsidersShare(release, DiSCO, cells, outside, held, ends)]),
  ]
  return {
    value: DiSCO,
    interval: wilsonWithVariance(
      DiSCO,
      varianceOverFiles(counted, right, changeOfClaims(counted)),
      effectivePeople(release, 'original', n),
    ),
    ...evidenceOf(looks, ends, ONE_CLASS),
    added: () => perRecord(cells, (cell) => gains[cell]),
    details: {
      ...found,
      checks: { oneWay, twoWay },
      chance: { DiSCO: chance, DCAPd: chanceOfDcap(found.cap.DCAPd, cells) },
      baselines: baselinesAt(release, cells),
      marginal: held === null || outside === null ? null : marginalShare(DiSCO, n, outside, held.n),
      targetGrouping: target.grouping,
    },
    warnings: [
      ...(oneWay?.flagged
        ? [
            `${percent(oneWay.levelDisclosiveShare)} of disclosed records have ${target.name} = ${oneWay.level}: is that a secret?`,
          ]
        : []),
      ...(twoWay.length > 0
        ? [`${count(twoWay.length, 'pair')} of key level and ${target.name} may be common knowledge`]
        : []),
      'DCAPs, DCAPb, TCAPs and TCAPb divide original by released counts, as synthpop does; they depend on the size of the release',
    ],
    records: () => ({
      classSizeOriginal: perRecord(cells, (cell) => cells.dClassCount[cells.classOf[cell]]),
      classSizeReleased: perRecord(cells, (cell) => cells.sClass[cells.classOf[cell]]),
      disclosed: perRecord(cells, isDisclosed),
    }),
  }
}

/** DiSCO of the holdout, without the claims that are excluded for the original. */
function disclosedOutside(held: Cells, cells: Cells, { truth }: Exclusions): number {
  const levels = cells.target.levels.length
  const codeOf = (file: Cells, cell: number) => file.classOf[cell] * levels + file.level[cell]
  const excluded = new Set<number>()
  for (let cell = 0; cell < truth.length; cell++) if (truth[cell] !== COUNTS) excluded.add(codeOf(cells, cell))
  let disclosed = 0
  for (let cell = 0; cell < held.d.length; cell++)
    if (isWholeClassInRelease(held, cell) && !excluded.has(codeOf(held, cell))) disclosed += held.d[cell]
  return disclosed / held.nd
}

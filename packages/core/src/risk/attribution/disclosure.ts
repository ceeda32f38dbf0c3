import { z } from 'zod'
import { barChart, dumbbellChart } from '../../chart/chart.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { count, percent } from '../../print.js'
import { wilson } from '../../stats/intervals.js'
import { type Baselines, baselinesAt } from './baselines.js'
import { cellsOf } from './cells.js'
import { type Chance, chanceOfDcap, chanceOfDisco } from './chance.js'
import { checkOptions, type OneWayCheck, oneWayCheck, type TwoWayPair, twoWayCheck } from './checks.js'
import { excludedCells, exclusionOptions } from './exclusions.js'
import { type Figures, figures } from './figures.js'
import { type MarginalRisk, marginalDisco } from './holdout.js'
import { targetGroupsBy } from './target.js'
import { attributionVerdict } from './verdict.js'

/**
 * The disclosure tables of synthpop (Raab, Nowok and Dibben 2024) for the keys and each target: identity disclosure
 * (repU against UiO), attribute disclosure (DiSCO against Dorig), the CAP family (Elliot 2014; Taub et al. 2018), with the
 * exclusions and the checks for common knowledge. The headline is DiSCO: the share of original records whose key class
 * shows one target value in the release, and it is the right one.
 * DiSCO counts chance and population facts too; the verdict rests on what remains of it beyond them.
 */
const options = z.object({
  compat: z
    .enum(['none', 'synthpop-1.9-3'])
    .default('none')
    .describe('synthpop-1.9-3: exclusions also change uniqueness and proportions'),
  targetGroups: targetGroupsBy('none'),
  ...exclusionOptions,
  ...checkOptions,
})

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
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  pools: true,
  options,
  compute,
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

function compute({ release, part, target }: Subject, chosen: z.output<typeof options>): Finding<Details> {
  const synthpop = chosen.compat === 'synthpop-1.9-3'
  const groups = chosen.targetGroups
  const cells = cellsOf(release, 'original', part, target, groups)
  const rule = excludedCells(release, cells, chosen)
  const found = figures(cells, rule, chosen, synthpop)
  const twoWay = twoWayCheck(release, cells, rule, chosen)
  const oneWay = oneWayCheck(cells, rule, chosen)
  const chance = chanceOfDisco(found.attribute.DiSCO, cells)
  const baselines = baselinesAt(release, cells)
  const marginal =
    release.holdout === null ? null : marginalDisco(cells, cellsOf(release, 'holdout', part, target, groups))
  const records = cells.cellOfTruth.length
  return {
    value: found.attribute.DiSCO,
    interval: wilson(found.attribute.DiSCO * records, records),
    reference: { value: chance.expected, what: 'by chance' },
    verdict: attributionVerdict(baselines, marginal),
    details: {
      ...found,
      checks: { oneWay, twoWay },
      chance: { DiSCO: chance, DCAPd: chanceOfDcap(found.cap.DCAPd, cells) },
      baselines,
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
      disclosed: cells.cellOfTruth.map((cell) =>
        cells.s[cell] > 0 && cells.s[cell] === cells.sClass[cells.classOf[cell]] ? 1 : 0,
      ),
    }),
  }
}

import { z } from 'zod'
import { barChart, histogramChart, lineChart, linesOver } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { real } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { total } from '../../stats/sums.js'
import { groupByKeys } from '../../table/classes.js'
import { ATTACK_SCORES, ATTRIBUTE, isConstant } from './counts/attack.js'
import {
  type Cells,
  capOfCells,
  cellsOf,
  countCells,
  isWholeClassInRelease,
  meanOver,
  perRecord,
} from './counts/cells.js'
import { claimsOf, isGuess, tauCurve, tauPoint } from './counts/claims.js'
import { prepareTarget, targetGroups } from './counts/target.js'
import { baselinesAt } from './figures/baselines.js'
import { chanceOfDcap, chanceOfDisco } from './figures/chance.js'
import { addedOf, againstOthers, lookAtOutsiders, scoresOf } from './figures/guess-scores.js'
import { capByClass, marginalDisco, marginalMean } from './figures/holdout.js'
import { keptShares } from './figures/kept-shares.js'
import { replicatedRecords } from './figures/replicated-records.js'

/**
 * What the release tells about the target of the people in it beyond what other people's records tell. An intruder looks the
 * keys of a person up in the release and guesses the target in proportion to what is found there:
 *   score_i = share of i's value among the released records with i's keys, or in the whole release where there is none.
 * The mean score stands beside three controls on the same original:
 *   nothing     the release's margin of the target alone, whatever the keys: what independent marginals give in the mean
 *   fair        everybody's records but i's own: (d_tq - 1) / (d_q - 1), the margin (d_t - 1) / (N - 1) where i is alone
 *   everything  the original itself: d_tq / d_q
 * and, with a holdout, beside the mean score of people who are not in the release. Compared is what the keys add to the
 * margin, at the size of the smaller file, so that a constant target, a fact about the population, a common value and a
 * larger sample count for nothing; a copy counts in full. The standard error is that of records clustered by key class, or, where
 * larger, that of the records dealt out anew between original and release. The score is the correct attribution probability of
 * Elliot (2014) and Taub et al. (2018).
 * Also here: what is claimed for certain and beyond prior knowledge, the curve over tau, the exact chance level, and
 * self-supported records, whose key and target occur once in the original and stand in the release.
 * Blind to what only a model sees that borrows strength between keys (`rapid`).
 */
const options = z.object({
  tau: real(1, { min: 0, max: 1 }).describe(
    'how sure the intruder must be to claim: share of the most frequent value in the class',
  ),
  targetGroups,
})

export const attribution = measure({
  ...ATTRIBUTE,
  id: 'attribution',
  version: 2,
  title: 'Attribution beyond common knowledge',
  summary: "how often a guess of the target from the release is right, beside other people's records and the original",
  role: 'decides',
  varies: ['people', 'release'],
  blindTo: 'what only a model sees that borrows strength between keys',
  fooledBy: {
    'pad with noise': 'records with the same keys and any target drown what the others say; memorisation is not fooled',
  },
  alsoOutside: true,
  pools: true,
  isOfCounts: () => true,
  options,
  compute,
  records: {
    score: { riskier: 'higher', meaning: 'chance of a right guess of the target from the release' },
    others: ATTACK_SCORES.others,
    cap: ATTACK_SCORES.cap,
    confidence: {
      riskier: 'higher',
      meaning: 'largest share of one target value among the released records with this key',
    },
    guessedRight: { riskier: 'higher', meaning: '1: the most frequent target value there is the person’s' },
    selfSupported: { riskier: 'higher', meaning: '1: no other original record supports that guess' },
    classSizeOriginal: ATTACK_SCORES.classSizeOriginal,
    classSizeReleased: ATTACK_SCORES.classSizeReleased,
  },
  sentence: ({ details: { scores }, controls }) =>
    `guessing the target from the release is right for ${percent(scores.release)} of people, from other people's records for ${percent(controls?.fair?.value ?? scores.others)}, from the original itself for ${percent(scores.original)}${scores.outsiders === null ? '' : `; for people outside the release it is right for ${percent(scores.outsiders)}`}`,
  tables: ({ details }) => [
    findingTable('confidence', 'What is claimed with so much confidence', details.tau, [
      [column.number('confidence'), ({ tau }) => tau],
      [column.share('claimed'), ({ coverage }) => coverage],
      [column.share('right'), ({ hits }) => hits],
      [column.share('right of claimed'), ({ precision }) => precision],
    ]),
    findingTable('levels', 'By level of the target', details.byLevel, [
      [column.text('level'), ({ level }) => level],
      [column.count('records'), ({ records }) => records],
      [column.count('disclosed'), ({ disclosed }) => disclosed],
    ]),
    findingTable('classes', 'By size of the key class', details.byClassSize, [
      [column.text('class size'), ({ size }) => size],
      [column.count('records'), ({ records }) => records],
      [column.count('disclosed'), ({ disclosed }) => disclosed],
    ]),
  ],
  charts: ({ details, interval, controls }, { name }) => [
    barChart({ name: 'scores', title: `A guess of the target is right: ${name}`, x: '', y: 'share of people' }, [
      { label: 'margin alone', value: controls?.nothing?.value ?? 0, series: 'original' },
      { label: "others' records", value: controls?.fair?.value ?? details.scores.others, series: 'original' },
      { label: 'outsiders', value: details.scores.outsiders, series: 'original' },
      { label: 'this release', value: details.scores.release, interval },
      { label: 'the original', value: details.scores.original, series: 'original' },
    ]),
    lineChart(
      {
        name: 'tau',
        title: `Claims by how sure the intruder must be: ${name}`,
        x: 'how sure (tau: share of the most frequent target)',
        y: 'share of original records',
      },
      linesOver(details.tau, 'tau', { coverage: 'claimed', hits: 'right', gain: 'mean CAP', precision: 'precision' }),
    ),
    histogramChart(
      { name: 'cap', title: `Chance of a right guess per record (CAP): ${name}`, x: 'CAP', y: 'records' },
      details.cap,
      [
        { value: details.DCAPd, label: 'mean' },
        { value: details.chance.DCAPd.expected, label: 'chance' },
      ],
    ),
    barChart(
      {
        name: 'baselines',
        title: `Right claims, and what explains them: ${name}`,
        x: '',
        y: 'share of original records',
      },
      [
        { label: 'right', value: details.DiSCO },
        { label: 'beyond chance', value: details.chance.DiSCO.excess },
        { label: 'beyond the margin', value: details.baselines.b1.excess },
        { label: 'beyond one key', value: details.baselines.b2.excess },
        { label: 'beyond the class', value: details.baselines.b3.excess },
      ],
    ),
  ],
})

/** A comparison with fewer people says nothing that leave-one-out does not say better. */
const FEWEST_OUTSIDERS = 30

function addedByRecord(cells: Cells): Float64Array {
  const added = addedOf(cells, scoresOf(cells), 'release', keptShares(cells))
  return perRecord(cells, (cell) => added[cell])
}

async function compute({ release, part, target: name }: Subject, chosen: z.output<typeof options>, context: Context) {
  const target = prepareTarget(release, name, chosen.targetGroups)
  // Counted by another thread meanwhile, as records are dealt anew below; what goes wrong there is heard of where it is waited for.
  const replicated = replicatedRecords(release, part, context)
  replicated.catch(() => {})
  const cells = cellsOf(release, 'original', part, target)
  const held = release.holdout === null ? null : cellsOf(release, 'holdout', part, target)
  const scores = scoresOf(cells)
  const comparing = againstOthers(cells, scores, context)
  comparing.catch(() => {})
  const claim = claimsOf(cells)
  const DiSCO = tauPoint(cells, claim, 1).hits
  const DCAPd = total(capByClass(cells)) / cells.nd
  const cap = capOfCells(cells)
  const outsiders = held === null ? null : lookAtOutsiders(cells, scores, held)
  const people = held?.n ?? 0
  const [fullRecords = null, fullRecordsInHoldout = null] = await replicated
  const details = {
    DiSCO,
    DCAPd,
    chosen: tauPoint(cells, claim, chosen.tau),
    tau: tauCurve(cells, claim),
    chance: { DiSCO: chanceOfDisco(DiSCO, cells), DCAPd: chanceOfDcap(DCAPd, cells) },
    baselines: baselinesAt(release, cells, chosen.tau),
    /** Mean score of the release, of everybody else's records with their own margin, of the original and of people outside. */
    scores: {
      release: meanOver(cells, scores.release),
      others: meanOver(cells, scores.others),
      original: meanOver(cells, scores.original),
      outsiders: outsiders?.controls.fair.value ?? null,
    },
    selfSupported: { ...selfSupported(cells), fullRecords },
    selfSupportedInHoldout: held === null ? null : { ...selfSupported(held), fullRecords: fullRecordsInHoldout },
    marginal:
      held === null
        ? null
        : {
            DiSCO: marginalDisco(cells, held),
            DCAPd: marginalMean(cells, capByClass(cells), held, capByClass(held)),
          },
    byClassSize: byClassSize(cells),
    byLevel: byLevel(cells),
    cap: histogram(cap, 20, 0, 1, cells.dCount),
    targetGrouping: target.grouping,
  }
  return {
    ...(await comparing),
    ...(outsiders === null || people < FEWEST_OUTSIDERS
      ? {}
      : { looks: [{ ...outsiders, added: () => addedByRecord(cells) }] }),
    added: () => addedByRecord(cells),
    addedWithout: (key: string) => {
      const keys = groupByKeys(
        release,
        release.keys.filter((other) => other !== key),
      )
      return addedByRecord(countCells(release, 'original', part, keys, target))
    },
    details,
    warnings: [
      ...(isConstant(cells) ? [`${name} is constant in the original: it carries no information`] : []),
      ...(held !== null && people < FEWEST_OUTSIDERS
        ? [`${count(people, 'person', 'people')} outside the release are too few to compare with`]
        : []),
    ],
    records: () => ({
      score: perRecord(cells, (cell) => scores.release[cell]),
      others: perRecord(cells, (cell) => scores.others[cell]),
      cap: perRecord(cells, (cell) => cap[cell]),
      confidence: perRecord(cells, (cell) => claim.confidence[cells.classOf[cell]]),
      guessedRight: perRecord(cells, (cell) => (isGuess(cells, claim, cell) ? 1 / claim.ties[cells.classOf[cell]] : 0)),
      selfSupported: perRecord(cells, (cell) => (cells.dCount[cell] === 1 && cells.s[cell] > 0 ? 1 : 0)),
      classSizeOriginal: perRecord(cells, (cell) => cells.dClassCount[cells.classOf[cell]]),
      classSizeReleased: perRecord(cells, (cell) => cells.sClass[cells.classOf[cell]]),
    }),
  }
}

/** Share of records whose key and target occur once in the original and at least once in the release; `strict`: exactly once. */
function selfSupported(cells: Cells) {
  let share = 0
  let strict = 0
  for (let cell = 0; cell < cells.d.length; cell++) {
    if (cells.dCount[cell] !== 1 || cells.s[cell] === 0) continue
    share += cells.d[cell]
    if (cells.s[cell] === 1) strict += cells.d[cell]
  }
  return { share: share / cells.nd, strict: strict / cells.nd }
}

const CLASS_SIZES = [
  { size: '1', most: 1 },
  { size: '2', most: 2 },
  { size: '3-5', most: 5 },
  { size: '6-10', most: 10 },
  { size: '>10', most: Number.POSITIVE_INFINITY },
]

function byClassSize(cells: Cells) {
  const rowOf = (cell: number) => CLASS_SIZES.findIndex(({ most }) => cells.dClassCount[cells.classOf[cell]] <= most)
  return disclosedBy(
    cells,
    CLASS_SIZES.map(({ size }) => ({ size })),
    rowOf,
  )
}

/** Target levels by disclosed records, most first; a level that the original lacks is left out. */
function byLevel(cells: Cells) {
  const levels = cells.target.levels.map((level) => ({ level }))
  return disclosedBy(cells, levels, (cell) => cells.level[cell])
    .filter((row) => row.records > 0)
    .sort((a, b) => b.disclosed - a.disclosed || b.records - a.records)
}

/** How many people each group has, and for how many of them the release shows one target value, and it is theirs. */
function disclosedBy<Group extends object>(cells: Cells, groups: readonly Group[], rowOf: (cell: number) => number) {
  const rows = groups.map((group) => ({ ...group, records: 0, disclosed: 0 }))
  for (let cell = 0; cell < cells.d.length; cell++) {
    const row = rows[rowOf(cell)]
    row.records += cells.d[cell]
    if (isWholeClassInRelease(cells, cell)) row.disclosed += cells.d[cell]
  }
  return rows
}

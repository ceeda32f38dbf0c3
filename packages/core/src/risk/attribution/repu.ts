import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { unknownName } from '../../errors.js'
import { column, figureTable } from '../../evidence/finding-table.js'
import { evidenceOf, lookAtOutsiders, tally } from '../../evidence/looks.js'
import { measure, type Subject } from '../../measure.js'
import { choice, columnNames } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { wilson } from '../../stats/intervals.js'
import { recordCount, timesOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { ATTRIBUTE_ATTACK, completeCases, spreadOver } from './counts/attack.js'
import { type Cells, cellsOf } from './counts/cells.js'
import { nothingToLearn } from './counts/target.js'
import { identity } from './figures/figures.js'
import { effectivePeople, theOriginal } from './figures/gains.js'
import { marginalShare } from './figures/holdout.js'
import {
  identicalRecords,
  independentColumns,
  independentPeople,
  lookAtPairs,
  outsidersReplicated,
  pairsOf,
  type Replicated,
} from './figures/replicated.js'

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
 */
const options = z.object({
  variables: columnNames(1).describe(
    'what records are compared on; not given: the keys (synthpop), all common variables (riskutility)',
  ),
  missing: choice(['auto', 'drop', 'category'], 'auto').describe(
    'records with a missing value: left out, or missing is a value; auto: left out under riskutility',
  ),
})

export type Options = z.output<typeof options>

export const repu = measure({
  ...ATTRIBUTE_ATTACK,
  id: 'repu',
  title: 'Replicated uniques (repU)',
  summary: 'people unique on the keys in the original who find exactly one such record in the release',
  threat: 'identity',
  needs: ['keys'],
  pools: false,
  blindTo: 'people who share their keys with somebody, and whether the rest of the record is right',
  fooledBy: {
    'leave the step': ATTRIBUTE_ATTACK.fooledBy['leave the step'],
    'repeat records': 'a key that is written twice is unique no more',
    'pad with noise': 'noisy records take the keys that were unique',
  },
  isOfCounts: ({ variables }) => variables === null,
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
  literature: [
    {
      value: 0.01,
      meaning: 'share of identical released records from which risk is called elevated',
      source: 'riskutility',
    },
    { value: 0.05, meaning: 'share of identical released records called serious', source: 'riskutility' },
  ],
  sentence: ({ details: { repU, UiO, holdout } }) =>
    `${percent(repU)} of people are unique in both files, of ${percent(UiO)} unique in the original${holdout === null ? '' : `; ${percent(holdout.repU)} of people who are not in the data`}`,
  tables: ({ details: { counts, UiO, UiS, UiOiS, repU } }) => [
    figureTable('ident', 'Unique on the keys, shares', { UiO, UiS, UiOiS, repU }, column.share),
    figureTable('counts', 'Unique on the keys, records', counts, column.count),
  ],
  charts: ({ details }, { name }) => [
    barChart({ name: 'uniques', title: `Unique records: ${name}`, x: '', y: 'share of original records' }, [
      { label: 'unique (UiO)', value: details.UiO, series: 'original' },
      { label: 'and in the release (UiOiS)', value: details.UiOiS },
      { label: 'unique in both (repU)', value: details.repU },
      { label: 'holdout (repU)', value: details.holdout?.repU, series: 'original' },
    ]),
  ],
})

function compute(subject: Subject, { variables, missing }: Options) {
  const compared = compareRecords(subject, variables ?? subject.release.keys, missing === 'drop')
  const { holdout, people, ...finding } = uniquesFinding(compared)
  const { repU, UiO } = finding.details
  return {
    ...finding,
    value: repU,
    interval: wilson(repU * people, people),
    ...evidence(compared, repU, UiO, people, holdout),
  }
}

/** The records of both files, counted by the variables that they are compared on. */
export interface Compared {
  readonly release: Release
  readonly variables: readonly string[]
  readonly cells: Cells
  readonly dropped: { readonly original: number; readonly released: number }
  /** Per row of the original that is compared: its class. */
  readonly classOfRow: Int32Array
  toRows(scores: ArrayLike<number>): Float64Array
}

export function compareRecords({ release, part }: Subject, variables: readonly string[], drop: boolean): Compared {
  const complete = drop ? completeCases(release, variables) : null
  const compared = complete?.release ?? release
  const cells = cellsOf(compared, 'original', part, nothingToLearn(compared, variables[0]), variables)
  return {
    release: compared,
    variables,
    cells,
    dropped: {
      original: recordCount(release, 'original') - cells.n,
      released: recordCount(release, part) - cells.ns,
    },
    classOfRow: cells.cellOfTruth.map((cell) => cells.classOf[cell]),
    toRows: (scores) => spreadOver(scores, complete?.kept.get('original'), release.original.rows),
  }
}

/** What any definition gives besides its headline, and the people who stand behind repU. */
export function uniquesFinding(compared: Compared) {
  const { release, cells, classOfRow, toRows } = compared
  const { dClassCount: originals, sClass: released } = cells
  const { n } = cells
  const classesWhere = (fits: (q: number) => boolean) => originals.filter((_, q) => fits(q)).length
  const isReplicated = (q: number) => originals[q] === 1 && released[q] === 1
  const isPair = (q: number) => originals[q] === 2 && released[q] === 0
  const unique = identity(cells)
  const replicated = classesWhere(isReplicated)
  const holdout = release.holdout === null ? null : outsidersReplicated(compared)
  const scores = (scoreOf: (q: number) => number) => toRows(Float64Array.from(classOfRow, (q) => scoreOf(q)))
  return {
    holdout,
    people: independentPeople(
      { ids: classOfRow, times: timesOfPart(release, 'original'), classes: cells.classes },
      isReplicated,
      effectivePeople(release, 'original', n),
    ),
    added: () => scores((q) => (isReplicated(q) ? 1 : isPair(q) ? -0.5 : 0)),
    details: {
      ...unique,
      variables: compared.variables,
      records: { original: n, released: cells.ns },
      dropped: compared.dropped,
      /** Replicated uniques as a share of the released records. */
      repUofReleased: replicated / cells.ns,
      /** Counts as synthpop's replicated.uniques prints them. */
      counts: {
        uniqueInOriginal: classesWhere((q) => originals[q] === 1),
        uniqueInReleased: classesWhere((q) => released[q] === 1),
        /** Unique in the release and present in the original: the records that its cautious removal would drop. */
        uniqueInReleasedFound: classesWhere((q) => released[q] === 1 && originals[q] > 0),
        replicated,
      },
      identical: identicalRecords(cells),
      pairs: pairsOf(cells),
      /** The share of the holdout that would be replicated uniques if they were in the original, and the difference to it. */
      holdout: holdout === null ? null : { records: holdout.records, repU: holdout.repU },
      marginal: holdout === null ? null : marginalShare(unique.repU, n, holdout.repU, holdout.records),
    },
    records: () => ({
      uniqueInOriginal: scores((q) => Number(originals[q] === 1)),
      uniqueAndFound: scores((q) => Number(originals[q] === 1 && released[q] > 0)),
      replicated: scores((q) => Number(isReplicated(q))),
    }),
  }
}

/** People outside first, where there are any; the pairs within the files beside them. */
function evidence(compared: Compared, repU: number, UiO: number, people: number, holdout: Replicated | null) {
  const { cells } = compared
  const isUnique = (q: number) => cells.dClassCount[q] === 1
  const ends = {
    nothing: independentColumns(
      compared,
      isUnique,
      (p, q) => (cells.dClass[q] / cells.nd) * cells.ns * p * math.pow(1 - p, cells.ns - 1),
    ),
    everything: theOriginal(UiO),
  }
  const outsiders =
    holdout === null ? [] : [lookAtOutsiders(tally(repU, people), tally(holdout.repU, holdout.people), ends)]
  return evidenceOf([...outsiders, lookAtPairs(compared, repU, UiO, ends)], ends, 'there is nobody to compare with')
}

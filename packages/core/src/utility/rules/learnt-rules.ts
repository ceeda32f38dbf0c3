import { dumbbellChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { count, percent } from '../../print.js'
import { stratifiedFolds } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { newcombe } from '../../stats/intervals.js'
import { total } from '../../stats/sums.js'
import { remember } from '../../table/classes.js'
import type { Table } from '../../table/table.js'
import type { Pair } from '../pair.js'
import { plainOptions, utilityMeasure } from '../utility-measure.js'
import { besideOriginal, share } from './broken-shares.js'
import { type Breaks, findBreaks, learnRules, sortRows } from './rule-learning.js'

/**
 * How many released records are unlike anything in the original: outside the ranges of numbers, with a level or a pair of levels
 * that never occurs, with a number that never comes with a level? The rules are learnt from the original (`rule-learning.ts`),
 * so no original breaks them; what honest records would do is known from ten folds of the original, each judged by the rules
 * learnt from the nine others.
 *
 * Some of what the original lacks is impossible, some merely was not seen: a rule that is broken is a question to the custodian.
 * Blind to impossible combinations of three columns, and to everything possible that comes too often or too seldom.
 */
export const learntRules = utilityMeasure({
  id: 'learnt-rules',
  title: 'Rules learnt from the original',
  summary: 'share of released records with values or combinations that the original rules out',
  orientation: 'distance',
  nothing: 'independent',
  mostRows: 20_000,
  unit: 'share',
  stochastic: true,
  blindTo: 'combinations of three and more columns, and possible values that are too frequent or too rare',
  options: plainOptions,
  statistic: (pair, _, { seed }) => share(breaksOf(pair, seed).any),
  compute: (pair, _, { seed }) => {
    const { rules, crossFitted } = learntFrom(pair, seed)
    const found = breaksOf(pair, seed)
    const broken = total(found.any)
    const originalBroken = total(crossFitted)
    const records = pair.released.rows
    const originalRecords = pair.original.rows
    const interval = newcombe(broken, records, originalBroken, originalRecords)
    return {
      ...besideOriginal(
        { broken, records },
        { broken: originalBroken, records: originalRecords },
        'rule learnt from others',
      ),
      details: {
        rules: rules.reduce((sum, rule) => sum + rule.count, 0),
        broken,
        records,
        /** Originals that break rules learnt from other originals. */
        originalBroken,
        originalRecords,
        excess: {
          value: broken / records - originalBroken / originalRecords,
          lower: interval?.lower ?? -1,
          upper: interval?.upper ?? 1,
        },
        /** Most often broken first. */
        brokenRules: found.rules.slice(0, MOST_LISTED),
        brokenRuleCount: found.rules.length,
      },
    }
  },
  sentence: ({ details: { broken, records, rules, originalBroken, originalRecords } }) =>
    `${count(broken, 'released record')} (${percent(broken / records)}) ${broken === 1 ? 'breaks' : 'break'} one of ${count(rules, 'rule')} that the original suggests; of new records of the same people ${percent(originalBroken / originalRecords)} would`,
  tables: ({ details }) => [
    findingTable('rules', 'Rules that are broken', details.brokenRules, [
      [column.text('rule'), ({ rule }) => rule],
      [column.count('records'), ({ broken }) => broken],
    ]),
  ],
  charts: ({ details }, { name }) => [
    dumbbellChart(
      {
        name: 'learnt-rules',
        title: `Rules of the original that released records break: ${name}`,
        x: 'share of records',
        y: '',
      },
      [
        {
          label: 'any rule (grey: honest records)',
          original: details.originalBroken / details.originalRecords,
          release: details.broken / details.records,
        },
        ...details.brokenRules
          .slice(0, MOST_SHOWN)
          .map(({ rule, broken }) => ({ label: rule, original: 0, release: broken / details.records })),
      ],
    ),
  ],
})

const FOLDS = 10
const FEWEST_RECORDS = 40
const MOST_LISTED = 50
const MOST_SHOWN = 15

/** Once per original. */
function learntFrom({ original, variables }: Pair, seed: number) {
  return remember(original, `learnt rules ${JSON.stringify([variables, seed])}`, () => learn(original, variables, seed))
}

function learn(original: Table, variables: readonly string[], seed: number) {
  if (original.rows < FEWEST_RECORDS)
    throw new NotApplicable(`rules can be learnt from ${FEWEST_RECORDS} records and more`)
  const fold = stratifiedFolds(stream(seed, 'learnt-rules/folds'), new Int32Array(original.rows), FOLDS)
  const rows = (isWanted: (row: number) => boolean) => Int32Array.from(fold.keys()).filter(isWanted)
  const sorted = sortRows(original, variables)
  const crossFitted = new Uint8Array(original.rows)
  for (let k = 0; k < FOLDS; k++) {
    const others = learnRules(
      original,
      variables,
      rows((row) => fold[row] !== k),
      sorted,
    )
    const { any } = findBreaks(
      others,
      original,
      rows((row) => fold[row] === k),
    )
    for (let row = 0; row < any.length; row++) crossFitted[row] |= any[row]
  }
  return {
    rules: learnRules(
      original,
      variables,
      rows(() => true),
      sorted,
    ),
    /** 1 for originals that break rules learnt from the other folds. */
    crossFitted,
  }
}

/** Records that were drawn from the original are judged by the rules learnt from other folds: they made the others. */
function breaksOf(pair: Pair, seed: number): Breaks {
  const { rules, crossFitted } = learntFrom(pair, seed)
  if (pair.drawn === null) return findBreaks(rules, pair.released)
  return { any: Uint8Array.from(pair.drawn, (row) => crossFitted[row]), rules: [] }
}

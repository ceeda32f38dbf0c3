import { column, type FindingColumn, type FindingTable, findingTable } from '../../evidence/finding-table.js'
import type { Interval } from '../../stats/intervals.js'
import type { Performance } from './attack/performance.js'

interface AttackerFigures {
  readonly attacker: string
  readonly rate: number
  readonly interval: Interval | null
  readonly chance: number
  readonly performance: Performance
}

const ERRORS: Readonly<Record<string, FindingColumn>> = {
  accuracy: column.share('accuracy'),
  balancedAccuracy: column.share('balanced'),
  logLoss: column.number('log loss'),
  brier: column.number('Brier'),
  mae: column.number('MAE'),
  rmse: column.number('RMSE'),
  r2: column.number('R²'),
}

/** Each attacker with its score and how good a model it is: for classes accuracy, for numbers MAE and RMSE. */
export function rapidTables({
  attackers,
  classes,
}: {
  readonly attackers: readonly AttackerFigures[]
  readonly classes: readonly { readonly level: string; readonly records: number; readonly rate: number | null }[] | null
}): readonly FindingTable[] {
  const errors = errorColumns(attackers)
  return [
    findingTable('attackers', 'By attacker', attackers, [
      [column.text('attacker'), ({ attacker }) => attacker],
      [column.share('at risk'), ({ rate }) => rate],
      [column.share('from'), ({ interval }) => interval?.lower],
      [column.share('to'), ({ interval }) => interval?.upper],
      [column.share('by chance'), ({ chance }) => chance],
      ...errors,
    ]),
    findingTable('classes', 'By class of the target', classes ?? [], [
      [column.text('class'), ({ level }) => level],
      [column.count('records'), ({ records }) => records],
      [column.share('at risk'), ({ rate }) => rate],
    ]),
  ]
}

interface FoldFigures {
  readonly fold: number
  readonly records: number
  readonly rate: number
  readonly members: number
  readonly chance: number
  readonly performance: Performance
}

/** Each fold of a cross-validation: people left out, beside those in the data. */
export function rapidFoldTables({
  folds,
  attackers,
}: {
  readonly folds: readonly FoldFigures[]
  readonly attackers: readonly { readonly attacker: string; readonly mean: number }[]
}): readonly FindingTable[] {
  return [
    findingTable('folds', 'At risk by fold, left out of the data and in it', folds, [
      [column.text('fold'), ({ fold }) => String(fold)],
      [column.count('records'), ({ records }) => records],
      [column.share('left out'), ({ rate }) => rate],
      [column.share('in the data'), ({ members }) => members],
      [column.share('by chance'), ({ chance }) => chance],
      ...errorColumns(folds),
    ]),
    findingTable('attackers', 'Mean over folds, by attacker', attackers, [
      [column.text('attacker'), ({ attacker }) => attacker],
      [column.share('left out'), ({ mean }) => mean],
    ]),
  ]
}

interface Scored {
  readonly performance: Performance
}

/** How good the model is, by every figure that any of them has. */
function errorColumns(
  scored: readonly Scored[],
): readonly (readonly [FindingColumn, (row: Scored) => number | null])[] {
  return Object.entries(ERRORS)
    .filter(([name]) => scored.some(({ performance }) => name in performance))
    .map(([name, head]) => [head, ({ performance }) => performance[name]])
}

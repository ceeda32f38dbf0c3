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
  const known = Object.entries(ERRORS).filter(([name]) => attackers.some(({ performance }) => name in performance))
  return [
    findingTable('attackers', 'By attacker', attackers, [
      [column.text('attacker'), ({ attacker }) => attacker],
      [column.share('at risk'), ({ rate }) => rate],
      [column.share('from'), ({ interval }) => interval?.lower],
      [column.share('to'), ({ interval }) => interval?.upper],
      [column.share('by chance'), ({ chance }) => chance],
      ...known.map(([name, head]) => [head, ({ performance }: AttackerFigures) => performance[name]] as const),
    ]),
    findingTable('classes', 'By class of the target', classes ?? [], [
      [column.text('class'), ({ level }) => level],
      [column.count('records'), ({ records }) => records],
      [column.share('at risk'), ({ rate }) => rate],
    ]),
  ]
}

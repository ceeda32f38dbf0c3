import { z } from 'zod'
import { UserError } from '../errors.js'
import { real } from '../option-kinds.js'
import { count } from '../print.js'
import {
  type RecordRisk,
  recordRisk,
  recordRiskOptions,
  recordRiskProblems,
} from '../risk/frequency/population/record-risk.js'
import { sum } from '../stats/sums.js'
import { release } from '../table/release.js'
import { columnOf, type Table } from '../table/table.js'
import {
  type AnonymiserRoles,
  anonymiser,
  changedCells,
  nameProblems,
  variablesOption,
  withColumns,
  withMissing,
} from './method/anonymiser.js'
import { followKeys, ghostProblems, ghostsOption } from './method/ghosts.js'

/**
 * Suppression by risk: some keys become missing in every record whose individual risk (risk/frequency/population/record-risk.ts, all
 * keys, weight or sampling fraction as there) is above a threshold, as sdcMicro's localSupp does. The risk is then
 * estimated again with missing as a wildcard.
 *
 * Promises nothing: what is left may still be rare, and the report says how many records stay above. A second run on the
 * result with another key goes on from there; local-suppression reaches its k in one.
 */
const options = z.object({
  variables: variablesOption('keys whose values become missing in records at risk; at least one must be named'),
  threshold: real(0.15, { above: 0, below: 1 }).describe('records with a risk above this lose the values'),
  ghosts: ghostsOption,
  ...recordRiskOptions,
})

type Options = z.output<typeof options>

export const riskSuppression = anonymiser({
  id: 'risk-suppression',
  title: 'Suppression by individual risk',
  summary: 'Makes chosen keys missing in every record whose individual risk is above a threshold.',
  options,
  apply(data, roles, chosen) {
    const named = chosen.variables ?? []
    const problems = optionProblems(data, roles.keys, named, chosen)
    if (problems.length > 0) throw new UserError(problems)
    const first = riskOf(data, roles, chosen)
    const before = named.map((name) => columnOf(data, name))
    const after = before.map((column) => withMissing(column, (row) => first.risk[row] > chosen.threshold))
    const ghosts = followKeys(data, chosen.ghosts, after)
    const table = withColumns(data, [...after, ...ghosts.map(({ column }) => column)])
    const left = summarise(riskOf(table, roles, { ...chosen, method: first.method }), chosen.threshold)
    const suppressed = before.map((column, j) => ({
      variable: column.name,
      cells: changedCells(column, after[j]).cells,
    }))
    return {
      table,
      description: {
        threshold: chosen.threshold,
        /** The estimator of the risk. */
        method: first.method,
        before: summarise(first, chosen.threshold),
        after: left,
        suppressed,
        cells: sum(suppressed.map(({ cells }) => cells)),
        ghosts: ghosts.map(({ about }) => about),
      },
      notes: [
        ...first.notes,
        ...(left.above === 0
          ? []
          : [
              `still above ${chosen.threshold}: ${count(left.above, 'record')}; other keys can be suppressed in a second run`,
            ]),
      ],
    }
  },
})

function optionProblems(data: Table, keys: readonly string[], named: readonly string[], { ghosts }: Options): string[] {
  if (keys.length === 0) return ['risk-suppression needs keys, by which the risk of each record is estimated']
  if (named.length === 0) return [`risk-suppression needs the option variables: which of the keys become missing`]
  const strangers = named.filter((name) => !keys.includes(name))
  return [
    ...nameProblems(data, named),
    ...strangers.map((name) => `variables: "${name}" is not a key`),
    ...ghostProblems(data, ghosts, named, []),
  ]
}

/** The individual risk of each record of a file by itself; missing keys may stand for any value. */
function riskOf(data: Table, { keys, weight }: AnonymiserRoles, chosen: Options): RecordRisk {
  const file = release({ original: data, released: data, keys, weight: weight ?? undefined, type: 'perturbed' })
  const problems = recordRiskProblems(file, chosen)
  if (problems.length > 0) throw new UserError(problems)
  return recordRisk(file, 'original', chosen)
}

function summarise({ risk }: RecordRisk, threshold: number) {
  const known = risk.filter((value) => !Number.isNaN(value))
  return {
    above: known.reduce((total, value) => total + (value > threshold ? 1 : 0), 0),
    highest: known.reduce((a, b) => Math.max(a, b), 0),
    expectedReidentifications: sum(known),
  }
}

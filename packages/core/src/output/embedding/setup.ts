import { type Column, categorical, numeric, valueAt } from '../../table/column.js'
import { selectRows, type Table, table } from '../../table/table.js'
import type { Task } from '../../tasks/task.js'
import type { Output, OutputRequest } from '../description/description.js'
import type { Recomputed } from '../description/value.js'
import { describedVariables, requestTable } from '../description/variables.js'
import { recomputed } from '../numbers/recompute.js'
import type { Prepared, Scale } from './aims/aims.js'
import { prepareOutput } from './aims/prepare.js'
import { type CountTable, countTable, jointGroups, type PublicKnowledge, uniformStart } from './knowledge.js'
import { type CodedTable, codedTable, type NumberRange, selectRecords } from './records/coded-records.js'
import type { Aim } from './records/ledger.js'
import type { MomentsAim } from './records/moments.js'

/** Everything that all embeddings of a request share. */
export interface Setup {
  /** The variables of the request in all records; those of a holdout come after the data's. */
  readonly table: Table
  readonly whole: CodedTable
  /** Records of the data. */
  readonly rows: number
  readonly outputs: readonly Prepared[]
  /** Outputs that are public already, and tables that are known. */
  readonly released: readonly Prepared[]
  readonly knowledge: PublicKnowledge
}

export function setUp(
  request: OutputRequest,
  data: Table,
  holdout: Table | undefined,
  released: readonly Output[],
): Setup {
  const known = Array.isArray(request.knowledge) ? request.knowledge : []
  const all: OutputRequest = { ...request, outputs: [...request.outputs, ...released] }
  const people = requestTable(all, data)
  const both = holdout === undefined ? people : stacked(people, requestTable(all, holdout))
  const ranges = new Map<string, NumberRange>()
  if (request.knowledge === 'none')
    for (const { name, type, min, max, decimals } of describedVariables(all, both))
      if (type !== 'categorical' && min !== undefined && max !== undefined)
        ranges.set(name, { min, max, decimals: decimals ?? 0 })
  const whole = codedTable(both, ranges)
  const { variables } = whole
  const start = request.knowledge === 'none' ? uniformStart(variables) : variables.map(({ shares }) => shares)
  const data0 = { ...whole, ...selectRecords(whole, countUp(people.rows)) }
  const tables = known.map((output) =>
    countTable(
      data0,
      output.by.map((name) => variables.findIndex((v) => v.name === name)),
    ),
  )
  return {
    table: both,
    whole,
    rows: people.rows,
    outputs: request.outputs.map((output) => prepareOutput(output, both, variables)),
    released: [...released, ...known].map((output) => prepareOutput(output, both, variables)),
    knowledge: { start, groups: jointGroups(tables, variables, start, people.rows) },
  }
}

export function countUp(n: number): Int32Array {
  return Int32Array.from({ length: n }, (_, row) => row)
}

/** Two tables with the same variables, one below the other; levels of either are levels of both. */
function stacked(upper: Table, lower: Table): Table {
  return table(
    upper.name,
    upper.columns.map((column) => {
      const other = lower.columns.find(({ name }) => name === column.name)
      if (other === undefined) throw new Error(`no column "${column.name}"`)
      if (column.kind !== 'categorical' && other.kind !== 'categorical')
        return numeric(column.name, Float64Array.from([...column.values, ...other.values]))
      const levels = [...new Set([...labelsOf(column).levels, ...labelsOf(other).levels])]
      return categorical(column.name, [...labelsOf(column).labels, ...labelsOf(other).labels], { levels })
    }),
  )
}

function labelsOf(column: Column): { readonly labels: readonly (string | null)[]; readonly levels: readonly string[] } {
  const rows = column.kind === 'categorical' ? column.codes.length : column.values.length
  const labels = Array.from({ length: rows }, (_, row) => {
    const value = valueAt(column, row)
    return value === null ? null : String(value)
  })
  const levels = column.kind === 'categorical' ? column.levels : labels.filter((label) => label !== null)
  return { labels, levels: [...new Set(levels)] }
}

/** The outputs on some records, on any thread. */
export const recomputeTask: Task<
  { readonly table: Table; readonly outputs: readonly Output[] },
  Int32Array,
  readonly Recomputed[]
> = {
  name: 'output/recompute',
  run: ({ table: all, outputs }, rows) => {
    const part = selectRows(all, rows)
    return outputs.map((output) => recomputed(output, part))
  },
}

/** The aims of some outputs, each weighing the same. */
export function aimsOf(
  outputs: readonly Prepared[],
  numbers: readonly Recomputed[],
  scale: Scale,
  base: 'printed' | 'exact' = 'printed',
): Aim[] {
  return outputs.flatMap((output, k) => output.aims(numbers[k].values, scale, 1 / outputs.length, base))
}

/** Errors of aims as errors of the outputs that they belong to. */
export function errorsByOutput(
  errors: readonly number[],
  outputs: readonly Prepared[],
  numbers: readonly Recomputed[],
): Readonly<Record<string, number>> {
  const names = outputs.flatMap(({ output, aims }, k) => aims(numbers[k].values, 'print', 1).map(() => output.id))
  const byOutput: Record<string, number> = {}
  for (const [k, name] of names.entries()) byOutput[name] = (byOutput[name] ?? 0) + errors[k]
  return byOutput
}

/** What is public, with the tables of counts among the aims: `direct` draws records from them. */
export function knowledgeWith(setup: Setup, aims: readonly Aim[], rows: number): PublicKnowledge {
  const { knowledge, whole } = setup
  const tables = aims.flatMap((aim) => (aim.kind === 'moments' ? (countsOf(aim, setup) ?? []) : []))
  if (tables.length === 0) return knowledge
  const groups = jointGroups([...tables, ...knowledge.groups.map(asTable)], whole.variables, knowledge.start, rows)
  return { start: knowledge.start, groups }
}

function asTable({ variables, cells }: PublicKnowledge['groups'][number]): CountTable {
  return { variables, counts: cells }
}

/** A table of plain counts without gaps, its variables in their order; undefined for anything else. */
function countsOf(aim: MomentsAim, { whole: { variables } }: Setup): CountTable | undefined {
  const { by, cellOf, weight, included, elements, aims } = aim
  const possible = by.reduce(
    (product, { variable: j }) => product * (variables[j].labels.length - (variables[j].missing < 0 ? 0 : 1)),
    1,
  )
  const isPlain = weight === null && included.joint === null && elements.every(({ what }) => what === 'count')
  if (!isPlain || by.length === 0 || elements.length !== possible) return undefined
  const axes = by.map(({ variable }) => variable).sort((a, b) => a - b)
  const sizes = axes.map((j) => variables[j].labels.length)
  const counts = new Float64Array(cellOf.length)
  for (let cell = 0; cell < counts.length; cell++) {
    let rest = cell
    let place = 0
    for (let k = axes.length - 1; k >= 0; k--) {
      const stride = by.find(({ variable }) => variable === axes[k])?.stride ?? 0
      place += (rest % sizes[k]) * stride
      rest = Math.floor(rest / sizes[k])
    }
    counts[cell] = cellOf[place] < 0 ? 0 : aims.targets[cellOf[place]]
  }
  return { variables: axes, counts }
}

import { math } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../../errors.js'
import type { JsonObject } from '../../json.js'
import { nameList, whole } from '../../option-kinds.js'
import { count } from '../../print.js'
import { type CategoricalColumn, type Column, categoriesOf } from '../../table/column.js'
import { type Condition, parseCondition } from '../../table/condition.js'
import { columnOf, findColumn, type Table, table } from '../../table/table.js'
import { type Coding, codingOf, decode, encode, logWithinGroup } from '../methods/coding.js'
import type { FittedSynthesizer, Streams } from '../synthesizer.js'

/**
 * A table as cells: each record lies in one cell of the cross-classification of all its variables, missing being a level.
 * Cell (c_1 ... c_p) has the number ((c_1 L_2 + c_2) L_3 + ...), L_j the levels of variable j. Numbers with few values have
 * a level for each; others are cut into quantile groups and drawn anew from the original numbers of the group, so within
 * a group they know nothing of the other variables.
 */
export interface CrossTable {
  readonly data: Table
  readonly variables: readonly CellVariable[]
  /** Of all variables together. */
  readonly cells: number
  /** The cell of each original record; those in structural zeros are left out. */
  readonly occupied: Float64Array
  readonly zeros: StructuralZeros
  readonly warnings: readonly string[]
}

interface CellVariable {
  readonly name: string
  readonly coding: Coding
  readonly column: CategoricalColumn
}

/** Cells that cannot be. */
interface StructuralZeros {
  readonly cells: number
  readonly has: (cell: number) => boolean
}

export const CELL_OPTIONS = {
  minNumLevels: whole(20, { min: 0 }).describe(
    'numbers with at most so many different values have a level for each; others are grouped',
  ),
  catGroups: whole(5, { min: 2 }).describe('quantile groups of other numbers, drawn anew within the group'),
  contNa: z
    .record(z.string(), z.array(z.number()).readonly())
    .default({})
    .describe('by numeric variable: numbers that are codes and have a group of their own'),
  structuralZeros: nameList().describe(
    `conditions on records that cannot be, such as ["age < 18 & marital == 'MARRIED'"]`,
  ),
}

type CellOptions = z.output<z.ZodObject<typeof CELL_OPTIONS>>

/** Cell numbers are exact up to here. */
const MOST_NUMBERED = Number.MAX_SAFE_INTEGER
/** Beyond, tables that hold a number for every cell no longer fit into memory comfortably. */
const MOST_CELLS = 10_000_000

export function crossTable(data: Table, options: CellOptions): CrossTable {
  if (data.rows === 0) throw new UserError(`${data.name} has no records to learn from`)
  for (const name of Object.keys(options.contNa))
    if (findColumn(data, name)?.kind !== 'numeric')
      throw new UserError(`contNa: ${data.name} has no numeric column "${name}"`)
  const variables = data.columns.map((column) => cellVariable(column, options))
  const cells = variables.reduce((product, { column }) => product * column.levels.length, 1)
  if (cells > MOST_NUMBERED)
    throw new UserError(`the cross table has more cells than can be numbered; use fewer variables or fewer levels`)
  const zeros = structuralZeros(data, variables, options.structuralZeros)
  const all = cellsOf(variables, data)
  const occupied = all.filter((cell) => !zeros.has(cell))
  const left = all.length - occupied.length
  if (zeros.cells === cells || occupied.length === 0)
    throw new UserError('structuralZeros: no cell with an original record is left')
  const warnings = left === 0 ? [] : [`${count(left, 'original record')} in structural zeros left out`]
  return { data, variables, cells, occupied, zeros, warnings }
}

function cellVariable(column: Column, { minNumLevels, catGroups, contNa }: CellOptions): CellVariable {
  const specials = Object.hasOwn(contNa, column.name) ? contNa[column.name] : []
  const coding = codingOf(column, { specials, mostClasses: minNumLevels, groups: catGroups, missing: false })
  return { name: column.name, coding, column: levelsOf(coding, column) }
}

const levelsOf = (coding: Coding, column: Column): CategoricalColumn => categoriesOf(encode(coding, column)[0])

/** For methods that hold a number for every cell. */
export function requireFewCells(cells: number, what: string): void {
  if (cells > MOST_CELLS)
    throw new UserError(
      `the cross table has ${count(cells, 'cell')}, and ${what} can hold ${count(MOST_CELLS, 'cell')}: use fewer variables, fewer levels or a smaller catGroups`,
    )
}

/** How often each cell occurs. */
export function cellCounts({ cells, occupied }: CrossTable): Float64Array {
  const counts = new Float64Array(cells)
  for (const cell of occupied) counts[cell]++
  return counts
}

/** The cell of each record, -1 for a record with a value that the original does not have. */
function cellsOf(variables: readonly CellVariable[], records: Table): Float64Array {
  const cells = new Float64Array(records.rows)
  for (const { name, coding, column } of variables) {
    const held = findColumn(records, name)
    if (held === undefined) throw new UserError(`${records.name} has no column "${name}"`)
    const { codes } = levelsOf(coding, held)
    for (let row = 0; row < cells.length; row++)
      cells[row] = codes[row] < 0 || cells[row] < 0 ? -1 : cells[row] * column.levels.length + codes[row]
  }
  return cells
}

function recordsIn({ data, variables }: CrossTable, cells: Float64Array, random: Streams): Table {
  const left = cells.slice()
  const columns = new Map<string, Column>()
  for (const { name, coding, column } of variables.toReversed()) {
    const size = column.levels.length
    const codes = Int32Array.from(left, (cell) => cell % size)
    for (let row = 0; row < left.length; row++) left[row] = (left[row] - codes[row]) / size
    columns.set(name, decode(coding, [{ ...column, codes }], random))
  }
  return table(
    `${data.name} (synthetic)`,
    data.columns.flatMap(({ name }) => columns.get(name) ?? []),
  )
}

/** What a method has made of the cells: a distribution over them. */
export interface CellDistribution {
  readonly draw: (random: ReturnType<Streams>) => number
  readonly probability: (cell: number) => number
}

/** Records drawn independently from a distribution over cells. */
export function fittedCells(
  cross: CrossTable,
  { draw, probability }: CellDistribution,
  described: { readonly method: string; readonly warnings?: readonly string[]; readonly details: JsonObject },
): FittedSynthesizer {
  return {
    sample: (rows, random) => {
      const cells = new Float64Array(rows)
      const stream = random('cells')
      for (let row = 0; row < rows; row++) cells[row] = draw(stream)
      return recordsIn(cross, cells, random)
    },
    logProb: (records) => {
      const logs = cellsOf(cross.variables, records).map((cell) => (cell < 0 ? -Infinity : math.log(probability(cell))))
      addWithinGroups(cross, records, logs)
      return logs
    },
    describe: () => ({
      variables: cross.variables.map(({ name, coding, column }) => ({
        variable: name,
        part: 'value',
        method: coding.kind === 'groups' ? `${described.method}, number drawn within its group` : described.method,
        donors: cross.occupied.length,
        levels: column.levels.length,
      })),
      cells: cross.cells,
      occupiedCells: new Set(cross.occupied).size,
      structuralZeros: cross.zeros.cells,
      ...described.details,
      warnings: [...cross.warnings, ...(described.warnings ?? [])],
    }),
  }
}

function addWithinGroups({ variables }: CrossTable, records: Table, logs: Float64Array): void {
  for (const { name, coding } of variables) {
    const within = logWithinGroup(coding, columnOf(records, name))
    if (within !== null) for (let row = 0; row < logs.length; row++) logs[row] += within[row]
  }
}

/** How often each cell occurs among these records, and the log probability of their numbers given the cells. */
export function occupiedBy(
  cross: CrossTable,
  records: Table,
): { readonly counts: ReadonlyMap<number, number>; readonly logWithin: number } {
  const counts = new Map<number, number>()
  for (const cell of cellsOf(cross.variables, records)) counts.set(cell, (counts.get(cell) ?? 0) + 1)
  const logs = new Float64Array(records.rows)
  addWithinGroups(cross, records, logs)
  return { counts, logWithin: logs.reduce((sum, log) => sum + log, 0) }
}

const NO_ZEROS: StructuralZeros = { cells: 0, has: () => false }

/** Conditions are tried on the combinations of the variables that they name, not on all cells. */
function structuralZeros(data: Table, variables: readonly CellVariable[], texts: readonly string[]): StructuralZeros {
  if (texts.length === 0) return NO_ZEROS
  const conditions = texts.map((text) => parseCondition(text, data, 'structuralZeros'))
  const named = variables.filter(({ name }) => conditions.some(({ names }) => names.includes(name)))
  const grouped = named.filter(({ coding }) => coding.kind === 'groups').map(({ name }) => `"${name}"`)
  if (grouped.length > 0)
    throw new UserError(
      `structuralZeros: ${grouped.join(', ')} ${grouped.length === 1 ? 'is' : 'are'} made in groups; raise minNumLevels`,
    )
  const sizes = named.map(({ column }) => column.levels.length)
  const combinations = sizes.reduce((product, size) => product * size, 1)
  requireFewCells(combinations, 'structuralZeros')
  const impossible = holdIn(conditions, named, data, combinations)
  const others = variables.reduce((product, { column }) => product * column.levels.length, 1) / combinations
  const place = combinationOf(variables, named)
  return {
    cells: others * impossible.reduce((sum, one) => sum + one, 0),
    has: (cell) => cell >= 0 && impossible[place(cell)] === 1,
  }
}

function holdIn(
  conditions: readonly Condition[],
  named: readonly CellVariable[],
  data: Table,
  combinations: number,
): Uint8Array {
  const cross: CrossTable = {
    data,
    variables: named,
    cells: combinations,
    occupied: new Float64Array(),
    zeros: NO_ZEROS,
    warnings: [],
  }
  const noDraws: Streams = () => {
    throw new Error('levels need no random numbers')
  }
  const each = recordsIn(
    cross,
    Float64Array.from({ length: combinations }, (_, k) => k),
    noDraws,
  )
  const impossible = new Uint8Array(combinations)
  for (const condition of conditions)
    condition
      .holds((name) => columnOf(each, name), combinations)
      .forEach((holds, k) => {
        if (holds === 1) impossible[k] = 1
      })
  return impossible
}

/** The combination of some of the variables that a cell has. */
function combinationOf(variables: readonly CellVariable[], named: readonly CellVariable[]): (cell: number) => number {
  const steps: { below: number; size: number }[] = []
  let below = 1
  for (const variable of variables.toReversed()) {
    const size = variable.column.levels.length
    if (named.includes(variable)) steps.unshift({ below, size })
    below *= size
  }
  return (cell) => steps.reduce((at, step) => at * step.size + (Math.floor(cell / step.below) % step.size), 0)
}

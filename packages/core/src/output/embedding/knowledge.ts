import { UserError } from '../../errors.js'
import { permutation } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { aliasTable, drawCategory } from '../../stats/draws.js'
import { fitMargins } from '../../synthesizers/cells/ipf.js'
import { type CodedTable, type CodedVariable, type Codes, emptyCodes } from './records/coded-records.js'

/**
 * What is public without the outputs, and data that know nothing else: each variable alone (uniform over its levels and range, or
 * as it is in the population), or joint tables of some variables, fitted to each other by iterative proportional fitting where they
 * overlap. Data drawn from it are the start of every search; their risk is the baseline of knowledge.
 */
export interface PublicKnowledge {
  /** Probability of each code, by variable. */
  readonly start: readonly Float64Array[]
  /** Variables that are known jointly, each in one group at most. */
  readonly groups: readonly JointGroup[]
}

export interface JointGroup {
  readonly variables: readonly number[]
  readonly sizes: readonly number[]
  /** By joint code, the last variable running fastest: expected records, or exact counts. */
  readonly cells: Float64Array
  /** The counts are known exactly: every record of them is there, none is drawn. */
  readonly exact: boolean
}

/** A table of counts over some variables. */
export interface CountTable {
  readonly variables: readonly number[]
  /** By joint code, the last variable running fastest. */
  readonly counts: Float64Array
}

export function uniformStart(variables: readonly CodedVariable[]): Float64Array[] {
  return variables.map(({ labels, missing }) => {
    const possible = labels.length - (missing < 0 ? 0 : 1)
    return Float64Array.from(labels, (_, code) => (code === missing ? 0 : 1 / possible))
  })
}

export function countTable({ variables, codes, rows }: CodedTable, axes: readonly number[]): CountTable {
  const sizes = axes.map((j) => variables[j].labels.length)
  const counts = new Float64Array(cellsOf(sizes))
  const width = variables.length
  for (let row = 0; row < rows; row++) {
    let place = 0
    for (let k = 0; k < axes.length; k++) place = place * sizes[k] + codes[row * width + axes[k]]
    counts[place]++
  }
  return { variables: axes, counts }
}

const MOST_CELLS = 2_000_000
const TOLERANCE = 1e-3
const MOST_ROUNDS = 500

function cellsOf(sizes: readonly number[]): number {
  const cells = sizes.reduce((product, size) => product * size, 1)
  if (cells > MOST_CELLS)
    throw new UserError(
      `tables that share variables are fitted to each other in one table, which would have ${cells} cells here; at most ${MOST_CELLS} are possible`,
    )
  return cells
}

/** Tables that share variables joined into groups; a table that is a group of its own is exact if its counts are whole numbers that sum to `rows`. */
export function jointGroups(
  tables: readonly CountTable[],
  variables: readonly CodedVariable[],
  start: readonly Float64Array[],
  rows: number,
): JointGroup[] {
  return connected(tables).map((group) => {
    const axes = [...new Set(group.flatMap((table) => table.variables))].sort((a, b) => a - b)
    const sizes = axes.map((j) => variables[j].labels.length)
    const widest = group.find((table) => table.variables.length === axes.length && isSorted(table.variables))
    if (widest !== undefined && isWhole(widest.counts, rows))
      return { variables: axes, sizes, cells: widest.counts, exact: true }
    const first = new Float64Array(cellsOf(sizes))
    for (let cell = 0; cell < first.length; cell++) {
      let rest = cell
      let weight = rows
      for (let k = axes.length - 1; k >= 0; k--) {
        weight *= start[axes[k]][rest % sizes[k]]
        rest = Math.floor(rest / sizes[k])
      }
      first[cell] = weight
    }
    const margins = group.map((table) => ({
      axes: table.variables.map((j) => axes.indexOf(j)),
      totals: scaledTo(table.counts, rows),
    }))
    const { table } = fitMargins(first, sizes, margins, { tol: TOLERANCE, iterations: MOST_ROUNDS })
    return { variables: axes, sizes, cells: table, exact: false }
  })
}

function isSorted(axes: readonly number[]): boolean {
  return axes.every((axis, k) => k === 0 || axes[k - 1] < axis)
}

function isWhole(counts: Float64Array, rows: number): boolean {
  let sum = 0
  for (const count of counts) {
    if (!Number.isInteger(count) || count < 0) return false
    sum += count
  }
  return sum === rows
}

function scaledTo(counts: Float64Array, rows: number): Float64Array {
  const total = counts.reduce((sum, count) => sum + Math.max(0, count), 0)
  return counts.map((count) => (total > 0 ? (Math.max(0, count) * rows) / total : 0))
}

/** Tables with a variable in common, directly or through others. */
function connected(tables: readonly CountTable[]): CountTable[][] {
  const groups: CountTable[][] = []
  for (const table of tables) {
    const touching = groups.filter((group) =>
      group.some((own) => own.variables.some((j) => table.variables.includes(j))),
    )
    for (const group of touching) groups.splice(groups.indexOf(group), 1)
    groups.push([...touching.flat(), table])
  }
  return groups
}

/** `rows` records that know nothing but what is public. */
export function drawStart(
  variables: readonly CodedVariable[],
  { start, groups }: PublicKnowledge,
  rows: number,
  random: Stream,
): Codes {
  const codes = emptyCodes(variables, rows)
  const width = variables.length
  const grouped = new Set(groups.flatMap((group) => group.variables))
  for (let j = 0; j < width; j++) {
    if (grouped.has(j)) continue
    const draw = aliasTable(start[j])
    for (let at = j; at < codes.length; at += width) codes[at] = drawCategory(random, draw)
  }
  for (const group of groups) {
    const cells = group.exact ? shuffledCells(group, rows, random) : drawnCells(group, rows, random)
    for (let row = 0; row < rows; row++) {
      let rest = cells[row]
      for (let k = group.variables.length - 1; k >= 0; k--) {
        codes[row * width + group.variables[k]] = rest % group.sizes[k]
        rest = Math.floor(rest / group.sizes[k])
      }
    }
  }
  return codes
}

function drawnCells({ cells }: JointGroup, rows: number, random: Stream): Int32Array {
  const draw = aliasTable(cells)
  return Int32Array.from({ length: rows }, () => drawCategory(random, draw))
}

/** Every cell as often as it is counted, in random order. */
function shuffledCells({ cells }: JointGroup, rows: number, random: Stream): Int32Array {
  const order = permutation(random, rows)
  const placed = new Int32Array(rows)
  let next = 0
  for (let cell = 0; cell < cells.length; cell++) for (let k = 0; k < cells[cell]; k++) placed[order[next++]] = cell
  return placed
}

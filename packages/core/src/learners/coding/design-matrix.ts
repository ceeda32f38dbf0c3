import { type DesignBlock, designTransposeTimes } from '@scrim/kernels'
import { UserError } from '../../errors.js'
import { sum } from '../../stats/sums.js'
import { type CategoricalColumn, categoriesOf, MISSING_CODE, numbersOf } from '../../table/column.js'
import type { Table } from '../../table/table.js'
import type { Importance } from '../learner.js'

/**
 * How the columns of a table become columns of numbers for linear learners. What is here was learned from the training
 * table and is applied to any table with the same columns.
 *
 * - A categorical column with L levels in training gives L - 1 columns. Treatment coding: 0/1 for each level but the
 *   first, which is the reference. Sum coding: the same for each level but the last, which is -1 in all of them. Missing
 *   is a level of its own, the last one, if training has it. A level that training has not seen is 0 in all columns.
 * - A number or date stays as it is; missing becomes the median of the training rows, and if training has missing values,
 *   a 0/1 column says where.
 * - Columns that are constant in training are left out.
 */
export interface Design {
  readonly coding: Coding
  readonly encodings: readonly Encoding[]
  /** The columns of the matrix, without the intercept. */
  readonly terms: readonly Term[]
  /** Columns of the table that are constant in training. */
  readonly dropped: readonly string[]
}

type Coding = 'treatment' | 'sum'

interface Term {
  /** As R names it: the column, then the level. */
  readonly name: string
  readonly column: string
  /** Null for a number; otherwise the level that it stands for. */
  readonly level: string | null
}

type Encoding = NumberEncoding | LevelsEncoding

interface NumberEncoding {
  readonly kind: 'number'
  /** Position in the table. */
  readonly at: number
  readonly fill: number
  /** Positions in `terms`; -1 for none. */
  readonly value: number
  readonly indicator: number
}

interface LevelsEncoding {
  readonly kind: 'levels'
  readonly at: number
  /** Position in `terms` of each code, the missing one last; or BASE, or UNSEEN. */
  readonly slots: Int32Array
  readonly first: number
  readonly count: number
}

export const MISSING_LABEL = '(missing)'
const BASE = -1
const UNSEEN = -2
/** Of a column whose variance is 1 in all rows: less than this in some of them is rounding. */
const SMALLEST_VARIANCE = 1e-20
/** Products of columns need this number squared. */
const MOST_TERMS = 5000

export interface DesignOptions {
  readonly coding?: Coding
  readonly weights?: Float64Array | null
}

/** Learns the encoding of a training table. Rows are expected to have positive weight. */
export function designOf(features: Table, options: DesignOptions = {}): Design {
  const { coding = 'treatment', weights = null } = options
  const terms: Term[] = []
  const dropped: string[] = []
  const encodings: Encoding[] = []
  features.columns.forEach((column, at) => {
    const encoding =
      column.kind === 'categorical'
        ? encodeLevels(column, at, coding, terms)
        : encodeNumber(column.name, column.values, at, weights, terms)
    if (encoding === null) dropped.push(column.name)
    else encodings.push(encoding)
  })
  if (terms.length > MOST_TERMS)
    throw new UserError(
      `linear models of ${features.name} would need ${terms.length} coefficients, more than ${MOST_TERMS}; group levels or leave columns with many levels out`,
    )
  return { coding, encodings, terms, dropped }
}

function encodeNumber(
  name: string,
  values: Float64Array,
  at: number,
  weights: Float64Array | null,
  terms: Term[],
): NumberEncoding | null {
  const present: number[] = []
  let isConstant = true
  for (let row = 0; row < values.length; row++) {
    if (!Number.isFinite(values[row])) continue
    if (present.length > 0 && values[row] !== values[present[0]]) isConstant = false
    present.push(row)
  }
  if (present.length === 0) return null
  const fill = weightedMedian(values, present, weights)
  const isComplete = present.length === values.length
  if (isConstant && isComplete) return null
  const value = isConstant ? -1 : terms.push({ name, column: name, level: null }) - 1
  const indicator = isComplete ? -1 : terms.push({ name: name + MISSING_LABEL, column: name, level: MISSING_LABEL }) - 1
  return { kind: 'number', at, fill, value, indicator }
}

function encodeLevels(column: CategoricalColumn, at: number, coding: Coding, terms: Term[]): LevelsEncoding | null {
  const { name, codes, levels } = column
  const slots = new Int32Array(levels.length + 1).fill(UNSEEN)
  for (let row = 0; row < codes.length; row++) slots[slotOf(codes[row], levels.length)] = BASE
  const seen = Array.from(slots.keys()).filter((code) => slots[code] === BASE)
  if (seen.length < 2) return null
  const first = terms.length
  for (const code of coding === 'treatment' ? seen.slice(1) : seen.slice(0, -1)) {
    const level = code === levels.length ? MISSING_LABEL : levels[code]
    slots[code] = terms.push({ name: name + level, column: name, level }) - 1
  }
  return { kind: 'levels', at, slots, first, count: terms.length - first }
}

function slotOf(code: number, levels: number): number {
  return code === MISSING_CODE ? levels : code
}

/** The columns of the matrix for a table, without the intercept. */
export function designColumns(design: Design, features: Table): Float64Array[] {
  const columns = design.terms.map(() => new Float64Array(features.rows))
  for (const encoding of design.encodings) {
    const column = features.columns[encoding.at]
    if (encoding.kind === 'number') {
      const values = numbersOf(column)
      if (encoding.value >= 0) fillNumbers(values, encoding.fill, columns[encoding.value])
      if (encoding.indicator >= 0)
        columns[encoding.indicator].set(values.map((value) => (Number.isFinite(value) ? 0 : 1)))
    } else {
      const { codes, levels } = categoriesOf(column)
      const isSum = design.coding === 'sum'
      for (let row = 0; row < codes.length; row++) {
        const slot = encoding.slots[slotOf(codes[row], levels.length)]
        if (slot >= 0) columns[slot][row] = 1
        else if (slot === BASE && isSum) for (let k = 0; k < encoding.count; k++) columns[encoding.first + k][row] = -1
      }
    }
  }
  return columns
}

/**
 * The matrix of a treatment coding in blocks that a categorical column enters at the price of one column, shifted by 1 for
 * the intercept, numbers with mean 0 and standard deviation 1 in these rows.
 */
export interface StandardBlocks {
  readonly blocks: readonly DesignBlock[]
  /** Number of coefficients with the intercept. */
  readonly width: number
  /** What was subtracted from and then divided out of each column, the intercept first. */
  readonly centres: Float64Array
  readonly scales: Float64Array
}

export function standardBlocks(design: Design, features: Table, weights: Float64Array | null): StandardBlocks {
  const width = design.terms.length + 1
  const centres = new Float64Array(width)
  const scales = new Float64Array(width).fill(1)
  const blocks: DesignBlock[] = []
  for (const encoding of design.encodings) {
    const column = features.columns[encoding.at]
    if (encoding.kind === 'number') {
      const values = numbersOf(column)
      if (encoding.value >= 0) {
        const filled = new Float64Array(values.length)
        fillNumbers(values, encoding.fill, filled)
        const { centre, scale } = moments(filled, weights)
        centres[encoding.value + 1] = centre
        scales[encoding.value + 1] = scale
        const standard = filled.map((value) => (value - centre) / scale)
        blocks.push({ kind: 'dense', column: encoding.value + 1, values: standard })
      }
      if (encoding.indicator >= 0) {
        const slots = Int32Array.from(values, (value) => (Number.isFinite(value) ? width : encoding.indicator + 1))
        blocks.push({ kind: 'levels', slots })
      }
    } else {
      const { codes, levels } = categoriesOf(column)
      const columnOf = encoding.slots.map((slot) => (slot >= 0 ? slot + 1 : width))
      blocks.push({ kind: 'levels', slots: codes.map((code) => columnOf[slotOf(code, levels.length)]) })
    }
  }
  return { blocks, width, centres, scales }
}

/** Population variance of every column in the weighted rows; 0 for the intercept. */
export function columnVariances({ blocks, width }: StandardBlocks, weights: Float64Array): Float64Array {
  const total = sum(weights)
  const means = new Float64Array(width)
  designTransposeTimes(blocks, weights, means)
  const variances = means.map((product, j) => (j === 0 ? 0 : (product / total) * (1 - product / total)))
  for (const block of blocks) {
    if (block.kind === 'levels') continue
    const centre = means[block.column] / total
    const { values } = block
    let squares = 0
    for (let row = 0; row < values.length; row++) squares += weights[row] * (values[row] - centre) ** 2
    variances[block.column] = squares / total
  }
  return variances.map((variance) => (variance > SMALLEST_VARIANCE ? variance : 0))
}

/** Coefficients for columns as they are, from those for standardised ones; the intercept comes first. */
export function onRawScale(coefficients: Float64Array, { centres, scales }: StandardBlocks): Float64Array {
  const raw = coefficients.map((value, j) => value / scales[j])
  raw[0] = sum(raw.map((value, j) => (j === 0 ? value : -value * centres[j])))
  return raw
}

/** Mean and population standard deviation. */
function moments(values: Float64Array, weights: Float64Array | null): { centre: number; scale: number } {
  const total = weights === null ? values.length : sum(weights)
  const weighted = (term: (x: number) => number) =>
    sum(values.map((value, row) => (weights === null ? 1 : weights[row]) * term(value))) / total
  const centre = weighted((x) => x)
  const scale = Math.sqrt(weighted((x) => (x - centre) ** 2))
  return { centre, scale: scale > 0 ? scale : 1 }
}

/** Intercept + Xb for every row, without writing X out; `coefficients` starts with the intercept. */
export function linearPredictor(design: Design, features: Table, coefficients: Float64Array): Float64Array {
  const predictor = new Float64Array(features.rows).fill(coefficients[0])
  for (const encoding of design.encodings) addContribution(design, encoding, features, coefficients, predictor)
  return predictor
}

function addContribution(
  design: Design,
  encoding: Encoding,
  features: Table,
  coefficients: Float64Array,
  predictor: Float64Array,
): void {
  const column = features.columns[encoding.at]
  if (encoding.kind === 'number') {
    const values = numbersOf(column)
    const slope = encoding.value < 0 ? 0 : coefficients[encoding.value + 1]
    const whenMissing = slope * encoding.fill + (encoding.indicator < 0 ? 0 : coefficients[encoding.indicator + 1])
    for (let row = 0; row < predictor.length; row++)
      predictor[row] += Number.isFinite(values[row]) ? slope * values[row] : whenMissing
  } else {
    const { codes, levels } = categoriesOf(column)
    const effects = levelEffects(design, encoding, coefficients)
    for (let row = 0; row < predictor.length; row++) predictor[row] += effects[slotOf(codes[row], levels.length)]
  }
}

/** What each code adds to the predictor, the missing one last. */
function levelEffects(
  design: Design,
  { slots, first, count }: LevelsEncoding,
  coefficients: Float64Array,
): Float64Array {
  const others = sum(coefficients.subarray(first + 1, first + 1 + count))
  const base = design.coding === 'sum' ? -others : 0
  return Float64Array.from(slots, (slot) => (slot >= 0 ? coefficients[slot + 1] : slot === BASE ? base : 0))
}

/**
 * The standard deviation, over the given rows, of what a column adds to the predictor: unlike a coefficient it does not
 * depend on units or on the choice of a reference level. With several predictors (classes), the root of their mean square.
 */
export function contributions(
  design: Design,
  features: Table,
  predictors: readonly Float64Array[],
  weights: Float64Array | null,
): Importance[] {
  const spread = new Map<string, number>(features.columns.map((column) => [column.name, 0]))
  for (const encoding of design.encodings) {
    let squares = 0
    for (const coefficients of predictors) {
      const part = new Float64Array(features.rows)
      addContribution(design, encoding, features, coefficients, part)
      squares += part.every((value) => value === part[0]) ? 0 : moments(part, weights).scale ** 2
    }
    spread.set(features.columns[encoding.at].name, Math.sqrt(squares / predictors.length))
  }
  return Array.from(spread, ([name, value]) => ({ name, value }))
}

/** One sentence on what a design leaves out. */
export function droppedNote(design: Design): string[] {
  return design.dropped.length === 0 ? [] : [`constant in training and left out: ${design.dropped.join(', ')}`]
}

function fillNumbers(values: Float64Array, fill: number, into: Float64Array): void {
  for (let row = 0; row < values.length; row++) into[row] = Number.isFinite(values[row]) ? values[row] : fill
}

/** The median of the rows repeated as often as their weights say. */
function weightedMedian(values: Float64Array, rows: readonly number[], weights: Float64Array | null): number {
  const weightOf = (row: number) => (weights === null ? 1 : weights[row])
  const order = Float64Array.from(rows).sort((a, b) => values[a] - values[b] || a - b)
  const half = sum(order.map(weightOf)) / 2
  let below = 0
  for (let k = 0; k < order.length; k++) {
    below += weightOf(order[k])
    if (below > half || k === order.length - 1) return values[order[k]]
    if (below === half) return (values[order[k]] + values[order[k + 1]]) / 2
  }
  return Number.NaN
}

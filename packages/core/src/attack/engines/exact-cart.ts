import type { CartSettings } from '../generator/cart-generator.js'
import { growChanged, growTree } from '../generator/cart-growth.js'
import { type GrownNode, type GrownTree, isFragile, sideOf } from '../generator/grown-tree.js'
import {
  beginnings,
  prefixBook,
  type Records,
  type ReleasedSets,
  recordAt,
  type Variable,
} from '../generator/records.js'
import { changedTotals, changeLeaf } from './changed-tree.js'
import { addTotals, copyOf, emptyTotals, logLikelihood, sumOfTotals, type Totals } from './set-totals.js'
import { columnCode, columnCodes, columnsOf, leastPositiveRisk } from './tree-columns.js'
import { NOT_MADE, type Part, type TreeStep, treeStep } from './tree-step.js'

/**
 * The exact likelihood of released sets in worlds that differ from `base` in one record. It is a sum over variables, and
 * the tree of a variable depends on the changed record only through its values up to that variable, so equal beginnings
 * share their sums. The tree of a world shares what it can with that of the base (`cart-growth.ts`), and so do the released
 * records in its leaves (`changed-tree.ts`). The simple version fits every world anew.
 *
 * `frozen` is the screen: the trees of the base are kept whatever the record is. It is blind to what their structure gives
 * away.
 */
export interface WorldLikelihood {
  /** Log likelihood of each set when the record of `row` is `candidate` instead. */
  readonly of: (row: number, candidate: Int32Array) => Float64Array
  readonly frozen: (row: number, candidate: Int32Array) => Float64Array
  /** Whether one record more or less may allow or forbid a split on the way of a record, or decide whether it is kept. */
  readonly isNearThreshold: (record: Int32Array) => boolean
}

/** Log likelihoods kept for equal beginnings, in numbers. */
const MOST_REMEMBERED = 4_000_000
const PAIRS = 2 ** 26

export function exactCart(
  variables: readonly Variable[],
  base: Records,
  settings: CartSettings,
  sets: ReleasedSets,
): WorldLikelihood {
  const steps = stepsOf(variables, base, settings, sets)
  const baseTotals = steps.map((own) => own.map(({ totals }) => totals).reduce(sumOfTotals))
  const prefixes = prefixBook(variables.length)
  const remembered = variables.map(() => new Map<number, Totals>())
  let kept = 0

  function of(row: number, candidate: Int32Array): Float64Array {
    const truth = recordAt(base, row)
    const totals = emptyTotals(sets.sets)
    let before = 0
    let after = 0
    let same = true
    for (let j = 0; j < variables.length; j++) {
      before = prefixes(j, before, truth[j])
      after = prefixes(j, after, candidate[j])
      same &&= truth[j] === candidate[j]
      if (totals.impossible.every((count) => count > 0)) break
      addTotals(totals, same ? baseTotals[j] : recall(j, before * PAIRS + after, () => worldTotals(j, row, candidate)))
    }
    return logLikelihood(totals)
  }

  function recall(j: number, key: number, compute: () => Totals): Totals {
    const known = remembered[j].get(key)
    if (known !== undefined) return known
    if (kept > MOST_REMEMBERED) {
      for (const book of remembered) book.clear()
      kept = 0
    }
    const totals = compute()
    remembered[j].set(key, totals)
    kept += 2 * sets.sets
    return totals
  }

  function worldTotals(j: number, row: number, candidate: Int32Array): Totals {
    return steps[j].map((step) => stepTotals(step, row, candidate)).reduce(sumOfTotals)
  }

  function stepTotals(step: TreeStep, row: number, candidate: Int32Array): Totals {
    const { tree, donorCode } = step
    const { columns, response } = tree.search.step
    const was = donorCode[row]
    const is = madeOf(step, candidate)
    const changed = {
      row,
      codes: Int32Array.from(columns, (column) =>
        columnCode(variables[column.variable], column, candidate[column.variable]),
      ),
      response: is === NOT_MADE ? response[row] : responseOf(variables[step.j], step.part, is),
    }
    return changedTotals(step, { row, was, is }, growChanged(tree, changed, was !== NOT_MADE, is !== NOT_MADE))
  }

  function frozen(row: number, candidate: Int32Array): Float64Array {
    const truth = recordAt(base, row)
    const sum = emptyTotals(sets.sets)
    for (const step of steps.flat()) {
      const totals = copyOf(step.totals)
      const [was, is] = [madeOf(step, truth), madeOf(step, candidate)]
      const [from, to] = [lastOnWay(step.tree, truth), lastOnWay(step.tree, candidate)]
      if (from === to) changeLeaf(step, totals, from, was, is)
      else {
        changeLeaf(step, totals, from, was, NOT_MADE)
        changeLeaf(step, totals, to, NOT_MADE, is)
      }
      addTotals(sum, totals)
    }
    return logLikelihood(sum)
  }

  /** The leaf of a record; where a coin would decide, the screen takes the left side. */
  function lastOnWay(tree: GrownTree, record: Int32Array): GrownNode {
    const way = nodesOnWay(tree, record)
    return way.find(({ isLeaf }) => isLeaf) ?? tree.root
  }

  function isNearThreshold(record: Int32Array): boolean {
    return steps.flat().some(({ tree }) => nodesOnWay(tree, record).some((node) => isFragile(tree, node)))
  }

  /** Also those below a leaf, if splits were found there that were not worth it. */
  function nodesOnWay(tree: GrownTree, record: Int32Array): GrownNode[] {
    const nodes: GrownNode[] = []
    let node: GrownNode | null = tree.root
    while (node !== null) {
      nodes.push(node)
      if (node.split === null) break
      const column = tree.search.step.columns[node.split.column]
      const side = sideOf(node.split, columnCode(variables[column.variable], column, record[column.variable]))
      node = side <= 0 ? node.left : node.right
    }
    return nodes
  }

  function madeOf({ j, part }: TreeStep, record: Int32Array): number {
    return madeOfCode(variables[j], part, record[j])
  }

  return { of, frozen, isNearThreshold }
}

/** By variable: one step, or two where a number may be missing. */
function stepsOf(
  variables: readonly Variable[],
  base: Records,
  settings: CartSettings,
  sets: ReleasedSets,
): TreeStep[][] {
  const columns = variables.map((variable, j) => columnsOf(variable, j, base.codes[j]))
  const releasedUpTo = beginnings(sets)
  return variables.map((variable, j) => {
    const earlier = columns.slice(0, j).flat()
    const released = releasedUpTo[j]
    const before = earlier.map((column) =>
      columnCodes(variables[column.variable], column, released.distinct.codes[column.variable]),
    )
    const stepOf = (part: Part, classes: number): TreeStep => {
      const donorCode = base.codes[j].map((code) => madeOfCode(variable, part, code))
      const rows = Int32Array.from(donorCode.keys()).filter((row) => donorCode[row] !== NOT_MADE)
      const response = Float64Array.from(donorCode, (code) =>
        code === NOT_MADE ? 0 : responseOf(variable, part, code),
      )
      const leastRisk = leastPositiveRisk(variable, classes)
      const tree = growTree({ columns: earlier, classes, response, leastRisk, settings }, rows)
      const made = released.distinct.codes[j].map((code) => madeOfCode(variable, part, code))
      // One code more than the variable has stands for values that nobody of the base has.
      const codes = Math.max(2, variable.codes + 1)
      return treeStep({ tree, j, part, released, before, made, donorCode, codes })
    }
    const mayBeMissing = variable.kind === 'numbers' && variable.missing >= 0
    if (mayBeMissing) return [stepOf('indicator', 2), stepOf('value', 0)]
    return [stepOf('value', variable.kind === 'levels' ? variable.codes : 0)]
  })
}

function madeOfCode({ kind, missing }: Variable, part: Part, code: number): number {
  const isMissing = kind === 'numbers' && code === missing
  if (part === 'indicator') return isMissing ? 1 : 0
  return isMissing ? NOT_MADE : code
}

function responseOf({ kind, numbers }: Variable, part: Part, code: number): number {
  return part === 'value' && kind === 'numbers' ? numbers[code] : code
}

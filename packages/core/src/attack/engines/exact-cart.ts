import type { CartSettings } from '../cart-generator.js'
import {
  type GrownNode,
  type GrownTree,
  type GrowthColumn,
  growChanged,
  growTree,
  isFragile,
  routesAlike,
  sideOf,
} from '../cart-growth.js'
import {
  beginnings,
  prefixBook,
  type Records,
  type ReleasedSets,
  recordAt,
  type Variable,
  valueCount,
} from '../records.js'

/**
 * The exact likelihood of released sets in worlds that differ from `base` in one record. It is a sum over variables, and
 * the tree of a variable depends on the changed record only through its values up to that variable, so equal beginnings
 * share their sums. With a_v of A donors in a leaf and r_v released records there, a leaf gives Σ r_v log a_v - Σ r_v log A:
 * where the tree stays, the record changes a_v of two values and A of two leaves; where it does not (`cart-growth.ts`), only
 * the released records of that branch are sent down again. The simple version fits every world anew.
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

/** What a variable adds to the log likelihood of each set: a finite part, and how many records are impossible. */
interface Totals {
  readonly finite: Float64Array
  readonly impossible: Float64Array
}

/** How one code is made: the tree, and the released records in its leaves. */
interface Step {
  readonly tree: GrownTree
  readonly j: number
  readonly part: Part
  /** The released records up to the variable that the step makes, each distinct beginning once. */
  readonly released: ReleasedSets
  /** By distinct beginning: the code that the step makes of it, NOT_MADE if none. */
  readonly made: Int32Array
  /** By distinct beginning: log of the share of donors that have this code. */
  readonly log: Float64Array
  readonly leaves: ReadonlyMap<GrownNode, ReleasedInLeaf>
  /** Released records on whose way a coin decides. */
  readonly byCoins: readonly number[]
  readonly totals: Totals
}

type Part = 'indicator' | 'value'

interface ReleasedInLeaf {
  readonly records: readonly number[]
  readonly donors: ReadonlyMap<number, number>
  /** Released records of the leaf by set, and by code and set. */
  readonly all: Entries
  readonly byCode: ReadonlyMap<number, Entries>
}

interface Entries {
  readonly set: Int32Array
  readonly count: Float64Array
}

const NOT_MADE = -2
/** Log likelihoods kept for equal beginnings, in numbers. */
const MOST_REMEMBERED = 4_000_000
const PAIRS = 2 ** 26

export function exactCart(
  variables: readonly Variable[],
  base: Records,
  settings: CartSettings,
  sets: ReleasedSets,
): WorldLikelihood {
  const columns = variables.map((variable, j) => columnsOf(variable, j, base.codes[j]))
  const releasedUpTo = variables.map((_, j) => beginnings(sets, j + 1))
  const releasedBefore = variables.map((_, j) =>
    columns
      .slice(0, j)
      .flatMap((own, i) => own.map((column) => columnCodes(variables[i], column, releasedUpTo[j].distinct.codes[i]))),
  )
  const steps = variables.map((variable, j) => stepsOf(variable, j))
  const baseTotals = steps.map((own) => own.map(({ totals }) => totals).reduce(sumOfTotals))
  const prefixes = prefixBook(variables.length)
  const remembered = variables.map(() => new Map<number, Totals>())
  let kept = 0

  function of(row: number, candidate: Int32Array): Float64Array {
    const truth = recordAt(base, row)
    const [finite, impossible] = [new Float64Array(sets.sets), new Float64Array(sets.sets)]
    let before = 0
    let after = 0
    let same = true
    for (let j = 0; j < variables.length; j++) {
      before = prefixes(j, before, truth[j])
      after = prefixes(j, after, candidate[j])
      same &&= truth[j] === candidate[j]
      if (impossible.every((count) => count > 0)) break
      addTotals(
        finite,
        impossible,
        same ? baseTotals[j] : recall(j, before * PAIRS + after, () => worldTotals(j, row, candidate)),
      )
    }
    return logLikelihood(finite, impossible)
  }

  function frozen(row: number, candidate: Int32Array): Float64Array {
    const truth = recordAt(base, row)
    const [finite, impossible] = [new Float64Array(sets.sets), new Float64Array(sets.sets)]
    for (let j = 0; j < variables.length; j++) {
      for (const step of steps[j]) {
        const totals = copyOf(step.totals)
        const [was, is] = [madeOf(step, truth), madeOf(step, candidate)]
        const [from, to] = [baseLeaf(step, truth), baseLeaf(step, candidate)]
        if (from === to) changeLeaf(step, totals, from, was, is)
        else {
          changeLeaf(step, totals, from, was, NOT_MADE)
          changeLeaf(step, totals, to, NOT_MADE, is)
        }
        addTotals(finite, impossible, totals)
      }
    }
    return logLikelihood(finite, impossible)
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

  function stepTotals(step: Step, row: number, candidate: Int32Array): Totals {
    const { tree } = step
    const [was, is] = [madeOf(step, recordAt(base, row)), madeOf(step, candidate)]
    const world = growChanged(
      tree,
      {
        row,
        codes: Int32Array.from(tree.step.columns, (column) =>
          columnCode(variables[column.variable], column, candidate[column.variable]),
        ),
        response: is === NOT_MADE ? tree.step.response[row] : responseOf(step, is),
      },
      was !== NOT_MADE,
      is !== NOT_MADE,
    )
    if (world === tree.root) return step.totals
    const totals = copyOf(step.totals)
    const changed: Changed = { step, totals, row, was, is }
    compare(changed, tree.root, world)
    for (const u of step.byCoins) replaceLog(changed, u, Math.log(shareByCoins(changed, world, u)))
    return totals
  }

  /** Walks both trees where they differ. */
  function compare(changed: Changed, was: GrownNode, is: GrownNode): void {
    if (was === is) return
    if (was.isLeaf && is.isLeaf) {
      const [left, joined] = [hasRow(was, changed.row), hasRow(is, changed.row)]
      changeLeaf(changed.step, changed.totals, was, left ? changed.was : NOT_MADE, joined ? changed.is : NOT_MADE)
    } else if (
      !was.isLeaf &&
      !is.isLeaf &&
      was.split !== null &&
      is.split !== null &&
      routesAlike(was.split, is.split)
    ) {
      if (was.left !== null && is.left !== null) compare(changed, was.left, is.left)
      if (was.right !== null && is.right !== null) compare(changed, was.right, is.right)
    } else if (is.isLeaf) sendToLeaf(changed, was, is)
    else sendAgain(changed, was, is)
  }

  /** Hot. The released records below a node of the base go down a branch that is another now. */
  function sendAgain(changed: Changed, was: GrownNode, is: GrownNode): void {
    const { step } = changed
    const logs = new Map<GrownNode, Map<number, number>>()
    for (const leaf of leavesBelow(was)) {
      const records = step.leaves.get(leaf)?.records ?? []
      for (let k = 0; k < records.length; k++) {
        const u = records[k]
        const own = releasedLeaf(is, step.j, u)
        if (own === null) {
          replaceLog(changed, u, Math.log(shareByCoins(changed, is, u)))
          continue
        }
        const known = logs.get(own) ?? logShares(changed, own)
        logs.set(own, known)
        replaceLog(changed, u, known.get(step.made[u]) ?? Number.NEGATIVE_INFINITY)
      }
    }
  }

  /** The same where the branch is a leaf now: records with the same leaf before and the same code go together. */
  function sendToLeaf(changed: Changed, was: GrownNode, is: GrownNode): void {
    const { finite, impossible } = changed.totals
    const logs = logShares(changed, is)
    for (const leaf of leavesBelow(was)) {
      const inLeaf = changed.step.leaves.get(leaf)
      for (const [code, entries] of inLeaf?.byCode ?? []) {
        const donors = inLeaf?.donors.get(code) ?? 0
        const log = logs.get(code)
        const before = donors === 0 ? 0 : Math.log(donors / leaf.rows.length)
        addEntries(finite, entries, (log ?? 0) - before)
        if (donors === 0) addEntries(impossible, entries, -1)
        if (log === undefined) addEntries(impossible, entries, 1)
      }
    }
  }

  function replaceLog({ step, totals }: Changed, u: number, log: number): void {
    const before = step.log[u]
    if (log === before) return
    const { start, set, count } = step.released
    if (log > Number.NEGATIVE_INFINITY && before > Number.NEGATIVE_INFINITY) {
      for (let k = start[u]; k < start[u + 1]; k++) totals.finite[set[k]] += count[k] * (log - before)
    } else {
      addLog(step.released, totals, u, before, -1)
      addLog(step.released, totals, u, log, 1)
    }
  }

  /** The leaf of a released record, null where a coin decides on the way. */
  function releasedLeaf(top: GrownNode, j: number, u: number): GrownNode | null {
    let node = top
    while (!node.isLeaf && node.split !== null && node.left !== null && node.right !== null) {
      const side = sideOf(node.split, releasedBefore[j][node.split.column][u])
      if (side === 0) return null
      node = side < 0 ? node.left : node.right
    }
    return node
  }

  function shareByCoins(changed: Changed, node: GrownNode, u: number): number {
    const { step } = changed
    if (node.isLeaf || node.split === null || node.left === null || node.right === null) {
      const code = step.made[u]
      let donors = 0
      for (const row of node.rows) if (donorCode(changed, row) === code) donors++
      return donors / node.rows.length
    }
    const side = sideOf(node.split, releasedBefore[step.j][node.split.column][u])
    if (side === 0) return (shareByCoins(changed, node.left, u) + shareByCoins(changed, node.right, u)) / 2
    return shareByCoins(changed, side < 0 ? node.left : node.right, u)
  }

  function countDonors(changed: Changed, leaf: GrownNode): ReadonlyMap<number, number> {
    const counts = new Map<number, number>()
    for (const row of leaf.rows) {
      const code = donorCode(changed, row)
      counts.set(code, (counts.get(code) ?? 0) + 1)
    }
    return counts
  }

  function logShares(changed: Changed, leaf: GrownNode): Map<number, number> {
    const logs = new Map<number, number>()
    for (const [code, donors] of countDonors(changed, leaf)) logs.set(code, Math.log(donors / leaf.rows.length))
    return logs
  }

  function donorCode({ step, row, is }: Changed, donor: number): number {
    return donor === row ? is : madeOfCode(step.j, step.part, base.codes[step.j][donor])
  }

  function baseLeaf(step: Step, record: Int32Array): GrownNode {
    let node = step.tree.root
    while (!node.isLeaf && node.split !== null && node.left !== null && node.right !== null) {
      const column = step.tree.step.columns[node.split.column]
      const side = sideOf(node.split, columnCode(variables[column.variable], column, record[column.variable]))
      // Where a coin would decide the screen takes the left side.
      node = side <= 0 ? node.left : node.right
    }
    return node
  }

  function isNearThreshold(record: Int32Array): boolean {
    return steps.some((own) => own.some(({ tree }) => nodesOnWay(tree, record).some((node) => isFragile(tree, node))))
  }

  function nodesOnWay(tree: GrownTree, record: Int32Array): GrownNode[] {
    const nodes: GrownNode[] = []
    let node: GrownNode | null = tree.root
    while (node !== null) {
      nodes.push(node)
      if (node.split === null) break
      const column = tree.step.columns[node.split.column]
      const side = sideOf(node.split, columnCode(variables[column.variable], column, record[column.variable]))
      node = side <= 0 ? node.left : node.right
    }
    return nodes
  }

  /** Hot. One donor of a leaf of the base leaves, joins or has another code; the screen and the exact engine alike. */
  function changeLeaf(step: Step, totals: Totals, leaf: GrownNode, was: number, is: number): void {
    const inLeaf = step.leaves.get(leaf)
    if (was === is || inLeaf === undefined) return
    const before = leaf.rows.length
    const after = before - (was === NOT_MADE ? 0 : 1) + (is === NOT_MADE ? 0 : 1)
    if (before !== after) addEntries(totals.finite, inLeaf.all, logOrZero(before) - logOrZero(after))
    if (was !== NOT_MADE) changeDonors(totals, inLeaf, was, -1, before)
    if (is !== NOT_MADE) changeDonors(totals, inLeaf, is, 1, before)
  }

  /** What is impossible in the base has added nothing so far, not even the log of all its donors. */
  function changeDonors(totals: Totals, inLeaf: ReleasedInLeaf, code: number, by: number, before: number): void {
    const entries = inLeaf.byCode.get(code)
    if (entries === undefined) return
    const donors = inLeaf.donors.get(code) ?? 0
    const logBefore = donors === 0 ? logOrZero(before) : Math.log(donors)
    addEntries(totals.finite, entries, logOrZero(donors + by) - logBefore)
    if (donors === 0) addEntries(totals.impossible, entries, -1)
    if (donors + by === 0) addEntries(totals.impossible, entries, 1)
  }

  function madeOfCode(j: number, part: Part, code: number): number {
    const missing = variables[j].kind === 'numbers' && code === variables[j].missing
    if (part === 'indicator') return missing ? 1 : 0
    return missing ? NOT_MADE : code
  }

  function madeOf({ j, part }: Step, record: Int32Array): number {
    return madeOfCode(j, part, record[j])
  }

  function responseOf({ j, part }: { j: number; part: Part }, code: number): number {
    return part === 'value' && variables[j].kind === 'numbers' ? variables[j].numbers[code] : code
  }

  function stepsOf(variable: Variable, j: number): Step[] {
    const isSplit = variable.kind === 'numbers' && variable.missing >= 0
    return isSplit ? [stepOf(j, 'indicator', 2), stepOf(j, 'value', 0)] : [stepOf(j, 'value', classesOf(variable))]
  }

  function stepOf(j: number, part: Part, classes: number): Step {
    const codes = base.codes[j].map((code) => madeOfCode(j, part, code))
    const rows = Int32Array.from(codes.keys()).filter((row) => codes[row] !== NOT_MADE)
    const response = Float64Array.from(codes, (code) => (code === NOT_MADE ? 0 : responseOf({ j, part }, code)))
    const before = columns.slice(0, j).flat()
    const leastRisk = leastPositiveRisk(variables[j], classes)
    const tree = growTree({ columns: before, classes, response, leastRisk, settings }, rows)
    const made = releasedUpTo[j].distinct.codes[j].map((code) => madeOfCode(j, part, code))
    return evaluate(tree, j, part, made)
  }

  function evaluate(tree: GrownTree, j: number, part: Part, made: Int32Array): Step {
    const released = releasedUpTo[j]
    const log = new Float64Array(released.distinct.rows)
    const totals = { finite: new Float64Array(sets.sets), impossible: new Float64Array(sets.sets) }
    const inLeaf = new Map<GrownNode, number[]>()
    const byCoins: number[] = []
    for (let u = 0; u < released.distinct.rows; u++) {
      if (made[u] === NOT_MADE) continue
      const leaf = releasedLeaf(tree.root, j, u)
      if (leaf === null) byCoins.push(u)
      else {
        const together = inLeaf.get(leaf)
        if (together === undefined) inLeaf.set(leaf, [u])
        else together.push(u)
      }
    }
    const step = { tree, j, part, released, made, log, byCoins, totals, leaves: new Map<GrownNode, ReleasedInLeaf>() }
    const unchanged: Changed = { step, totals, row: -1, was: NOT_MADE, is: NOT_MADE }
    for (const [leaf, records] of inLeaf) {
      const donors = countDonors(unchanged, leaf)
      for (const u of records) log[u] = Math.log((donors.get(made[u]) ?? 0) / Math.max(1, leaf.rows.length))
      const byCode = new Map<number, number[]>()
      for (const u of records) {
        const together = byCode.get(made[u])
        if (together === undefined) byCode.set(made[u], [u])
        else together.push(u)
      }
      step.leaves.set(leaf, {
        records,
        donors,
        all: entriesOf(released, records),
        byCode: new Map(Array.from(byCode, ([code, own]) => [code, entriesOf(released, own)])),
      })
    }
    for (const u of byCoins) log[u] = Math.log(shareByCoins(unchanged, tree.root, u))
    for (let u = 0; u < released.distinct.rows; u++) if (made[u] !== NOT_MADE) addLog(released, totals, u, log[u], 1)
    return step
  }

  return { of, frozen, isNearThreshold }
}

interface Changed {
  readonly step: Step
  readonly totals: Totals
  readonly row: number
  readonly was: number
  readonly is: number
}

function classesOf(variable: Variable): number {
  return variable.kind === 'levels' ? variable.codes : 0
}

/** Two different numbers have at least half the square of their difference as squared error; classes one error. */
function leastPositiveRisk(variable: Variable, classes: number): number {
  if (classes > 0) return 1
  let gap = Number.POSITIVE_INFINITY
  for (let code = 1; code < valueCount(variable); code++)
    gap = Math.min(gap, variable.numbers[code] - variable.numbers[code - 1])
  return (gap * gap) / 2
}

/** What later trees see of a variable: its value, before it whether it is missing if that occurs (the number is 0 then). */
function columnsOf(variable: Variable, j: number, codes: Int32Array): GrowthColumn[] {
  const column = (isIndicator: boolean, distinct: Float64Array | null, levels: number): GrowthColumn => {
    const empty = { variable: j, isIndicator, distinct, levels, codes, order: new Int32Array(0) }
    const own = columnCodes(variable, empty, codes)
    return {
      ...empty,
      codes: own,
      order: distinct === null ? empty.order : ascending(own),
    }
  }
  if (variable.kind === 'levels') {
    const values = Float64Array.from({ length: variable.codes }, (_, code) => code)
    return [column(false, variable.ordered ? values : null, variable.codes)]
  }
  if (variable.missing < 0) return [column(false, variable.numbers.slice(0, variable.codes), 0)]
  const values = Float64Array.from(new Set([...variable.numbers.subarray(0, valueCount(variable)), 0])).sort()
  return [column(true, null, 2), column(false, values, 0)]
}

function ascending(codes: Int32Array): Int32Array {
  return Int32Array.from(codes.keys()).sort((a, b) => codes[a] - codes[b] || a - b)
}

function columnCodes(variable: Variable, column: GrowthColumn, codes: Int32Array): Int32Array {
  const known = new Int32Array(variable.codes + 1).fill(-1)
  return codes.map((code) => {
    if (known[code] < 0) known[code] = columnCode(variable, column, code)
    return known[code]
  })
}

/** The rank or level that a code of the variable is in a column; one more than there are for values nobody has. */
function columnCode(
  { kind, codes, missing, numbers }: Variable,
  { isIndicator, distinct }: GrowthColumn,
  code: number,
): number {
  if (isIndicator) return code === missing ? 1 : 0
  if (kind === 'levels' || missing < 0 || distinct === null) return code
  return code >= codes ? distinct.length : distinct.indexOf(numbers[code])
}

/** Released records by set. */
function entriesOf({ sets, start, set, count }: ReleasedSets, records: readonly number[]): Entries {
  const counts = new Float64Array(sets)
  for (const u of records) for (let k = start[u]; k < start[u + 1]; k++) counts[set[k]] += count[k]
  const occurring = Int32Array.from(counts.keys()).filter((s) => counts[s] > 0)
  return { set: occurring, count: Float64Array.from(occurring, (s) => counts[s]) }
}

function hasRow({ rows }: GrownNode, row: number): boolean {
  return rows.includes(row)
}

function leavesBelow(node: GrownNode): GrownNode[] {
  if (node.isLeaf || node.left === null || node.right === null) return [node]
  return [...leavesBelow(node.left), ...leavesBelow(node.right)]
}

function logOrZero(count: number): number {
  return count > 0 ? Math.log(count) : 0
}

function addEntries(to: Float64Array, { set, count }: Entries, weight: number): void {
  for (let k = 0; k < set.length; k++) to[set[k]] += weight * count[k]
}

function copyOf({ finite, impossible }: Totals): Totals {
  return { finite: finite.slice(), impossible: impossible.slice() }
}

function sumOfTotals(a: Totals, b: Totals): Totals {
  const sum = copyOf(a)
  addTotals(sum.finite, sum.impossible, b)
  return sum
}

function addLog(
  { start, set, count }: ReleasedSets,
  { finite, impossible }: Totals,
  u: number,
  log: number,
  sign: number,
): void {
  for (let k = start[u]; k < start[u + 1]; k++) {
    if (log === Number.NEGATIVE_INFINITY) impossible[set[k]] += sign * count[k]
    else finite[set[k]] += sign * count[k] * log
  }
}

function addTotals(finite: Float64Array, impossible: Float64Array, totals: Totals): void {
  for (let s = 0; s < finite.length; s++) {
    finite[s] += totals.finite[s]
    impossible[s] += totals.impossible[s]
  }
}

function logLikelihood(finite: Float64Array, impossible: Float64Array): Float64Array {
  return finite.map((sum, s) => (impossible[s] > 0 ? Number.NEGATIVE_INFINITY : sum))
}

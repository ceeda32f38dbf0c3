import { math } from '@scrim/kernels'
import { type GrownNode, type GrownSplit, leavesBelow, placeOf, routesAlike, sideOf } from '../generator/grown-tree.js'
import { addEntries, copyOf, replaceLog, type Totals } from './set-totals.js'
import {
  codeOf,
  countDonors,
  type DonorChange,
  NOT_MADE,
  type ReleasedInLeaf,
  shareByCoins,
  type TreeStep,
} from './tree-step.js'

/**
 * What a step adds to the log likelihoods when its tree is that of a world. Where the tree stays, the record changes the
 * donors a_v of two values and A of two leaves; where it does not, only the released records of that branch are sent down
 * again. The simple version sends all.
 */
export function changedTotals(step: TreeStep, change: DonorChange, world: GrownNode): Totals {
  const { tree, released, log } = step
  if (world === tree.root) return step.totals
  const totals = copyOf(step.totals)
  compare({ step, change, totals }, tree.root, world)
  for (const u of step.byCoins) replaceLog(released, totals, u, log[u], math.log(shareByCoins(step, change, world, u)))
  return totals
}

interface Changed {
  readonly step: TreeStep
  readonly change: DonorChange
  readonly totals: Totals
}

/** Walks both trees where they differ. */
function compare(changed: Changed, was: GrownNode, is: GrownNode): void {
  if (was === is) return
  const { step, change, totals } = changed
  if (was.isLeaf && is.isLeaf) {
    const left = placeOf(was.rows, change.row) >= 0
    const joined = placeOf(is.rows, change.row) >= 0
    changeLeaf(step, totals, was, left ? change.was : NOT_MADE, joined ? change.is : NOT_MADE)
  } else if (is.isLeaf) sendToLeaf(changed, was, is)
  else if (was.isLeaf || was.split === null || is.split === null || !routesAlike(was.split, is.split))
    sendAgain(changed, was, is)
  else {
    if (was.left !== null && is.left !== null) compare(changed, was.left, is.left)
    if (was.right !== null && is.right !== null) compare(changed, was.right, is.right)
  }
}

/** Hot. One donor of a leaf of the base leaves, joins or has another code; the screen and the exact engine alike. */
export function changeLeaf(step: TreeStep, totals: Totals, leaf: GrownNode, was: number, is: number): void {
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
  const logBefore = donors === 0 ? logOrZero(before) : math.log(donors)
  addEntries(totals.finite, entries, logOrZero(donors + by) - logBefore)
  if (donors === 0) addEntries(totals.impossible, entries, -1)
  if (donors + by === 0) addEntries(totals.impossible, entries, 1)
}

function logOrZero(count: number): number {
  return count > 0 ? math.log(count) : 0
}

/** The released records of a branch that is a leaf now: those with the same leaf before and the same code go together. */
function sendToLeaf({ step, change, totals }: Changed, was: GrownNode, is: GrownNode): void {
  const { finite, impossible } = totals
  const now = countDonors(step.donorCode, change, is)
  for (const leaf of leavesBelow(was)) {
    const inLeaf = step.leaves.get(leaf)
    for (const [code, entries] of inLeaf?.byCode ?? []) {
      const donors = inLeaf?.donors.get(code) ?? 0
      const donorsNow = now.get(code) ?? 0
      const before = donors === 0 ? 0 : math.log(donors / leaf.rows.length)
      const after = donorsNow === 0 ? 0 : math.log(donorsNow / is.rows.length)
      addEntries(finite, entries, after - before)
      if (donors === 0) addEntries(impossible, entries, -1)
      if (donorsNow === 0) addEntries(impossible, entries, 1)
    }
  }
}

/** The released records below a node of the base go down a branch that is another now. */
function sendAgain({ step, change, totals }: Changed, was: GrownNode, is: GrownNode): void {
  const { released, leaves, sent, sentLog, log } = step
  const from = leaves.get(outermostLeaf(was, 'left'))?.from ?? 0
  const to = leaves.get(outermostLeaf(was, 'right'))?.to ?? from
  for (let u = from; u < to; u++) sent[u] = u
  sendDown(step, change, is, from, to)
  for (let u = from; u < to; u++) replaceLog(released, totals, u, log[u], sentLog[u])
}

function outermostLeaf(top: GrownNode, side: 'left' | 'right'): GrownNode {
  let node = top
  for (let below = node[side]; !node.isLeaf && below !== null; below = node[side]) node = below
  return node
}

/** Sends the records at `from` to `to` - 1 of `sent` down a branch together, and notes their logs. */
function sendDown(step: TreeStep, change: DonorChange, node: GrownNode, from: number, to: number): void {
  if (from === to) return
  const { split, left, right } = node
  if (node.isLeaf || split === null || left === null || right === null) {
    logsInLeaf(step, change, node, from, to)
    return
  }
  const end = split.sides !== null && split.heavier === 0 ? settleCoins(step, change, node, split, from, to) : to
  const middle = partition(step, split, from, end)
  sendDown(step, change, left, from, middle)
  sendDown(step, change, right, middle, end)
}

/** Puts the records that a coin decides on behind all others, where they stay; returns where they begin. */
function settleCoins(
  step: TreeStep,
  change: DonorChange,
  node: GrownNode,
  split: GrownSplit,
  from: number,
  to: number,
): number {
  const { sent, sentLog, before } = step
  let end = to
  for (let k = to - 1; k >= from; k--) {
    const u = sent[k]
    if (sideOf(split, before[split.column][u]) !== 0) continue
    sent[k] = sent[--end]
    sent[end] = u
    sentLog[u] = math.log(shareByCoins(step, change, node, u))
  }
  return end
}

/** Hot, and without branches, as nobody can foretell sides. Records that go left first; returns where the others begin. */
function partition(step: TreeStep, split: GrownSplit, from: number, to: number): number {
  const { sent, spare } = step
  const { sides, cut } = split
  const codes = step.before[split.column]
  const flip = split.lessGoesLeft ? 1 : 0
  const rightOfLevel =
    sides === null
      ? null
      : Uint8Array.from({ length: sides.length + 1 }, (_, level) => (sideOf(split, level) > 0 ? 1 : 0))
  let left = from
  let right = 0
  for (let k = from; k < to; k++) {
    const u = sent[k]
    const goesRight = rightOfLevel === null ? ((codes[u] - cut) >>> 31) ^ flip : rightOfLevel[codes[u]]
    sent[left] = u
    spare[right] = u
    left += 1 - goesRight
    right += goesRight
  }
  for (let k = 0; k < right; k++) sent[left + k] = spare[k]
  return left
}

/** Hot. */
function logsInLeaf(step: TreeStep, change: DonorChange, leaf: GrownNode, from: number, to: number): void {
  const { sent, sentLog, made, donorCode, donorsOfCode: donors, logOfCode: logs } = step
  const { rows } = leaf
  const n = rows.length
  for (let k = 0; k < n; k++) donors[codeOf(donorCode, change, rows[k])]++
  for (let k = 0; k < n; k++) {
    const code = codeOf(donorCode, change, rows[k])
    if (donors[code] > 0) logs[code] = math.log(donors[code] / n)
    donors[code] = 0
  }
  for (let k = from; k < to; k++) sentLog[sent[k]] = logs[made[sent[k]]]
  for (let k = 0; k < n; k++) logs[codeOf(donorCode, change, rows[k])] = Number.NEGATIVE_INFINITY
}

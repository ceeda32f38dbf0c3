import { rowsByGroup } from '@scrim/kernels'
import { countBelow } from '../../../stats/sorted.js'
import { jointCodes } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import type { Matches, Side } from './attack.js'
import { type Cells, keyLevelOfClass } from './cells.js'

/**
 * Matching by Gower's distance (1971): the mean over the keys known in both records of 0 or 1 for a nominal key, the
 * difference of ranks over the length of the scale for an ordered one, and |x - y| over the pooled range for a number
 * (0 when it is constant). Two records without a key known in both do not match.
 *
 * Nothing is compared pair by pair. The classes of the other side stand in a tree, one key per depth, nominal keys first
 * and the number with most values last. What the distance has used up of `threshold` bounds where the search may go: one
 * child of a nominal key, a window of a number. At the last depth a window is a run of classes in the tree's order, and a
 * run is counted by two binary searches per target level, however long it is.
 */
export function gowerMatches(release: Release, cells: Cells, side: Side, threshold: number): Matches {
  const keys = gowerKeys(release, cells)
  const [own, other] = side === 'truth' ? [cells.dCount, cells.s] : [cells.s, cells.dCount]
  const [ownClass, otherClass] =
    side === 'truth' ? [cells.dClassCount, cells.sClass] : [cells.sClass, cells.dClassCount]
  const tree = growTree(keys, otherClass)
  const runs = runCounts(cells, tree.classes, other)
  const records = new Int32Array(cells.classes)
  const agreeing = new Int32Array(cells.level.length)
  const homogeneous = new Uint8Array(cells.classes)
  for (let q = 0; q < cells.classes; q++) {
    if (ownClass[q] === 0) continue
    let witness = -1
    let likeWitness = 0
    // Hot: once per run of matching classes.
    search(tree, keys, q, threshold, (from, to) => {
      records[q] += runs.all(from, to)
      for (let cell = cells.start[q]; cell < cells.start[q + 1]; cell++)
        if (own[cell] > 0) agreeing[cell] += runs.ofLevel(cells.level[cell], from, to)
      if (witness < 0) witness = runs.someLevel(from)
      likeWitness += runs.ofLevel(witness, from, to)
    })
    if (records[q] > 0 && likeWitness === records[q]) homogeneous[q] = 1
  }
  return { records, agreeing, homogeneous }
}

/** Distances are sums of ratios; one that equals the threshold on paper must not miss it by rounding. */
const SLACK = 1e-12

interface GowerKey {
  readonly nominal: boolean
  /** Per class its code, -1 where missing. */
  readonly codeOf: Int32Array
  readonly cardinality: number
  /** Position of each code on a scale of length 1, ascending; unused for a nominal key. */
  readonly scale: Float64Array
}

function gowerKeys(release: Release, cells: Cells): readonly GowerKey[] {
  const keys = cells.keys.names.map((name): GowerKey => {
    const joint = jointCodes(release, name)
    const codeOf = keyLevelOfClass(release, cells, joint)
    const { cardinality, ordered, numbers } = joint
    if (joint.kind === 'categorical')
      return { nominal: !ordered, codeOf, cardinality, scale: ranks(ordered ? cardinality : 0) }
    return { nominal: false, codeOf, cardinality, scale: overRange(numbers, usedCodes(cells, codeOf, cardinality)) }
  })
  return keys.sort((a, b) => Number(b.nominal) - Number(a.nominal) || a.cardinality - b.cardinality)
}

function ranks(levels: number): Float64Array {
  return Float64Array.from({ length: levels }, (_, rank) => (levels > 1 ? rank / (levels - 1) : 0))
}

/** Codes that occur in one of the two tables compared: the range is theirs, not that of further releases. */
function usedCodes(cells: Cells, codeOf: Int32Array, cardinality: number): Uint8Array {
  const used = new Uint8Array(cardinality)
  for (let q = 0; q < cells.classes; q++)
    if (codeOf[q] >= 0 && cells.dClassCount[q] + cells.sClass[q] > 0) used[codeOf[q]] = 1
  return used
}

function overRange(numbers: Float64Array, used: Uint8Array): Float64Array {
  const low = numbers[used.indexOf(1)] ?? 0
  const range = (numbers[used.lastIndexOf(1)] ?? 0) - low
  return numbers.map((value) => (range > 0 ? (value - low) / range : 0))
}

/** Is one nominal key that differs already forgiven? With ten keys and a threshold of 0.1 it is. */
export function forgivesMismatch(release: Release, names: readonly string[], threshold: number): boolean {
  const nominal = names.some((name) => {
    const { kind, ordered } = jointCodes(release, name)
    return kind === 'categorical' && !ordered
  })
  return nominal && names.length * threshold + SLACK >= 1
}

/**
 * Classes sorted by their codes, key after key. The nodes of depth k are the runs of classes that agree on the first
 * k + 1 keys; `code[k]` is what they have on key k, missing first, and `child[k]` where the nodes below them begin.
 */
interface Tree {
  readonly classes: Int32Array
  readonly code: readonly Int32Array[]
  readonly child: readonly Int32Array[]
}

function growTree(keys: readonly GowerKey[], sizes: Int32Array): Tree {
  let classes: Int32Array = Int32Array.from(sizes.keys()).filter((q) => sizes[q] > 0)
  for (const { codeOf, cardinality } of keys.toReversed()) classes = sortedByCode(classes, codeOf, cardinality)
  const code = keys.map((): number[] => [])
  const child = keys.map((): number[] => [])
  for (let k = 0; k < classes.length; k++) {
    let depth = 0
    if (k > 0) while (keys[depth].codeOf[classes[k]] === keys[depth].codeOf[classes[k - 1]]) depth++
    for (; depth < keys.length; depth++) {
      code[depth].push(keys[depth].codeOf[classes[k]])
      child[depth].push(depth + 1 < keys.length ? code[depth + 1].length : k)
    }
  }
  for (const [depth, starts] of child.entries())
    starts.push(depth + 1 < keys.length ? code[depth + 1].length : classes.length)
  return {
    classes,
    code: code.map((ofDepth) => Int32Array.from(ofDepth)),
    child: child.map((ofDepth) => Int32Array.from(ofDepth)),
  }
}

function sortedByCode(classes: Int32Array, codeOf: Int32Array, cardinality: number): Int32Array {
  const { rows } = rowsByGroup(
    classes.map((q) => codeOf[q] + 1),
    cardinality + 1,
  )
  return rows.map((place) => classes[place])
}

/** Calls `visitRun` with every run of the tree's classes that lie within the threshold of class q. */
function search(
  { code, child }: Tree,
  keys: readonly GowerKey[],
  q: number,
  threshold: number,
  visitRun: (from: number, to: number) => void,
): void {
  const last = keys.length - 1

  /** All nodes from..to-1 of a depth stand for the same distance so far. */
  const enter = (depth: number, from: number, to: number, sum: number, known: number) => {
    if (from >= to) return
    if (depth < last) for (let node = from; node < to; node++) below(depth, node, sum, known)
    else if (known > 0 && sum <= threshold * known + SLACK) visitRun(from, to)
  }

  const below = (depth: number, node: number, sum: number, known: number) => {
    if (sum <= threshold * (known + last - depth) + SLACK)
      visit(depth + 1, child[depth][node], child[depth][node + 1], sum, known)
  }

  const visit = (depth: number, first: number, to: number, sum: number, known: number) => {
    const { nominal, codeOf, scale } = keys[depth]
    const codes = code[depth]
    const wanted = codeOf[q]
    if (wanted < 0) return enter(depth, first, to, sum, known)
    let from = first
    if (codes[first] < 0) enter(depth, first, ++from, sum, known)
    const left = threshold * (known + 1 + last - depth) - sum + SLACK
    if (left < 0) return
    if (nominal) {
      const at = countBelow(codes, wanted, from, to)
      const same = at < to && codes[at] === wanted ? 1 : 0
      enter(depth, at, at + same, sum, known + 1)
      if (left < 1) return
      enter(depth, from, at, sum + 1, known + 1)
      enter(depth, at + same, to, sum + 1, known + 1)
      return
    }
    const low = firstNode(codes, scale, from, to, scale[wanted] - left)
    const high = firstNode(codes, scale, low, to, scale[wanted] + left, true)
    if (depth === last) {
      if (low < high) visitRun(low, high)
      return
    }
    for (let node = low; node < high; node++)
      below(depth, node, sum + Math.abs(scale[codes[node]] - scale[wanted]), known + 1)
  }

  visit(0, 0, code[0].length, 0, 0)
}

/** The first node at or above a place on the scale, or the first above it. */
function firstNode(
  codes: Int32Array,
  scale: Float64Array,
  from: number,
  to: number,
  place: number,
  above = false,
): number {
  while (from < to) {
    const middle = (from + to) >> 1
    const at = scale[codes[middle]]
    if (at < place || (above && at === place)) from = middle + 1
    else to = middle
  }
  return from
}

/** How many records the classes from..to-1 of the tree's order have, of all and of one target level. */
function runCounts(cells: Cells, classes: Int32Array, counts: Int32Array) {
  const before = new Int32Array(classes.length + 1)
  const levels = cells.target.levels.length
  const start = new Int32Array(levels + 1)
  const some = new Int32Array(classes.length)
  for (let place = 0; place < classes.length; place++) {
    const q = classes[place]
    before[place + 1] = before[place]
    for (let cell = cells.start[q]; cell < cells.start[q + 1]; cell++) {
      if (counts[cell] === 0) continue
      before[place + 1] += counts[cell]
      start[cells.level[cell] + 1]++
      some[place] = cells.level[cell]
    }
  }
  for (let level = 0; level < levels; level++) start[level + 1] += start[level]
  const next = start.slice()
  const places = new Int32Array(start[levels])
  const sums = new Int32Array(start[levels] + 1)
  for (let place = 0; place < classes.length; place++) {
    const q = classes[place]
    for (let cell = cells.start[q]; cell < cells.start[q + 1]; cell++) {
      if (counts[cell] === 0) continue
      const slot = next[cells.level[cell]]++
      places[slot] = place
      sums[slot + 1] = counts[cell]
    }
  }
  for (let slot = 0; slot < places.length; slot++) sums[slot + 1] += sums[slot]
  return {
    all: (from: number, to: number) => before[to] - before[from],
    ofLevel: (level: number, from: number, to: number) => {
      const a = countBelow(places, from, start[level], start[level + 1])
      const b =
        to === from + 1
          ? a + Number(places[a] === from && a < start[level + 1])
          : countBelow(places, to, a, start[level + 1])
      return sums[b] - sums[a]
    },
    /** A target level that occurs in the class at this place. */
    someLevel: (at: number) => some[at],
  }
}

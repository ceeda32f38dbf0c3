import { countBelow } from '../../../stats/sorted.js'
/**
 * The earth mover's distance between the distribution of a few values and that of a whole file, in time that grows with
 * the few: the values given, ascending, their shares, and how many there are. Between 0 and 1.
 */
export type Distance = (values: Int32Array, shares: Float64Array, count: number) => number

/** All values equally far: half the sum of |p - q|, which is the sum of p - q where p is larger. */
export function nominalDistance(file: Float64Array): Distance {
  return (values, shares, count) => {
    let distance = 0
    for (let k = 0; k < count; k++) distance += Math.max(0, shares[k] - file[values[k]])
    return within01(distance)
  }
}

/**
 * Values on a line: the integral of |F_class - F| over it, over its length. The line has steps of equal length between
 * ranks, or lies along `numbers`. Between two values of the class F_class is a constant c; where the increasing F crosses c
 * is found by bisection, and on both sides the integral is a difference of prefix sums.
 */
export function orderedDistance(file: Float64Array, numbers: Float64Array | null): Distance {
  const m = file.length
  if (m < 2) return () => 0
  const range = numbers === null ? m - 1 : numbers[m - 1] - numbers[0]
  const position = Float64Array.from(file, (_, i) => (numbers === null ? i : numbers[i] - numbers[0]) / range)
  const cumulative = new Float64Array(m)
  const integral = new Float64Array(m)
  for (let i = 0, sum = 0; i < m; i++) {
    sum += file[i]
    cumulative[i] = sum
    if (i + 1 < m) integral[i + 1] = integral[i] + sum * (position[i + 1] - position[i])
  }
  const between = (level: number, a: number, b: number): number => {
    const low = countBelow(cumulative, level, a, b)
    const below = level * (position[low] - position[a]) - (integral[low] - integral[a])
    const above = integral[b] - integral[low] - level * (position[b] - position[low])
    return below + above
  }
  return (values, shares, count) => {
    let distance = integral[values[0]]
    let level = 0
    for (let k = 0; k < count; k++) {
      level = k + 1 === count ? 1 : level + shares[k]
      distance += between(level, values[k], k + 1 === count ? m - 1 : values[k + 1])
    }
    return within01(distance)
  }
}

/** The parent of every value and of every group but one, the root. */
type ValueTree = Readonly<Record<string, string>>

/**
 * Values as leaves of a tree: two are as far as their lowest common ancestor is high, over the height of the tree. What one
 * child of a node has too much goes to its siblings at the cost of that node, as far as they lack it (Li et al. 2007):
 * sum over nodes of height / H times the lesser of surplus and lack among its children. Only ancestors of the class's values
 * can have a surplus below them, so no other node is looked at.
 */
export function treeDistance(
  file: Float64Array,
  labels: readonly string[],
  tree: ValueTree,
  variable: string,
): Distance {
  const { parent, height, leafOf } = layOut(labels, tree, variable)
  const nodes = parent.length
  const whole = new Float64Array(nodes)
  for (let value = 0; value < labels.length; value++) addUpwards(whole, parent, leafOf[value], file[value])
  const top = Math.max(1, ...height)
  const mass = new Float64Array(nodes)
  const surplus = new Float64Array(nodes)
  const touched = new Int32Array(nodes)
  const isTouched = new Uint8Array(nodes)
  return (values, shares, count) => {
    let met = 0
    for (let k = 0; k < count; k++) {
      for (let node = leafOf[values[k]]; node >= 0; node = parent[node]) {
        mass[node] += shares[k]
        if (isTouched[node] === 0) {
          isTouched[node] = 1
          touched[met++] = node
        }
      }
    }
    for (let k = 0; k < met; k++) {
      const node = touched[k]
      if (parent[node] >= 0) surplus[parent[node]] += Math.max(0, mass[node] - whole[node])
    }
    let distance = 0
    for (let k = 0; k < met; k++) {
      const node = touched[k]
      const lack = surplus[node] - (mass[node] - whole[node])
      if (height[node] > 0) distance += (height[node] / top) * Math.max(0, Math.min(surplus[node], lack))
    }
    for (let k = 0; k < met; k++) {
      mass[touched[k]] = 0
      surplus[touched[k]] = 0
      isTouched[touched[k]] = 0
    }
    return within01(distance)
  }
}

/** What is wrong with a tree over the values of a variable, one sentence each. */
export function treeProblems(labels: readonly string[], tree: ValueTree, variable: string): string[] {
  const { names, parent, numberOf } = nodesOf(tree)
  const roots = names.filter((_, node) => parent[node] < 0)
  if (roots.length !== 1)
    return [`the tree must have one topmost group, but it has ${roots.length === 0 ? 'none' : roots.join(', ')}`]
  const circular = names.find((_, node) => isInCircle(parent, node))
  if (circular !== undefined) return [`the tree goes in a circle at "${circular}"`]
  const isGroup = new Set(parent)
  return labels.flatMap((label) => {
    const node = numberOf.get(label)
    if (node === undefined) return [`the tree lacks the value "${label}" of "${variable}"`]
    return isGroup.has(node) ? [`the tree has values below "${label}", which is a value of "${variable}" itself`] : []
  })
}

function isInCircle(parent: Int32Array, start: number): boolean {
  let node = start
  for (let up = 0; up <= parent.length && node >= 0; up++) node = parent[node]
  return node >= 0
}

function nodesOf(tree: ValueTree) {
  const parentName = new Map(Object.entries(tree))
  const names = [...new Set([...parentName.keys(), ...parentName.values()])]
  const numberOf = new Map(names.map((name, node) => [name, node]))
  const parent = Int32Array.from(names, (name) => numberOf.get(parentName.get(name) ?? '') ?? -1)
  return { names, numberOf, parent }
}

/** A sound tree as numbered nodes; height is the longest way down to a leaf. */
function layOut(labels: readonly string[], tree: ValueTree, variable: string) {
  const [problem] = treeProblems(labels, tree, variable)
  if (problem !== undefined) throw new Error(problem)
  const { names, numberOf, parent } = nodesOf(tree)
  const height = new Int32Array(names.length)
  for (const start of names.keys())
    for (let node = start, up = 0; node >= 0; node = parent[node], up++) height[node] = Math.max(height[node], up)
  return { parent, height, leafOf: Int32Array.from(labels, (label) => numberOf.get(label) ?? -1) }
}

function addUpwards(masses: Float64Array, parent: Int32Array, leaf: number, share: number): void {
  for (let node = leaf; node >= 0; node = parent[node]) masses[node] += share
}

const ROUNDING = 1e-14

/** Prefix sums leave a distance of 0 or 1 off by a rounding error. */
function within01(distance: number): number {
  return distance < ROUNDING ? 0 : Math.min(1, distance)
}

import { groupRows } from '@scrim/kernels'
import type { JointColumn } from '../../table/joint.js'

/**
 * How many records agree with a record wherever both are known, kept up to date while single cells are suppressed.
 *
 * A record is what it was in the beginning on the keys of its mask (one bit per key that is known). Records with the same
 * mask are a bucket. Two records agree when they have the same class on the keys that both masks have; so the count of a
 * record is a sum over buckets, each a look-up in a table of classes, and a suppression moves one record from one bucket
 * to another. Classes are made once per set of keys and tables once per bucket and set, when first asked for.
 */
export interface WildcardCounts {
  readonly maskOf: (row: number) => number
  /** The count that `row` would have if its mask were `mask`; itself is one of them. */
  readonly count: (row: number, mask: number) => number
  readonly move: (row: number, mask: number) => void
}

interface Bucket {
  readonly mask: number
  size: number
  /** By set of keys: how many records of the bucket are in each class on these keys. */
  readonly tables: Map<number, Int32Array>
}

/** `alpha` is what a record with missing keys counts, unless it lacks the same keys (as in risk/frequency/counts/frequencies.ts). */
export function wildcardCounts(columns: readonly JointColumn[], alpha: number): WildcardCounts {
  const rows = columns[0].codes.length
  const complete = 2 ** columns.length - 1
  const masks = Int32Array.from({ length: rows }, (_, row) =>
    columns.reduce((mask, { codes }, key) => (codes[row] < 0 ? mask : mask | (1 << key)), 0),
  )
  const classesOn = new Map<number, ReturnType<typeof groupRows>>()
  const buckets: Bucket[] = []
  const bucketOf = new Map<number, Bucket>()
  for (const mask of masks) bucketFor(mask).size++

  function bucketFor(mask: number): Bucket {
    const known = bucketOf.get(mask)
    if (known !== undefined) return known
    const made = { mask, size: 0, tables: new Map<number, Int32Array>() }
    bucketOf.set(mask, made)
    buckets.push(made)
    return made
  }

  function classes(keys: number) {
    const known = classesOn.get(keys)
    if (known !== undefined) return known
    const made = groupRows(
      columns.filter((_, key) => (keys >> key) & 1),
      rows,
    )
    classesOn.set(keys, made)
    return made
  }

  function tableOn(bucket: Bucket, keys: number): Int32Array {
    const known = bucket.tables.get(keys)
    if (known !== undefined) return known
    const { ids, count: size } = classes(keys)
    const made = new Int32Array(size)
    for (let row = 0; row < rows; row++) if (masks[row] === bucket.mask) made[ids[row]]++
    bucket.tables.set(keys, made)
    return made
  }

  function count(row: number, mask: number): number {
    if (mask === 0) return rows
    const knownKeys = masks[row]
    let total = 1
    for (const bucket of buckets) {
      if (bucket.size === 0) continue
      const credit = bucket.mask === mask || bucket.mask === complete ? 1 : alpha
      if (credit === 0) continue
      const shared = bucket.mask & mask
      const agreeing = shared === 0 ? bucket.size : tableOn(bucket, shared)[classes(shared).ids[row]]
      total += credit * (bucket.mask === knownKeys ? agreeing - 1 : agreeing)
    }
    return total
  }

  function add(bucket: Bucket, row: number, change: number): void {
    bucket.size += change
    for (const [keys, table] of bucket.tables) table[classes(keys).ids[row]] += change
  }

  function move(row: number, mask: number): void {
    if (mask === masks[row]) return
    add(bucketFor(masks[row]), row, -1)
    add(bucketFor(mask), row, 1)
    masks[row] = mask
  }

  return { maskOf: (row) => masks[row], count, move }
}

import { countIds, math, type NarrowCodes } from '@scrim/kernels'
import { type BitColumn, type BitSpace, type Pool, poolOf, valuesByNear } from '../../neighbors/in-bits/bits.js'
import type { Where } from '../../neighbors/tasks.js'
import { oncePer } from '../../once.js'
import { joined } from '../../stats/joined.js'
import type { Task } from '../../tasks/task.js'

/**
 * Membership by bits in common. For a candidate r, member (X) or outsider (H), with shares taken over X, H and the release
 * Y together without r, and T_0 as in `bits.ts`:
 *   S(r) = (1/b) [ log2 Σ_{y in Y} 2^(b T_0(r, y)) - log2 Σ_{z in X and H without r} 2^(b T_0(r, z)) ],  b = 0.7:
 * a ratio of two densities with an information kernel, the second of which asks how common such a person is anyway.
 * Members and outsiders are treated alike, so the AUC of S between them is 1/2 on average for an honest release.
 *
 * 2^(b T_0) is a product over columns of p^-b, looked up in a table of the query for each column; every record counts, and
 * none is kept.
 */
const KERNEL_EXPONENT = 0.7

/** Fixed, so that work is cut alike on any number of threads. */
const QUERIES_AT_ONCE = 64

/**
 * S of the records at `places` among original and holdout, original first. The space is that of original, release and
 * holdout, in this order; there must be two real records and one released.
 */
export async function membershipScores(
  space: BitSpace,
  places: Int32Array,
  where: Where,
  exponent = KERNEL_EXPONENT,
): Promise<Float64Array> {
  const [originals, released, holdout] = space.ids
  const real = countIds(originals, space.points)
  for (const point of holdout) real[point]++
  const n = originals.length
  const points = places.map((place) => (place < n ? originals[place] : holdout[place - n]))
  const runs: Int32Array[] = []
  for (let from = 0; from < points.length; from += QUERIES_AT_ONCE)
    runs.push(points.slice(from, from + QUERIES_AT_ONCE))
  const shared: Shared = { columns: space.columns, released: countIds(released, space.points), real, exponent }
  return joined(await where.tasks.map(membershipInBitsTask, shared, runs, where))
}

interface Shared {
  readonly columns: readonly BitColumn[]
  /** How many released records, and how many of original and holdout, there are at each point. */
  readonly released: Int32Array
  readonly real: Int32Array
  readonly exponent: number
}

const scorerOf = oncePer(scorer)

export const membershipInBitsTask: Task<Shared, Int32Array, Float64Array> = {
  name: 'shared-information/membership',
  run(shared, queries) {
    return Float64Array.from(queries, scorerOf(shared))
  },
}

/** Products beyond 2^450 go on with 2^450 less, one floor up, so that no number of columns overflows. */
const FLOOR_BITS = 450
const FLOOR = 2 ** FLOOR_BITS

/** S(r) of one record at a point. */
function scorer({ columns, released, real, exponent }: Shared): (point: number) => number {
  const points = released.length
  const pool = poolOf(
    columns,
    released.map((records, point) => records + real[point]),
  )
  const tablesOf = factorTables(pool, exponent)
  const unchecked = Math.max(1, Math.floor(FLOOR_BITS / (exponent * math.log2(pool.others + 1))))
  const floors = Math.ceil(columns.length / unchecked)
  const product = new Float64Array(points)
  const floor = new Int32Array(points)

  const releasedRecords = Float64Array.from(released)
  const otherRecords = Float64Array.from(real)

  return (query) => {
    multiply(tablesOf(query))
    otherRecords[query]--
    const score = (log2OfSum(releasedRecords) - log2OfSum(otherRecords)) / exponent
    otherRecords[query]++
    return score
  }

  /** log2 of the products, each times its records. */
  function log2OfSum(records: Float64Array): number {
    if (columns.length < unchecked) return math.log2(sumOfProducts(product, records))
    const sums = new Float64Array(floors + 1)
    for (let point = 0; point < points; point++) sums[floor[point]] += product[point] * records[point]
    return log2OfFloors(sums)
  }

  /** Column after column over all points, so that one table at a time is in the fast memory. */
  function multiply(tables: readonly Float64Array[]): void {
    product.fill(1)
    floor.fill(0)
    for (let j = 0; j < columns.length; j++) {
      multiplyBy(product, tables[j], columns[j].codes)
      if ((j + 1) % unchecked !== 0) continue
      for (let point = 0; point < points; point++) {
        if (product[point] < FLOOR) continue
        product[point] /= FLOOR
        floor[point]++
      }
    }
  }
}

/** Hot. */
function multiplyBy(product: Float64Array, factor: Float64Array, codes: NarrowCodes): void {
  for (let point = 0; point < product.length; point++) product[point] *= factor[codes[point]]
}

/** Hot. */
function sumOfProducts(product: Float64Array, records: Float64Array): number {
  let sum = 0
  for (let point = 0; point < product.length; point++) sum += product[point] * records[point]
  return sum
}

/** log2 Σ sums[f] 2^(450 f); floors far below the highest one with anything do not count. */
function log2OfFloors(sums: Float64Array): number {
  const top = sums.findLastIndex((sum) => sum > 0)
  let sum = 0
  for (let f = 0; f <= top; f++) sum += sums[f] * 2 ** (FLOOR_BITS * (f - top))
  return FLOOR_BITS * top + math.log2(sum)
}

/** For a query, of each column and code: p^-b, 1 where there is nothing in common. */
function factorTables({ columns, below, others }: Pool, exponent: number): (query: number) => readonly Float64Array[] {
  const tables = columns.map(({ cardinality }) => new Float64Array(cardinality).fill(1))
  // Of each number of records, the one asked about among them.
  const factorOf = new Float64Array(others + 2).fill(math.pow(others, exponent))
  for (let records = 2; records < factorOf.length; records++)
    factorOf[records] = math.pow(others / (records - 1), exponent)

  return (query) => {
    for (let j = 0; j < columns.length; j++) {
      const { codes, numbers } = columns[j]
      const code = codes[query]
      const table = tables[j]
      if (numbers === null || code === 0) {
        table.fill(1)
        table[code] = factorOf[below[j][code + 1] - below[j][code]]
        continue
      }
      valuesByNear(numbers, below[j], code, factorOf, table)
      table[0] = 1
    }
    return tables
  }
}

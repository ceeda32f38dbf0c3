import { math } from '@scrim/kernels'
import { UserError } from '../../errors.js'
import { valueAt } from '../../table/column.js'
import type { Table } from '../../table/table.js'
import { donorPools, donorsWith, draws } from './donors.js'
import { type FittedVariable, type Job, jobRows, numbersOf, trainingValues, type VariableMethod } from './method.js'

/**
 * Drawn from the original records that have exactly the same values of all predictors: the saturated conditional
 * distribution, `satcat` of synthpop. A synthetic combination that no original record has is an error. `nested.g` is the
 * same with g as the only predictor, for a variable that says more precisely what g says.
 */
export const satcat: VariableMethod = {
  id: 'satcat',
  title: 'sample within the combination of its predictors',
  problem: () => undefined,
  drawsOriginals: true,
  proper: 'bootstrap',
  withinCells: true,
  fit: async (jobs) => jobs.map((job) => cellDonors(job, satcat.title)),
}

export const NESTED_PREFIX = 'nested.'

export function nestedMethod(id: string): VariableMethod {
  const title = `sample within the categories of ${id.slice(NESTED_PREFIX.length)}`
  return { ...satcat, id, title, fit: async (jobs) => jobs.map((job) => cellDonors(job, title)) }
}

const UNKNOWN = -1

function cellDonors(job: Job, title: string): FittedVariable {
  const values = trainingValues(job)
  const { rows } = job
  const training = job.predictors.map((column) => {
    const all = numbersOf(column)
    return rows === null ? all : Float64Array.from(rows, (row) => all[row])
  })
  const book = cellBook(training, values.length)
  const pools = donorPools(values, book.rows, book.start, book.size)
  const poolsOf = (predicting: Table) => book.find(predicting.columns.map(numbersOf), predicting.rows)
  return {
    draw(predicting, random) {
      const poolOf = poolsOf(predicting)
      const stray = poolOf.indexOf(UNKNOWN)
      if (stray >= 0) throw new UserError(noDonor(job, predicting, stray))
      return draws(
        predicting.rows,
        (row) => pools.values[pools.start[poolOf[row]] + random.below(pools.size[poolOf[row]])],
      )
    },
    logProb(predicting, wanted, kernel) {
      const poolOf = poolsOf(predicting)
      return wanted.map((value, row) =>
        poolOf[row] === UNKNOWN
          ? Number.NEGATIVE_INFINITY
          : math.log(donorsWith(pools, poolOf[row], value, kernel) / pools.size[poolOf[row]]),
      )
    },
    describe: () => ({
      method: title,
      donors: jobRows(job),
      leaves: book.size.length,
      smallestLeaf: book.size.reduce((a, b) => Math.min(a, b)),
      largestLeaf: book.size.reduce((a, b) => Math.max(a, b)),
    }),
  }
}

function noDonor({ response, predictors }: Job, predicting: Table, row: number): string {
  const values = predictors.map(({ name }, k) => `${name} = ${valueAt(predicting.columns[k], row)}`)
  return `method of "${response.name}": no original record to draw from has ${values.join(', ')}; name fewer predictors or another method, such as cart`
}

/** Records by combination of values: those of combination k are `rows[start[k]]` and so many after it. */
interface CellBook {
  readonly rows: Int32Array
  readonly start: Int32Array
  readonly size: Int32Array
  /** The combination of each record, -1 for one that was not there. */
  readonly find: (columns: readonly Float64Array[], rows: number) => Int32Array
}

function cellBook(columns: readonly Float64Array[], records: number): CellBook {
  const codes = columns.map((values) => new Map(Array.from(new Set(values), (value, code) => [value, code])))
  const next = codes.map(() => new Map<number, number>())
  const walk = (columns: readonly Float64Array[], rows: number, learn: boolean) => {
    const cells = new Int32Array(rows)
    for (const [j, values] of columns.entries()) {
      for (let row = 0; row < rows; row++) {
        const code = codes[j].get(values[row])
        if (cells[row] === UNKNOWN || code === undefined) {
          cells[row] = UNKNOWN
          continue
        }
        const key = cells[row] * codes[j].size + code
        const known = next[j].get(key)
        if (known === undefined && learn) next[j].set(key, next[j].size)
        cells[row] = known ?? (learn ? next[j].size - 1 : UNKNOWN)
      }
    }
    return cells
  }
  const cells = walk(columns, records, true)
  const size = new Int32Array(next.at(-1)?.size ?? 1)
  for (const cell of cells) size[cell]++
  const start = new Int32Array(size.length)
  for (let k = 1; k < size.length; k++) start[k] = start[k - 1] + size[k - 1]
  const free = start.slice()
  const rows = new Int32Array(records)
  for (let row = 0; row < records; row++) rows[free[cells[row]]++] = row
  return { rows, start, size, find: (of, wanted) => walk(of, wanted, false) }
}

import {
  cartSynthesizer,
  categorical,
  columnOf,
  independentMarginals,
  numeric,
  perturb,
  selectRows,
  synthesize,
  type Table,
  table,
  valueAt,
} from '@scrim/core'
import { simulateHealth } from './health.js'

export const DEMO_KEYS = ['gender', 'age', 'education', 'income'] as const
export const DEMO_TARGET = 'disease_status'

/** One in ten cells comes from somebody else: a file that looks protected and hardly is. */
const SWAPPED_SHARE = 0.1

const RELATION = 10
const AGE_CLASS = 5
const INCOME_STEP = 10_000
const INCOME_TOP = 100_000

export interface DemoFiles {
  readonly original: Table
  readonly holdout: Table
  readonly perturbed: Table
  readonly cart: Table
  readonly independent: Table
}

/** The same people released as a copy with swapped cells, as a synthesis by trees, and as columns drawn on their own. */
export async function demoFiles(n: number, seed: number): Promise<DemoFiles> {
  const { original, holdout } = demoPeople(n, seed)
  return {
    original,
    holdout,
    perturbed: perturb(original, { share: SWAPPED_SHARE, seed }),
    cart: await synthesize(cartSynthesizer, original, { seed }),
    independent: independentMarginals(original, { seed }),
  }
}

/** People of the health simulation with values as coarse as in a file that somebody would release, and as many others. */
export function demoPeople(n: number, seed: number): { original: Table; holdout: Table } {
  const people = coarsen(simulateHealth({ n: 2 * n, kappa: RELATION, seed }))
  const rows = (from: number) => Int32Array.from({ length: n }, (_, row) => from + row)
  return { original: selectRows(people, rows(0)), holdout: selectRows(people, rows(n)) }
}

function coarsen(people: Table): Table {
  const numbers = (name: string) =>
    Array.from({ length: people.rows }, (_, row) => Number(valueAt(columnOf(people, name), row)))
  return table(people.name, [
    columnOf(people, 'gender'),
    categorical('age', numbers('age').map(ageClass)),
    columnOf(people, 'education'),
    numeric(
      'income',
      numbers('income').map((income) => Math.min(INCOME_TOP, Math.round(income / INCOME_STEP) * INCOME_STEP)),
    ),
    numeric('health_score', numbers('health_score').map(Math.round)),
    columnOf(people, 'disease_status'),
  ])
}

function ageClass(age: number): string {
  const from = Math.floor(age / AGE_CLASS) * AGE_CLASS
  return `${from} to ${from + AGE_CLASS - 1}`
}

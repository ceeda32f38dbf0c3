import { type Stream, stream } from '../../random/stream.js'
import { drawNormal } from '../../stats/draws.js'
import { type Column, categorical, numeric, stackColumns, takeRows } from '../../table/column.js'
import { type Release, release } from '../../table/release.js'
import { type Table, table } from '../../table/table.js'

/** Draws from one population: two related numbers, one alone, two categories. */
function people(name: string, rows: number, random: Stream): Table {
  const health = Array.from({ length: rows }, () => drawNormal(random))
  return table(name, [
    numeric(
      'age',
      health.map((z) => Math.round(45 + 12 * z + 8 * drawNormal(random))),
    ),
    numeric(
      'income',
      health.map((z) => Math.round(Math.exp(10 + 0.4 * z + 0.5 * drawNormal(random)))),
    ),
    numeric(
      'score',
      health.map(() => drawNormal(random)),
    ),
    categorical(
      'sex',
      health.map(() => (random.below(2) === 0 ? 'f' : 'm')),
      { levels: ['f', 'm'] },
    ),
    categorical(
      'region',
      health.map(() => REGIONS[random.below(REGIONS.length)]),
      { levels: REGIONS },
    ),
  ])
}

const REGIONS = ['north', 'east', 'south', 'west']

/** Every record moved a little: a year, 500 of income, a twentieth of a standard deviation. */
function nearCopies(file: Table, random: Stream): Table {
  const moved = (column: Column): Column => {
    if (column.kind === 'categorical') return column
    const step: Readonly<Record<string, number>> = { age: 0.7, income: 500, score: 0.05 }
    return { ...column, values: column.values.map((value) => value + step[column.name] * drawNormal(random)) }
  }
  return table('near copies', file.columns.map(moved))
}

/** The first `copies` records of one table and the remaining ones of another. */
function withCopies(file: Table, among: Table, copies: number): Table {
  const rows = Array.from({ length: among.rows }, (_, row) => row)
  return table(
    'copies among others',
    among.columns.map((column, j) =>
      stackColumns([takeRows(file.columns[j], rows.slice(0, copies)), takeRows(column, rows.slice(copies))]),
    ),
  )
}

export type Scene = 'honest' | 'near copies' | '20 % copies'

/** Training, holdout and release of one population; the release is honest (drawn anew) or made of the training records. */
export function scene(kind: Scene, index: number, sizes = { training: 200, holdout: 200, released: 200 }): Release {
  const random = stream(20260101, `membership scene ${kind}`, index)
  const original = people('training', sizes.training, random)
  const holdout = people('holdout', sizes.holdout, random)
  const fresh = people('released', sizes.released, random)
  const released =
    kind === 'honest'
      ? fresh
      : kind === 'near copies'
        ? nearCopies(original, random)
        : withCopies(original, fresh, Math.round(sizes.released / 5))
  return release({ original, released, holdout })
}

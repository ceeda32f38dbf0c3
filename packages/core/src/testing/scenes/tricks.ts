import type { Protection, Trick } from '../../evidence/tricks.js'
import { permutation } from '../../random/sampling.js'
import { type Stream, stream } from '../../random/stream.js'
import { independentMarginals } from '../../synthesizers/independent.js'
import {
  type CategoricalColumn,
  type Column,
  categorical,
  numeric,
  stackColumns,
  takeRows,
} from '../../table/column.js'
import type { ReleaseInput } from '../../table/release.js'
import { selectRows, type Table, table } from '../../table/table.js'

/** One release, its original and people outside, as a custodian under pressure may shape them. */
export interface Scene extends ReleaseInput {
  readonly released: Table
  readonly holdout: Table
  readonly keys: readonly string[]
  readonly target: string
}

const onReleased = (scene: Scene, change: (released: Table) => Table): Scene => ({
  ...scene,
  released: change(scene.released),
})
const onAll = (scene: Scene, change: (of: Table) => Table): Scene => ({
  ...scene,
  original: change(scene.original),
  released: change(scene.released),
  holdout: change(scene.holdout),
})
const mapColumns = (of: Table, change: (column: Column) => Column): Table => table(of.name, of.columns.map(change))
const LETTERS = ['a', 'b', 'c', 'd', 'e']
const random = (purpose: string): Stream => stream(11, `trick ${purpose}`)

export const tricks: Readonly<Record<Trick, (scene: Scene) => Scene>> = {
  'shuffle rows': (scene) =>
    onReleased(scene, (released) => selectRows(released, permutation(random('rows'), released.rows))),
  'shuffle columns': (scene) => onAll(scene, (of) => table(of.name, of.columns.toReversed())),
  'rename levels': (scene) =>
    onAll(scene, (of) =>
      mapColumns(of, (column) => (column.kind === 'categorical' && !column.ordered ? renamed(column) : column)),
    ),
  'reflect numbers': (scene) =>
    onAll(scene, (of) =>
      mapColumns(of, (column) =>
        column.kind === 'numeric' ? { ...column, values: column.values.map((value) => 1000 - 2 * value) } : column,
      ),
    ),
  'add a constant': (scene) =>
    onAll(scene, (of) => table(of.name, [...of.columns, categorical('country', Array(of.rows).fill('x'))])),
  'append noise': (scene) => {
    const draw = random('noise')
    return onAll(scene, (of) => {
      const each = <T>(value: () => T) => Array.from({ length: of.rows }, value)
      return table(of.name, [
        ...of.columns,
        categorical(
          'ward',
          each(() => LETTERS[draw.below(5)]),
          { levels: LETTERS },
        ),
        categorical(
          'shift',
          each(() => LETTERS[draw.below(3)]),
          { levels: LETTERS },
        ),
        numeric(
          'ticket',
          each(() => draw.below(1000)),
        ),
      ])
    })
  },
  'repeat records': (scene) =>
    onReleased(scene, (released) =>
      selectRows(
        released,
        Int32Array.from({ length: 5 * released.rows }, (_, row) => row % released.rows),
      ),
    ),
  'pad with noise': (scene) =>
    onReleased(scene, (released) => {
      const noise = [1, 2, 3, 4].map((seed) => independentMarginals(scene.original, { seed }))
      return table(
        released.name,
        released.columns.map((column, k) => stackColumns([column, ...noise.map(({ columns }) => columns[k])])),
      )
    }),
  'split levels': (scene) =>
    onReleased(scene, (released) =>
      mapColumns(released, (column) => (column.name === 'region' ? split(column) : column)),
    ),
  'jitter numbers': (scene) =>
    onReleased(scene, (released) => {
      const draw = random('jitter')
      return mapColumns(released, (column) =>
        column.name === 'income' && column.kind === 'numeric'
          ? { ...column, values: column.values.map((value) => value + (draw.uniform() - 0.5) / 10) }
          : column,
      )
    }),
  'leave the step': (scene) =>
    onReleased(scene, (released) =>
      mapColumns(released, (column) =>
        column.name === 'age' && column.kind === 'numeric'
          ? { ...column, values: column.values.map((value) => value + 1) }
          : column,
      ),
    ),
  'recode missing': (scene) =>
    onReleased(scene, (released) =>
      mapColumns(released, (column) =>
        column.kind === 'categorical' && column.codes.includes(-1)
          ? {
              ...column,
              levels: [...column.levels, 'unknown'],
              codes: column.codes.map((code) => (code < 0 ? column.levels.length : code)),
            }
          : column,
      ),
    ),
}

export const protections: Readonly<Record<Protection, (scene: Scene) => Scene>> = {
  'constant target': (scene) => onTarget(scene, (column) => takeRows(column, new Int32Array(scene.released.rows))),
  'permute target': (scene) =>
    onTarget(scene, (column) => takeRows(column, permutation(random('target'), scene.released.rows))),
  'suppress a key': (scene) =>
    onReleased(scene, (released) =>
      mapColumns(released, (column) =>
        column.name === 'region' && column.kind === 'categorical'
          ? { ...column, codes: column.codes.map(() => -1) }
          : column,
      ),
    ),
  'coarsen a key': (scene) =>
    onAll(scene, (of) =>
      mapColumns(of, (column) =>
        column.name === 'region' && column.kind === 'categorical'
          ? { ...column, codes: column.codes.map((code) => (code < 0 ? code : code >> 1)) }
          : column,
      ),
    ),
}

function onTarget(scene: Scene, change: (column: Column) => Column): Scene {
  return onReleased(scene, (released) =>
    mapColumns(released, (column) => (column.name === scene.target ? change(column) : column)),
  )
}

/** As a file read under other names: levels in the order of these, which is neither the old one nor its mirror. */
function renamed(column: CategoricalColumn): Column {
  const step = Math.ceil(column.levels.length / 2)
  const order = column.levels.map((_, k) => k).toSorted((a, b) => ((a + 1) % step) - ((b + 1) % step) || b - a)
  const place = Int32Array.from(order, (_, code) => order.indexOf(code))
  return {
    ...column,
    levels: order.map((_, k) => `~${String(k).padStart(3, '0')}`),
    codes: column.codes.map((code) => (code < 0 ? code : place[code])),
  }
}

function split(column: Column): Column {
  if (column.kind !== 'categorical') return column
  const draw = random('split')
  return {
    ...column,
    levels: [...column.levels, `${column.levels[0]} (new)`],
    codes: column.codes.map((code) => (code === 0 && draw.below(2) === 0 ? column.levels.length : code)),
  }
}

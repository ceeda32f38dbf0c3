import type { AnyMeasure, Need } from '../measure.js'
import { type Stream, stream } from '../random/stream.js'
import { type Column, categorical, numeric, valueAt } from '../table/column.js'
import { type Carrying, type Release, type ReleaseInput, release } from '../table/release.js'
import { type Table, table } from '../table/table.js'

/** The files that measures are checked on: people with dependent columns, an independent release and some variations of them. */
export const ROWS = 80

const REGIONS = ['north', 'south', 'west', 'east', 'centre', 'coast', 'isles']
const DISEASES = ['none', 'mild', 'severe']

/** With `missing`, one value in eight is missing. */
export function people(name: string, rows: number, random: Stream, missing = false): Table {
  const draw = <T>(make: () => T): (T | null)[] =>
    Array.from({ length: rows }, () => {
      const value = make()
      return missing && random.below(8) === 0 ? null : value
    })
  const age = draw(() => 20 + 10 * random.below(5))
  return table(name, [
    categorical(
      'sex',
      draw(() => (random.below(2) === 0 ? 'm' : 'f')),
    ),
    numeric('age', age),
    categorical(
      'region',
      draw(() => REGIONS[random.below(7)]),
    ),
    categorical(
      'disease',
      age.map((years) =>
        years === null && missing ? null : DISEASES[Math.min(2, Math.floor((years ?? 20) / 30) + random.below(2))],
      ),
    ),
    numeric(
      'income',
      draw(() => 1000 + random.below(5000)),
    ),
    numeric(
      'weight',
      Array.from({ length: rows }, () => 1 + random.below(9)),
    ),
    categorical(
      'household',
      Array.from({ length: rows }, (_, row) => `h${row >> 1}`),
    ),
    numeric(
      'height',
      draw(() => 150 + random.below(50)),
    ),
  ])
}

export const ROLES = { keys: ['sex', 'age', 'region'], target: 'disease', weight: 'weight', household: 'household' }
export const original = people('original', ROWS, stream(7, 'original'))
export const independent = people('independent', ROWS, stream(7, 'independent'))
export const holdout = people('holdout', 40, stream(7, 'holdout'))

/** Names in the release that are those of people in the original; one in twenty would be by chance. */
function carriedNames(carrying: number): Carrying {
  const counts = { carrying, of: ROWS, effective: ROWS, byChance: 0.05, chanceFrom: ROWS }
  const records = { ...counts, basis: 'leave-one-out' as const }
  return {
    identifiers: ['name'],
    compared: 1,
    columns: [{ column: 'name', releasedColumn: 'name', written: 'as it is', records, people: records }],
  }
}

const usual: ReleaseInput = {
  identifiers: [carriedNames(10), carriedNames(10), carriedNames(10)],
  original,
  released: independent,
  holdout,
  generator: { method: 'independent', options: {} },
  ...ROLES,
}

/** What a measure needs beyond that. */
const NEEDED: Partial<Record<Need, Partial<ReleaseInput>>> = {
  'numeric keys': { numericKeys: ['height'] },
  population: { population: people('population', 400, stream(7, 'population')) },
  'paired rows': { type: 'perturbed' },
  rules: { rules: { name: 'rules', text: 'income >= 1200\nincome - height > 0' } },
}

export type Variation = Partial<ReleaseInput>

/** The release that a measure is checked on, with what it needs. */
export function subject(measure: AnyMeasure, variation: Variation = {}): Release {
  return release(Object.assign({}, usual, ...measure.needs.map((need) => NEEDED[need] ?? {}), variation))
}

export const COPY: Variation = { released: original, identifiers: [carriedNames(ROWS)] }
export const NUMERIC_TARGET: Variation = { target: 'income' }

export const isCopied = (row: number) => row % 2 === 0

/** Every other record is that of the same row of the original. */
export const halfCopied = table(
  'half copied',
  original.columns.map((column, k) => {
    const values = Array.from({ length: ROWS }, (_, row) =>
      valueAt(isCopied(row) ? column : independent.columns[k], row),
    )
    return column.kind === 'categorical'
      ? categorical(column.name, values.map(String))
      : numeric(column.name, values.map(Number))
  }),
)

const keysInOriginal = Array.from({ length: ROWS }, (_, row) =>
  original.columns
    .filter(({ name }) => ROLES.keys.includes(name))
    .map((column) => valueAt(column, row))
    .join(),
)

/** Nobody else in the original has the keys of this row. */
export const isAlone = (row: number) => keysInOriginal.filter((keys) => keys === keysInOriginal[row]).length === 1

const changed = ({ name, columns }: Table, change: (column: Column) => Column) => table(name, columns.map(change))

/** The same change in all files. */
export const inAllFiles = (change: (column: Column) => Column) => ({
  original: changed(original, change),
  released: changed(independent, change),
  holdout: changed(holdout, change),
})

export const inRelease = (change: (column: Column) => Column): Variation => ({ released: changed(independent, change) })

export const renamedLevels = (column: Column): Column =>
  column.kind === 'categorical' && column.name !== 'household'
    ? { ...column, levels: column.levels.map((level) => `~${level}|x`) }
    : column

const isOfDesign = ({ name }: Column) => name === 'weight' || name === 'household'

/** Every value is this one. */
const filled = (code: number, value: number) => (column: Column) => {
  if (isOfDesign(column)) return column
  return column.kind === 'categorical'
    ? { ...column, codes: column.codes.map(() => code) }
    : { ...column, values: column.values.map(() => value) }
}
export const constant = filled(0, 3)
export const withoutValues = filled(-1, Number.NaN)

export const withDates = (column: Column): Column =>
  column.name === 'age' && column.kind === 'numeric' ? { ...column, kind: 'date', unit: 'day' } : column

const ODD_NAMES: Readonly<Record<string, string>> = {
  sex: 'sex, or "gender"',
  age: '__proto__',
  region: 'a | b',
  disease: 'constructor',
}
export const oddlyNamed: Variation = {
  ...inAllFiles((column) => ({ ...column, name: ODD_NAMES[column.name] ?? column.name })),
  keys: ROLES.keys.map((name) => ODD_NAMES[name] ?? name),
  target: ODD_NAMES[ROLES.target],
}

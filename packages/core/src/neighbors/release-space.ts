import { z } from 'zod'
import { NotApplicable, UserError, unknownName } from '../errors.js'
import { choice, columnNames } from '../option-kinds.js'
import { type Subject, tableOfPart } from '../table/classes.js'
import type { Release } from '../table/release.js'
import { allRows, columnOf, completeRows, selectRows } from '../table/table.js'
import { type Members, membersOf } from './search.js'
import { type Space, type SpaceOptions, space } from './space.js'
import { spaceElsewhere, type Where } from './tasks.js'

/** How records are compared, in one place for all measures that do. */
export const distanceOptions = {
  variables: columnNames().describe('columns to compare; all that original, release and holdout share when not given'),
  distance: choice(['gower', 'euclidean', 'vim'], 'gower').describe(
    "gower: mean of per-column differences, numbers over the real records' range; euclidean: numbers only, min-max scaled; vim: as riskutility, categories compared as numbers",
  ),
  missing: choice(['match', 'drop', 'ignore'], 'match').describe(
    'match: missing is a value of its own; drop: only complete records; ignore: columns known in both records',
  ),
  scale: choice(['range', 'iqr', 'rank'], 'range').describe(
    'what the difference of two numbers is divided by under gower',
  ),
  weights: z
    .record(z.string(), z.number().nonnegative())
    .default({})
    .describe('weight of a column in the distance; 1 when not given'),
}

/** As a measure compares unless told otherwise. */
export const DEFAULT_DISTANCE = {
  variables: null,
  distance: 'gower',
  missing: 'match',
  scale: 'range',
  weights: {},
} satisfies DistanceOptions

export type DistanceOptions = {
  readonly [name in keyof typeof distanceOptions]: z.output<(typeof distanceOptions)[name]>
}

/** The records of a release, its original and its holdout as points of one space. */
export interface ReleaseSpace extends Space {
  readonly training: Side
  readonly released: Side
  readonly holdout: Side | null
  readonly warnings: readonly string[]
}

export interface Side extends Members {
  /** The point of each record that takes part. */
  readonly ids: Int32Array
  /** Its row in the file; all rows unless incomplete ones are dropped. */
  readonly rows: Int32Array
  /** How many rows the file has. */
  readonly fileRows: number
}

const RECENT = 4
const recent = new WeakMap<Release, { readonly key: string; readonly space: ReleaseSpace }[]>()

/** The last few spaces of a release are kept: measures that compare the same columns share them. */
export function releaseSpace({ release, part }: Subject, options: DistanceOptions): ReleaseSpace {
  const known = keptSpace(release, part, options)
  if (known !== undefined) return known
  const files = filesCompared(release, part, options)
  return keepSpace(release, part, options, withSides(space(files.tables, files.names, files.real, files.how), files))
}

/** The same, made on another thread where there are several. */
export async function releaseSpaceElsewhere(
  where: Where,
  { release, part }: Subject,
  options: DistanceOptions,
): Promise<ReleaseSpace> {
  const known = keptSpace(release, part, options)
  return known ?? keepSpace(release, part, options, await passingSpace(where, { release, part }, options))
}

/** Made anew and not kept: one that nobody else asks for. */
export async function passingSpace(
  where: Where,
  { release, part }: Pick<Subject, 'release' | 'part'>,
  options: DistanceOptions,
): Promise<ReleaseSpace> {
  const files = filesCompared(release, part, options)
  return withSides(await spaceElsewhere(where, files.tables, files.names, files.real, files.how), files)
}

function keptSpace(release: Release, part: Subject['part'], options: DistanceOptions): ReleaseSpace | undefined {
  const key = spaceKey(part, options)
  return recent.get(release)?.find((one) => one.key === key)?.space
}

function keepSpace(
  release: Release,
  part: Subject['part'],
  options: DistanceOptions,
  space: ReleaseSpace,
): ReleaseSpace {
  recent.set(release, [...(recent.get(release) ?? []), { key: spaceKey(part, options), space }].slice(-RECENT))
  return space
}

/** Names a space of a release: by what is compared, and how. */
export function spaceKey(part: Subject['part'], options: DistanceOptions): string {
  const { variables, distance, missing, scale, weights } = options
  return JSON.stringify([part, { variables, distance, missing, scale, weights }])
}

/** What is compared of which files. */
function filesCompared(release: Release, part: Subject['part'], options: DistanceOptions) {
  const names = chosen(release, options)
  const files = [release.original, tableOfPart(release, part), ...(release.holdout === null ? [] : [release.holdout])]
  const rows = files.map((file) => (options.missing === 'drop' ? completeRows(file, names) : allRows(file)))
  const empty = files.find((_, k) => rows[k].length === 0)
  if (empty !== undefined) throw new NotApplicable(`${empty.name} has no complete record`)
  return {
    names,
    files,
    rows,
    tables: files.map((file, k) => (rows[k].length === file.rows ? file : selectRows(file, rows[k]))),
    /** Places of the files of real people. */
    real: [0, 2].slice(0, files.length - 1),
    how: spaceOptions(options),
  }
}

function withSides(built: Space, { files, rows, how }: ReturnType<typeof filesCompared>): ReleaseSpace {
  if (built.columns.length === 0) throw new NotApplicable('there is no column to compare records by')
  const side = (k: number): Side => ({
    ...membersOf(built, built.ids[k]),
    ids: built.ids[k],
    rows: rows[k],
    fileRows: files[k].rows,
  })
  const [training, released] = [side(0), side(1)]
  const holdout = files.length < 3 ? null : side(2)
  return {
    ...built,
    training,
    released,
    holdout,
    warnings: [
      ...files.flatMap((file, k) =>
        rows[k].length < file.rows ? [`${file.rows - rows[k].length} incomplete records of ${file.name} left out`] : [],
      ),
      ...(how.missing === 'ignore'
        ? ['distances over the known columns only are no metric: no search is cut short']
        : []),
    ],
  }
}

/** What is wrong with these options on this release, one sentence each; what a measure's `check` gives. */
export function distanceProblems(
  release: Release,
  { variables, weights, distance }: Pick<DistanceOptions, 'variables'> & Partial<DistanceOptions>,
): string[] {
  const named = [...(variables ?? []), ...Object.keys(weights ?? {})]
  const unknown = named.filter((name) => !release.variables.includes(name))
  const categories = (variables ?? []).filter((name) => !unknown.includes(name) && holdsCategories(release, name))
  return [
    ...unknown.map((name) => unknownName('column', name, release.variables)),
    ...(distance === 'euclidean'
      ? categories.map((name) => `the euclidean distance compares numbers only, but "${name}" holds categories`)
      : []),
  ]
}

function holdsCategories({ original }: Release, name: string): boolean {
  return columnOf(original, name).kind === 'categorical'
}

function chosen(release: Release, options: DistanceOptions): readonly string[] {
  const problems = distanceProblems(release, options)
  if (problems.length > 0) throw new UserError(problems)
  const { variables, weights, distance } = options
  const weighs = (name: string) => !Object.hasOwn(weights, name) || weights[name] > 0
  return [...new Set(variables ?? release.variables)].filter(
    (name) => weighs(name) && !(distance === 'euclidean' && holdsCategories(release, name)),
  )
}

function spaceOptions({ distance, missing, scale, weights }: DistanceOptions): SpaceOptions {
  return {
    metric: distance === 'euclidean' ? 'euclidean' : 'gower',
    missing: missing === 'ignore' ? 'ignore' : 'match',
    scale,
    weights,
    definition: distance === 'vim' ? 'vim' : undefined,
  }
}

/** Scores of the records of one side, put back to the rows of its file; NaN for a record that was left out. */
export function toRows({ rows, fileRows }: Pick<Side, 'rows' | 'fileRows'>, scores: ArrayLike<number>): Float64Array {
  const spread = new Float64Array(fileRows).fill(Number.NaN)
  for (let k = 0; k < rows.length; k++) spread[rows[k]] = scores[k]
  return spread
}

/** The distinct records of two sides together, with how many of each are in the first. */
export function pooled(space: Space, first: Side, second: Side): Members & { readonly inFirst: Int32Array } {
  const members = membersOf(space, first.ids, second.ids)
  const count = new Int32Array(space.count)
  for (let k = 0; k < first.points.length; k++) count[first.points[k]] = first.records[k]
  return { ...members, inFirst: members.points.map((point) => count[point]) }
}

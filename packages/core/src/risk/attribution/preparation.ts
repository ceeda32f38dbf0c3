import { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import type { Subject } from '../../measure.js'
import { jointCodes, keyClasses, type Part, remember, rowCount, rowsOfPart, tableOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { findColumn, selectRows, type Table, table } from '../../table/table.js'
import { type Cells, cellsOf, countCells } from './cells.js'
import { forgivesMismatch } from './gower-matches.js'
import type { MatchingOptions } from './matches.js'
import { pooledTarget, prepareTarget, type TargetGroups, targetGroups } from './target.js'

/**
 * What happens to the tables before anything is counted, in one place for all attribution measures, so that they agree on
 * the same data. scrim takes a missing value as a value and groups a target at the original's quantiles; riskutility drops
 * records with a missing key or target, groups a target at the quantiles of both files (dcap, tcap) or not at all (weap,
 * disco), and knows no weights.
 */
export const preparationOptions = {
  targetGroups,
  missing: z
    .enum(['auto', 'drop', 'category'])
    .default('auto')
    .describe(
      'records with a missing key or target: left out, or missing is a value; auto: left out under riskutility',
    ),
}

export interface PreparationOptions {
  readonly targetGroups: TargetGroups
  readonly missing: 'auto' | 'drop' | 'category'
}

/** Whose definition: riskutility groups the target of dcap and tcap, not that of weap and disco. */
export type Definition = 'scrim' | 'riskutility' | 'riskutility ungrouped'

export interface Prepared {
  /** The release as it is attacked, without the records left out. */
  readonly release: Release
  readonly cells: Cells
  readonly held: Cells | null
  /** The truth against itself, as if it were the release. */
  readonly own: () => Cells
  /** Records of the truth and of the release that were left out. */
  readonly dropped: { readonly original: number; readonly released: number }
  readonly warnings: readonly string[]
  /** Scores of the truth's records, put back to the rows of the file; NaN for a record left out. */
  toRows(scores: ArrayLike<number>): Float64Array
}

export function prepare(
  { release, part, target }: Subject,
  options: PreparationOptions & Partial<MatchingOptions>,
  definition: Definition,
  truth: Part = 'original',
): Prepared {
  const gower = options.matching === 'gower'
  const keys = gower ? [...release.keys, ...release.numericKeys] : release.keys
  const drop = options.missing === 'drop' || (options.missing === 'auto' && definition !== 'scrim')
  const unweighted = definition === 'scrim' ? release : withoutWeights(release)
  const complete = drop ? completeCases(unweighted, [...keys, target]) : undefined
  const attacked = complete?.release ?? unweighted
  const groups =
    definition === 'riskutility ungrouped' && options.targetGroups === 'auto' ? 'none' : options.targetGroups
  const cellsFor = (of: Part, against: Part = part) => {
    if (definition === 'scrim' && !gower) return cellsOf(attacked, of, against, target, groups)
    return remember(
      attacked,
      `prepared ${JSON.stringify([of, against, part, keys, target, groups, definition])}`,
      () => {
        const level =
          definition === 'scrim'
            ? prepareTarget(attacked, target, groups)
            : pooledTarget(attacked, part, target, groups)
        return countCells(attacked, of, against, keyClasses(attacked, keys), level)
      },
    )
  }
  const cells = cellsFor(truth)
  const rows = complete?.kept.get(truth)
  const fileRows = rowCount(release, truth)
  return {
    release: attacked,
    cells,
    held: release.holdout === null || truth !== 'original' ? null : cellsFor('holdout'),
    own: () => cellsFor(truth, truth),
    dropped: {
      original: fileRows - cells.cellOfTruth.length,
      released: rowCount(release, part) - cells.cellOfReleased.length,
    },
    warnings: [
      ...(cells.dLevel.filter((records) => records > 0).length === 1
        ? [`${target} is constant in ${truth === 'original' ? 'the original' : 'the file'}: it carries no information`]
        : []),
      ...(gower ? [] : mostlyDistinct(release, keys)),
      ...(gower && forgivesMismatch(release, keys, options.threshold ?? 0)
        ? ['with this threshold records match although a nominal key differs']
        : []),
    ],
    toRows: (scores) => spreadOver(scores, rows, fileRows),
  }
}

/** Scores of the rows that were kept, put back to a file of `length` rows, NaN elsewhere; `kept` undefined: all were. */
export function spreadOver(scores: ArrayLike<number>, kept: Int32Array | undefined, length: number): Float64Array {
  if (kept === undefined) return Float64Array.from(scores)
  const spread = new Float64Array(length).fill(Number.NaN)
  for (let k = 0; k < kept.length; k++) spread[kept[k]] = scores[k]
  return spread
}

function withoutWeights(release: Release): Release {
  if (release.weight === null) return release
  return remember(release, 'without weights', () => ({ ...release, weight: null }))
}

export interface CompleteCases {
  readonly release: Release
  /** Per part the rows that were kept, ascending. */
  readonly kept: ReadonlyMap<Part, Int32Array>
}

/** The release with only the records that have no missing value on `names`; rows of other columns go with them. */
export function completeCases(release: Release, names: readonly string[]): CompleteCases {
  return remember(release, `complete cases ${JSON.stringify(names)}`, () => {
    const kept = new Map<Part, Int32Array>()
    const keep = (part: Part): Table => {
      const rows = completeRows(release, part, names)
      const whole = tableOfPart(release, part)
      if (rows.length === 0)
        throw new NotApplicable(`every record of ${whole.name} has a missing value on ${names.join(', ')}`)
      kept.set(part, rows)
      const wanted = new Set([...names, release.weight])
      return selectRows(
        table(
          whole.name,
          whole.columns.filter(({ name }) => wanted.has(name)),
        ),
        rows,
      )
    }
    return {
      release: {
        ...release,
        original: keep('original'),
        released: release.released.map((_, part) => keep(part)),
        holdout: release.holdout === null ? null : keep('holdout'),
        population: null,
        variables: names,
      },
      kept,
    }
  })
}

function completeRows(release: Release, part: Part, names: readonly string[]): Int32Array {
  const missing = new Uint8Array(tableOfPart(release, part).rows)
  for (const name of names) {
    const joint = jointCodes(release, name)
    const codes = rowsOfPart(release, joint, joint.codes, part)
    for (let row = 0; row < codes.length; row++) if (codes[row] < 0) missing[row] = 1
  }
  return Int32Array.from(missing.keys()).filter((row) => missing[row] === 0)
}

const MOSTLY = 0.5

/** Exact matching on a number that hardly ever repeats finds nobody, which is no protection. */
function mostlyDistinct(release: Release, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    if (findColumn(release.original, key)?.kind === 'categorical') return []
    const joint = jointCodes(release, key)
    const codes = rowsOfPart(release, joint, joint.codes, 'original')
    const seen = new Uint8Array(joint.cardinality)
    for (const code of codes) if (code >= 0) seen[code] = 1
    const distinct = seen.reduce((sum, one) => sum + one, 0)
    return distinct > MOSTLY * codes.length && codes.length > 2
      ? [`most values of the key ${key} occur once, so that exact matching says little; group it`]
      : []
  })
}

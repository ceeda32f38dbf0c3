import { NotApplicable } from '../../../errors.js'
import { count } from '../../../print.js'
import type { Subject } from '../../../table/classes.js'
import { tableOfPart } from '../../../table/classes.js'
import type { Release } from '../../../table/release.js'
import { findColumn, type Table } from '../../../table/table.js'
import type { Options } from '../options.js'
import { composed, noTruth, reversed, sameIdentifier, sameRows, type Truth } from './truth.js'

/**
 * Who searches what: the intruder's file (the original, where no other is given) and the release, on the columns that the
 * intruder knows, with the truth about who is who. `everything` is the same search in the original itself.
 */
export interface Sides {
  readonly query: Table
  readonly search: Table
  readonly names: readonly string[]
  readonly truth: Truth
  readonly kind: TruthKind
  /** The side that stands for the intruder's knowledge. */
  readonly known: 'query' | 'search'
  /** The original's row behind each query row; -1 where there is none. */
  readonly people: Int32Array
  /** How many rows the query file has, where those looked for are some of them. */
  readonly of: number
  readonly everything: { readonly search: Table; readonly truth: Truth }
}

/** How the truth is known: by the place of rows, by the identifier, or not at all. */
export type TruthKind = 'row' | 'identifier' | 'none'

export function sidesOf({ release, part }: Subject, options: Options): Sides {
  const { original, attacker } = release
  const released = tableOfPart(release, part)
  const kind = truthKind(release, released, options)
  const holder = attacker ?? original
  const names = knownColumns(release, options)
  const toOriginal = attacker === null ? sameRows(original.rows) : byIdentifier(attacker, original, release)
  const toReleased = truthTo(release, holder, released, toOriginal, kind)
  if (options.direction === 'forward')
    return {
      query: holder,
      search: released,
      names,
      truth: toReleased,
      kind,
      known: 'query',
      people: firstOf(toOriginal),
      of: holder.rows,
      everything: { search: original, truth: toOriginal },
    }
  return {
    query: released,
    search: holder,
    names,
    truth: reversed(toReleased, released.rows),
    kind,
    known: 'search',
    people: firstOf(
      attacker === null
        ? reversed(toReleased, released.rows)
        : composed(reversed(toReleased, released.rows), toOriginal),
    ),
    of: released.rows,
    everything: { search: holder, truth: toOriginal },
  }
}

/** What an intruder knows unless told otherwise: the keys and numeric keys, or everything where there are none. */
export function chosenOrKeys(
  { keys, numericKeys, variables }: Release,
  chosen: readonly string[] | null,
): readonly string[] {
  if (chosen !== null) return [...new Set(chosen)]
  return keys.length + numericKeys.length > 0 ? [...keys, ...numericKeys] : variables
}

/** Of an attacker's file, the columns that it has. */
export function knownColumns(release: Release, { variables }: Pick<Options, 'variables'>): readonly string[] {
  const { attacker } = release
  const all = chosenOrKeys(release, variables)
  return attacker === null ? all : all.filter((name) => findColumn(attacker, name) !== undefined)
}

/** Where row i of the release must be row i of the original. */
export function requirePairedRows(original: Table, released: Table): void {
  if (released.rows !== original.rows)
    throw new NotApplicable(
      `${released.name} has ${count(released.rows, 'record')} and ${original.name} ${original.rows}: row i of one is not row i of the other`,
    )
}

/** What can be known of the truth; what the user asks for is taken at its word. */
export function truthKind(release: Release, released: Table, { truth }: Pick<Options, 'truth'>): TruthKind {
  if (truth !== 'auto') return truth
  const { identifier, type, attacker } = release
  const has = (of: Table) => identifier !== null && findColumn(of, identifier) !== undefined
  if (attacker === null) return has(released) ? 'identifier' : type === 'perturbed' ? 'row' : 'none'
  return has(attacker) && (has(released) || type === 'perturbed') ? 'identifier' : 'none'
}

function truthTo(release: Release, holder: Table, released: Table, toOriginal: Truth, kind: TruthKind): Truth {
  const { identifier, original } = release
  if (kind === 'none') return noTruth(holder.rows)
  if (kind === 'identifier' && identifier !== null && findColumn(released, identifier) !== undefined)
    return sameIdentifier(holder, released, identifier)
  requirePairedRows(original, released)
  return toOriginal
}

function byIdentifier(attacker: Table, original: Table, { identifier }: Release): Truth {
  return identifier === null || findColumn(attacker, identifier) === undefined
    ? noTruth(attacker.rows)
    : sameIdentifier(attacker, original, identifier)
}

function firstOf({ start, rows }: Truth): Int32Array {
  return Int32Array.from({ length: start.length - 1 }, (_, row) =>
    start[row] < start[row + 1] ? rows[start[row]] : -1,
  )
}

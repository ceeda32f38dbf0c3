import type { Context } from '../measure.js'
import { remember } from '../table/classes.js'
import type { Release } from '../table/release.js'
import type { Table } from '../table/table.js'

/**
 * A view undoes one thing that may have been done to a release, by accident or on purpose: it detects whether it was, and
 * makes the release as it would be without it. `assess` asks every deciding measure about the release as it is and about
 * each view whose detector fired; the measures know nothing of views. What a view shows can alarm. It cannot reassure.
 *
 * A view keeps the null: applied to an honest release on which its detector fired, alarms stay at their level. Detectors are
 * close to linear in the records, so that an honest release, on which few fire, is hardly slower for them.
 * A release seen here has one released table (`onePart`).
 */
export interface View<Trace = unknown> {
  readonly id: string
  /** To complete "it undoes ...". */
  readonly undoes: string
  /** To complete "the same question, asked ...". */
  readonly what: string
  /** Undefined when there is nothing to undo. A trace is plain values and typed arrays: detectors run on other threads too. */
  detect(release: Release, context: ViewContext): Trace | undefined | Promise<Trace | undefined>
  apply(release: Release, trace: Trace): Release
}

export type ViewContext = Pick<Context, 'seed' | 'signal' | 'tasks'>

export function view<Trace>(declaration: View<Trace>): View {
  // What detect hands over only apply reads: the type is nobody else's business.
  return declaration as View
}

/** The release with one of its released tables only. */
export function onePart(release: Release, part: number): Release {
  if (release.released.length === 1) return release
  return remember(release, `part ${part}`, () => ({
    ...release,
    released: [release.released[part]],
    likeness: release.likeness.slice(part, part + 1),
    identifiers: release.identifiers.slice(part, part + 1),
  }))
}

/** The release without some columns. Fewer keys would be another question: where one is left out there are none to ask about. */
export function withoutColumns(release: Release, left: ReadonlySet<string>): Release {
  const others = (names: readonly string[]) => names.filter((name) => !left.has(name))
  const allOrNone = (names: readonly string[]) => (names.some((name) => left.has(name)) ? [] : names)
  const { variables, keys, numericKeys, targets } = release
  return {
    ...release,
    variables: others(variables),
    keys: allOrNone(keys),
    numericKeys: allOrNone(numericKeys),
    targets: others(targets),
  }
}

/** Every table of the release with some columns changed. */
export function withTables(release: Release, changed: (file: Table) => Table): Release {
  return {
    ...release,
    original: changed(release.original),
    released: release.released.map(changed),
    holdout: release.holdout && changed(release.holdout),
    population: release.population && changed(release.population),
  }
}

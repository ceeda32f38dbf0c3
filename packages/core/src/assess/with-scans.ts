import type { z } from 'zod'
import { measureOptionsIn } from '../case/case.js'
import type { OpenedCase } from '../case/open-case.js'
import type { SampledTables } from '../case/with-counts.js'
import { type Note, note } from '../discretion.js'
import { DEFAULT_SEED } from '../measure.js'
import { distanceProblems } from '../neighbors/release-space.js'
import { CannotScan } from '../neighbors/scan/cannot-scan.js'
import type { Where } from '../neighbors/tasks.js'
import { parseOptions } from '../options.js'
import { grouped } from '../print.js'
import { memorisation } from '../risk/distance/memorisation.js'
import { memorisationTail } from '../risk/distance/memorisation-tail.js'
import { type LeaveOneOutOptions, type leaveOneOutOptions, lookKey } from '../risk/distance/others/leave-one-out.js'
import { scannedNeighbours } from '../risk/distance/others/scanned-neighbours.js'
import { bitsKey } from '../risk/shared-information/bits-in-common.js'
import { scannedBits } from '../risk/shared-information/scanned-bits.js'
import { sharedInformation } from '../risk/shared-information/shared-information.js'
import { sharedInformationTail } from '../risk/shared-information/shared-information-tail.js'
import { keepScans, type Release, withNotes } from '../table/release.js'
import { inline } from '../tasks/task.js'

/** What is found of all records; the measures know what else it is. */
interface OfAll {
  readonly records: readonly [originals: number, released: number]
}

/** What a scan asks, and the measures that look at the answer, which have the same options for it. */
interface Scan {
  readonly measures: readonly { readonly id: string; readonly options: z.ZodObject<typeof leaveOneOutOptions> }[]
  key(part: number, options: LeaveOneOutOptions, seed: number): string
  ask(
    release: Release,
    tables: SampledTables,
    part: number,
    options: LeaveOneOutOptions,
    seed: number,
    most: number,
    where: Where,
  ): Promise<OfAll | string>
}

/** Of some people among all records of tables that were sampled. */
const SCANS: readonly Scan[] = [
  { measures: [memorisation, memorisationTail], key: lookKey, ask: scannedNeighbours },
  { measures: [sharedInformation, sharedInformationTail], key: bitsKey, ask: scannedBits },
]

/** Whether a measure looks at some people among all records. */
export function isOfScans(id: string): boolean {
  return SCANS.some(({ measures }) => measures.some((measure) => measure.id === id))
}

/**
 * A Case that was opened on samples, with the neighbours that its people have among all records: those measures of these ids that
 * look at them are measured on all. Where that cannot be had the sample is all that is looked at, and the notes say so.
 */
export async function withScans(
  opened: OpenedCase,
  tables: SampledTables,
  ids: readonly string[],
  most: number,
  where: Where = { tasks: inline },
): Promise<OpenedCase> {
  const { release } = opened
  const seed = opened.case.seed ?? DEFAULT_SEED
  const scans = new Map<string, OfAll | string>()
  const notes: Note[] = []
  const asked = SCANS.flatMap(({ measures, ...scan }) =>
    measures.filter(({ id }) => ids.includes(id)).map(({ id, options }) => ({ id, options, ...scan })),
  )
  for (const { id, options, key: keyOf, ask } of asked) {
    const chosen = parseOptions(id, options, measureOptionsIn(opened.case)[id] ?? {})
    if (distanceProblems(release, chosen).length > 0) continue
    for (const part of release.released.keys()) {
      const key = keyOf(part, chosen, seed)
      const found = scans.get(key) ?? (await scanned(() => ask(release, tables, part, chosen, seed, most, where)))
      scans.set(key, found)
      const { name } = release.released[part]
      notes.push(
        note(() =>
          typeof found === 'string'
            ? `${id} of ${name}: ${found}: only the sample is looked at`
            : `${id} of ${name}: the people looked at were compared with all ${grouped(found.records[0])} original and ${grouped(found.records[1])} released records`,
        ),
      )
    }
  }
  const noted = withNotes(release, notes)
  keepScans(noted, new Map([...scans].flatMap(([key, found]) => (typeof found === 'string' ? [] : [[key, found]]))))
  return { ...opened, release: noted }
}

async function scanned(scan: () => Promise<OfAll | string>): Promise<OfAll | string> {
  try {
    return await scan()
  } catch (error) {
    if (!(error instanceof CannotScan)) throw error
    return error.message
  }
}

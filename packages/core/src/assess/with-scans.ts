import type { z } from 'zod'
import { measureOptionsIn } from '../case/case.js'
import type { OpenedCase } from '../case/open-case.js'
import type { SampledTables } from '../case/with-counts.js'
import { type Note, note } from '../discretion.js'
import { DEFAULT_SEED } from '../measure.js'
import { distanceProblems } from '../neighbors/release-space.js'
import { parseOptions } from '../options.js'
import { grouped } from '../print.js'
import { memorisation } from '../risk/distance/memorisation.js'
import { memorisationTail } from '../risk/distance/memorisation-tail.js'
import { type leaveOneOutOptions, lookKey } from '../risk/distance/others/leave-one-out.js'
import { scannedNeighbours } from '../risk/distance/others/scanned-neighbours.js'
import { CannotScan } from '../stored/stored-table.js'
import { keepScans, type Neighbours, withNotes } from '../table/release.js'

/** The measures that can look at some people among all records of tables that were sampled. */
const OF_SCANS = [memorisation, memorisationTail]

/**
 * A Case that was opened on samples, with the neighbours that its people have among all records: those measures of these ids that
 * look at them are measured on all. Where that cannot be had the sample is all that is looked at, and the notes say so.
 */
export async function withScans(
  opened: OpenedCase,
  tables: SampledTables,
  ids: readonly string[],
  most: number,
): Promise<OpenedCase> {
  const { release } = opened
  const seed = opened.case.seed ?? DEFAULT_SEED
  const scans = new Map<string, Neighbours | string>()
  const notes: Note[] = []
  for (const { id, options } of OF_SCANS.filter((measure) => ids.includes(measure.id))) {
    const chosen = parseOptions<z.ZodObject<typeof leaveOneOutOptions>>(
      id,
      options,
      measureOptionsIn(opened.case)[id] ?? {},
    )
    if (distanceProblems(release, chosen).length > 0) continue
    for (const part of release.released.keys()) {
      const key = lookKey(part, chosen, seed)
      const found =
        scans.get(key) ?? (await scanned(() => scannedNeighbours(release, tables, part, chosen, seed, most)))
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

async function scanned(scan: () => Promise<Neighbours | string>): Promise<Neighbours | string> {
  try {
    return await scan()
  } catch (error) {
    if (!(error instanceof CannotScan)) throw error
    return error.message
  }
}

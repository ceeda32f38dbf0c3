import type { z } from 'zod'
import { measureOptionsIn } from '../case/case.js'
import type { OpenedCase } from '../case/open-case.js'
import type { SampledTables } from '../case/with-counts.js'
import { type Note, note } from '../discretion.js'
import { DEFAULT_SEED, missingNeeds, type Need, needsFor } from '../measure.js'
import { CannotScan } from '../neighbors/scan/cannot-scan.js'
import type { Where } from '../neighbors/tasks.js'
import { parseOptions } from '../options.js'
import { linkability } from '../peers/risk/article29/linkability.js'
import { singlingOut } from '../peers/risk/article29/singling-out.js'
import { recordLinkage } from '../peers/risk/linkage/record-linkage.js'
import { grouped } from '../print.js'
import { searchKey } from '../risk/article29/predicates/drawn-search.js'
import { scannedPredicates } from '../risk/article29/predicates/scanned-predicates.js'
import { linksKey, scannedLinks } from '../risk/article29/scanned-links.js'
import { memorisation } from '../risk/distance/memorisation.js'
import { memorisationTail } from '../risk/distance/memorisation-tail.js'
import { lookKey } from '../risk/distance/others/leave-one-out.js'
import { scannedNeighbours } from '../risk/distance/others/scanned-neighbours.js'
import { reidentification } from '../risk/linkage/reidentification.js'
import { identifiersKey, scannedIdentifiers } from '../risk/linkage/scanned-identifiers.js'
import { peopleKey, scannedLinkage, scannedReidentification } from '../risk/linkage/scanned-people.js'
import { sharedIdentifiers } from '../risk/linkage/shared-identifiers.js'
import { membershipAudit } from '../risk/membership/membership-audit.js'
import { auditKey, scannedScores } from '../risk/membership/scores/scanned-scores.js'
import { bitsKey } from '../risk/shared-information/bits-in-common.js'
import { scannedBits } from '../risk/shared-information/scanned-bits.js'
import { sharedInformation } from '../risk/shared-information/shared-information.js'
import { sharedInformationTail } from '../risk/shared-information/shared-information-tail.js'
import { keepScans, type Release, withNotes } from '../table/release.js'
import { inline } from '../tasks/task.js'

/** What is found of all records; the measures know what else it is. */
interface OfAll {
  readonly records: readonly [originals: number, released: number]
  /** What was done with these, where no people were compared with them. */
  readonly looked?: string
}

/**
 * What a scan asks, and the measures that look at the answer, which have the same options for it. In words, why there is none; undefined
 * where nothing is to be asked.
 */
interface Scan<Options extends z.ZodObject> {
  readonly measures: readonly MeasureAsked<Options>[]
  key(part: number, options: z.output<Options>, seed: number): string
  ask(
    release: Release,
    tables: SampledTables,
    part: number,
    options: z.output<Options>,
    seed: number,
    most: number,
    where: Where,
  ): Promise<OfAll | string | undefined>
}

interface MeasureAsked<Options extends z.ZodObject> {
  readonly id: string
  readonly options: Options
  readonly needs: readonly Need[]
  needsWith?(options: z.output<Options>, release: Release): readonly Need[]
  check?(release: Release, options: z.output<Options>): readonly string[]
}

/** By measure, with its options as they were given; nothing where something is wrong with them, or the release lacks what it needs. */
function byMeasure<Options extends z.ZodObject>({ measures, key, ask }: Scan<Options>) {
  return measures.map((measure) => ({
    id: measure.id,
    of(release: Release, given: object) {
      const chosen = parseOptions(measure.id, measure.options, given)
      const needs = needsFor(measure, chosen, release)
      if (missingNeeds({ needs }, release).length > 0 || (measure.check?.(release, chosen).length ?? 0) > 0)
        return undefined
      return {
        key: (part: number, seed: number) => key(part, chosen, seed),
        ask: (tables: SampledTables, part: number, seed: number, most: number, where: Where) =>
          ask(release, tables, part, chosen, seed, most, where),
      }
    },
  }))
}

/** Of some people, or of predicates, among all records of tables that were sampled. */
const SCANS = [
  ...byMeasure({ measures: [memorisation, memorisationTail], key: lookKey, ask: scannedNeighbours }),
  ...byMeasure({ measures: [sharedInformation, sharedInformationTail], key: bitsKey, ask: scannedBits }),
  ...byMeasure({ measures: [singlingOut], key: searchKey, ask: scannedPredicates }),
  ...byMeasure({ measures: [linkability], key: linksKey, ask: scannedLinks }),
  ...byMeasure({ measures: [reidentification], key: peopleKey('reidentification'), ask: scannedReidentification }),
  ...byMeasure({ measures: [sharedIdentifiers], key: identifiersKey, ask: scannedIdentifiers }),
  ...byMeasure({ measures: [recordLinkage], key: peopleKey('record-linkage'), ask: scannedLinkage }),
  ...byMeasure({ measures: [membershipAudit], key: auditKey, ask: scannedScores }),
]

/** Whether a measure looks at some people among all records. */
export function isOfScans(id: string): boolean {
  return SCANS.some((scan) => scan.id === id)
}

/**
 * A Case that was opened on samples, with what scans find among all records: those measures of these ids that ask for it are measured
 * on all. Where that cannot be had the sample is all that is looked at, and the notes say so.
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
  const scans = new Map<string, OfAll | string | undefined>()
  const notes: Note[] = []
  for (const { id, of } of SCANS) {
    const scan = ids.includes(id) ? of(release, measureOptionsIn(opened.case)[id] ?? {}) : undefined
    if (scan === undefined) continue
    for (const part of release.released.keys()) {
      const key = scan.key(part, seed)
      const found = scans.get(key) ?? (await scanned(() => scan.ask(tables, part, seed, most, where)))
      scans.set(key, found)
      if (found === undefined) continue
      const { name } = release.released[part]
      notes.push(
        note(() =>
          typeof found === 'string'
            ? `${id} of ${name}: ${found}: only the sample is looked at`
            : `${id} of ${name}: ${found.looked ?? 'the people looked at were compared with'} all ${grouped(found.records[0])} original and ${grouped(found.records[1])} released records`,
        ),
      )
    }
  }
  const noted = withNotes(release, notes)
  keepScans(
    noted,
    new Map([...scans].flatMap(([key, found]) => (typeof found === 'object' ? [[key, found] as const] : []))),
  )
  return { ...opened, release: noted }
}

async function scanned(scan: () => Promise<OfAll | string | undefined>): Promise<OfAll | string | undefined> {
  try {
    return await scan()
  } catch (error) {
    if (!(error instanceof CannotScan)) throw error
    return error.message
  }
}

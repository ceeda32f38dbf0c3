import type { Assessment } from '../assess/assessment.js'
import type { Result } from '../measure.js'
import type { Grouping } from '../table/grouping.js'
import type { ComparisonView } from './comparison/comparison-view.js'
import type { DocumentView, FileRow } from './document.js'
import { withoutRecords } from './findings/findings.js'
import { jsonText } from './findings/reasons.js'

/** What went into an assessment besides what it says itself. */
export interface AssessedInput {
  readonly version: string
  readonly files: readonly FileRow[]
  readonly weight: string | null
  readonly household: string | null
  readonly groups: Readonly<Record<string, Grouping>>
}

/** Everything that is needed to check or repeat a run, as JSON; aggregates only, no records. */
export function assessmentJson(input: AssessedInput, assessment: Assessment, results: readonly Result[]): string {
  const { version, ...given } = input
  const document = { scrim: version, ...given, ...assessment, results: results.map(withoutRecords) }
  return jsonText(document)
}

const PICTURES = new Set(['overview', 'map', 'pictures', 'utilityPictures'])

/** A document as JSON: as exact as its readers may know it, without its pictures. */
export function documentJson(version: string, view: DocumentView | ComparisonView): string {
  const words = JSON.stringify(view, (key, value) => (PICTURES.has(key) ? undefined : value))
  return jsonText({ scrim: version, ...JSON.parse(words) })
}

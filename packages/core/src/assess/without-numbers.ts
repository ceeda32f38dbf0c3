import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import type { Release } from '../table/release.js'
import { type AssessOptions, assess } from './assess.js'
import { type Assessment, conclude, type ReleaseAssessment } from './assessment.js'
import { byLevel, isAlarm } from './judge.js'
import { onlyByNumbersText } from './sentences.js'

/**
 * Can people be traced in a perturbed release only by numbers? Somebody who knows the exact income of a person finds her record
 * in most releases, so that calling a number known may decide everything. Where that alarms, the question is asked once more
 * with no number known; if the answer is then better, the verdict says so.
 */
export async function withoutNumbers(
  assessment: Assessment,
  release: Release,
  results: readonly Result[],
  { seed, options, signal, tasks, registry = measures }: AssessOptions,
): Promise<Assessment> {
  const { type, numericKeys } = release
  if (type !== 'perturbed' || numericKeys.length === 0 || !assessment.releases.some(isTraced)) return assessment
  const deciding = registry.filter(({ role, threat }) => role === 'decides' && threat === 'identity')
  const ids = results.map(({ measure }) => measure).filter((id) => deciding.some((measure) => measure.id === id))
  const unknown = { ...release, numericKeys: [] }
  const again = new Map<string, Result>()
  for await (const result of assess(unknown, { seed, options, signal, tasks, registry, measures: ids }))
    again.set(result.measure, result)
  const other = conclude(
    unknown,
    results.map((result) => again.get(result.measure) ?? result),
    registry,
  )
  return {
    ...assessment,
    releases: assessment.releases.map((assessed, index) => {
      const before = identityOf(assessed)
      const identity = identityOf(other.releases[index])
      if (!isTraced(assessed) || byLevel(before, identity) >= 0) return assessed
      const overall = other.releases[index].verdict.level
      const onlyByNumbers = { columns: [...numericKeys], with: before.level, identity: identity.level, overall }
      const sentence = `${assessed.verdict.sentence} ${onlyByNumbersText(onlyByNumbers)}`
      return { ...assessed, onlyByNumbers, verdict: { ...assessed.verdict, sentence } }
    }),
  }
}

function identityOf({ threats }: ReleaseAssessment) {
  return threats.find(({ threat }) => threat === 'identity') ?? { level: 'NOT ASSESSED' as const }
}

const isTraced = (release: ReleaseAssessment) => isAlarm(identityOf(release).level)

import { jsonText, planText, stepsOf, type Tried } from '@scrim/core'
import type { InputFile } from '../../files/load-case.js'
import { shellText } from '../../shell.js'
import { version } from '../../version.js'
import type { AdviceReport } from './advice-text.js'

/** Everything that was tried, with what it changes and the commands that make it; aggregates only. */
export function adviceJson(
  { advice, commands, interrupted, written }: AdviceReport,
  files: readonly InputFile[],
): string {
  const { base, tried, front, confirmed, recommended } = advice
  const about = (tried: Tried) => ({
    change: planText(tried.trial.plan),
    steps: stepsOf(tried.trial.plan),
    verdict: tried.improvement.level,
    severity: tried.improvement.severity,
    worst: tried.improvement.worst,
    threats: tried.improvement.threats,
    records: tried.trial.assessment.records,
    utility: {
      score: tried.trial.utility.score,
      relations: tried.trial.utility.relations,
      columns: tried.trial.utility.columns,
    },
    utilityChange: tried.utilityChange,
  })
  const made = (tried: Tried) => {
    const { make, assess } = commands(tried)
    return { make: make.map(shellText), assess: assess.map(shellText) }
  }
  const document = {
    scrim: version(),
    files,
    interrupted,
    written,
    release: about(base),
    tried: tried.map((one) => ({ ...about(one), onFront: front.includes(one), commands: made(one) })),
    confirmed: confirmed.map(({ tried: found, again, level }) => ({
      change: planText(found.trial.plan),
      verdict: level,
      found: about(found),
      again: about(again),
      commands: made(again),
    })),
    recommended: recommended === null ? null : planText(recommended.tried.trial.plan),
  }
  return jsonText(document)
}

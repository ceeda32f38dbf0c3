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
  const about = (one: Tried) => ({
    change: planText(one.trial.plan),
    steps: stepsOf(one.trial.plan),
    verdict: one.improvement.level,
    severity: one.improvement.severity,
    worst: one.improvement.worst,
    threats: one.improvement.threats,
    records: one.trial.assessment.records,
    utility: {
      score: one.trial.utility.score,
      relations: one.trial.utility.relations,
      columns: one.trial.utility.columns,
    },
    utilityChange: one.utilityChange,
  })
  const made = (one: Tried) => {
    const { make, assess } = commands(one)
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

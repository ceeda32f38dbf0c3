import type { Assessment } from '../assess/assessment.js'
import { isAlarm } from '../assess/judge.js'

/** What a reader of an answer may do next. Each face has its own words for it: a flag, an argument, a button. */
export type NextStep =
  | { readonly code: 'give-keys' }
  | { readonly code: 'give-target' }
  | ({ readonly code: 'take-guess' } & GuessedRoles)
  | { readonly code: 'give-holdout' }
  | { readonly code: 'say-type' }
  | { readonly code: 'find-columns' }
  | { readonly code: 'ask-advice' }
  | { readonly code: 'show-measures' }

/** Columns that may be keys and targets, where none are given. */
export interface GuessedRoles {
  readonly keys: readonly string[]
  readonly target: readonly string[]
}

export function nextSteps({ releases, keys, targets, type }: Assessment, guess: GuessedRoles): readonly NextStep[] {
  const steps: NextStep[] = []
  if (keys.length === 0) steps.push({ code: 'give-keys' })
  if (targets.length === 0) steps.push({ code: 'give-target' })
  if (guess.keys.length > 0 || guess.target.length > 0) steps.push({ code: 'take-guess', ...guess })
  if (releases.some(({ threats }) => threats.some(({ settles }) => settles?.code === 'holdout')))
    steps.push({ code: 'give-holdout' })
  if (type === 'unknown') steps.push({ code: 'say-type' })
  if (releases.some(({ verdict }) => isAlarm(verdict.level)))
    steps.push({ code: 'find-columns' }, { code: 'ask-advice' })
  return [...steps, { code: 'show-measures' }]
}

import type { LoadedFile, State, Step } from '../session.js'

type Files = Pick<State, 'original' | 'releases' | 'holdout' | 'population' | 'attacker'>

/** Why roles cannot be given yet, in a sentence; null when they can. */
export function whyNotRoles({ original, releases, holdout, population, attacker }: Files): string | null {
  if (original === null) return 'Choose the original first.'
  const all = [original, ...releases, holdout, population, attacker].flatMap((file) => file ?? [])
  const reading = all.find((file) => file.reading !== null)
  if (reading !== undefined) return `${reading.source.name} is still being read.`
  const unusable = all.find(({ info }) => info === null)
  if (unusable !== undefined) return whyUnusable(unusable)
  return releases.length === 0 ? 'Choose a release as well.' : null
}

function whyUnusable({ source, parts }: LoadedFile): string {
  return parts.length > 1
    ? `${source.name} holds ${parts.length} tables: choose one.`
    : `${source.name} cannot be read: remove or replace it.`
}

/** Why nothing can be run yet. */
export function whyNotRun(state: Files & Pick<State, 'checked' | 'isChecking'>): string | null {
  const missing = whyNotRoles(state)
  if (missing !== null) return missing
  const { checked, isChecking } = state
  if (isChecking || checked === null) return 'Looking at the files …'
  if (checked.problems.length === 0) return null
  return checked.problems.length === 1 ? 'Solve the problem above first.' : 'Solve the problems above first.'
}

/** Why a step has nothing to show yet. */
export function whyClosed(step: Step, state: Files & Pick<State, 'runs'>): string | null {
  if (step === 'data' || step === 'outputs') return null
  const missing = whyNotRoles(state)
  if (step === 'roles' || step === 'run') return missing
  return state.runs.some(({ summary }) => summary !== null) ? null : (missing ?? 'Nothing has been run yet.')
}

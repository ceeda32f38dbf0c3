import type { ColumnQuestion, GuessedRoles, Need, NextStep } from '@scrim/core'
import { shellText } from './shell.js'

/** Who reads what is printed: somebody who types flags, or somebody who calls functions of the R package. */
export type Face = 'shell' | 'r'

/** The R package says by the environment that it is the one who asks. */
export function faceOf(environment: NodeJS.ProcessEnv): Face {
  return environment.SCRIM_FACE === 'r' ? 'r' : 'shell'
}

/** How what a measure needs is given; null where a face cannot give it. */
const GIVEN_BY: Readonly<Record<Face, Readonly<Record<Need, string | null>>>> = {
  shell: {
    keys: '--keys a,b',
    'numeric keys': '--numeric-keys a,b',
    target: '--target t',
    holdout: '--holdout FILE',
    population: '--population FILE',
    weight: '--weight w',
    household: '--household h',
    'paired rows': '--type perturbed',
    generator: '--synthesizer METHOD',
    rules: '--rules FILE',
  },
  r: {
    keys: 'keys =',
    'numeric keys': 'numeric_keys =',
    target: 'target =',
    holdout: 'holdout =',
    population: 'population =',
    weight: 'weight =',
    household: 'household =',
    'paired rows': 'type = "perturbed"',
    generator: 'synthesizer =',
    rules: 'rules =',
  },
}

export function givenBy(need: Need, face: Face): string | null {
  return GIVEN_BY[face][need]
}

/** Keys and targets as a user would give them; empty where nothing is guessed. */
export function rolesText({ keys, target }: GuessedRoles, face: Face): string {
  const roles = Object.entries({ keys, target }).filter(([, columns]) => columns.length > 0)
  return face === 'shell'
    ? shellText(roles.flatMap(([role, columns]) => [`--${role}`, columns.join(',')]))
    : roles.map(([role, columns]) => `${role} = ${rVector(columns)}`).join(', ')
}

function rVector(texts: readonly string[]): string {
  const quoted = texts.map((text) => JSON.stringify(text))
  return quoted.length === 1 ? quoted[0] : `c(${quoted.join(', ')})`
}

/** What the user may do now; null where a face has no way to do it. */
export function stepText(step: NextStep, face: Face): string | null {
  const isShell = face === 'shell'
  switch (step.code) {
    case 'give-keys':
      return `${givenBy('keys', face)}: what an attacker may know; without keys attribute inference is not tested`
    case 'give-target':
      return `${givenBy('target', face)}: what an attacker wants to learn`
    case 'take-guess':
      return `for example ${rolesText(step, face)}: a guess; ${isShell ? 'scrim keys ORIGINAL says why, scrim init asks' : 'scrim_keys() says why'}`
    case 'give-holdout':
      return `${givenBy('holdout', face)}: people who were not used to make the release; then all threats are tested`
    case 'say-type':
      return `${isShell ? '--type synthetic or --type perturbed' : 'type = "synthetic" or type = "perturbed"'}: how the release was made`
    case 'find-columns':
      return isShell ? '--why: which columns carry each alarm' : null
    case 'ask-advice':
      return isShell ? 'scrim advise with the same files and roles: what would help, tried on these data' : null
    case 'show-measures':
      return isShell
        ? '--full: every measure; scrim help MEASURE: what one is'
        : '$measures: every measure; scrim_measures(): what each is'
  }
}

/** How to say whether values that are written otherwise are the same. */
export function answeringText({ id }: ColumnQuestion, face: Face): string {
  return face === 'shell'
    ? `are these the same values? --match-levels says yes, --no-match-levels says no; for one of them: ${shellText(['--answer', `${id}=same`])}`
    : `are these the same values? match_levels = TRUE says yes, match_levels = FALSE says no; for one of them: answers = c(${JSON.stringify(id)} = "same")`
}

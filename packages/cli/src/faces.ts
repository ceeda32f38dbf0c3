import type { ColumnQuestion, GuessedRoles, Need, NextStep } from '@scrim/core'
import { shellText } from './shell.js'

/** Who reads what is printed: somebody who types flags, or somebody who calls functions of a package. */
export type Face = 'shell' | 'r' | 'python'

/** A package says by the environment that it is the one who asks. */
export function faceOf({ SCRIM_FACE }: NodeJS.ProcessEnv): Face {
  return SCRIM_FACE === 'r' || SCRIM_FACE === 'python' ? SCRIM_FACE : 'shell'
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
  python: {
    keys: 'keys=',
    'numeric keys': 'numeric_keys=',
    target: 'target=',
    holdout: 'holdout=',
    population: 'population=',
    weight: 'weight=',
    household: 'household=',
    'paired rows': 'type="perturbed"',
    generator: 'synthesizer=',
    rules: 'rules=',
  },
}

export function givenBy(need: Need, face: Face): string | null {
  return GIVEN_BY[face][need]
}

interface SuggestedRoles extends GuessedRoles {
  readonly weight?: string
  readonly household?: string
}

/** Keys and targets as a user would give them, and other roles where they are known; empty where nothing is guessed. */
export function rolesText({ keys, target, weight, household }: SuggestedRoles, face: Face): string {
  const roles = Object.entries({ keys, target, weight: weight ?? [], household: household ?? [] })
    .map(([role, columns]) => [role, [columns].flat()] as const)
    .filter(([, columns]) => columns.length > 0)
  switch (face) {
    case 'shell':
      return shellText(roles.flatMap(([role, columns]) => [`--${role}`, columns.join(',')]))
    case 'r':
      return roles.map(([role, columns]) => `${role} = ${severalTexts(columns, 'c(', ')')}`).join(', ')
    case 'python':
      return roles.map(([role, columns]) => `${role}=${severalTexts(columns, '[', ']')}`).join(', ')
  }
}

/** How a release of a file is assessed with these roles. */
export function assessCall(original: string, roles: SuggestedRoles, face: Face): string {
  const said = rolesText(roles, face)
  return {
    shell: `${shellText(['scrim', 'assess', original, 'RELEASED'])} ${said}`,
    r: `scrim_assess(${original}, released, ${said})`,
    python: `scrim.assess(${original}, released, ${said})`,
  }[face]
}

function severalTexts(texts: readonly string[], open: string, close: string): string {
  const quoted = texts.map((text) => JSON.stringify(text))
  return quoted.length === 1 ? quoted[0] : `${open}${quoted.join(', ')}${close}`
}

/** How each face says what its users may do. */
type Phrase = 'whyKeys' | 'type' | 'why' | 'advise' | 'measures' | 'everything'

const WORDS: Readonly<Record<Face, Readonly<Record<Phrase, string>>>> = {
  shell: {
    whyKeys: 'scrim keys ORIGINAL says why, scrim init asks',
    type: '--type synthetic or --type perturbed',
    why: '--why',
    advise: 'scrim advise with the same files and roles',
    measures: '--full: every measure; scrim help MEASURE: what one is',
    everything: '--json',
  },
  r: {
    whyKeys: 'scrim_keys() says why',
    type: 'type = "synthetic" or type = "perturbed"',
    why: 'why = TRUE',
    advise: 'scrim_advise() with the same arguments',
    measures: '$measures: every measure; scrim_measures(): what each is',
    everything: '$document',
  },
  python: {
    whyKeys: 'scrim.keys() says why',
    type: 'type="synthetic" or type="perturbed"',
    why: 'why=True',
    advise: 'scrim.advise() with the same arguments',
    measures: '.measures: every measure; scrim.measures(): what each is',
    everything: '.to_dict()',
  },
}

/** Flags of a sentence as a package calls them: --single-out is the argument single_out. What stands in quotes is the user's. */
export function withArguments(sentence: string, face: Face): string {
  if (face === 'shell') return sentence
  return sentence.replace(/(?<![\w"-])--([a-z][a-z-]*)/g, (_, flag: string) => flag.replaceAll('-', '_'))
}

/** Where all is that a text leaves out. */
export function everythingIn(face: Face): string {
  return WORDS[face].everything
}

/** Where the table is that a command made. */
export function madeText(file: string, face: Face): string {
  return { shell: `It was written to ${file}.`, r: 'It is in $recommended.', python: 'It is in .recommended.' }[face]
}

/** What the user may do now. */
export function stepText(step: NextStep, face: Face): string {
  const words = WORDS[face]
  switch (step.code) {
    case 'give-keys':
      return `${givenBy('keys', face)}: what an attacker may know; without keys attribute inference is not tested`
    case 'give-target':
      return `${givenBy('target', face)}: what an attacker wants to learn`
    case 'take-guess':
      return `for example ${rolesText(step, face)}: a guess; ${words.whyKeys}`
    case 'give-holdout':
      return `${givenBy('holdout', face)}: people who were not used to make the release; then all threats are tested`
    case 'say-type':
      return `${words.type}: how the release was made`
    case 'find-columns':
      return `${words.why}: which columns carry each alarm`
    case 'ask-advice':
      return `${words.advise}: what would help, tried on these data`
    case 'show-measures':
      return words.measures
  }
}

/** How to say whether values that are spelled differently are the same. */
export function answeringText({ id }: ColumnQuestion, face: Face): string {
  const [yes, no, one] = {
    shell: ['--match-levels', '--no-match-levels', shellText(['--answer', `${id}=same`])],
    r: ['match_levels = TRUE', 'match_levels = FALSE', `answers = c(${JSON.stringify(id)} = "same")`],
    python: ['match_levels=True', 'match_levels=False', `answers={${JSON.stringify(id)}: "same"}`],
  }[face]
  return `are these the same values? ${yes} says yes, ${no} says no; for one of them: ${one}`
}

import { note } from '../discretion.js'
import { UserError } from '../errors.js'
import type { RulesText } from '../table/edit-rules.js'
import { type OwnAttackers, type Release, type ReleaseInput, type ReleaseType, release } from '../table/release.js'
import type { Table } from '../table/table.js'
import { type Case, type CaseInput, groupingsIn, parseCase } from './case.js'
import { inspect } from './inspect.js'
import type { Question } from './questions.js'
import { decideType } from './release-type.js'

/** The files of a Case as they were read. */
export interface CaseTables {
  readonly original: Table
  readonly released: Table | readonly Table[]
  readonly holdout?: Table | undefined
  readonly population?: Table | undefined
  readonly attacker?: Table | undefined
  /** Rules that records must keep, one per line. */
  readonly rules?: RulesText | undefined
  /** What made the releases, where it is none of scrim's synthesizers; the Case says what it is called. */
  readonly synthesizer?: object | undefined
  /** Attackers that are none of scrim's, by the name that options call them. */
  readonly attackers?: OwnAttackers | undefined
  /** What was noticed while the files were read, without values of records. */
  readonly notes?: readonly string[] | undefined
}

export interface OpenedCase {
  readonly case: Case
  readonly release: Release
  /** What was asked, with the answers. Only the type of the release may be without one. */
  readonly questions: readonly Question[]
}

/**
 * The only way to a `Release`, for every face alike: inspects the files, builds the release and decides its type; what the
 * inspection tells is among the notes. Throws `OpenQuestions` where somebody must say whether values that are spelled differently
 * are the same: without an answer a disguised copy would pass for something new.
 */
export function openCase(input: CaseInput, tables: CaseTables): OpenedCase {
  const said = parseCase(input)
  const { keys, numericKeys, target, weight, household, identifier, attackerColumns, synthesizer } = said
  const { original, holdout, population, attacker, rules, notes = [] } = tables
  const inspected = inspect({
    original,
    released: isTable(tables.released) ? [tables.released] : tables.released,
    holdout,
    population,
    attacker,
    attackerColumns,
    inRole: new Set([...keys, ...numericKeys, ...target, weight ?? '', household ?? '', identifier ?? '']),
    digested: [...keys, ...numericKeys, ...target],
    answerTo: (id) => (Object.hasOwn(said.answers, id) ? said.answers[id] : blanketAnswer(said)),
    ownAnswerTo: (id) => (Object.hasOwn(said.answers, id) ? said.answers[id] : undefined),
  })
  const built = releaseOrCopy({
    ...inspected,
    keys,
    numericKeys,
    target,
    weight,
    household,
    identifier,
    rules,
    type: said.type,
    groups: groupingsIn(said),
    ownAttackers: tables.attackers,
    generator:
      synthesizer === undefined
        ? undefined
        : {
            method: synthesizer,
            options: said.options.synthesizer ?? {},
            ...(tables.synthesizer === undefined ? {} : { own: tables.synthesizer }),
          },
  })
  const { type, remark, question } = decideType(built, said.type)
  const noticed = [
    ...[...notes, ...guessNotes(said)].map((text) => note(() => text)),
    ...inspected.findings,
    ...inspected.notes,
    ...built.notes,
    ...(remark === null ? [] : [note(() => remark)]),
  ]
  return {
    case: said,
    release: { ...built, type, notes: noticed },
    questions: [...inspected.questions, ...(question === null ? [] : [question])],
  }
}

/** The same Case once somebody has said how the release was made. */
export function withReleaseType(opened: OpenedCase, type: ReleaseType): OpenedCase {
  return {
    case: { ...opened.case, type },
    release: { ...opened.release, type },
    questions: opened.questions.map((question) =>
      question.kind === 'release-type' ? { ...question, answer: type } : question,
    ),
  }
}

function isTable(released: CaseTables['released']): released is Table {
  return 'columns' in released
}

function blanketAnswer({ matchLevels }: Case) {
  return matchLevels === undefined ? undefined : matchLevels ? 'same' : 'different'
}

/** Roles that nobody has confirmed yet. */
function guessNotes({ keys, target, weight, household, guesses }: Case): readonly string[] {
  const guessed = [...keys, ...target, weight ?? '', household ?? ''].filter((column) => Object.hasOwn(guesses, column))
  return guessed.length === 0
    ? []
    : [
        `the roles of ${guessed.join(', ')} were guessed: confirm or change them in the config, then delete its field "guesses"`,
      ]
}

/** Whatever else is wrong with the files, that one is the other is said first. */
function releaseOrCopy(input: ReleaseInput): Release {
  try {
    return release(input)
  } catch (error) {
    const copies = (input.likeness ?? []).flatMap((one) => (one?.isCopy ? [one.sentence] : []))
    if (!(error instanceof UserError) || copies.length === 0) throw error
    throw new UserError([...copies, ...error.problems])
  }
}

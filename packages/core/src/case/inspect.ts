import { type Note, note } from '../discretion.js'
import { UserError } from '../errors.js'
import { type AttackerColumns, attackerProblems, namedAsOurs } from '../table/attackers-file.js'
import type { CarriedIdentifier, Carrying, Likeness } from '../table/release.js'
import { findColumn, type Table, table } from '../table/table.js'
import { carriedIdentifiers, identifierColumns } from './identifiers/carried-identifiers.js'
import { findIdentifiers, identifierNotes } from './identifiers/identifiers.js'
import { unexplainedColumns } from './identifiers/unexplained.js'
import { likeness } from './likeness.js'
import { withCommonDigits } from './matching/digits.js'
import { applyColumnMatches, type ColumnMatch, findColumnMatches } from './matching/match-columns.js'
import { applyLevelMatches, findLevelMatches, type LevelMatch } from './matching/match-levels.js'
import { applyUnitMatches, findUnitMatches, type UnitMatch } from './matching/match-units.js'
import { type ColumnQuestion, OpenQuestions, questionText, type SameOrDifferent } from './questions.js'

/**
 * What is to be known of files before they are measured: whether their levels are written alike, which columns are
 * identifiers, and whether a release is the original itself. None of this may be left to the measures: each of them would
 * see a disguised copy as something new.
 */
export interface InspectInput {
  readonly original: Table
  readonly released: readonly Table[]
  readonly holdout: Table | undefined
  readonly population: Table | undefined
  readonly attacker?: Table | undefined
  readonly attackerColumns?: AttackerColumns | undefined
  /** Columns that have a role: never left out as identifiers. */
  readonly inRole: ReadonlySet<string>
  /** Keys and targets in their order: a digest in the release may be made of them. */
  readonly digested: readonly string[]
  /** What was said about a question, by its id: whether levels or numbers that are spelled differently are the same. */
  readonly answerTo: (id: string) => SameOrDifferent | undefined
  /** What was said about this question alone, not about all of them. */
  readonly ownAnswerTo: (id: string) => SameOrDifferent | undefined
}

export interface Inspected {
  readonly original: Table
  readonly released: readonly Table[]
  readonly holdout: Table | undefined
  readonly population: Table | undefined
  /** With its columns named as in the original. */
  readonly attacker: Table | undefined
  readonly notes: readonly Note[]
  /** Per release: that it is the original, or most of it. */
  readonly likeness: readonly (Likeness | null)[]
  /** Per release: identifiers of people in the original that stand in it. */
  readonly identifiers: readonly Carrying[]
  /** Per release: texts in which anything about people could be hidden. */
  readonly unexplained: readonly (readonly string[])[]
  /** Findings about the files that do not need a measure. */
  readonly findings: readonly Note[]
  /** What had to be asked about, with the answers. */
  readonly questions: readonly ColumnQuestion[]
}

/** A slip in a few records is reported; in more of them it decides what is found. */
const MATTERS_FROM = 0.05

export function inspect(input: InspectInput): Inspected {
  const { released, holdout, population, inRole, digested, answerTo, ownAnswerTo } = input
  const misnamed = attackerProblems(input.original, input.attacker, input.attackerColumns)
  if (misnamed.length > 0) throw new UserError(misnamed)
  const attacker = input.attacker && namedAsOurs(input.attacker, input.attackerColumns ?? {})
  const files = [
    ...released,
    ...(holdout === undefined ? [] : [holdout]),
    ...(population === undefined ? [] : [population]),
    ...(attacker === undefined ? [] : [attacker]),
  ]
  const digits = withCommonDigits([input.original, ...files])
  const [original, ...withTheirNames] = digits.tables
  const notes = digits.columns.map((column) =>
    note(() => `"${column}" has 15 digits in one file and more in another: 15 are compared`),
  )
  const isSame = ({ table: file, column }: LevelMatch | UnitMatch | ColumnMatch) =>
    answerTo(questionId(file, column)) === 'same'
  const renamed = withTheirNames.map((other, k) => (k < released.length ? findColumnMatches(original, other) : []))
  const others = withTheirNames.map((other, k) => applyColumnMatches(other, renamed[k].filter(isSame)))
  // Identifiers are compared in any writing below: nothing has to be asked about them.
  const people = identifierColumns(original, inRole)
  const names = new Set(people.map(({ name }) => name))
  const matches = others.map((other) => findLevelMatches(original, other).filter(({ column }) => !names.has(column)))
  const units = others.map((other) => findUnitMatches(original, other))
  const asked = [
    ...renamed.flat().map(nameQuestion),
    ...matches.flat().map(levelsQuestion),
    ...units.flat().map(unitQuestion),
  ].map((question) => ({ ...question, answer: answerTo(question.id) ?? null }))
  const questions = asked.filter((question) => question.kind !== 'same-levels' || question.share >= MATTERS_FROM)
  if (questions.some(({ answer }) => answer === null)) throw new OpenQuestions(questions)
  const applied = others.map((other, k) =>
    applyUnitMatches(applyLevelMatches(other, original, matches[k].filter(isSame)), units[k].filter(isSame)),
  )
  notes.push(
    ...asked.map((question) =>
      note(
        (numbers) =>
          `${questionText(question, numbers)}; ${question.answer === 'same' ? 'taken for the same' : 'kept apart'}`,
      ),
    ),
  )

  const identifiers = findIdentifiers(original, applied.slice(0, released.length), inRole)
  const all = identifiers.length === original.columns.length
  const left = new Set(all ? [] : identifiers.map(({ column }) => column))
  notes.push(
    ...[...left].map((column) =>
      note(() => `"${column}" is different for each record of every file: an identifier, left out`),
    ),
  )
  const findings = identifiers.flatMap((one) => identifierNotes(original, one))
  const asReleased = applied.slice(0, released.length)
  const outside = holdout === undefined ? undefined : applied[released.length]
  const without = (of: Table) => withoutColumns(of, left)
  const kept = applied.map(without)
  const plain = without(original)
  const ofReleased = kept.slice(0, released.length)
  const carrying = asReleased.map((released) =>
    carriedIdentifiers({ original, released, holdout: outside, identifiers: people, digested }),
  )
  notes.push(...asReleased.flatMap(formulaNotes))
  notes.push(...carrying.flatMap(({ columns }, k) => columns.flatMap((seen) => carriedNote(asReleased[k], seen))))
  return {
    original: plain,
    released: ofReleased,
    holdout: holdout === undefined ? undefined : kept[released.length],
    population: population && kept[files.indexOf(population)],
    attacker: attacker && kept[files.indexOf(attacker)],
    notes,
    likeness: ofReleased.map((one) => likeness(plain, one)),
    identifiers: carrying,
    unexplained: asReleased.map((released, k) =>
      unexplainedColumns(original, released).filter(
        (name) => !explains(carrying[k], name) && ownAnswerTo(questionId(released.name, name)) !== 'different',
      ),
    ),
    findings,
    questions,
  }
}

/** What a spreadsheet would run: "=1+1", "@SUM(A1)", "+cmd|..."; a class such as "-5" or "+1 or more" it would not. */
const RUN_AS_FORMULA = /^(?:[=@].|[-+].*[(!|])/s

function formulaNotes({ name: file, columns }: Table): readonly Note[] {
  return columns
    .filter((column) => column.kind === 'categorical' && column.levels.some((level) => RUN_AS_FORMULA.test(level)))
    .map(({ name }) =>
      note(
        () =>
          `"${name}" of ${file} has text that a spreadsheet would run as a formula; synthesize and anonymise write it as text with safe-csv`,
      ),
    )
}

/** Whether most of what stands in a column is identifiers of people, so that nothing is left to be hidden there. */
function explains({ columns }: Carrying, name: string): boolean {
  return columns.some(({ releasedColumn, records }) => releasedColumn === name && 2 * records.carrying >= records.of)
}

/** Said even of a few, which chance may explain: whoever knows these people can look. */
function carriedNote({ name: file }: Table, { column, releasedColumn, records }: CarriedIdentifier): readonly Note[] {
  const { carrying, of, byChance } = records
  const expected = Math.round(byChance * of)
  if (carrying <= expected) return []
  const place = releasedColumn === column ? '' : ` in "${releasedColumn}"`
  return [
    note(
      (numbers) =>
        `"${column}" of somebody in the original stands in ${numbers.count(carrying, of)} of ${numbers.size(of)} records of ${file}${place}; chance gives ${numbers.count(expected, of)}`,
    ),
  ]
}

function questionId(file: string, column: string): string {
  return `${file}:${column}`
}

function nameQuestion({ named, ...match }: ColumnMatch): ColumnQuestion {
  return { kind: 'same-column', ...about(match), named, ...UNANSWERED }
}

function levelsQuestion({ levels, share, ...match }: LevelMatch): ColumnQuestion {
  const pairs = [...levels].map(([level, original]) => ({ level, original }))
  return { kind: 'same-levels', ...about(match), levels: pairs, share, ...UNANSWERED }
}

function unitQuestion({ factor, ...match }: UnitMatch): ColumnQuestion {
  return { kind: 'same-unit', ...about(match), factor, ...UNANSWERED }
}

/** What every question about a column begins with. */
function about({ table: file, column, like }: Pick<ColumnMatch, 'table' | 'column' | 'like'>) {
  return { id: questionId(file, column), file, column, original: like }
}

const UNANSWERED = { answers: ['same', 'different'], answer: null } as const

function withoutColumns(file: Table, left: ReadonlySet<string>): Table {
  if (![...left].some((name) => findColumn(file, name) !== undefined)) return file
  return table(
    file.name,
    file.columns.filter(({ name }) => !left.has(name)),
  )
}

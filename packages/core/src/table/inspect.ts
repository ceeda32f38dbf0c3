import { UserError } from '../errors.js'
import { type AttackerColumns, attackerProblems, namedAsOurs } from './attackers-file.js'
import { withCommonDigits } from './digits.js'
import { findIdentifiers, identifierTexts } from './identifiers.js'
import { type Likeness, likeness } from './likeness.js'
import { applyLevelMatches, findLevelMatches, type LevelMatch, matchText } from './match-levels.js'
import { applyUnitMatches, findUnitMatches, type UnitMatch, unitText } from './match-units.js'
import { findColumn, type Table, table } from './table.js'

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
  /** Whether levels that differ in writing only, and numbers in other units, are the same; an error asks where it matters and nobody has said. */
  readonly matchLevels: boolean | undefined
}

export interface Inspected {
  readonly original: Table
  readonly released: readonly Table[]
  readonly holdout: Table | undefined
  readonly population: Table | undefined
  /** With its columns named as in the original. */
  readonly attacker: Table | undefined
  readonly notes: readonly string[]
  /** Per release: that it is the original, or most of it. */
  readonly likeness: readonly (Likeness | null)[]
  /** Findings about the files that do not need a measure. */
  readonly findings: readonly string[]
}

/** Values that are written otherwise, or in other units, and nobody has said whether they are the same. */
export class LevelsDiffer extends UserError {}

/** A slip in a few records is told; in more of them it decides what is found. */
const MATTERS_FROM = 0.05

export function inspect(input: InspectInput): Inspected {
  const { released, holdout, population, inRole, matchLevels } = input
  const misnamed = attackerProblems(input.original, input.attacker, input.attackerColumns)
  if (misnamed.length > 0) throw new UserError(misnamed)
  const attacker = input.attacker && namedAsOurs(input.attacker, input.attackerColumns ?? {})
  const given = [
    ...released,
    ...(holdout === undefined ? [] : [holdout]),
    ...(population === undefined ? [] : [population]),
    ...(attacker === undefined ? [] : [attacker]),
  ]
  const digits = withCommonDigits([input.original, ...given])
  const [original, ...others] = digits.tables
  const notes = digits.columns.map(
    (column) => `"${column}" has 15 digits in one file and more in another: 15 are compared`,
  )
  const matches = others.map((other) => findLevelMatches(original, other))
  const units = others.map((other) => findUnitMatches(original, other))
  if (matchLevels === undefined) askAbout(matches.flat(), units.flat())
  const applied = others.map((other, k) =>
    matchLevels === true ? applyUnitMatches(applyLevelMatches(other, original, matches[k]), units[k]) : other,
  )
  const verb = matchLevels === true ? 'taken for the same' : 'kept apart'
  notes.push(...[...matches.flat().map(matchText), ...units.flat().map(unitText)].map((text) => `${text}; ${verb}`))

  const identifiers = findIdentifiers(original, applied.slice(0, released.length), inRole)
  const all = identifiers.length === original.columns.length
  const left = new Set(all ? [] : identifiers.map(({ column }) => column))
  notes.push(
    ...[...left].map((column) => `"${column}" is different for each record of every file: an identifier, left out`),
  )
  const findings = identifiers.flatMap((one) => identifierTexts(original, one))
  const without = (of: Table) => withoutColumns(of, left)
  const kept = applied.map(without)
  const plain = without(original)
  const ofReleased = kept.slice(0, released.length)
  return {
    original: plain,
    released: ofReleased,
    holdout: holdout === undefined ? undefined : kept[released.length],
    population: population && kept[given.indexOf(population)],
    attacker: attacker && kept[given.indexOf(attacker)],
    notes,
    likeness: ofReleased.map((one) => likeness(plain, one)),
    findings,
  }
}

function askAbout(matches: readonly LevelMatch[], units: readonly UnitMatch[]): void {
  const serious = matches.filter(({ share }) => share >= MATTERS_FROM)
  const questions = [...serious.map(matchText), ...units.map(unitText)]
  if (questions.length > 0) throw new LevelsDiffer(questions)
}

function withoutColumns(of: Table, left: ReadonlySet<string>): Table {
  if (![...left].some((name) => findColumn(of, name) !== undefined)) return of
  return table(
    of.name,
    of.columns.filter(({ name }) => !left.has(name)),
  )
}

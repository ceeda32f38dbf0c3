import { UserError } from '../errors.js'
import { type Condition, parseCondition } from './condition.js'
import type { Table } from './table.js'

/**
 * Rules that records must keep, one per line of a text:
 *
 *   # children are not married
 *   age < 15 => marital = "SINGLE"
 *   no pregnant men: never sex = "M" & pregnant = "YES"
 *   net = gross - tax
 *
 * A line is a condition of `condition.ts`, with a name and a colon before it if it is to be called something. `#` begins a
 * comment. A record breaks a rule where its condition is false; where it is unknown, because something is missing, it does not.
 */
export interface EditRule {
  /** What it is called: its name, or else its text. */
  readonly name: string
  readonly condition: Condition
}

/** A text of rules and what people call it, usually its file. */
export interface RulesText {
  readonly name: string
  readonly text: string
}

const NAMED = /^([\p{L}_][\p{L}\p{N}_ .-]*):(.*)$/u

/** Reads all rules about the columns of a table; all mistakes are reported at once, each with its line. */
export function parseEditRules({ name: file, text }: RulesText, data: Table): EditRule[] {
  const rules: EditRule[] = []
  const problems: string[] = []
  const lineOf = new Map<string, number>()
  for (const [k, line] of text.split(/\r\n|\n|\r/).entries()) {
    const content = withoutComment(line).trim()
    if (content === '') continue
    const named = NAMED.exec(content)
    const where = `${file}, line ${k + 1}`
    try {
      const condition = parseCondition((named?.[2] ?? content).trim(), data, where)
      const name = named?.[1].trim() ?? condition.text
      const before = lineOf.get(name)
      if (before !== undefined) problems.push(`${where}: "${name}" is the rule of line ${before} already`)
      lineOf.set(name, k + 1)
      rules.push({ name, condition })
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new UserError(problems)
  if (rules.length === 0)
    throw new UserError(`${file} has no rules; a rule is a line such as age < 15 => marital = "SINGLE"`)
  return rules
}

/** What stands before a `#` that is not in quotes. */
function withoutComment(line: string): string {
  let quote = ''
  for (let k = 0; k < line.length; k++) {
    const letter = line[k]
    if (quote !== '') quote = letter === quote ? '' : quote
    else if (letter === '#') return line.slice(0, k)
    else if (letter === '"' || letter === "'" || letter === '`') quote = letter
  }
  return line
}

import type { z } from 'zod'
import { nearestName, UserError, unknownName } from './errors.js'
import { atPath, fieldName, shown } from './json.js'

/** A file that a person writes by hand, such as a policy or a request; each message of its schema says what is expected. */
export interface WrittenForm<Schema extends z.ZodType> {
  readonly schema: Schema
  /** To begin a sentence about all of it. */
  readonly what: string
  /** What a name at a path may be, and how it is called there: a field unless given. */
  namesAt(path: readonly PropertyKey[], value: unknown): { readonly names: readonly string[]; readonly word?: string }
  /** What a text at a path may be, where one of them may have been meant. */
  meantAt(issue: Pick<z.core.$ZodIssue, 'code' | 'path'>): readonly string[]
  /** What a schema cannot say. */
  contentProblems(written: z.output<Schema>): readonly string[]
}

/** As read from a file; everything that is wrong with its form is told together, one sentence each, then what is wrong with its content. */
export function parseWritten<Schema extends z.ZodType>(
  file: string,
  value: unknown,
  form: WrittenForm<Schema>,
): z.output<Schema> {
  const parsed = form.schema.safeParse(value)
  const problems = parsed.success
    ? form.contentProblems(parsed.data)
    : parsed.error.issues.flatMap((issue) => issueProblems(issue, value, form))
  if (problems.length > 0) throw new UserError(problems.map((problem) => `${file}: ${problem}`))
  if (!parsed.success) throw parsed.error
  return parsed.data
}

function issueProblems<Schema extends z.ZodType>(
  issue: z.core.$ZodIssue,
  value: unknown,
  { what, namesAt, meantAt }: WrittenForm<Schema>,
): readonly string[] {
  if (issue.code === 'unrecognized_keys') {
    const place = issue.path.length === 0 ? '' : `${fieldName(issue.path)}: `
    const { names, word = 'field' } = namesAt(issue.path, value)
    return issue.keys.map((key) => `${place}${unknownName(word, key, names)}`)
  }
  const found = atPath(value, issue.path)
  const state = found === undefined ? 'is missing' : `is ${shown(found)}`
  const near = typeof found === 'string' ? nearestName(found, meantAt(issue)) : undefined
  const hint = near === undefined ? '' : `; did you mean "${near}"?`
  return [`${fieldName(issue.path) || what} ${state}; expected ${issue.message}${hint}`]
}

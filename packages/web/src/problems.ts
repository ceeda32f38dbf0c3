import { UserError } from '@scrim/core'

/** What went wrong, one sentence each. */
export function problemsOf(error: unknown): readonly string[] {
  return error instanceof UserError ? error.problems : [error instanceof Error ? error.message : String(error)]
}

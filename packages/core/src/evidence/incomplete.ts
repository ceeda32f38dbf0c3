import type { Reason } from '../reason.js'

/** Where fewer than half of a file's records are complete, the rest is no picture of it. */
const FEWEST = 0.5

/** Why nothing is said, where most records of a file had to be left out; to be spread over a finding. */
export function unlessMostAreComplete(
  files: readonly { readonly name: string; readonly kept: number; readonly rows: number }[],
): { readonly notAssessed?: Reason } {
  const poor = files.find(({ kept, rows }) => kept < FEWEST * rows)
  if (poor === undefined) return {}
  const { name, kept, rows } = poor
  return { notAssessed: { code: 'incomplete', file: name, complete: kept, records: rows } }
}

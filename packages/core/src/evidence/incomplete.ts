import { count, percent } from '../print.js'

/** Where fewer than half of a file's records are complete, the rest is no picture of it. */
const FEWEST = 0.5

/** Why nothing is said, where most records of a file had to be left out; to be spread over a finding. */
export function unlessMostAreComplete(
  files: readonly { readonly name: string; readonly kept: number; readonly rows: number }[],
): { readonly notAssessed?: string } {
  const poor = files.find(({ kept, rows }) => kept < FEWEST * rows)
  if (poor === undefined) return {}
  const { name, kept, rows } = poor
  return {
    notAssessed: `only ${kept.toLocaleString('en-US')} of ${count(rows, 'record')} of ${name} are complete (${percent(kept / rows)}); below half of them nothing is said`,
  }
}

import { columnOf } from '../../table/table.js'
import type { Pair } from '../pair.js'

/** The categorical ones of a pair's columns. */
export function categoricalNames({ original, variables }: Pair): string[] {
  return variables.filter((name) => columnOf(original, name).kind === 'categorical')
}

import type { Release } from '../../table/release.js'
import { columnOf } from '../../table/table.js'

/** The categorical ones of the columns of a pair. */
export function categoricalNames({ original, variables }: Pick<Release, 'original' | 'variables'>): string[] {
  return variables.filter((name) => columnOf(original, name).kind === 'categorical')
}

import type { Cursor } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'

/** Takes the tag that must come next. */
export function expect(at: Cursor, tag: string): void {
  if (at.ascii(Math.min(tag.length, at.left())) !== tag) throw new Damaged(`there is no ${tag} where one should be`)
}

/** Whether `tag` comes next; then it is taken. */
export function accept(at: Cursor, tag: string): boolean {
  if (at.left() < tag.length || at.peek(tag.length) !== tag) return false
  at.skip(tag.length)
  return true
}

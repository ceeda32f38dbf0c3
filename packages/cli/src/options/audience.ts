import { AUDIENCES, type Audience, UserError, unknownName } from '@scrim/core'
import type { Arguments } from './arguments.js'

/** Who reads a report; nobody sees small counts or records unless that is said. */
export function audienceOf(args: Arguments): Audience {
  const named = args.text('audience') ?? 'publishable'
  const found = AUDIENCES.find((audience) => audience === named)
  if (found === undefined) throw new UserError(unknownName('audience', named, AUDIENCES))
  return found
}

import { AUDIENCES, type Audience, knownName } from '@scrim/core'
import type { Arguments } from './arguments.js'

/** Whether nothing that is written may be exact: JSON and charts are for readers inside unless somebody has said otherwise. */
export function isAllPublishable(args: Arguments): boolean {
  return args.has('audience') && audienceOf(args) === 'publishable'
}

/** Who reads a report; nobody sees small counts or records unless that is said. */
export function audienceOf(args: Arguments): Audience {
  return knownName('audience', args.text('audience') ?? 'publishable', AUDIENCES)
}

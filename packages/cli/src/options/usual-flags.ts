import type { Flags } from './arguments.js'

type Flag = Flags[string]

/** Flags that several commands have, and which mean the same in all of them. */
export const SEED_FLAG: Flag = { value: 'N', help: 'whole number that fixes all random numbers (default 1)' }

/** What is made of real people is drawn anew each time, so that nobody can undo it. */
export const DRAWN_SEED_FLAG: Flag = {
  value: 'N',
  help: 'whole number that fixes all random numbers (default: drawn at random)',
}

export const METHOD_OPTION_FLAG: Flag = {
  value: 'option=value',
  repeat: true,
  help: 'option of the method; a dotted path reaches inside, the value is JSON or text',
}

export const REPORT_FLAG: Flag = {
  group: 'writing',
  value: 'FILE',
  help: 'write the report here instead of to stdout; as JSON if the name ends in .json',
}

import type { Audience } from '@scrim/core'
import type { Arguments } from './arguments.js'

/** The command as it can be pasted into a shell again; where files lie is left out for readers outside. */
export function commandLine(command: string, { words }: Arguments, audience: Audience): string {
  const shown = audience === 'internal' ? words : words.map((word) => word.replace(/^(--[a-z-]+=)?.*[\\/]/, '$1'))
  const quoted = shown.map((word) => (/^[\w./:,=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
  return [`scrim ${command}`, ...quoted].join(' ')
}

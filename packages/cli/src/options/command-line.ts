import { type Audience, withoutSeeds } from '@scrim/core'
import { shellText } from '../shell.js'
import type { Arguments } from './arguments.js'

/**
 * The command as it can be pasted into a shell again. For readers outside without where files lie, and without the seed of
 * a synthesis; that of the assessment stays.
 */
export function commandLine(command: string, { words }: Arguments, audience: Audience): string {
  const shown = audience === 'internal' ? words : words.map(discreet)
  return shellText(['scrim', command, ...shown])
}

function discreet(word: string): string {
  if (word.startsWith('--seed')) return word
  return withoutSeeds(word.replace(/^(--[a-z-]+=)?.*[\\/]/, '$1'))
}

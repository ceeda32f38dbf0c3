import { type Generator, UserError } from '@scrim/core'
import type { Arguments } from './arguments.js'
import { COMMAND_PREFIX, externalSynthesizer } from './external-synthesizer.js'
import type { Io } from './io.js'
import type { Settings } from './release-options.js'

/** The name of the flag, and of the owner of its options. */
export const SYNTHESIZER = 'synthesizer'

export const GENERATOR_FLAG = {
  value: 'METHOD',
  help: `what made the releases, such as cart, or ${COMMAND_PREFIX}"..." as in synthesize: measures of the generator run too; --set synthesizer.minbucket=20`,
}

/** What made the releases, as the user says: a synthesizer of scrim's, or a program of one's own. */
export function generatorOf(args: Arguments, { config }: Settings, options: object, io: Io): Generator | undefined {
  const method = args.text(SYNTHESIZER) ?? config.synthesizer
  if (method === undefined) {
    if (Object.keys(options).length === 0) return undefined
    throw new UserError(
      '--set synthesizer....: say which synthesizer made the releases, for example --synthesizer cart',
    )
  }
  const own = externalSynthesizer(method, io)
  return { method, options, ...(own === undefined ? {} : { own }) }
}

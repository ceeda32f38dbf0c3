import { measures, type OptionTree, UserError, withTypedOption, z } from '@scrim/core'
import type { Arguments } from './arguments.js'
import type { Asked } from './config.js'

/**
 * Options from the config file and, over them, from --set, read as the option asks for it.
 */
export function measureOptions(args: Arguments, asked: Asked, owners: Owners): Asked['options'] {
  const described = (owner: string) => {
    const known = owners.schema(owner)
    return known === undefined ? {} : z.toJSONSchema(known, { io: 'input', unrepresentable: 'any' })
  }
  const options = args
    .texts('set')
    .reduce<OptionTree>((before, text) => withTypedOption(before, text, { at: owners.at, described }), asked.options)
  return options as Asked['options']
}

/** Whose options a path of --set is of, and which options that owner has. */
interface Owners {
  readonly at: (path: readonly string[]) => readonly string[]
  readonly schema: (owner: string) => z.ZodObject | undefined
}

/** The Case with what --set says of the measures, each under its id, and of the synthesizer under that name. */
export function withMeasureOptions(args: Arguments, asked: Asked, owners: Owners = BY_MEASURE): Asked {
  const options = measureOptions(args, asked, owners)
  if (asked.synthesizer === undefined && Object.keys(options[SYNTHESIZER] ?? {}).length > 0)
    throw new UserError(
      '--set synthesizer....: say which synthesizer made the releases, for example --synthesizer cart',
    )
  return { ...asked, options }
}

export const SYNTHESIZER = 'synthesizer'

const BY_MEASURE: Owners = {
  at: (path) => {
    if (path.length < 2)
      throw new UserError(`--set ${path[0]}: say of which measure, for example --set k-anonymity.k=3`)
    return path
  },
  schema: (owner) => measures.find(({ id }) => id === owner)?.options,
}

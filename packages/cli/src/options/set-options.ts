import { measures, optionFromText, UserError, z } from '@scrim/core'
import type { Arguments } from './arguments.js'
import type { Asked } from './config.js'

/** Whose options a path of --set is of, and which option. */
export interface OptionOwners {
  readonly at: (path: readonly string[]) => readonly string[]
  readonly schema: (owner: string) => z.ZodObject | undefined
}

/**
 * Options from the config file and, over them, from --set, read as the option asks for it.
 */
export function measureOptions(args: Arguments, asked: Asked, { at, schema }: OptionOwners): Asked['options'] {
  let options: Tree = asked.options
  for (const text of args.texts('set')) {
    const equals = text.indexOf('=')
    if (equals <= 0) throw new UserError(`--set expects option=value, found "${text}"`)
    const isAdded = text[equals - 1] === '+'
    const [owner, ...path] = at(
      text
        .slice(0, isAdded ? equals - 1 : equals)
        .trim()
        .split('.'),
    )
    const known = schema(owner)
    const described = known === undefined ? {} : z.toJSONSchema(known, { io: 'input', unrepresentable: 'any' })
    const set = optionFromText(described, path, text.slice(equals + 1))
    const place = [owner, ...set.path]
    options = setPath(options, place, isAdded ? addedTo(atPath(options, place), set.value) : set.value)
  }
  return options as Asked['options']
}

/** `option+=value`: one more of a list. */
function addedTo(list: unknown, value: unknown): unknown[] {
  return [list ?? [], value].flat()
}

function atPath(tree: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isTree(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    tree,
  )
}

type Tree = Readonly<Record<string, unknown>>

function setPath(tree: Tree, [first, ...rest]: readonly string[], value: unknown): Tree {
  const inner = atPath(tree, [first])
  return { ...tree, [first]: rest.length === 0 ? value : setPath(isTree(inner) ? inner : {}, rest, value) }
}

function isTree(value: unknown): value is Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The Case with what --set says of the measures, each under its id, and of the synthesizer under that name. */
export function withMeasureOptions(args: Arguments, asked: Asked, owners: OptionOwners = BY_MEASURE): Asked {
  const options = measureOptions(args, asked, owners)
  if (asked.synthesizer === undefined && Object.keys(options[SYNTHESIZER] ?? {}).length > 0)
    throw new UserError(
      '--set synthesizer....: say which synthesizer made the releases, for example --synthesizer cart',
    )
  return { ...asked, options }
}

export const SYNTHESIZER = 'synthesizer'

const BY_MEASURE: OptionOwners = {
  at: (path) => {
    if (path.length < 2)
      throw new UserError(`--set ${path[0]}: say of which measure, for example --set k-anonymity.k=3`)
    return path
  },
  schema: (owner) => measures.find(({ id }) => id === owner)?.options,
}

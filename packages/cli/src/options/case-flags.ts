import {
  type CaseField,
  type CaseInput,
  caseSchema,
  flagForms,
  LIMIT_FIELDS,
  PRIVACY_FIELDS,
  parsePlaced,
  READING_FIELDS,
  ROLE_FIELDS,
  synthesizers,
  UserError,
  z,
} from '@scrim/core'
import { type Arguments, type FlagGroup, type Flags, grouped } from './arguments.js'

/** The flags of a Case: their names, values and help are those of its fields. */
function flagsFor(fields: readonly CaseField[]): Flags {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const form = formOf(field)
      if (form === undefined) return []
      const flag = flagName(field)
      const help = caseSchema.shape[field].description ?? ''
      if ('isSwitch' in form)
        return [[flag, { help }], ...(form.no === undefined ? [] : [[`no-${flag}`, { help: form.no }]])]
      const { value, repeat = false } = form
      return [[flag, { value, repeat, help, ...choiceOf(field) }]]
    }),
  )
}

/** What a field that is a choice may be. */
function choiceOf(field: CaseField): { readonly values?: readonly string[] } {
  const values = schemaOf(field).enum?.filter((value) => typeof value === 'string')
  return values === undefined ? {} : { values }
}

/** The flag of one field. */
export function flagFor(field: CaseField): Flags[string] {
  return flagsFor([field])[flagName(field)]
}

/** Of the flags of a release, those that most people need. */
const EVERYDAY = ['keys', 'target', 'holdout', 'type', 'seed']

function rarelyNeeded(group: FlagGroup, fields: readonly CaseField[]): Flags {
  return Object.fromEntries(
    Object.entries(flagsFor(fields)).map(([name, flag]) => [
      name,
      { ...flag, group, isRare: !EVERYDAY.includes(name) },
    ]),
  )
}

export const SYNTHESIZER_FLAG: Flags[string] = {
  ...flagFor('synthesizer'),
  values: synthesizers.map(({ id }) => id),
}

/** The flags that say what was promised. */
export const PRIVACY_FLAGS: Flags = rarelyNeeded('running', PRIVACY_FIELDS)

/** The flags that say how files are read. */
export const READING_FLAGS: Flags = rarelyNeeded('reading', READING_FIELDS)

/** The config, and whether what it names may be run. */
export const CONFIG_FLAGS: Flags = grouped('running', {
  config: { value: 'FILE', help: 'file with what the flags say (default: scrim.json, if there is one)' },
  'allow-commands': {
    isRare: true,
    help: 'run the command that the config names as synthesizer, as if it were given here',
  },
})

/** The flags that say what the files are and what their columns are for; shared by all commands that look at a release. */
export const RELEASE_FLAGS: Flags = {
  ...rarelyNeeded('roles', ROLE_FIELDS),
  ...READING_FLAGS,
  ...rarelyNeeded('running', LIMIT_FIELDS),
  ...CONFIG_FLAGS,
}

/** What the flags of a command say of a Case; `options` are read by those who know whose they are. */
export function caseOfFlags(args: Arguments): CaseInput {
  const problems: string[] = []
  const fields = (Object.keys(caseSchema.shape) as CaseField[]).filter((field) => field !== 'options')
  const said = Object.fromEntries(
    fields.flatMap((field) => {
      const value = flagValue(field, args, problems)
      return value === undefined ? [] : [[field, value]]
    }),
  )
  if (problems.length > 0) throw new UserError(problems)
  parsePlaced(caseSchema, said, (path) => `--${flagName(path.split('.')[0] as CaseField)}`)
  return said
}

function flagValue(field: CaseField, args: Arguments, problems: string[]): string | number | boolean | undefined {
  const flag = flagName(field)
  const form = formOf(field)
  if (form === undefined) return undefined
  if ('isSwitch' in form) {
    const [yes, no] = [args.has(flag), args.has(`no-${flag}`)]
    if (yes && no) problems.push(`choose one of --${flag} and --no-${flag}`)
    return yes ? true : no ? false : undefined
  }
  if (!args.has(flag)) return undefined
  const text = args.texts(flag).join(',')
  return text.trim() !== '' && isNumberOf(field, Number(text)) ? Number(text) : text
}

function isNumberOf(field: CaseField, value: number): boolean {
  const { type } = schemaOf(field)
  return type === 'integer' ? Number.isSafeInteger(value) : type === 'number' && Number.isFinite(value)
}

function schemaOf(field: CaseField) {
  return z.toJSONSchema(caseSchema.shape[field], { io: 'input' })
}

function formOf(field: CaseField) {
  return flagForms.get(caseSchema.shape[field])
}

function flagName(field: CaseField): string {
  const form = formOf(field)
  const isNamed = form !== undefined && 'name' in form && form.name !== undefined
  return isNamed ? form.name : field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

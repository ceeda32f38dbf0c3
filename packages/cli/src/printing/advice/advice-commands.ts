import { basename, extname, join } from 'node:path'
import { type JsonObject, optionsFor, RECODINGS, type Step, stepsOf, type Table, type Trial } from '@scrim/core'
import { hasLabels } from '../../files/table-file.js'
import type { Arguments } from '../../options/arguments.js'
import { READING_FLAGS } from '../../options/case-flags.js'
import type { Asked } from '../../options/config.js'

/** What the commands are about: the files as the user named them, and where the release is to be written. */
export interface CommandFiles {
  readonly original: string
  readonly released: string
  readonly out: string
  readonly originalTable: Table
}

/** The commands that make a tried release, each as its words; then those that recode the original alike and assess it. */
export interface AdviceCommands {
  readonly make: readonly (readonly string[])[]
  readonly assess: readonly (readonly string[])[]
}

/** What says how a file is to be read; files made on the way are scrim's own and need the types, and what is done with labels. */
const READING = [...Object.keys(READING_FLAGS), 'config']
const LABELS = ['labels', 'keep-missing-codes']

export function adviceCommands(
  { candidate, seed, plan }: Pick<Trial, 'candidate' | 'seed' | 'plan'>,
  { original, released, out, originalTable }: CommandFiles,
  args: Arguments,
  asked: Asked,
): AdviceCommands {
  const last = candidate.made.length - 1
  let from = released
  let reading = flagsOf(args, READING)
  const make = candidate.made.map(({ step, read }, k) => {
    const to = k === last ? out : numbered(out, k + 1)
    const words = [
      ...stepWords(step, from, to, { original, rows: read.rows, seed }),
      ...rolesFor(step, asked),
      ...reading,
    ]
    from = to
    reading = [...typeFlags(read, asked), ...(hasLabels(to) ? flagsOf(args, LABELS) : [])]
    return words
  })
  return { make, assess: assessWords(stepsOf(plan), { original, released, out, originalTable }, args, asked) }
}

function stepWords(
  { command, method, options }: Step,
  from: string,
  to: string,
  { original, rows, seed }: { original: string; rows: number; seed: number },
): string[] {
  const ofSynthetic = method === 'sdc'
  return [
    'scrim',
    command,
    command === 'synthesize' || ofSynthetic ? original : from,
    ...(ofSynthetic ? ['--released', from] : []),
    '-o',
    to,
    '--method',
    method,
    ...(command === 'synthesize' ? ['--n', String(rows)] : []),
    ...setWords(options),
    '--seed',
    String(seed),
  ]
}

function setWords(options: JsonObject): string[] {
  return Object.entries(options).flatMap(([name, value]) => [
    '--set',
    `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  ])
}

/** Methods that look at the keys of the release. */
function rolesFor({ method }: Step, { keys }: Asked): string[] {
  return ['sdc', 'local-suppression'].includes(method) && keys.length > 0 ? ['--keys', keys.join(',')] : []
}

/** Recoding the release takes recoding what it is compared with; then the assessment is that of the trial. */
function assessWords(
  steps: readonly Step[],
  { original, out, originalTable }: CommandFiles,
  args: Arguments,
  asked: Asked,
): (readonly string[])[] {
  const { holdout, population } = asked
  const recodings = steps.filter(({ method }) => RECODINGS.includes(method))
  const now = new Map<string, string>()
  const name = (file: string) => now.get(file) ?? file
  const made = [original, holdout, population]
    .flatMap((file) => file ?? [])
    .flatMap((file) =>
      recodings.map((step, k) => {
        const from = name(file)
        const to = beside(out, file, k === recodings.length - 1 ? 'coarse' : `coarse-step${k + 1}`)
        now.set(file, to)
        const options = file === original ? optionsFor(step, originalTable) : step.options
        const reading = from === file ? flagsOf(args, READING) : hasLabels(from) ? flagsOf(args, LABELS) : []
        return ['scrim', 'anonymise', from, '-o', to, '--method', step.method, ...setWords(options), ...reading]
      }),
    )
  return [...made, ['scrim', 'assess', name(original), out, ...roleWords(asked, name)]]
}

function roleWords(asked: Asked, name: (file: string) => string): string[] {
  const { keys, numericKeys, target, weight, household, holdout, population, type } = asked
  const list = (flag: string, names: readonly string[]) => (names.length === 0 ? [] : [flag, names.join(',')])
  const one = (flag: string, text: string | undefined) => (text === undefined ? [] : [flag, text])
  return [
    ...list('--keys', keys),
    ...list('--numeric-keys', numericKeys),
    ...list('--target', target),
    ...one('--weight', weight),
    ...one('--household', household),
    ...one('--holdout', holdout === undefined ? undefined : name(holdout)),
    ...one('--population', population === undefined ? undefined : name(population)),
    ...one('--type', type),
  ]
}

function flagsOf(args: Arguments, names: readonly string[]): string[] {
  return names.flatMap((name) =>
    args.texts(name).flatMap((text) => (text === '' ? [`--${name}`] : [`--${name}`, text])),
  )
}

function typeFlags(table: Table, { types = {} }: Asked): string[] {
  const known = Object.entries(types).filter(([name, { kind }]) => {
    const column = table.columns.find((one) => one.name === name)
    return column !== undefined && (kind === 'ordered' ? 'categorical' : kind) === column.kind
  })
  if (known.length === 0) return []
  const texts = known.map(
    ([name, spec]) => `${name}=${spec.kind === 'ordered' ? `ordered:${spec.levels.join('<')}` : spec.kind}`,
  )
  return ['--types', texts.join(',')]
}

function numbered(file: string, index: number): string {
  const ending = extname(file)
  return `${file.slice(0, file.length - ending.length)}-step${index}${ending === '' ? '' : endingOf(file)}`
}

function beside(out: string, file: string, what: string): string {
  const name = basename(file)
  const ending = extname(name)
  return join(out, '..', `${name.slice(0, name.length - ending.length)}-${what}${endingOf(name)}`)
}

/** Files made on the way are CSV, unless the labels of values would be lost. */
function endingOf(file: string): string {
  return hasLabels(file) ? extname(file).toLowerCase() : '.csv'
}

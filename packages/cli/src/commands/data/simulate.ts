import { knownName, type Table, UserError, unknownName } from '@scrim/core'
import {
  AGE_VARIANTS,
  buyerBewareRecords,
  HEALTH_PARAMETERS,
  type HealthParameters,
  simulateCensus,
  simulateHealth,
} from '@scrim/studies'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { checkOutputs } from '../../files/outputs.js'
import { checkTableFile, TABLE_FILE, writeTable } from '../../files/table-file.js'
import type { Io } from '../../io.js'
import { type Arguments, realNumber, wholeNumber } from '../../options/arguments.js'
import { SEED_FLAG } from '../../options/usual-flags.js'

/** The microdata of each study. */
const DESIGNS: Readonly<Record<string, (args: Arguments, n: number, seed: number) => Table>> = {
  health: (args, n, seed) =>
    simulateHealth({
      n,
      seed,
      kappa: realNumber('--kappa', args.text('kappa') ?? '10'),
      age: knownName('age variant', args.text('age') ?? 'text', AGE_VARIANTS),
      parameters: parametersIn(args),
    }),
  census: (args, n, seed) => {
    healthOnly(args, 'the census')
    return simulateCensus({ n, seed })
  },
  'buyer-beware': (args, n) => {
    healthOnly(args, 'this file')
    const records = buyerBewareRecords()
    if (n !== records.rows)
      throw new UserError(`--n: buyer-beware has ${records.rows} records, as published, and not ${n}`)
    return records
  },
}

function healthOnly(args: Arguments, design: string): void {
  const [foreign] = HEALTH_ONLY.filter((flag) => args.texts(flag).length > 0)
  if (foreign !== undefined) throw new UserError(`--${foreign} is for health, and ${design} has nothing like it`)
}

/** Numbers of the model of appendix A in place of the published ones. */
function parametersIn(args: Arguments): Partial<HealthParameters> {
  const names = Object.keys(HEALTH_PARAMETERS)
  return Object.fromEntries(
    args.texts('set').map((text) => {
      const [name, value] = text.split('=')
      if (!names.includes(name)) throw new UserError(`--set: ${unknownName('parameter', name, names)}`)
      return [name, realNumber(`--set ${name}`, value ?? '')]
    }),
  )
}
const HEALTH_ONLY = ['kappa', 'age', 'set']

export const simulateCommand: Command = {
  usage: 'health|census|buyer-beware --n 1000 -o FILE [--kappa K] [--seed N]',
  actions: Object.keys(DESIGNS),
  writesCsv: true,
  flags: {
    n: { value: 'N', help: 'number of records (default 1000)' },
    kappa: { value: 'K', help: 'health: strength of the relations between the variables, 0 for none (default 10)' },
    out: { group: 'writing', value: 'FILE', short: 'o', help: TABLE_FILE },
    seed: SEED_FLAG,
    set: {
      value: 'name=value',
      repeat: true,
      help: 'health: a coefficient of the model, for example diabeticA=0.8; may be given more than once',
    },
    age: {
      value: 'VARIANT',
      values: AGE_VARIANTS,
      help: 'health; text: sd 12 in [18, 85], as in the paper (default); figures: sd 15 in [18, 90], as behind its figures',
    },
  },
  notes: [
    'health: people of the RAPID paper; the socio-economic status that drives all variables is not written, as there.',
    `health: --set takes the numbers of its appendix A: ${Object.keys(HEALTH_PARAMETERS).join(', ')}.`,
    'buyer-beware: the 1000 records of that paper, four binary columns; the last record alone has 1 in all (see scrim study buyer-beware).',
    'census: census-like records of the paper on the risk of outputs, which used 50357 (see scrim study output-risk).',
  ],
  examples: [
    'scrim simulate health --n 1000 --kappa 10 -o health.csv',
    'scrim simulate health --n 200000 --kappa 0 --seed 7 -o - | head',
    'scrim simulate health --n 1000 --set diabeticA=1.2 --set hypertensiveA=0 -o older.csv',
    'scrim simulate buyer-beware -o unique.csv',
    'scrim simulate census --n 50357 -o census.csv',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [design, ...rest] = args.positionals
  if (design === undefined)
    throw new UserError(`what should be simulated? usage: scrim simulate ${simulateCommand.usage}`)
  if (!Object.hasOwn(DESIGNS, design)) throw new UserError(unknownName('design', design, Object.keys(DESIGNS)))
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"; the file is named by -o`)
  const file = args.text('out')
  if (file === undefined) throw new UserError('-o is missing: the file to write, or - for stdout')
  checkTableFile(file)
  checkOutputs({ files: [file] }, io)
  const n = wholeNumber('--n', args.text('n') ?? '1000')
  const seed = wholeNumber('--seed', args.text('seed') ?? '1')
  writeTable(file, DESIGNS[design](args, n, seed), io)
  return EXIT.ok
}

import { UserError, unknownName } from '@scrim/core'
import { AGE_VARIANTS, type AgeVariant, simulateHealth } from '@scrim/studies'
import { type Arguments, realNumber, wholeNumber } from '../arguments.js'
import type { Command } from '../command.js'
import { EXIT } from '../exit.js'
import type { Io } from '../io.js'
import { checkOutputs } from '../outputs.js'
import { checkTableFile, TABLE_FILE, writeTable } from '../table-file.js'

const DESIGNS = ['health']

export const simulateCommand: Command = {
  usage: 'health --n 1000 --kappa 10 -o FILE [--seed N]',
  flags: {
    n: { value: 'N', help: 'number of records (default 1000)' },
    kappa: { value: 'K', help: 'strength of the relations between the variables, 0 for none (default 10)' },
    out: { value: 'FILE', short: 'o', help: TABLE_FILE },
    seed: { value: 'N', help: 'whole number that fixes all random numbers (default 1)' },
    age: {
      value: 'VARIANT',
      help: 'text: sd 12 in [18, 85], as in the paper (default); figures: sd 15 in [18, 90], as behind its figures',
    },
  },
  notes: ['The socio-economic status that drives all variables is not written, as in the paper.'],
  examples: [
    'scrim simulate health --n 1000 --kappa 10 -o health.csv',
    'scrim simulate health --n 200000 --kappa 0 --seed 7 -o - | head',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [design, ...rest] = args.positionals
  if (design === undefined)
    throw new UserError(`what should be simulated? usage: scrim simulate ${simulateCommand.usage}`)
  if (!DESIGNS.includes(design)) throw new UserError(unknownName('design', design, DESIGNS))
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"; the file is named by -o`)
  const file = args.text('out')
  if (file === undefined) throw new UserError('-o is missing: the file to write, or - for stdout')
  checkTableFile(file)
  checkOutputs({ files: [file] }, io)
  const table = simulateHealth({
    n: wholeNumber('--n', args.text('n') ?? '1000'),
    kappa: realNumber('--kappa', args.text('kappa') ?? '10'),
    seed: wholeNumber('--seed', args.text('seed') ?? '1'),
    age: ageVariant(args.text('age') ?? 'text'),
  })
  writeTable(file, table, io)
  return EXIT.ok
}

function ageVariant(name: string): AgeVariant {
  const found = AGE_VARIANTS.find((variant) => variant === name)
  if (found === undefined) throw new UserError(unknownName('age variant', name, AGE_VARIANTS))
  return found
}

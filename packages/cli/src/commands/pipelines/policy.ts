import { type Policy, THREATS, UserError } from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { fileExists, STANDARD } from '../../files/files.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import type { Io } from '../../io.js'
import type { Arguments } from '../../options/arguments.js'
import { wrap } from '../../printing/text-table.js'

const DEFAULT_POLICY = 'policy.json'

export const policyCommand: Command = {
  usage: 'init [-o policy.json]',
  actions: ['init'],
  flags: {
    out: {
      group: 'writing',
      value: 'FILE',
      short: 'o',
      help: `file to write (default ${DEFAULT_POLICY}); - prints it`,
    },
  },
  writes: false,
  notes: [
    'The policy asks that every threat is LOW, and that attribute inference and memorisation were tested. Change it to what you allow; a file that is there is never overwritten.',
  ],
  examples: ['scrim policy init', 'scrim policy init -o strict.json'],
  run,
}

/** No threat may be worse than LOW; what every pair of files with keys and a target lets scrim test must be tested. */
const STARTER: Policy = {
  overall: 'LOW',
  threats: Object.fromEntries(
    THREATS.map((threat) => [
      threat,
      threat === 'attribute' || threat === 'memorisation' ? { level: 'LOW', mustBeTested: true } : { level: 'LOW' },
    ]),
  ),
  measures: {},
  waivers: [],
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [action, ...rest] = args.positionals
  if (action !== 'init' || rest.length > 0) throw new UserError(`usage: scrim policy ${policyCommand.usage}`)
  const file = args.text('out') ?? DEFAULT_POLICY
  if (file !== STANDARD && fileExists(file, io))
    throw new UserError(`${file} is there already, and a policy is never overwritten; -o names another file`)
  checkOutputs({ files: [file] }, io)
  writeOutput(file, `${JSON.stringify(STARTER, null, 2)}\n`, io)
  if (file !== STANDARD)
    io.out(
      `${[
        ...wrap(`Written to ${file}: every threat has to be LOW. Change it to what you allow.`, io.columns),
        `Next: scrim check ORIGINAL RELEASED --policy ${file}`,
      ].join('\n')}\n`,
    )
  return EXIT.ok
}

import { UserError } from '@scrim/core'
import type { Command } from '../../command.js'
import { mergedParts } from '../../files/parts.js'
import type { Io } from '../../io.js'
import type { Arguments } from '../../options/arguments.js'
import { CONFIG_FLAGS, flagFor } from '../../options/case-flags.js'
import { withFiles } from '../../options/config.js'
import { assessCommand, showAnswer } from '../releases/assess.js'
import { requireFiles } from '../releases/measure.js'

const { json, html, markdown, charts, full } = assessCommand.flags

export const mergeCommand: Command = {
  usage: 'PART... [options]',
  flags: {
    ...CONFIG_FLAGS,
    json,
    html,
    markdown,
    charts,
    full,
    engine: flagFor('engine'),
    memory: flagFor('memory'),
    threads: flagFor('threads'),
  },
  notes: [
    'The parts are those that scrim partial wrote with the same config. The files are read once more, for the answer speaks of them; no measure of a part is run again. The answer is that of scrim assess, byte for byte.',
    'A report for internal readers shows records, which no part holds: scrim assess writes it.',
  ],
  examples: [
    'scrim merge parts/1.json parts/2.json',
    'scrim merge parts/1.json parts/2.json --config scrim.json --json answer.json --html report.html',
  ],
  run,
}

async function run(typed: Arguments, io: Io): Promise<number> {
  const parts = typed.positionals
  if (parts.length === 0) throw new UserError(`usage: scrim merge ${mergeCommand.usage}`)
  const args = withFiles({ ...typed, positionals: [] }, io)
  requireFiles(args.positionals, 'scrim merge PART..., beside a config that names the files')
  return showAnswer('merge', args, io, { finished: (run) => mergedParts(parts, run, io) })
}

import { assess, hasFailed, type Result, runOf, UserError, withoutRecords } from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { inputsOf } from '../../files/load-case.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import { measuresOfPart, type Part, partNumbers, partText, readPart } from '../../files/parts.js'
import { Interrupted } from '../../interrupted.js'
import type { Io } from '../../io.js'
import type { Arguments } from '../../options/arguments.js'
import { CONFIG_FLAGS, flagFor } from '../../options/case-flags.js'
import { DEFAULT_CONFIG, readCase, withFiles } from '../../options/config.js'
import { withMeasureOptions } from '../../options/set-options.js'
import { progressLine } from '../../printing/progress.js'
import { threads } from '../../threads.js'
import { openRun } from '../releases/assessing.js'

export const partialCommand: Command = {
  usage: `[${DEFAULT_CONFIG}] --part I/N -o FILE`,
  flags: {
    part: { value: 'I/N', help: 'the part to run and how many there are, such as 3/10' },
    out: { group: 'writing', value: 'FILE', short: 'o', help: 'file to write, such as parts/3.json' },
    resume: { help: 'go on with a part that was interrupted; finished measures are not run again' },
    engine: flagFor('engine'),
    memory: flagFor('memory'),
    threads: flagFor('threads'),
    'allow-commands': CONFIG_FLAGS['allow-commands'],
  },
  notes: [
    'The config says all about the run: files, roles, profile, seed (scrim init writes one). Every part reads the files and runs its share of the measures; the same measure gives the same bits wherever it runs. scrim merge puts the parts together.',
    'A part that is there already, whole and of the same run, is kept. Exit code 0: the part is there. 1: a measure failed. 2: something in the command or the files is wrong. 130: interrupted; --resume goes on.',
  ],
  examples: [
    'scrim partial scrim.json --part 1/2 -o parts/1.json',
    'scrim merge parts/1.json parts/2.json --json answer.json',
  ],
  run,
}

async function run(typed: Arguments, io: Io): Promise<number> {
  const { out, ...numbers } = asked(typed)
  const args = withFiles(withConfig(typed, typed.positionals), io)
  const said = withMeasureOptions(args, readCase(args, io))
  checkOutputs({ files: [out], inputs: inputsOf(args, said) }, io)
  const progress = progressLine(io)
  const { opened, planned, store, id } = await openRun(args, said, io, progress, undefined, (measures) =>
    measuresOfPart(measures, numbers),
  )
  const kept = readPart(out, io)
  if (
    kept !== undefined &&
    kept.run === id &&
    kept.part === numbers.part &&
    kept.of === numbers.of &&
    !kept.results.some(hasFailed)
  ) {
    progress.clear()
    io.out(`${out} is there already.\n`)
    return EXIT.ok
  }
  const ids = measuresOfPart(planned, numbers)
  const finished = args.has('resume') ? store.read(planned, said.seed) : new Map<string, Result>()
  const signal = io.interruption()
  const tasks = threads(said.threads)
  const results: Result[] = []
  const show = (measure: string, index: number) => progress.show(`${index + 1} of ${ids.length}: ${measure}`)
  try {
    const runOptions = { ...runOf(opened.case), side: undefined, measures: ids, finished, signal, tasks }
    for await (const result of assess(opened.release, {
      ...runOptions,
      progress: ({ measure, index }) => show(measure, index),
    })) {
      results.push(withoutRecords(result))
      if (!hasFailed(result) && !finished.has(result.measure)) store.add(withoutRecords(result))
    }
    if (signal.aborted) throw new Interrupted(`${results.length} of ${ids.length} measures`)
    const part: Part = { ...numbers, run: id, results }
    writeOutput(out, partText(part), io)
    store.remove()
  } catch (error) {
    throw signal.aborted ? new Interrupted(`${results.length} of ${ids.length} measures`) : error
  } finally {
    progress.clear()
    await tasks.close()
  }
  io.out(`Written to ${out}: ${ids.length === 0 ? 'nothing is left for this part' : ids.join(', ')}.\n`)
  return results.some(hasFailed) ? EXIT.failed : EXIT.ok
}

function asked(args: Arguments) {
  const [part, out] = [args.text('part'), args.text('out')]
  if (part === undefined || out === undefined || args.positionals.length > 1)
    throw new UserError(`usage: scrim partial ${partialCommand.usage}`)
  return { ...partNumbers(part), out }
}

/** The arguments with a config that is named like a file. */
export function withConfig(args: Arguments, [config]: readonly string[]): Arguments {
  const bare = { ...args, positionals: [] }
  if (config === undefined) return bare
  return {
    ...bare,
    has: (flag) => flag === 'config' || args.has(flag),
    text: (flag) => (flag === 'config' ? config : args.text(flag)),
  }
}

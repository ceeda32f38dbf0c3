import { randomInt } from 'node:crypto'
import {
  type Advice,
  type AdviseInput,
  adviceOf,
  confirmed,
  laboratory,
  runOf,
  search,
  type Tried,
  UserError,
  withCodebookOf,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { STANDARD } from '../../files/files.js'
import { inputsOf, loadCase } from '../../files/load-case.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import { checkColumnNames, checkTableFile, TABLE_FILE, writeTable } from '../../files/table-file.js'
import type { Io } from '../../io.js'
import { type Arguments, realNumber, wholeNumber } from '../../options/arguments.js'
import { RELEASE_FLAGS, SYNTHESIZER_FLAG } from '../../options/case-flags.js'
import { readCase, withFiles } from '../../options/config.js'
import { withMeasureOptions } from '../../options/set-options.js'
import { adviceCommands, type CommandFiles } from '../../printing/advice/advice-commands.js'
import { adviceJson } from '../../printing/advice/advice-json.js'
import { adviceText } from '../../printing/advice/advice-text.js'
import { progressLine } from '../../printing/progress.js'
import { threads } from '../../threads.js'

const { rules: _, ...FLAGS } = RELEASE_FLAGS

const BUDGET_MINUTES = 2.5
const MOST_TRIALS = 60
/** Where -o is not given, the commands write here. */
const ADVISED = 'advised.csv'

export const adviseCommand: Command = {
  usage: 'ORIGINAL RELEASED --keys a,b --target t [--holdout FILE] [--synthesizer cart] [-o FILE]',
  writesCsv: true,
  flags: {
    out: { group: 'writing', value: 'FILE', short: 'o', help: `write the recommended release: ${TABLE_FILE}` },
    budget: {
      value: 'MINUTES',
      help: `how long to search (default ${BUDGET_MINUTES}); what fits depends on the machine, what each trial finds does not`,
    },
    trials: { value: 'N', help: 'most trials; given without --budget, time does not count' },
    json: { group: 'writing', value: 'FILE', help: 'write everything that was tried as JSON; - prints it' },
    ...FLAGS,
    synthesizer: SYNTHESIZER_FLAG,
    'release-seed': {
      value: 'N',
      help: 'whole number that fixes what is drawn to make releases (default: drawn at random); keep it to yourself',
    },
  },
  notes: [
    'It tries coarser keys, top and bottom coding, suppression of records and of key values, PRAM, noise, and with --synthesizer a synthesis with larger leaves or smoothed numbers; first alone, then on top of what helped. Every trial is judged by the measures that decide in scrim assess, with the same random numbers. Where keys are recoded, the attacker recodes what they know in the same way.',
    'The best of many trials looks better than it is. The finalists are therefore made anew and measured again with other random numbers; both are printed, and the worse of them counts.',
    'Ctrl-C ends the search and prints what was found so far.',
    'Exit code 0: done, whether or not something helps. 2: something in the command or the files is wrong. 130: interrupted.',
  ],
  examples: [
    'scrim advise original.csv released.csv --keys sex,age,region --target income',
    'scrim advise original.csv synthetic.csv --keys sex,age --target income --holdout others.csv --synthesizer cart -o safer.csv',
    'scrim advise original.csv released.csv --keys sex,age --target income --trials 20 --json advice.json',
  ],
  run,
}

async function run(typed: Arguments, io: Io): Promise<number> {
  const args = withFiles(typed, io)
  const [original, released, ...rest] = args.positionals
  if (original === undefined || released === undefined || rest.length > 0)
    throw new UserError('advise takes two files: scrim advise ORIGINAL RELEASED')
  const started = performance.now()
  const asked = withMeasureOptions(args, readCase(args, io))
  const [out, json] = [args.text('out'), args.text('json')]
  if (out !== undefined) checkTableFile(out)
  const files = [out, json].flatMap((file) => file ?? [])
  checkOutputs({ files, inputs: inputsOf(args, asked) }, io)
  const budget = budgetOf(args)
  const seed = args.text('release-seed')
  const making = seed === undefined ? [0, 1].map(() => randomInt(LARGEST_RANDOM_SEED)) : seeds('--release-seed', seed)

  const progress = progressLine(io)
  const loaded = await loadCase([original, released], asked, io, progress)
  if (out !== undefined) checkColumnNames(out, loaded.tables[1])
  const { opened, tables } = loaded
  const { release } = opened
  const table = (role: string) => tables[loaded.files.findIndex((file) => file.role === role)]
  const input: AdviseInput = {
    opened,
    files: {
      original: table('original'),
      released: table('release'),
      holdout: table('holdout'),
      population: table('population'),
      types: asked.types,
    },
  }
  const signal = io.interruption()
  const pool = threads(asked.threads)
  const measuring = asked.seed ?? 1
  const limits = { signal, trials: budget.trials }
  const done: Tried[] = []
  let advice: Advice | null = null
  let clock: ReturnType<typeof clockOf> | null = null
  try {
    progress.show('measuring the release as it is')
    const lab = await laboratory(input, { options: runOf(opened.case).options, signal, tasks: pool, seed: measuring })
    clock = clockOf(budget.seconds, () => done.length, started)
    for await (const tried of search(lab, {
      ...limits,
      seeds: { making: making[0], measuring },
      hasTime: clock.hasTime,
      trying: (what, done) => progress.show(`${done} tried; ${what}`),
    }))
      done.push(tried)
    if (signal.aborted) throw new UserError('cancelled')
    progress.show('making the best anew and measuring again')
    advice = await confirmed(adviceOf(done), lab, { ...limits, seeds: { making: making[1], measuring: measuring + 1 } })
  } catch (error) {
    if (!signal.aborted) throw error
    if (done.length > 0) advice = adviceOf(done)
  } finally {
    progress.clear()
    await pool.close()
  }

  if (advice === null) {
    io.err('scrim: interrupted before anything was measured\n')
    return EXIT.interrupted
  }
  const place: CommandFiles = { original, released, out: out ?? ADVISED, originalTable: input.files.original }
  const commands = (tried: Tried) => adviceCommands(tried.trial, place, args, asked)
  const about = {
    advice,
    commands,
    release,
    interrupted: signal.aborted,
    seconds: (performance.now() - started) / 1000,
    minutesNeeded: clock?.minutesNeeded() ?? null,
    written: null as string | null,
  }
  const { recommended } = advice
  if (out !== undefined && recommended !== null) {
    const { made } = recommended.again.trial.candidate
    writeTable(out, withCodebookOf(loaded.tables[1], made[made.length - 1].written), io)
    about.written = out
  }
  if (json !== undefined) writeOutput(json, adviceJson(about, loaded.files), io)
  if (!files.includes(STANDARD)) io.out(adviceText(about, io.face, io.columns))
  return signal.aborted ? EXIT.interrupted : EXIT.ok
}

const LARGEST_RANDOM_SEED = 2 ** 47

function seeds(flag: string, text: string): readonly number[] {
  const first = wholeNumber(flag, text)
  return [first, first + 1]
}

interface Budget {
  readonly trials: number
  readonly seconds: number
}

function budgetOf(args: Arguments): Budget {
  const [minutes, trials] = [args.text('budget'), args.text('trials')]
  const most = trials === undefined ? MOST_TRIALS : wholeNumber('--trials', trials)
  const budget = minutes === undefined ? undefined : realNumber('--budget', minutes)
  if (most < 1) throw new UserError(`--trials must be at least 1, but it is ${most}`)
  if (budget !== undefined && budget <= 0) throw new UserError(`--budget must be above 0 minutes, but it is ${budget}`)
  const unlimited = trials === undefined ? BUDGET_MINUTES : Number.POSITIVE_INFINITY
  return { trials: most, seconds: 60 * (budget ?? unlimited) }
}

/**
 * Whether another trial, and those that come after it in any case, fit into the time at the pace so far; reading the files and
 * finding the controls, which is done once, counts as time and not as pace.
 */
function clockOf(seconds: number, done: () => number, started: number) {
  const first = performance.now()
  let needed: number | null = null
  return {
    hasTime: (after: number): boolean => {
      const now = performance.now()
      const pace = (now - first) / Math.max(1, done())
      const wanted = (now - started + pace * (1 + after)) / 1000
      if (wanted > seconds) needed ??= wanted
      return wanted <= seconds
    },
    /** Of the first trial that did not fit; null where all did. */
    minutesNeeded: () => (needed === null ? null : Math.ceil(needed / 60)),
  }
}

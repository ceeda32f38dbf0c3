import {
  auditPrivacy,
  count,
  domainsOf,
  findSynthesizer,
  fixed,
  knownName,
  NEIGHBOURS,
  type PrivacyAudit,
  parseNamed,
  percent,
  readingIn,
  type Synthesizer,
  synthesizers,
  UserError,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { COMMAND_PREFIX, externalSynthesizer, FOLDER_PREFIX } from '../../files/external-synthesizer.js'
import { readFiles } from '../../files/files.js'
import { inputsOf } from '../../files/load-case.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import { tableReader } from '../../files/reader.js'
import type { Io } from '../../io.js'
import { type Arguments, realNumber, wholeNumber } from '../../options/arguments.js'
import { CONFIG_FLAGS, READING_FLAGS, RELEASE_FLAGS } from '../../options/case-flags.js'
import { readCase } from '../../options/config.js'
import { measureOptions } from '../../options/set-options.js'
import { METHOD_OPTION_FLAG, SEED_FLAG } from '../../options/usual-flags.js'
import { progressLine } from '../../printing/progress.js'
import { textTable, wrap } from '../../printing/text-table.js'
import { threads } from '../../threads.js'

export const auditDpCommand: Command = {
  usage: 'ORIGINAL --method NAME|command:"..." --epsilon E [--delta D] [--releases N] [--set option=value]...',
  flags: {
    method: {
      value: 'NAME',
      values: synthesizers.map(({ id }) => id),
      help: `the generator: ${synthesizers.map(({ id }) => id).join(', ')}; or ${COMMAND_PREFIX}"..." as in synthesize`,
    },
    epsilon: { value: 'E', help: 'the epsilon that is stated for one release' },
    delta: { value: 'D', help: 'the delta that is stated (default 0)' },
    neighbours: {
      value: 'N',
      values: NEIGHBOURS,
      help: 'the files that the claim is about: add-remove (a record more or less, the default) or replace (another record in its place)',
    },
    releases: {
      value: 'N',
      help: 'releases with the person, and as many without (default 1000); more can show a larger epsilon',
    },
    record: { value: 'N', help: 'the number of the record that is left out, from 1 (default: the most isolated one)' },
    n: { value: 'N', help: 'records of each release (default: as many as the original has)' },
    'known-domains': {
      help: 'bayesian-network: take levels, ranges and decimals of the original for known to everybody',
    },
    set: METHOD_OPTION_FLAG,
    json: { group: 'writing', value: 'FILE', help: 'write the result here as JSON' },
    seed: SEED_FLAG,
    ...READING_FLAGS,
    threads: RELEASE_FLAGS.threads,
    ...CONFIG_FLAGS,
  },
  notes: [
    'The generator is run on all records and on all but one, N times each, and ten attacks try to tell which is which. A quarter of the releases trains them, a quarter chooses the best attack and its threshold, and the other half is counted: intervals of Clopper and Pearson give a lower bound of epsilon that holds with a confidence of 95 %.',
    'A bound above the stated epsilon says that the claim is broken: exit code 3. A bound below it proves nothing: another attack, record or file may show more, and N releases can show no more than the largest bound, which is printed.',
    'A claim is about neighbours: files with a record more or less, or with another record in its place (--neighbours replace: that of the next person once more). A generator that is private for the one need not be for the other: epsilon for a record more or less makes at most twice as much for replaced ones, and nothing follows the other way round.',
    'The result is about one record of the original. Keep it as safe as the original itself.',
  ],
  examples: [
    'scrim audit-dp survey.csv --method bayesian-network --set epsilon=1 --known-domains --epsilon 1',
    'scrim audit-dp survey.csv --method command:"python dp.py {in} {out} {n} {seed}" --epsilon 0.5 --releases 400 --json audit.json',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  const [original, ...rest] = args.positionals
  if (original === undefined) throw new UserError(`no file given; usage: scrim audit-dp ${auditDpCommand.usage}`)
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"; audit-dp takes one file`)
  const method = args.text('method')
  if (method === undefined) throw new UserError('--method is missing: the generator that is audited')
  if (method.startsWith(FOLDER_PREFIX))
    throw new UserError('an audit makes releases of its own: --method takes a name or a command')
  const stated = args.text('epsilon')
  if (stated === undefined) throw new UserError('--epsilon is missing: the epsilon that is stated')
  const epsilon = realNumber('--epsilon', stated)
  const delta = realNumber('--delta', args.text('delta') ?? '0')
  const neighbours = knownName('value of --neighbours', args.text('neighbours') ?? NEIGHBOURS[0], NEIGHBOURS)
  const synthesizer = externalSynthesizer(method, io) ?? findSynthesizer(method)
  const asked = readCase(args, io)
  const chosen =
    measureOptions(args, asked, { at: (path) => [synthesizer.id, ...path], schema: () => synthesizer.options })[
      synthesizer.id
    ] ?? {}
  const json = args.text('json')
  checkOutputs(
    { files: json === undefined ? [] : [json], inputs: inputsOf({ ...args, positionals: [original] }, asked) },
    io,
  )
  const progress = progressLine(io)
  progress.show(`reading ${original}`)
  const [file] = readFiles([original], io, asked.maxSize)
  const reader = tableReader()
  const people = await reader.read(file, readingIn(asked)).finally(reader.close)
  if (args.has('known-domains') && !('domains' in synthesizer.options.shape))
    throw new UserError(`${synthesizer.id} has no domains; --known-domains is for bayesian-network`)
  const options = args.has('known-domains') ? { ...chosen, domains: domainsOf(people.columns) } : chosen
  parseNamed(synthesizer.id, 'option', synthesizer.options, options)
  const record = optional(args, 'record')
  const tasks = threads(asked.threads)
  const audit = await auditPrivacy(
    {
      people,
      synthesizer,
      options,
      epsilon,
      delta,
      neighbours,
      releases: optional(args, 'releases'),
      size: optional(args, 'n'),
      row: record === undefined ? undefined : record - 1,
      seed: asked.seed ?? 1,
    },
    {
      tasks,
      progress: (done, total) =>
        progress.show(done === 0 ? 'releases with the record' : 'releases without', done / total),
    },
  ).finally(tasks.close)
  progress.clear()
  if (json !== undefined) writeOutput(json, `${JSON.stringify({ method, options, ...audit }, null, 2)}\n`, io)
  io.out(auditText(audit, synthesizer, io.columns))
  return audit.verdict === 'broken' ? EXIT.gate : EXIT.ok
}

function optional(args: Arguments, flag: string): number | undefined {
  const text = args.text(flag)
  if (text === undefined) return undefined
  const value = wholeNumber(`--${flag}`, text)
  if (value < 1) throw new UserError(`--${flag} must be at least 1, but it is ${value}`)
  return value
}

function auditText(audit: PrivacyAudit, { title }: Synthesizer, width: number): string {
  const { claim, bound, counts, confidence, most, tried, releases } = audit
  const stated = `epsilon ${claim.epsilon}${claim.delta > 0 ? `, delta ${claim.delta}` : ''}`
  const verdict =
    audit.verdict === 'broken'
      ? `BROKEN: the generator is not as private as stated. ${stated} was stated, and epsilon is at least ${fixed(bound, 2)} (confidence ${percent(confidence)}).`
      : `NOT CONTRADICTED: ${stated} was stated, and epsilon is at least ${fixed(bound, 2)} (confidence ${percent(confidence)}). This does not prove the claim.`
  return [
    ...wrap(verdict, width),
    '',
    ...wrap(
      `${title}, ${count(audit.people, 'record')}, record ${audit.row + 1} ${claim.neighbours === 'replace' ? 'replaced' : 'left out'}. The best attack (${audit.attack}) accuses ${counts.truePositives} of ${count(counts.withPerson, 'release')} with the record and ${counts.falsePositives} of ${counts.withoutPerson} without. So many releases can show an epsilon of at most ${fixed(most, 2)}.`,
      width,
    ),
    '',
    textTable(
      [
        { title: `attack, on ${releases.choice} releases of each that choose` },
        { title: 'epsilon at least', align: 'right' },
      ],
      tried.map(({ attack, bound: found }) => [attack, fixed(found, 2)]),
      width,
    ),
  ].join('\n')
}

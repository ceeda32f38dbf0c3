import { relative, resolve } from 'node:path'
import {
  type Assessment,
  AUDIENCES,
  baselineOf,
  evaluate,
  type Gate,
  gateJson,
  gateMarkdown,
  jsonOf,
  junitXml,
  type Measured,
  measures,
  type Policy,
  parseAssessment,
  parseBaseline,
  parsePolicy,
  publishableGate,
  type Standing,
  sarifLog,
  standingOf,
  UserError,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { readFiles, STANDARD } from '../../files/files.js'
import { inputsOf } from '../../files/load-case.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import type { Io } from '../../io.js'
import type { Arguments } from '../../options/arguments.js'
import { isAllPublishable } from '../../options/audience.js'
import { readCase, withFiles } from '../../options/config.js'
import { gateText } from '../../printing/gate-table.js'
import { version } from '../../version.js'
import { ASSESS_FLAGS, assessRelease } from '../releases/assessing.js'
import { requireFiles } from '../releases/measure.js'

const USAGE = 'scrim check ORIGINAL RELEASED... --policy FILE'

export const checkCommand: Command = {
  usage: 'ORIGINAL RELEASED... --policy FILE [options]',
  flags: {
    policy: { value: 'FILE', help: 'what is allowed, as JSON' },
    baseline: { value: 'FILE', help: 'an earlier assessment or baseline: only what got worse fails' },
    assessment: { value: 'FILE', help: 'what scrim assess --json wrote, instead of running the measures again' },
    json: { group: 'writing', value: 'FILE', help: 'write the outcomes as JSON' },
    junit: { group: 'writing', value: 'FILE', help: 'write the outcomes as JUnit XML' },
    sarif: { group: 'writing', value: 'FILE', help: 'write the outcomes as SARIF 2.1.0' },
    markdown: {
      group: 'writing',
      value: 'FILE',
      help: 'write the outcomes as Markdown, for a comment on a pull request',
    },
    audience: {
      group: 'writing',
      value: 'NAME',
      values: AUDIENCES,
      help: 'of all but a baseline: internal (default: what was found, exactly) or publishable (which rules are broken, without the numbers that were found)',
    },
    'write-baseline': {
      group: 'writing',
      value: 'FILE',
      help: 'write where the releases stand, to be a baseline of later checks',
    },
    ...ASSESS_FLAGS,
  },
  notes: [
    'Measures that the policy names run in any profile.',
    'FILE may be - for one of the five outputs: it goes to stdout and the table to stderr.',
    'Exit code 0: no rule fails. 3: a rule fails. 1: a measure that a rule rests on broke. 2: a mistake in the command, the policy or the files.',
  ],
  examples: [
    'scrim check original.csv released.csv --policy policy.json --keys sex,age --target income',
    'scrim check original.csv released.csv --policy policy.json --baseline baseline.json --junit check.xml',
    'scrim check --policy policy.json --assessment result.json --markdown -',
  ],
  run,
}

const OUTPUTS = ['json', 'junit', 'sarif', 'markdown', 'write-baseline'] as const

async function run(typed: Arguments, io: Io): Promise<number> {
  const args = typed.has('assessment') ? typed : withFiles(typed, io)
  const policyFile = args.text('policy')
  if (policyFile === undefined) throw new UserError(`no policy given; usage: ${USAGE}`)
  checkWhatIsAssessed(args)
  checkFiles(args, io)
  const policy = parsePolicy(policyFile, readJson(policyFile, io), measures)
  const baselineFile = args.text('baseline')
  const baseline = baselineFile === undefined ? undefined : parseBaseline(baselineFile, readJson(baselineFile, io))

  const subject = await subjectOf(args, policy, io)
  const standing = standingOf(subject.assessment, subject.results)
  const today = new Date().toISOString().slice(0, 'YYYY-MM-DD'.length)
  const exact = evaluate(policy, standing, { baseline, today, registry: measures })
  const likenesses = subject.assessment.releases.flatMap(({ likeness }) => likeness ?? [])
  const gate = isAllPublishable(args)
    ? publishableGate(exact, standing.original.records)
    : { ...exact, remarks: [...likenesses, ...exact.remarks] }
  for (const output of OUTPUTS) {
    const file = args.text(output)
    if (file === undefined) continue
    writeOutput(file, outputText(output, gate, standing, subject.path), io)
  }
  const isStdoutTaken = OUTPUTS.some((output) => args.text(output) === STANDARD)
  ;(isStdoutTaken ? io.err : io.out)(gateText(gate, io.columns))
  if (gate.failing > 0) return EXIT.gate
  return gate.unfinished.length > 0 ? EXIT.failed : EXIT.ok
}

/** Flags that say how to assess contradict an assessment that is there already. */
function checkWhatIsAssessed(args: Arguments): void {
  if (!args.has('assessment')) {
    requireFiles(args.positionals, USAGE)
    return
  }
  const idle = Object.keys(ASSESS_FLAGS).filter((flag) => args.has(flag))
  if (idle.length > 0)
    throw new UserError(idle.map((flag) => `--${flag} has no effect: --assessment says that nothing is to be computed`))
}

function checkFiles(args: Arguments, io: Io): void {
  const named = OUTPUTS.flatMap((output) => args.text(output) ?? [])
  if (named.filter((file) => file === STANDARD).length > 1)
    throw new UserError(`only one of ${OUTPUTS.map((output) => `--${output}`).join(', ')} can go to stdout`)
  const read = ['policy', 'baseline', 'assessment'].flatMap((flag) => args.text(flag) ?? [])
  const assessed = args.has('assessment') ? args.positionals : inputsOf(args, readCase(args, io))
  const inputs = [...read, ...assessed]
  checkOutputs({ files: named, inputs }, io)
}

interface Subject {
  readonly assessment: Assessment
  readonly results: readonly Measured[] | undefined
  /** Where the file of a release is, from the working directory. */
  readonly path: (release: string) => string
}

async function subjectOf(args: Arguments, policy: Policy, io: Io): Promise<Subject> {
  const saved = args.text('assessment')
  const { assessment, results, files } =
    saved === undefined
      ? await assessRelease(args, io, { side: 'risk', also: Object.keys(policy.measures ?? {}) })
      : savedAssessment(saved, args.positionals, io)
  const released = files.filter(({ role }) => role === 'release')
  const place = (release: string) => assessment.releases.findIndex(({ name }) => name === release)
  return { assessment, results, path: (release) => pathFrom(released[place(release)]?.name ?? release, io) }
}

function pathFrom(name: string, io: Io): string {
  return relative(io.cwd, resolve(io.cwd, name)).replaceAll('\\', '/')
}

/** An assessment from a file. Where files are named beside it, it must be about these and no others. */
function savedAssessment(name: string, named: readonly string[], io: Io) {
  const { results, files = [], ...assessment } = parseAssessment(name, readJson(name, io))
  if (named.length === 0) return { assessment, results, files }
  const read = readFiles(named, io)
  const expected = [assessment.original.name, ...assessment.releases.map((release) => release.name)]
  const hashes = files.filter(({ role }) => role === 'original' || role === 'release').map(({ sha256 }) => sha256)
  const problems =
    read.length !== expected.length
      ? [`${name} is about ${expected.length} files (${expected.join(', ')}), but ${read.length} are given`]
      : read.flatMap((file, k) => {
          if (hashes.length > 0)
            return hashes[k] === file.sha256 ? [] : [`${name} was made from another file than this ${file.name}`]
          return isSameEnd(file.name, expected[k]) ? [] : [`${name} is about ${expected[k]}, but ${file.name} is given`]
        })
  if (problems.length > 0) throw new UserError(problems)
  return {
    assessment,
    results,
    files: named.map((file, k) => ({ name: file, role: k === 0 ? 'original' : 'release' })),
  }
}

/** Names in an assessment lack the folders that all of its files share. */
function isSameEnd(path: string, name: string): boolean {
  const [a, b] = [path, name].map((text) => `/${text.replaceAll('\\', '/')}`)
  return a.endsWith(b) || b.endsWith(a)
}

function readJson(name: string, io: Io): unknown {
  const [{ bytes }] = readFiles([name], io)
  return jsonOf(name, new TextDecoder().decode(bytes))
}

function outputText(output: (typeof OUTPUTS)[number], gate: Gate, standing: Standing, path: Subject['path']): string {
  if (output === 'json') return gateJson(gate)
  if (output === 'junit') return junitXml(gate)
  if (output === 'markdown') return gateMarkdown(gate)
  const document = output === 'sarif' ? sarifLog(gate, { version: version(), path }) : baselineOf(standing)
  return `${JSON.stringify(document, null, 2)}\n`
}

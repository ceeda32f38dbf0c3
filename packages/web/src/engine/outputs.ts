import {
  type AbortSignalLike,
  ACRO_RESULTS,
  type Asked,
  appetiteSchema,
  askedByFile,
  askedByFolder,
  checkRequest,
  type EarlierOutput,
  type FileRow,
  jsonOf,
  measured,
  type OutputCheck,
  type OutputRisk,
  type OutputsView,
  outputRiskCharts,
  outputRiskView,
  outputsView,
  PRESETS,
  parseEarlier,
  parseNamed,
  stream,
  type Table,
} from '@scrim/core'
import { readSource } from './project.js'
import type { OutputsQuestion, RiskQuestion, RunProgress, SourceFile, SourceFolder } from './protocol.js'
import { sha256 } from './sha256.js'
import { threads } from './threads.js'

/** What a check found, as its worker keeps it. */
export interface CheckedOutputs {
  readonly question: OutputsQuestion
  readonly asked: Asked
  readonly data: Table
  readonly people: Table | undefined
  readonly earlier: readonly EarlierOutput[]
  readonly files: readonly FileRow[]
  readonly check: OutputCheck
  readonly risk: OutputRisk | null
  readonly view: OutputsView
}

/** A request by the rules for output checking, alone, together and with what was released before. */
export async function checkOutputs(question: OutputsQuestion): Promise<CheckedOutputs> {
  const { request, data: source, types, holdout, preset, limits } = question
  const started = performance.now()
  const read = await readSource(source, types)
  const outside = holdout === null ? null : await readSource(holdout, types)
  const { asked, sha } = await askedFor(request, read.table)
  const earlier = await earlierOf(question.earlier)
  const appetite = parseNamed('limits', 'limit', appetiteSchema, { ...PRESETS[preset], ...limits })
  const { check } = checkRequest(asked.request, read.table, { preset, appetite, earlier, unread: asked.unread })
  const row = (role: string, { table, sha256: hash }: typeof read): FileRow => ({
    role,
    name: table.name,
    rows: table.rows,
    columns: table.columns.length,
    sha256: hash,
  })
  const files = [
    row('data', read),
    ...(outside === null ? [] : [row('holdout', outside)]),
    { role: 'request', name: request.name, rows: asked.request.outputs.length, columns: 0, sha256: sha },
  ]
  const found = { question, asked, data: read.table, people: outside?.table, earlier, files, check, risk: null }
  return { ...found, view: viewOf(found, commandOf(question, null), 1, secondsSince(started)) }
}

/** With what the outputs tell about people. */
export async function measureOutputs(
  found: CheckedOutputs,
  how: RiskQuestion,
  signal: AbortSignalLike,
  progress: (at: RunProgress) => void,
): Promise<CheckedOutputs> {
  const { asked, data, people, earlier, question } = found
  const { seed, seconds, options } = how
  const started = performance.now()
  const tasks = threads()
  try {
    const { check, risk } = await measured(
      found.check,
      asked.request,
      data,
      {
        people,
        earlier,
        options,
        seconds,
        now: () => performance.now(),
        watch: ({ what, done, total }) => progress({ kind: 'search', what, done, total }),
      },
      {
        seed,
        random: (purpose, index) => stream(seed, `output-risk/${purpose}`, index),
        progress: () => {},
        signal,
        tasks,
      },
    )
    const known = { ...found, check, risk }
    return { ...known, view: viewOf(known, commandOf(question, how), seed, secondsSince(started)) }
  } finally {
    await tasks.close()
  }
}

/** As the command line writes it, to be handed to a later check. */
export function outputsJson({ check, files, risk }: CheckedOutputs): string {
  return `${JSON.stringify({ scrim: SCRIM_VERSION, ...check, outputRisk: risk, files }, null, 2)}\n`
}

const secondsSince = (started: number) => (performance.now() - started) / 1000

async function askedFor(of: SourceFile | SourceFolder, data: Table): Promise<{ asked: Asked; sha: string }> {
  if ('content' in of) {
    const bytes = new Uint8Array(await of.content.arrayBuffer())
    return { asked: askedByFile(of.name, new TextDecoder().decode(bytes), data), sha: sha256(bytes) }
  }
  const texts = new Map<string, string>()
  for (const { name, content } of of.files)
    if (name === ACRO_RESULTS || name.toLowerCase().endsWith('.csv')) texts.set(name, await content.text())
  const asked = askedByFolder(of.name, (name) => texts.get(name) ?? null, data)
  return { asked, sha: sha256(new TextEncoder().encode(texts.get(ACRO_RESULTS) ?? '')) }
}

/** By name, as a folder is read. */
async function earlierOf(files: readonly SourceFile[]): Promise<readonly EarlierOutput[]> {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const each = await Promise.all(
    sorted.map(async ({ name, content }) => parseEarlier(name, jsonOf(name, await content.text()))),
  )
  return each.flat()
}

function viewOf(
  { check, files, risk }: Pick<CheckedOutputs, 'check' | 'files' | 'risk'>,
  command: string,
  seed: number,
  seconds: number,
): OutputsView {
  const date = new Date().toISOString().slice(0, 16).replace('T', ' ')
  const provenance = { version: SCRIM_VERSION, date, command, files, seconds }
  return outputsView(check, provenance, seed, risk === null ? null : outputRiskView(risk, outputRiskCharts(risk)))
}

/** What repeats it; earlier results are expected in a folder. */
function commandOf(
  { request, data, types, holdout, earlier, preset, limits }: OutputsQuestion,
  how: RiskQuestion | null,
) {
  const typed = Object.entries(types).map(([column, spec]) => `${column}=${spec.kind}`)
  const set = (flag: string, values: object) =>
    Object.entries(values).flatMap(([name, value]) => [flag, `${name}=${JSON.stringify(value)}`])
  const words = [
    'scrim',
    'outputs',
    'check',
    request.name,
    '--data',
    data.name,
    ...(typed.length === 0 ? [] : ['--types', typed.join(',')]),
    ...(holdout === null ? [] : ['--holdout', holdout.name]),
    ...(earlier.length === 0 ? [] : ['--history', 'released']),
    '--preset',
    preset,
    ...set('--limit', limits),
    ...(how === null
      ? ['--rules-only']
      : [...set('--set', how.options), '--seed', String(how.seed), '--seconds', String(how.seconds)]),
  ]
  return words.map((word) => (/^[\w.=,:/-]+$/.test(word) ? word : `'${word}'`)).join(' ')
}

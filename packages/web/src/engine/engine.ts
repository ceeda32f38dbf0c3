import {
  type Audience,
  assessmentJson,
  type Chart,
  type ConfigSaid,
  configSays,
  type DocumentView,
  documentView,
  groupingsIn,
  MOST_EXPOSED,
  measures,
  proposals,
  z,
} from '@scrim/core'
import type { Adviser } from './advise.js'
import { configOf } from './config.js'
import { look } from './contents.js'
import type { CheckedOutputs } from './outputs.js'
import { check } from './project.js'
import type { AdviseQuestion, Requests } from './protocol.js'
import { type Run, runProject } from './run.js'
import { serve } from './serve.js'
import { sha256 } from './sha256.js'
import { threads } from './threads.js'

/** The worker that reads, checks and measures. The page opens one to look at files and one per run, which keeps what it found. */

// The policy of the page lets no text become a program, which is how zod would otherwise make itself faster.
z.config({ jitless: true })

const CONFIG = 'scrim.json'

const signal = { aborted: false }
let run: Run | undefined
let checked: CheckedOutputs | undefined

serve(
  {
    look: ({ file, types, as }, progress) => look(file, types, as, (share) => progress({ kind: 'read', share })),
    check: ({ project }) => check(project),
    suggest: async ({ file, types }) => (await import('./suggest.js')).suggestions(file, types),
    sample: async () => (await import('./sample.js')).sampleProject(),
    run: async (input, progress) => {
      signal.aborted = false
      const tasks = threads()
      run = await runProject(input, signal, progress, tasks).finally(tasks.close)
      return run.summary
    },
    document: async ({ audience }) => view(done(), audience),
    outputs: async (asked) => {
      checked = await (await import('./outputs.js')).checkOutputs(asked)
      return checked.view
    },
    outputRisk: async (how, progress) => {
      signal.aborted = false
      const { measureOutputs } = await import('./outputs.js')
      try {
        checked = await measureOutputs(checkedOutputs(), how, signal, progress)
        return checked.view
      } catch (error) {
        if (signal.aborted) return null
        throw error
      }
    },
    options: async ({ of }) => (await import('./options.js')).optionsOf(of),
    outputsJson: async () => (await import('./outputs.js')).outputsJson(checkedOutputs()),
    outputsHtml: async () => {
      const { view: of } = checkedOutputs()
      const { outputsHtml } = await import('@scrim/report')
      return outputsHtml(
        of,
        await drawnAll([of.thinnest, ...of.outputs.map(({ picture }) => picture), ...(of.risk?.pictures ?? [])]),
      )
    },
    json: async () => {
      const { files, opened, assessment, results } = done()
      const { weight = null, household = null } = opened.case
      return assessmentJson(
        { version: SCRIM_VERSION, files, weight, household, groups: groupingsIn(opened.case) },
        assessment,
        results,
      )
    },
    html: async ({ audience }) => html(view(done(), audience)),
    proposals: async ({ release }) => {
      const { project, tables } = done()
      const { original, released } = tables
      const { alone } = await import('./advise.js')
      return proposals(alone(project, tables, release).release, { original, released: released[release] })
    },
    estimates: (question, progress) =>
      withAdviser(question, async (adviser) => (await import('./advise.js')).estimates(adviser, signal, progress)),
    advise: (question, progress) =>
      withAdviser(question, async (adviser) => (await import('./advise.js')).advise(adviser, signal, progress)),
    files: async () => done().made,
    config: async () => configOf(done()),
  },
  () => {
    signal.aborted = true
  },
)

/** What a question about changes is answered with; its threads end with it. */
async function withAdviser<Out>(question: AdviseQuestion, answer: (adviser: Adviser) => Promise<Out>): Promise<Out> {
  signal.aborted = false
  const tasks = threads()
  try {
    const { openAdviser } = await import('./advise.js')
    return await answer(await openAdviser(question, signal, tasks))
  } finally {
    await tasks.close()
  }
}

function done(): Run {
  if (run === undefined) throw new Error('nothing was run yet')
  return run
}

function checkedOutputs(): CheckedOutputs {
  if (checked === undefined) throw new Error('no outputs were checked yet')
  return checked
}

function view(run: Run, audience: Audience): DocumentView {
  const { assessment, results, files, seconds, opened } = run
  const provenance = {
    version: SCRIM_VERSION,
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    command: commandOf(run),
    config: configSaid(run),
    files,
    seconds,
  }
  return documentView(assessment, results, measures, provenance, audience, {
    release: opened.release,
    top: MOST_EXPOSED,
  })
}

/** What repeats the run, with the configuration that the page hands out. */
function commandOf({ project: { original, releases }, made }: Run): string {
  const madeAs = (role: string) => made.find((one) => one.role === role)?.name
  // A file that holds several of them is named once.
  const names = [
    madeAs('original') ?? original.name,
    ...(made.length > 0
      ? [madeAs('release') ?? '']
      : releases.filter(({ id }) => id !== original.id).map(({ name }) => name)),
  ]
  const quoted = [...new Set(names)].map((name) => (/[^\w.-]/.test(name) ? `'${name}'` : name))
  return `scrim assess ${quoted.join(' ')} --config ${CONFIG}`
}

function configSaid(run: Run): ConfigSaid {
  const text = configOf(run)
  return { name: CONFIG, sha256: sha256(new TextEncoder().encode(text)), says: configSays(JSON.parse(text)) }
}

async function html(document: DocumentView): Promise<Requests['html']['out']> {
  const { documentCharts, documentHtml } = await import('@scrim/report')
  return documentHtml(document, await drawnAll(documentCharts(document).flat()))
}

/** Pictures are drawn first, because a page is put together in one go. */
async function drawnAll(charts: readonly (Chart | null)[]): Promise<(chart: Chart) => string> {
  const [{ drawn }, { NOT_DRAWN }] = await Promise.all([import('./draw.js'), import('@scrim/report')])
  const drawings = new Map<Chart, string>()
  for (const chart of charts) if (chart !== null) drawings.set(chart, await drawn(chart.spec).catch(() => NOT_DRAWN))
  return (chart) => drawings.get(chart) ?? NOT_DRAWN
}

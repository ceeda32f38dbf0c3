import {
  type Audience,
  assessmentJson,
  type DocumentView,
  documentView,
  MOST_EXPOSED,
  measures,
  proposals,
  z,
} from '@scrim/core'
import { check, infoOf, readSource } from './project.js'
import type { Requests } from './protocol.js'
import { type Run, runProject } from './run.js'
import { serve } from './serve.js'

/** The worker that reads, checks and measures. The page opens one to look at files and one per run, which keeps what it found. */

// The policy of the page lets no text become a program, which is how zod would otherwise make itself faster.
z.config({ jitless: true })

const signal = { aborted: false }
let run: Run | undefined

serve(
  {
    look: async ({ file, types }) => infoOf((await readSource(file, types)).table),
    check: ({ project }) => check(project),
    suggest: async ({ file, types }) => (await import('./suggest.js')).suggestions(file, types),
    sample: async () => (await import('./sample.js')).sampleProject(),
    run: async (input, progress) => {
      signal.aborted = false
      run = await runProject(input, signal, progress)
      return run.summary
    },
    document: async ({ audience }) => view(done(), audience),
    json: async () => {
      const { files, project, assessment, results } = done()
      const { weight, household } = project.roles
      return assessmentJson({ version: SCRIM_VERSION, files, weight, household, groups: {} }, assessment, results)
    },
    html: async ({ audience }) => html(view(done(), audience)),
    proposals: async ({ release }) => {
      const { release: built, tables } = done()
      return proposals(
        { ...built, released: [built.released[release]] },
        { original: tables.original, released: tables.released[release] },
      )
    },
    files: async () => done().made,
  },
  () => {
    signal.aborted = true
  },
)

function done(): Run {
  if (run === undefined) throw new Error('nothing was run yet')
  return run
}

function view({ assessment, results, files, seconds, release }: Run, audience: Audience): DocumentView {
  const provenance = {
    version: SCRIM_VERSION,
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    command: commandOf(files),
    files,
    seconds,
  }
  return documentView(assessment, results, measures, provenance, audience, { release, top: MOST_EXPOSED })
}

/** What repeats the run, with the configuration that the page hands out. */
function commandOf(files: Run['files']): string {
  const names = files.flatMap(({ role, name }) =>
    role === 'holdout' ? [] : [/[^\w.-]/.test(name) ? `'${name}'` : name],
  )
  return `scrim assess ${names.join(' ')} --config scrim.json`
}

async function html(of: DocumentView): Promise<Requests['html']['out']> {
  const [{ documentHtml }, { drawn }] = await Promise.all([import('@scrim/report'), import('./draw.js')])
  const drawings = new Map<object, string>()
  for (const { overview, map, threats } of of.releases)
    for (const chart of [overview, map, ...threats.flatMap(({ pictures }) => pictures)])
      if (chart !== null) drawings.set(chart, await drawn(chart.spec))
  return documentHtml(of, (chart) => drawings.get(chart) ?? '')
}

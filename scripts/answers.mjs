// Answers of scrim to many files, on several threads, one line of JSON each, kept in a file as they come: a run that was cut off
// goes on where it stopped. What other code answered is asked anew, unless told to keep it.
import { createHash } from 'node:crypto'
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { assess, conclude, LevelsDiffer, measures, prepareRelease } from '@scrim/core'

/**
 * The answer to a release as the command line and the page give it: the deciding measures, risk alone. Where scrim asks whether
 * levels or units are the same, the answer is yes.
 */
export async function answer({ released, ...files }, seed = 1) {
  const { built, asked } = prepared({ type: 'synthetic', ...files, released: [released], matchLevels: undefined })
  const results = []
  for await (const result of assess(built, { profile: 'quick', side: 'risk', seed })) results.push(result)
  return { ...conclude(built, results, measures).releases[0], asked }
}

function prepared(input) {
  try {
    return { built: prepareRelease(input), asked: false }
  } catch (error) {
    if (!(error instanceof LevelsDiffer)) throw error
    return { built: prepareRelease({ ...input, matchLevels: true }), asked: true }
  }
}

/** One question: answered, with the time that took; that nothing could be answered is an answer too. */
export async function answered(files, seed) {
  const start = performance.now()
  try {
    const { verdict, threats, asked } = await answer(await files, seed)
    return { level: verdict.level, asked, seconds: secondsSince(start), threats: threats.map(briefly) }
  } catch (error) {
    return { level: 'ERROR', error: String(error), asked: false, seconds: secondsSince(start), threats: [] }
  }
}

const secondsSince = (start) => Number(((performance.now() - start) / 1000).toFixed(2))

function briefly({ threat, target, level, decidedBy, look, leakage, interval, p, adjustedP, people, reason }) {
  return { threat, target, level, decidedBy, look, leakage, interval, p, adjustedP, people, reason }
}

/**
 * Answers questions in their order, each a plain value from which `filesOf` of the module `study` makes the files, and tells
 * each answer as soon as it is there.
 */
export async function answers(questions, { study, workers, out, keep, onAnswer }) {
  const code = fingerprint()
  const known = out === undefined ? new Map() : knownIn(out, keep ? undefined : code)
  const waiting = questions.filter((question) => !known.has(JSON.stringify(question)))
  for (const question of questions) {
    const line = known.get(JSON.stringify(question))
    if (line !== undefined) onAnswer(question, line)
  }
  if (out !== undefined) mkdirSync(dirname(out), { recursive: true })
  const threads = Array.from({ length: Math.min(workers, waiting.length) }, async () => {
    const worker = new Worker(new URL('./answer-worker.mjs', import.meta.url), { workerData: { study } })
    for (let question = waiting.shift(); question !== undefined; question = waiting.shift()) {
      const line = await replyOf(worker, question)
      if (out !== undefined) appendFileSync(out, `${JSON.stringify({ code, question, ...line })}\n`)
      onAnswer(question, line)
    }
    await worker.terminate()
  })
  await Promise.all(threads)
}

function replyOf(worker, question) {
  return new Promise((resolve, reject) => {
    worker.once('message', (line) => {
      worker.off('error', reject)
      resolve(line)
    })
    worker.once('error', reject)
    worker.postMessage(question)
  })
}

function knownIn(out, code) {
  if (!existsSync(out)) return new Map()
  const lines = readFileSync(out, 'utf8')
    .split('\n')
    // The last line of a run that was cut off may be half of one.
    .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line)] : []))
  return new Map(
    lines
      .filter((line) => code === undefined || line.code === code)
      .map(({ question, ...line }) => [JSON.stringify(question), line]),
  )
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

function fingerprint() {
  const hash = createHash('sha256')
  for (const part of [
    'packages/core/dist',
    'packages/kernels/dist',
    'scripts/shapes.mjs',
    'scripts/honest-releases.mjs',
  ])
    hashOf(join(root, part), hash)
  return hash.digest('hex').slice(0, 12)
}

function hashOf(path, hash) {
  if (/\.(mjs|js|wasm)$/.test(path)) hash.update(readFileSync(path))
  else if (!/\.[a-z]+$/.test(path)) for (const name of readdirSync(path).sort()) hashOf(join(path, name), hash)
}

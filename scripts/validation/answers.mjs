// Answers of scrim to many files, in several processes, one line of JSON each, kept in a file as they come: a run that was cut off
// goes on where it stopped. What other code answered is asked anew, unless told to keep it.
import { fork } from 'node:child_process'
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { assessCase, OpenQuestions, openCase } from '@scrim/core'
import { fingerprint } from './fingerprint.mjs'

/**
 * The answer to a release as the command line and the page give it: the deciding measures, risk alone. Where scrim asks whether
 * levels or units are the same, the answer is yes.
 */
export async function answer({ original, released, holdout, ...said }, seed = 1) {
  const asked = { type: 'synthetic', ...said, profile: 'quick', side: 'risk', seed }
  const { opened, isAsked } = openedAs(asked, { original, released, holdout })
  return { ...(await assessCase(opened)).assessment.releases[0], asked: isAsked }
}

function openedAs(asked, tables) {
  try {
    return { opened: openCase(asked, tables), isAsked: false }
  } catch (error) {
    if (!(error instanceof OpenQuestions)) throw error
    return { opened: openCase({ ...asked, matchLevels: true }, tables), isAsked: true }
  }
}

/**
 * One question: answered, with the seconds of computing that took, which another's load does not change. That nothing could be
 * answered is an answer too.
 */
export async function answered(files, seed) {
  const made = await files
  const before = process.cpuUsage()
  try {
    const { verdict, threats, asked } = await answer(made, seed)
    return { level: verdict.level, asked, seconds: secondsSince(before), threats: threats.map(briefly) }
  } catch (error) {
    return { level: 'ERROR', error: String(error), asked: false, seconds: secondsSince(before), threats: [] }
  }
}

function secondsSince(before) {
  const { user, system } = process.cpuUsage(before)
  return Number(((user + system) / 1e6).toFixed(2))
}

function briefly({ threat, target, level, decidedBy, look, leakage, interval, p, adjustedP, people, reason }) {
  return { threat, target, level, decidedBy, look, leakage, interval, p, adjustedP, people, reason }
}

/**
 * Answers questions in their order, each a plain value from which `filesOf` of the module `study` makes the files, and tells
 * each answer as soon as it is there.
 */
export async function answers(questions, { study, workers, out, keep, ask = true, onAnswer }) {
  const code = fingerprint('shapes.mjs', 'honest-releases.mjs', 'split-files.mjs')
  const known = out === undefined ? new Map() : knownIn(out, keep ? undefined : code)
  const waiting = questions.filter((question) => ask && !known.has(JSON.stringify(question)))
  for (const question of questions) {
    const line = known.get(JSON.stringify(question))
    if (line !== undefined) onAnswer(question, line)
  }
  if (out !== undefined) mkdirSync(dirname(out), { recursive: true })
  const processes = Array.from({ length: Math.min(workers, waiting.length) }, async () => {
    const worker = fork(new URL('./answer-worker.mjs', import.meta.url), [study])
    for (let question = waiting.shift(); question !== undefined; question = waiting.shift()) {
      const line = await replyOf(worker, question)
      if (out !== undefined) appendFileSync(out, `${JSON.stringify({ code, question, ...line })}\n`)
      onAnswer(question, line)
    }
    worker.disconnect()
  })
  await Promise.all(processes)
}

function replyOf(worker, question) {
  return new Promise((resolve, reject) => {
    const ended = (code) => reject(new Error(`a process that answers ended with code ${code}`))
    worker.once('message', (line) => {
      worker.off('exit', ended)
      resolve(line)
    })
    worker.once('exit', ended)
    worker.send(question)
  })
}

function knownIn(out, code) {
  if (!existsSync(out)) return new Map()
  const lines = readFileSync(out, 'utf8').split('\n').flatMap(parsed)
  return new Map(
    lines
      .filter((line) => code === undefined || line.code === code)
      .map(({ question, ...line }) => [JSON.stringify(question), line]),
  )
}

/** A run that was cut off may have left half a line. */
function parsed(line) {
  try {
    return [JSON.parse(line)]
  } catch {
    return []
  }
}

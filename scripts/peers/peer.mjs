// Scrim beside other software, which runs as a black box: an R or Python script prints what it found, a comparison says what scrim gives for
// the same names, and here the two are held against each other.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { readTable } from '@scrim/core'

const here = import.meta.dirname

/**
 * What a script of this folder prints: lines of fields between tabs. Nothing where R is not installed or the script, lacking its
 * packages, prints nothing; an error of R ends the comparison.
 */
export function peerLines(script, ...args) {
  return linesBy('Rscript', script, ...args)
}

/** The same of a script for another program, such as the Python of a virtual environment. */
export function linesBy(program, script, ...args) {
  const { error, status, stdout, stderr } = spawnSync(program, [join(here, script), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (error !== undefined) return []
  if (status !== 0) {
    console.error(stderr.trim())
    process.exit(1)
  }
  return stdout
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => line.split('\t'))
}

/** The same for scripts that print a name and a number on each line. */
export function peerFigures(script, ...args) {
  return new Map(peerLines(script, ...args).map(([name, value]) => [name.trim(), Number(value)]))
}

/** Ends the comparison where the software to compare with, or its data, is not here. */
export function leaveOut(reason) {
  console.log(`nothing to compare: ${reason}`)
  process.exit(0)
}

/** Data of others, which are not in the repository. */
export function referenceFolder() {
  return process.env.SCRIM_REFERENCE ?? join(here, '../../../shared/reference')
}

/** The two files named on the command line, or else the first synthesis of Social Diagnosis 2011 of the reference. */
export function filesToCompare() {
  const files = process.argv.slice(2)
  if (files.length === 2) return files
  const folder = join(referenceFolder(), 'golden/sd2011')
  const reference = ['original.csv', 'synthetic-1.csv'].map((file) => join(folder, file))
  if (!reference.every((file) => existsSync(file)))
    leaveOut('name ORIGINAL.csv and RELEASED.csv, or say by SCRIM_REFERENCE where SD2011 is')
  return reference
}

export function read(file, options) {
  return readTable(basename(file), readFileSync(file), options)
}

/** Does the work with a folder that exists only for it. */
export async function inScratchFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'scrim-peers-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Items by their key, in the order in which keys come; Node 20 has no Map.groupBy. */
export function grouped(items, keyOf) {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

/** `{ name, ours, theirs }` for everything the peer printed. */
export function beside(theirs, ours) {
  return [...theirs].map(([name, value]) => ({ name, ours: ours.get(name), theirs: value }))
}

/**
 * Prints how far figures are from those of the peer, relative to theirs or to `floor` where theirs are smaller, and sets the exit
 * code where they differ by more than the tolerance. Figures of one `group` share a line. What is meant to differ is listed in
 * `reasons` and shown, not held. A figure that scrim does not give fails too, unless `isPartial`.
 */
export function hold(figures, { tolerance, floor, tolerances = {}, reasons = {}, isPartial = false }) {
  const compared = figures.map((figure) => ({ ...figure, ...compare(figure) }))
  for (const [group, members] of grouped(compared, ({ group, name }) => group ?? name)) {
    const unequal = members.filter(({ verdict }) => verdict !== 'equal ')
    if (members.length > 1) {
      const largest = Math.max(...members.map(({ gap }) => gap ?? 0))
      const word = unequal.length === 0 ? 'equal ' : 'DIFFER'
      console.log(
        `${word} ${group}: ${members.length} figures, largest relative difference ${largest.toExponential(1)}`,
      )
    }
    for (const { verdict, name, ours, theirs, reason } of members.length > 1 ? unequal : members)
      console.log(`${verdict} ${name}: ${ours} beside ${theirs}${reason === undefined ? '' : ` (${reason})`}`)
  }
  const differing = compared.filter(({ verdict }) => verdict === 'DIFFER').length
  console.log(`${figures.length} figures, ${differing} differ by more than ${tolerance}`)
  if (differing > 0) process.exitCode = 1

  function compare({ name, ours, theirs }) {
    // A share of nobody is not a number in R, and null here.
    if (ours === null && Number.isNaN(theirs)) return { verdict: 'equal ' }
    if (ours === undefined || ours === null) return { verdict: isPartial ? 'absent' : 'DIFFER' }
    const gap = Math.abs(ours - theirs) / Math.max(Math.abs(theirs), floor)
    if (gap <= (tolerances[name] ?? tolerance)) return { verdict: 'equal ', gap }
    return { verdict: name in reasons ? 'differ' : 'DIFFER', gap, reason: reasons[name] }
  }
}

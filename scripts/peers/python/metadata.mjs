// What SDV's metadata and a configuration of mostlyai say of a table, made by these packages and read by scrim's Python package as it is in
// the clone, and an evaluation beside those of SDV.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toCsv } from '@scrim/core'
import { inScratchFolder, linesBy } from '../peer.mjs'
import { releaseOf, samples } from './releases.mjs'

const PEOPLE = 400
const CLONE = join(import.meta.dirname, '../../../python/src')

/** @param python the interpreter that has the tools */
export async function readMetadata(python) {
  const people = await samples(PEOPLE)
  const released = await releaseOf('other people', people)
  process.env.PYTHONPATH = CLONE
  process.env.SCRIM_NODE = process.execPath
  await inScratchFolder(async (folder) => {
    const files = Object.entries({ original: people.original, released }).map(([name, table]) => {
      const path = join(folder, `${name}.csv`)
      writeFileSync(path, toCsv(table))
      return path
    })
    const lines = linesBy(python, 'python/run_metadata.py', ...files, people.roles.target).map(([line]) => line)
    console.log(lines.join('\n'))
    if (lines.some((line) => line.startsWith('DIFFER'))) process.exitCode = 1
  })
}

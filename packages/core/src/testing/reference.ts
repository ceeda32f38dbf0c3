import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, it } from 'vitest'
import { readTable } from '../files/read.js'
import type { Table } from '../table/table.js'

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../../..')

/** The folder with the reference implementations' data and printed numbers; undefined where it is not installed. */
export function reference(): string | undefined {
  const folder = process.env.SCRIM_REFERENCE ?? join(root, '../shared/reference')
  return existsSync(folder) ? folder : undefined
}

if (reference() === undefined)
  console.warn('reference data not found (SCRIM_REFERENCE): comparisons with it are skipped')

/** Tests that read reference data while they are collected: `describe.skipIf` would still run the body. */
export function describeReference(name: string, tests: () => void | Promise<void>): void {
  if (reference() === undefined) it.skip(name, () => {})
  else describe(name, tests)
}

export function referenceTable(...path: string[]): Promise<Table> {
  const file = join(reference() ?? '', ...path)
  return readTable(path.at(-1) ?? file, readFileSync(file))
}

export function referenceJson(...path: string[]): unknown {
  return JSON.parse(readFileSync(join(reference() ?? '', ...path), 'utf8'))
}

/** Two files of the live comparison with R packages: an original `x` and what was made of it, `x_s`, `x_p` or `x_r`. */
export async function liveFiles(name: string, made: 's' | 'p' | 'r'): Promise<{ original: Table; released: Table }> {
  const [original, released] = await Promise.all(
    [name, `${name}_${made}`].map((file) => referenceTable('golden', 'r-live', `${file}.rds`)),
  )
  return { original, released }
}

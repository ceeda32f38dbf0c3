// disclosure with grouped columns beside synthpop, live: breaks over both files (`definition=synthpop-1.9-3`), where theirs differ from the original's.
// node scripts/peers-disclosure.mjs; SD2011 from SCRIM_REFERENCE or ../shared/reference. Skips without R, synthpop or the data.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { disclosure, openCase, readTable, toCsv } from '@scrim/core'

const TOLERANCE = 1e-9
const here = dirname(fileURLToPath(import.meta.url))
const folder = join(process.env.SCRIM_REFERENCE ?? join(here, '../../shared/reference'), 'golden/sd2011')
if (!existsSync(join(folder, 'original.csv'))) {
  console.log('no SD2011 to compare on: set SCRIM_REFERENCE')
  process.exit(0)
}
const read = async (file) => readTable(file, readFileSync(file))
const original = await read(join(folder, 'original.csv'))
const synthetic = await read(join(folder, 'synthetic-1.csv'))
/** A release whose numbers lie elsewhere, so that breaks of the original are not those of both files. */
const shifted = {
  ...synthetic,
  columns: synthetic.columns.map((column) =>
    column.kind === 'numeric'
      ? { ...column, values: column.values.map((x, k) => (x >= 0 && k % 3 > 0 ? x + 15 : x)) }
      : column,
  ),
}
const scratch = mkdtempSync(join(tmpdir(), 'scrim-peers-'))
const shiftedFile = join(scratch, 'shifted.csv')
writeFileSync(shiftedFile, toCsv(shifted))

let compared = 0
let differ = 0
for (const [name, released, file] of [
  ['synthetic-1', synthetic, join(folder, 'synthetic-1.csv')],
  ['shifted', shifted, shiftedFile],
])
  for (const [keys, target, groups, targetGroups] of [
    [['sex', 'age', 'region'], 'ls', [0, 8, 0], 0],
    [['sex', 'age', 'region', 'placesize'], 'marital', [0, 20, 0, 0], 0],
    [['sex', 'age', 'placesize'], 'depress', [0, 5, 0], 4],
    [['age', 'region'], 'depress', [12, 0], 6],
  ]) {
    const theirs = figuresOf(file, keys, target, groups, targetGroups)
    if (theirs.size === 0) {
      console.log('synthpop is not installed: nothing to compare')
      rmSync(scratch, { recursive: true })
      process.exit(0)
    }
    const grouped = Object.fromEntries(keys.flatMap((key, k) => (groups[k] > 0 ? [[key, groups[k]]] : [])))
    if (targetGroups > 0) grouped[target] = targetGroups
    const built = openCase({ keys, target, group: grouped }, { original, released }).release
    const { identity, attribute, cap } = (await disclosure(built, { definition: 'synthpop-1.9-3' })).releases[0].details
    const ours = { ...identity, ...attribute, ...cap }
    for (const [figure, value] of theirs) {
      compared++
      // Shares of nobody: not a number there, null here.
      if (Number.isNaN(value) && ours[figure] === null) continue
      if (Math.abs(100 * ours[figure] - value) <= TOLERANCE * Math.max(1, value)) continue
      differ++
      console.log(
        `differs: ${name}, ${keys.join(' ')} -> ${target}: ${figure} ${value} there, ${100 * ours[figure]} here`,
      )
    }
  }
rmSync(scratch, { recursive: true })
console.log(`${compared} figures compared, ${differ} differ`)
if (differ > 0) process.exitCode = 1

function figuresOf(file, keys, target, groups, targetGroups) {
  const args = [join(folder, 'original.csv'), file, keys.join(','), target, groups.join(','), String(targetGroups)]
  const run = spawnSync('Rscript', [join(here, 'peers-disclosure.R'), ...args], { encoding: 'utf8' })
  if (run.error !== undefined) return new Map()
  if (run.status !== 0) throw new Error(run.stderr)
  return new Map(
    run.stdout
      .split('\n')
      .filter((line) => line.includes('\t'))
      .map((line) => line.split('\t'))
      .map(([figure, value]) => [figure, Number(value)]),
  )
}

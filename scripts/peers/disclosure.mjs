// disclosure with grouped columns beside synthpop, live: breaks over both files (`definition=synthpop-1.9-3`), where theirs differ from the original's.
// node scripts/peers/disclosure.mjs; SD2011 from SCRIM_REFERENCE or ../shared/reference. Skips without R, synthpop or the data.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { disclosure, openCase, toCsv } from '@scrim/core'
import { filesToCompare, hold, inScratchFolder, leaveOut, peerFigures, read } from './peer.mjs'

const [originalFile, syntheticFile] = filesToCompare()
const original = await read(originalFile)
const synthetic = await read(syntheticFile)
/** A release whose numbers lie elsewhere, so that breaks of the original are not those of both files. */
const shifted = {
  ...synthetic,
  columns: synthetic.columns.map((column) =>
    column.kind === 'numeric'
      ? { ...column, values: column.values.map((x, k) => (x >= 0 && k % 3 > 0 ? x + 15 : x)) }
      : column,
  ),
}
const CASES = [
  { keys: ['sex', 'age', 'region'], target: 'ls', groups: { age: 8 } },
  { keys: ['sex', 'age', 'region', 'placesize'], target: 'marital', groups: { age: 20 } },
  { keys: ['sex', 'age', 'placesize'], target: 'depress', groups: { age: 5, depress: 4 } },
  { keys: ['age', 'region'], target: 'depress', groups: { age: 12, depress: 6 } },
]

await inScratchFolder(async (folder) => {
  const shiftedFile = join(folder, 'shifted.csv')
  writeFileSync(shiftedFile, toCsv(shifted))
  const figures = []
  for (const [name, released, file] of [
    ['synthetic-1', synthetic, syntheticFile],
    ['shifted', shifted, shiftedFile],
  ])
    for (const { keys, target, groups } of CASES) {
      const grouping = [keys.map((key) => groups[key] ?? 0).join(','), String(groups[target] ?? 0)]
      const theirs = peerFigures('disclosure.R', originalFile, file, keys.join(','), target, ...grouping)
      if (theirs.size === 0) leaveOut('R with synthpop is not here')
      const { release } = openCase({ keys, target, group: groups }, { original, released })
      const [{ details }] = (await disclosure(release, { definition: 'synthpop-1.9-3' })).releases
      const ours = { ...details.identity, ...details.attribute, ...details.cap }
      const group = `${name}, ${keys.join(' ')} -> ${target}`
      // Per cent there, a share here.
      for (const [figure, value] of theirs)
        figures.push({ group, name: `${group}: ${figure}`, ours: ours[figure], theirs: value / 100 })
    }
  hold(figures, { tolerance: 1e-9, floor: 0.01 })
})

import type { Context } from '../../../measure.js'
import { type Stream, stream } from '../../../random/stream.js'
import { drawHypergeometric } from '../../../stats/draws.js'
import { joinedCodes } from '../../../stats/joined.js'
import { variance } from '../../../stats/sums.js'
import { inline, type Task } from '../../../tasks/task.js'
import type { Cells } from '../counts/cells.js'
import { type KeptShares, largestOf, seenOf } from './kept-shares.js'

/**
 * How much what the keys add would vary had the same records been dealt out anew between original and release, as many to each
 * as before. Weights are left aside.
 */
export async function dealtVariance(cells: Cells, kept: KeptShares, context: Context): Promise<number> {
  const { level, classOf, dClassCount, sClass, sLevel, n, ns, cellOfTruth, cellOfReleased, target } = cells
  const rows = n + ns
  const shared: Shared = {
    seed: context.seed,
    kept,
    records: cells.dCount.map((count, cell) => count + cells.s[cell]),
    level,
    classOf,
    largestClass: largestOf(dClassCount.map((records, q) => records + sClass[q])),
    classes: cells.classes,
    levels: sLevel.length,
    n,
    ns,
    ownLeftOut: target.grouping === 'none' && n > 1,
    cellOfRow: areRecords(cells) ? joinedCodes([cellOfTruth, cellOfReleased]) : null,
  }
  const deals = Math.min(MOST_DEALS, Math.max(FEWEST_DEALS, Math.floor(DEALT_RECORDS / rows)))
  const tasks = rows < WORTH_THREADS ? inline : context.tasks
  const added = await tasks.map(dealTask, shared, [...Array(deals).keys()], { signal: context.signal })
  return variance(added) ?? 0
}

const MOST_DEALS = 60
const FEWEST_DEALS = 20
const DEALT_RECORDS = 1e7
/** Fewer records are dealt sooner than handed to another thread. */
const WORTH_THREADS = 100_000

interface Shared {
  readonly seed: number
  readonly kept: KeptShares
  /** Of each cell, original or released. */
  readonly records: Int32Array
  readonly level: Int32Array
  readonly classOf: Int32Array
  readonly largestClass: number
  readonly classes: number
  readonly levels: number
  readonly n: number
  readonly ns: number
  /** Whether the margin of the others is theirs without the person's own record. */
  readonly ownLeftOut: boolean
  /** Of every record, the original ones first; null where rows stand for several records that were counted. */
  readonly cellOfRow: Int32Array | null
}

function areRecords({ n, ns, cellOfTruth, cellOfReleased }: Cells): boolean {
  return n === cellOfTruth.length && ns === cellOfReleased.length
}

export const dealTask: Task<Shared, number, number> = {
  name: 'attribution/deal',
  run: (shared, deal) => addedWhenDealt(shared, stream(shared.seed, 'attribution/deal', deal)),
}

/**
 * The mean of what is added in one deal. Hot: as `meanOver(addedOf(scoresOf(...)))` on fresh counts, in three passes over the
 * cells. What is not dealt to the original is the release's, so that only the former is counted.
 */
function addedWhenDealt(shared: Shared, random: Stream): number {
  const { records, classOf, level, classes, levels, largestClass, kept, n, ns } = shared
  const d = shared.cellOfRow === null ? dealtByCell(shared, random) : dealtByRow(shared.cellOfRow, shared, random)
  const s = new Int32Array(d.length)
  for (let cell = 0; cell < d.length; cell++) s[cell] = records[cell] - d[cell]
  const dClass = new Int32Array(classes)
  const sClass = new Int32Array(classes)
  const dLevel = new Int32Array(levels)
  const sLevel = new Int32Array(levels)
  for (let cell = 0; cell < d.length; cell++) {
    dClass[classOf[cell]] += d[cell]
    sClass[classOf[cell]] += s[cell]
    dLevel[level[cell]] += d[cell]
    sLevel[level[cell]] += s[cell]
  }
  const inRelease = seenOf(kept.released, largestClass)
  const amongOthers = seenOf(kept.others, largestClass)
  const leaves = shared.ownLeftOut ? 1 : 0
  let byRelease = 0
  let byOthers = 0
  for (let cell = 0; cell < d.length; cell++) {
    if (d[cell] === 0) continue
    const [q, t] = [classOf[cell], level[cell]]
    if (sClass[q] > 0) byRelease += d[cell] * (s[cell] / sClass[q] - sLevel[t] / ns) * inRelease(sClass[q])
    const alone = n > 1 ? (dLevel[t] - 1) / (n - 1) : 0
    const told = dClass[q] > 1 ? (d[cell] - 1) / (dClass[q] - 1) : alone
    byOthers += d[cell] * (told - (dLevel[t] - leaves) / (n - leaves)) * amongOthers(dClass[q] - 1)
  }
  return (byRelease - Math.max(0, byOthers)) / n
}

const DRAWN_AT_ONCE = 4096

/** How many records of each cell are dealt to the original, each of them drawn by itself. */
function dealtByRow(cellOfRow: Int32Array, { n, records }: Shared, random: Stream): Int32Array {
  const all = cellOfRow.slice()
  const d = new Int32Array(records.length)
  // Hot: the draws before what they look up, so that one need not wait for the memory of another.
  const others = new Int32Array(DRAWN_AT_ONCE)
  for (let start = 0; start < n; start += DRAWN_AT_ONCE) {
    const end = Math.min(n, start + DRAWN_AT_ONCE)
    for (let k = start; k < end; k++) others[k - start] = k + random.below(all.length - k)
    for (let k = start; k < end; k++) {
      const other = others[k - start]
      d[all[other]]++
      all[other] = all[k]
    }
  }
  return d
}

/** The same where records are known by their number only: other draws of the same distribution, cell after cell. */
function dealtByCell({ n, ns, records }: Shared, random: Stream): Int32Array {
  let [left, wanted] = [n + ns, n]
  return records.map((count) => {
    const dealt = drawHypergeometric(random, left, count, wanted)
    left -= count
    wanted -= dealt
    return dealt
  })
}

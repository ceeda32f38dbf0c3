import { countIds, narrowCodes } from '@scrim/kernels'
import { type BitSpace, countsBelow, type RecordColumn, spaceOfCodes } from '../../neighbors/in-bits/bits.js'
import { bitSearch } from '../../neighbors/in-bits/nearest-in-bits.js'
import { bitLists, codeScan } from '../../neighbors/scan/bit-scan.js'
import { leastOf, nothingFound } from '../../neighbors/scan/least.js'
import type { Where } from '../../neighbors/tasks.js'
import { sampleWithoutReplacement } from '../../random/sampling.js'
import { stream } from '../../random/stream.js'
import { joinedCodes } from '../../stats/joined.js'
import { mean, standardDeviation } from '../../stats/sums.js'
import type { Task, TaskRunner } from '../../tasks/task.js'

/**
 * A release of another shape than the original can be the one with more in common without any copying. The control is a
 * release that knows the marginals only: each column of the original resampled independently, as many records as the
 * release has. Mean share of originals whose most similar record is one of these, over replicates, for each charge.
 */
export interface ShapeControl {
  readonly charge: number
  readonly closer: number
  /** Between replicates. */
  readonly standardDeviation: number
  readonly replicates: number
}

export interface ShapeInput {
  /** Columns of the original, record by record. */
  readonly original: readonly RecordColumn[]
  readonly originals: number
  readonly released: number
  readonly charges: readonly number[]
  /** How many originals each replicate is compared with; all together are about as many as the release is. */
  readonly queries: number
  readonly seed: number
  /** Where not all records of the original are given. */
  readonly scan?: ScannedShape | undefined
}

/** What is known of an original of which only some records are at hand: those near the ones that replicates are compared with. */
export interface ScannedShape {
  /** Their numbers, ascending. */
  readonly numbers: Int32Array
  /** Of each column how many originals have a code below. */
  readonly below: readonly Int32Array[]
  /** Of each replicate the same of it and the original together. */
  readonly replicates: readonly (readonly Int32Array[])[]
}

const REPLICATES = 20
const FEWEST_QUERIES = 250

/** As many comparisons for all replicates together as for the release, but enough of them. */
export function queriesPerReplicate(looked: number): number {
  return Math.min(looked, Math.max(FEWEST_QUERIES, Math.ceil(looked / REPLICATES)))
}

export async function shapeControls(input: ShapeInput, where: Where): Promise<ShapeControl[]> {
  const below = input.scan?.below ?? input.original.map(marginalOf)
  const runs = await where.tasks.map(shapeControlTask, { ...input, below }, replicateNumbers(), where)
  return input.charges.map((charge, k) => {
    const closer = runs.map((run) => run[k])
    return {
      charge,
      closer: mean(closer) ?? 0,
      standardDeviation: standardDeviation(closer) ?? 0,
      replicates: REPLICATES,
    }
  })
}

function replicateNumbers(): number[] {
  return Array.from({ length: REPLICATES }, (_, replicate) => replicate)
}

function marginalOf({ codes, cardinality }: RecordColumn): Int32Array {
  return countsBelow(codes, cardinality, new Int32Array(codes.length).fill(1))
}

interface Shared extends ShapeInput {
  readonly below: readonly Int32Array[]
}

/** The originals that a replicate is compared with. */
export function rowsCompared(originals: number, queries: number, seed: number, replicate: number): Int32Array {
  return sampleWithoutReplacement(stream(seed, 'shared-information/shape', replicate), originals, queries)
}

/** Records that are drawn at a time where not all are kept. */
const DRAWN_AT_ONCE = 1 << 17

/** How many of so many records each part has. */
function parts(records: number): number[] {
  return Array.from({ length: Math.ceil(records / DRAWN_AT_ONCE) }, (_, part) =>
    Math.min(DRAWN_AT_ONCE, records - part * DRAWN_AT_ONCE),
  )
}

interface Drawn {
  readonly names: readonly string[]
  /** Of each column how many originals have a code below. */
  readonly below: readonly Int32Array[]
  readonly released: number
  readonly seed: number
}

/** Of each replicate and column how many of its records and of the originals have a code below. */
export function drawnBelow(drawn: Drawn, tasks: TaskRunner): Promise<Int32Array[][]> {
  return tasks.map(drawnTask, drawn, replicateNumbers())
}

export const drawnTask: Task<Drawn, number, Int32Array[]> = {
  name: 'shared-information/drawn',
  run({ names, below, released, seed }, replicate) {
    const codes = new Int32Array(Math.min(DRAWN_AT_ONCE, released))
    return names.map((name, j) => {
      const draw = drawsFrom(name, below[j], seed, replicate)
      const counts = new Int32Array(below[j].length)
      for (const part of parts(released)) {
        draw(codes, part)
        for (let row = 0; row < part; row++) counts[codes[row] + 1]++
      }
      for (let code = 1; code < counts.length; code++) counts[code] += counts[code - 1]
      return counts.map((count, code) => count + below[j][code])
    })
  },
}

const GUIDES_PER_CODE = 16

/**
 * Writes values of a column of the original, drawn at random, to the first places: `sorted[random.below(originals)]` without all of
 * them in memory.
 */
function drawsFrom(name: string, below: Int32Array, seed: number, replicate: number) {
  const random = stream(seed, `shared-information/shape ${name}`, replicate)
  const originals = below[below.length - 1]
  // Where to begin looking for the code of a rank: there are so many more of these than codes that most begin there.
  const shift = Math.max(0, 31 - Math.clz32(originals / below.length / GUIDES_PER_CODE))
  const guide = new Int32Array((originals >>> shift) + 1)
  for (let at = 0, code = 0; at < guide.length; at++) {
    while (below[code + 1] <= at << shift) code++
    guide[at] = code
  }
  return (codes: Int32Array, count: number): void => {
    random.fillBelow(originals, codes, count)
    for (let row = 0; row < count; row++) {
      const rank = codes[row]
      let code = guide[rank >>> shift]
      while (below[code + 1] <= rank) code++
      codes[row] = code
    }
  }
}

/** With so many times as many possible records as there are, hardly two are equal, and to find those takes longer than to search them. */
const HARDLY_EQUAL = 1000

/** Equal records as one point, or each by itself: what is counted is the same. */
function pointsOfRecords(columns: readonly RecordColumn[], originals: number, released: number): BitSpace {
  const rows = originals + released
  if (columns.reduce((product, { cardinality }) => product * cardinality, 1) < HARDLY_EQUAL * rows)
    return spaceOfCodes(columns, [originals, released])
  const ids = new Int32Array(rows)
  for (let row = 0; row < rows; row++) ids[row] = row
  return {
    columns: columns.map((column) => ({ ...column, codes: narrowCodes(column.codes, column.cardinality) })),
    points: rows,
    ids: [ids.subarray(0, originals), ids.subarray(originals)],
  }
}

export const shapeControlTask: Task<Shared, number, Float64Array> = {
  name: 'shared-information/shape',
  run(shared, replicate) {
    const { originals, charges, queries, seed, scan } = shared
    const rows = rowsCompared(originals, queries, seed, replicate)
    const places = scan === undefined ? rows : rows.map((row) => placeOf(row, scan.numbers))
    const { columns, given, drawn } =
      scan === undefined ? allDrawn(shared, replicate) : nearDrawn(shared, scan, places, replicate)
    const space = pointsOfRecords(columns, given, drawn)
    const search = bitSearch({
      columns: space.columns,
      originals: countIds(space.ids[0], space.points),
      released: countIds(space.ids[1], space.points),
      draws: null,
      below: scan?.replicates[replicate],
    })
    const closer = new Float64Array(charges.length)
    for (const place of places) {
      search.ask(space.ids[0][place])
      for (let k = 0; k < charges.length; k++) {
        const { releasedRecords, records } = search.ties(charges[k])
        closer[k] += releasedRecords / records / queries
      }
    }
    return closer
  },
}

interface WithDrawn {
  /** Of the originals given, then of the records drawn. */
  readonly columns: readonly RecordColumn[]
  readonly given: number
  readonly drawn: number
}

function allDrawn({ original, originals, released, below, seed }: Shared, replicate: number): WithDrawn {
  const columns = original.map((column, j) => {
    const codes = new Int32Array(originals + released)
    codes.set(column.codes)
    drawsFrom(column.name, below[j], seed, replicate)(codes.subarray(originals), released)
    return { ...column, codes }
  })
  return { columns, given: originals, drawn: released }
}

/** Those that have most in common with the originals at some places: all are drawn, one part after the other. */
function nearDrawn(
  { original, released, charges, below, seed }: Shared,
  scan: ScannedShape,
  places: Int32Array,
  replicate: number,
): WithDrawn {
  const draws = original.map(({ name }, j) => drawsFrom(name, below[j], seed, replicate))
  const pool = {
    below: scan.replicates[replicate],
    queries: Array.from(places, (place) => original.map(({ codes }) => codes[place])),
    looks: charges.map((charge) => ({ charge, k: 1 })),
  }
  const look = codeScan(original, [pool])
  const lists = bitLists([pool])
  let least = nothingFound(lists)
  const kept = original.map((): number[] => [])
  const codes = original.map(() => new Int32Array(Math.min(DRAWN_AT_ONCE, released)))
  for (const rows of parts(released)) {
    for (const [j, draw] of draws.entries()) draw(codes[j], rows)
    const found = look({ rows, columns: codes }, least)
    least = leastOf(lists, [least, found.least])
    for (const row of found.rows) for (const [j, column] of kept.entries()) column.push(codes[j][row])
  }
  return {
    columns: original.map((column, j) => ({ ...column, codes: joinedCodes([column.codes, Int32Array.from(kept[j])]) })),
    given: scan.numbers.length,
    drawn: kept[0].length,
  }
}

function placeOf(row: number, numbers: Int32Array): number {
  let [low, high] = [0, numbers.length - 1]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (numbers[middle] < row) low = middle + 1
    else high = middle
  }
  return low
}

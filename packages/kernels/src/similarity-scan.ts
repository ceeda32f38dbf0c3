import { SIMILARITY_SCAN_WASM } from './wasm/similarity-scan.js'
import { compile, memoryOf } from './wasm/webassembly.js'

/**
 * Bounds from above how similar every record is to a query, in whole units, from one byte per record and column. A
 * category's byte is its code; a number's is the class of numbers it lies in. The query says what an equal category is
 * worth and what each class of numbers is worth at most, so
 *   score(record) = Σ over categories that agree of their worth + Σ over numbers of what their class is worth,
 * and `mismatches` counts the categories that differ. The caller asks for records by score - penalty · mismatches, highest
 * first, and computes exactly for those: bytes propose, 64 bits decide.
 */
export interface CoarseRecords {
  readonly categories: number
  readonly numbers: number
  /** A multiple of `RECORDS_AT_ONCE`. */
  readonly places: number
  /** `RECORDS_AT_ONCE` places after the other; within them column by column, categories first. */
  readonly codes: Uint8Array
}

/** Numbers lie in one of so many classes. */
export const NUMBER_CLASSES = 64
export const RECORDS_AT_ONCE = 32
/** No score may be larger; scores less penalties stay above the negative of it. */
export const LARGEST_SCORE = 16_000
/** Beyond so many mismatches they are no longer counted. */
const MOST_MISMATCHES = 255

export interface SimilarityScan {
  /** Of the records, as `CoarseRecords` has them: other records may be written over them. */
  readonly codes: Uint8Array
  /** Written by the caller before `score`: code and worth of each category, worth of each class of each number. */
  readonly query: Uint8Array
  readonly agreement: Uint8Array
  readonly classes: Uint8Array
  /** Of every place, after `score`. */
  readonly scores: Int16Array
  readonly mismatches: Uint8Array
  score(): void
  /**
   * The largest score - penalty · mismatches of the places from `from` to before `to`, multiples of `RECORDS_AT_ONCE`. The
   * penalties of all mismatches must not exceed `LARGEST_SCORE`.
   */
  highest(from: number, to: number, penalty: number): number
  /** Writes the places whose score - penalty · mismatches is in [low, high) to `found`, and returns how many there are. */
  between(from: number, to: number, penalty: number, low: number, high: number): number
  readonly found: Int32Array
}

/** An empty table of `places`, to be filled by `setCode`; what is not filled agrees with nothing. */
export function coarseRecords(categories: number, numbers: number, records: number): CoarseRecords {
  const places = Math.ceil(records / RECORDS_AT_ONCE) * RECORDS_AT_ONCE
  return { categories, numbers, places, codes: new Uint8Array(places * (categories + numbers)).fill(255) }
}

export function setCode(records: CoarseRecords, place: number, column: number, code: number): void {
  const within = place % RECORDS_AT_ONCE
  const start = (place - within) * (records.categories + records.numbers)
  records.codes[start + column * RECORDS_AT_ONCE + within] = code
}

/** The fastest scan that the platform offers. */
export function similarityScan(records: CoarseRecords): SimilarityScan {
  return simdSimilarityScan(records) ?? scalarSimilarityScan(records)
}

/** In plain TypeScript: what the SIMD scan computes. */
export function scalarSimilarityScan({ categories, numbers, places, codes }: CoarseRecords): SimilarityScan {
  const query = new Uint8Array(categories)
  const agreement = new Uint8Array(categories)
  const classes = new Uint8Array(numbers * NUMBER_CLASSES)
  const scores = new Int16Array(places)
  const mismatches = new Uint8Array(places)
  const found = new Int32Array(places)
  // Of each column and byte: the score, and a mismatch as 2^16; so one sum has both.
  const worth = new Int32Array((categories + numbers) << 8)

  return {
    codes,
    query,
    agreement,
    classes,
    scores,
    mismatches,
    found,
    score() {
      fillWorth()
      const end = (categories + numbers) << 8
      for (let start = 0; start < places; start += RECORDS_AT_ONCE) {
        const base = start * (categories + numbers)
        for (let k = 0; k < RECORDS_AT_ONCE; k++) {
          // Hot.
          let sum = 0
          for (let first = 0, at = base + k; first < end; first += 256, at += RECORDS_AT_ONCE)
            sum += worth[first + codes[at]]
          scores[start + k] = sum & 0xffff
          mismatches[start + k] = Math.min(MOST_MISMATCHES, sum >> 16)
        }
      }
    },
    highest(from, to, penalty) {
      let highest = -LARGEST_SCORE
      for (let place = from; place < to; place++)
        highest = Math.max(highest, scores[place] - penalty * mismatches[place])
      return highest
    },
    between(from, to, penalty, low, high) {
      let count = 0
      for (let place = from; place < to; place++) {
        const score = scores[place] - penalty * mismatches[place]
        if (score >= low && score < high) found[count++] = place
      }
      return count
    },
  }

  function fillWorth(): void {
    worth.fill(1 << 16, 0, categories << 8)
    for (let column = 0; column < categories; column++) worth[(column << 8) + query[column]] = agreement[column]
    for (let column = 0; column < numbers; column++)
      worth.set(classes.subarray(column * NUMBER_CLASSES, (column + 1) * NUMBER_CLASSES), (categories + column) << 8)
  }
}

interface Exports {
  setup(...layout: readonly number[]): void
  score(): void
  highest(from: number, to: number, penalty: number): number
  between(from: number, to: number, penalty: number, low: number, high: number): number
}

/** The compiled module; null where the platform has no WebAssembly SIMD. */
let compiled: WebAssembly.Module | null | undefined

/** Sixteen records at a time in WebAssembly; null where the platform cannot. */
export function simdSimilarityScan({ categories, numbers, places, codes }: CoarseRecords): SimilarityScan | null {
  if (compiled === undefined) compiled = compile(SIMILARITY_SCAN_WASM)
  if (compiled === null) return null
  const groups = places / RECORDS_AT_ONCE
  const lengths = [categories, categories, numbers * NUMBER_CLASSES, codes.length]
  const sizes = [...lengths, 2 * places, places, 4 * places, 2 * groups, groups]
  const addresses = [0]
  for (const size of sizes) addresses.push(Math.ceil((addresses[addresses.length - 1] + size) / 16) * 16)
  const memory = memoryOf(addresses[sizes.length])
  if (memory === null) return null
  const { buffer } = memory
  const [query, agreement, classes, codesAt, scores, mismatches, found] = addresses
  const codesInMemory = new Uint8Array(buffer, codesAt, codes.length)
  codesInMemory.set(codes)
  const kernel = new WebAssembly.Instance(compiled, { env: { memory } }).exports as unknown as Exports
  kernel.setup(categories, numbers, places, ...addresses)
  return {
    codes: codesInMemory,
    query: new Uint8Array(buffer, query, categories),
    agreement: new Uint8Array(buffer, agreement, categories),
    classes: new Uint8Array(buffer, classes, numbers * NUMBER_CLASSES),
    scores: new Int16Array(buffer, scores, places),
    mismatches: new Uint8Array(buffer, mismatches, places),
    found: new Int32Array(buffer, found, places),
    score: kernel.score,
    highest: kernel.highest,
    between: kernel.between,
  }
}

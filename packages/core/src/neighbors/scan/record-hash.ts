import { mixed } from '../../table/canonical-tables.js'
import type { Records } from './record-scan.js'
import { isMissing, numberOf, plain } from './values.js'

/** A column as records are told apart by it: by its numbers, or by what it says. */
export interface ToldApart {
  readonly name: string
  readonly isNumber: boolean
}

/**
 * A number from 0 to 1 for every record, made of nothing but its values: the same for equal records, wherever they are, and as good as
 * random for different ones, of which two have the same by a chance of one in 2^53.
 */
export function recordHashes(
  columns: readonly ToldApart[],
  seed: number,
  records: readonly Records[],
  rows: number,
): Float64Array {
  const first = new Int32Array(rows).fill(mixed(seed, 1))
  const second = new Int32Array(rows).fill(mixed(seed, 2))
  for (const [j, { isNumber }] of columns.entries()) {
    const wordsOf = isNumber ? numberWords() : textWords()
    let at = 0
    for (const { rows: count, columns: given } of records) {
      const values = given[j]
      // Hot.
      for (let row = 0; row < count; row++, at++) {
        const words = wordsOf(values[row])
        first[at] = mixed(mixed(first[at], words[0]), words[1])
        second[at] = mixed(mixed(second[at], words[1]), words[0])
      }
    }
  }
  const hashes = new Float64Array(rows)
  for (let row = 0; row < rows; row++) hashes[row] = ((first[row] >>> 0) * 2 ** 21 + (second[row] >>> 11)) / 2 ** 53
  return hashes
}

const NOTHING = Int32Array.of(0x7ff80000, 0x7ff80001)

/** The bits of a number, 0 being one whatever its sign. */
function numberWords(): (given: unknown) => Int32Array {
  const number = new Float64Array(1)
  const words = new Int32Array(number.buffer)
  return (given) => {
    const value = numberOf(given)
    number[0] = value + 0
    return Number.isNaN(value) ? NOTHING : words
  }
}

function textWords(): (given: unknown) => Int32Array {
  const known = new Map<unknown, Int32Array>()
  return (given) => {
    const words = known.get(given)
    if (words !== undefined) return words
    const made = isMissing(given) ? NOTHING : wordsOfText(String(plain(given)))
    known.set(given, made)
    return made
  }
}

function wordsOfText(text: string): Int32Array {
  const words = Int32Array.of(1, 2)
  for (let at = 0; at < text.length; at++) for (let k = 0; k < 2; k++) words[k] = mixed(words[k], text.charCodeAt(at))
  return words
}

import { Damaged } from '../bytes/damage.js'
import type { Unpacked } from './limit.js'

/**
 * LZMA2, the one filter that R and `xz` use (Pavlov, LZMA specification, draft 2015; The .xz File Format 1.2.1, section
 * 5.3.1): chunks, plain or packed by LZMA: matches with what came before and literals, each bit coded by a range coder with an
 * adaptive probability. What came before is the output itself, so the dictionary costs no memory.
 */
export function unpackLzma2(bytes: Uint8Array, from: number, output: Unpacked): number {
  const decoder = lzmaDecoder(bytes, output)
  let at = from
  let needs: 'dictionary' | 'properties' | 'state' | 'nothing' = 'dictionary'
  for (;;) {
    const control = byteAt(bytes, at++)
    if (control === 0) return at
    if (control < LZMA_CHUNK) {
      if (control > 2 || (control === 2 && needs === 'dictionary')) throw new Damaged('a chunk is of no known kind')
      const size = ((byteAt(bytes, at) << 8) | byteAt(bytes, at + 1)) + 1
      if (control === 1) decoder.forget()
      at += 2
      if (at + size > bytes.length) throw new Damaged('it is cut short')
      output.reserve(size)
      output.bytes.set(bytes.subarray(at, at + size), output.length)
      output.length += size
      at += size
      if (needs === 'dictionary') needs = 'properties'
      continue
    }
    const reset = (control >> 5) & 3
    if (needs === 'dictionary' ? reset < 3 : needs === 'properties' && reset < 2)
      throw new Damaged('a chunk goes on with what is not there')
    if (reset === 3) decoder.forget()
    const unpacked = (((control & 31) << 16) | (byteAt(bytes, at) << 8) | byteAt(bytes, at + 1)) + 1
    const packed = ((byteAt(bytes, at + 2) << 8) | byteAt(bytes, at + 3)) + 1
    at += 4
    if (reset >= 2) decoder.setProperties(byteAt(bytes, at++))
    if (reset >= 1) decoder.reset()
    if (at + packed > bytes.length) throw new Damaged('it is cut short')
    decoder.unpack(at, at + packed, unpacked)
    at += packed
    needs = 'nothing'
  }
}

const LZMA_CHUNK = 0x80
const HALF = 1024
const MOVE_BITS = 5
const PRECISION_BITS = 11
const TOP = 1 << 24
const STATES = 12
const FIRST_STATE_AFTER_MATCH = 7
const POSITION_STATES = 16
const LENGTH_CODER = 2 + 2 * POSITION_STATES * 8 + 256
const LENGTH_LOW = 2
const LENGTH_MIDDLE = LENGTH_LOW + POSITION_STATES * 8
const LENGTH_HIGH = LENGTH_MIDDLE + POSITION_STATES * 8
const SHORTEST_MATCH = 2
const FIRST_MODEL_SLOT = 4
const FIRST_DIRECT_SLOT = 14
const ALIGN_BITS = 4

/** Where each kind of probability begins. */
const IS_MATCH = 0
const IS_REPEAT = IS_MATCH + STATES * POSITION_STATES
const IS_REPEAT_0 = IS_REPEAT + STATES
const IS_REPEAT_1 = IS_REPEAT_0 + STATES
const IS_REPEAT_2 = IS_REPEAT_1 + STATES
const IS_LONG_REPEAT_0 = IS_REPEAT_2 + STATES
const SLOT = IS_LONG_REPEAT_0 + STATES * POSITION_STATES
const SPECIAL = SLOT + 4 * 64
const ALIGN = SPECIAL + 128
const MATCH_LENGTH = ALIGN + (1 << ALIGN_BITS)
const REPEAT_LENGTH = MATCH_LENGTH + LENGTH_CODER
const LITERAL = REPEAT_LENGTH + LENGTH_CODER
/** `lc + lp` is at most 4 in LZMA2. */
const LITERALS = 0x300 << 4

function byteAt(bytes: Uint8Array, at: number): number {
  if (at >= bytes.length) throw new Damaged('it is cut short')
  return bytes[at]
}

interface LzmaDecoder {
  /** Matches reach back to here only. */
  forget(): void
  setProperties(byte: number): void
  reset(): void
  unpack(from: number, to: number, size: number): void
}

/** Hot: one function with its state in variables; a range coder behind an interface is several times slower. */
function lzmaDecoder(bytes: Uint8Array, output: Unpacked): LzmaDecoder {
  const probabilities = new Uint16Array(LITERAL + LITERALS)
  let [literalContext, literalMask, positionMask] = [0, 0, 0]
  let [state, repeat0, repeat1, repeat2, repeat3] = [0, 0, 0, 0, 0]
  let begin = output.length
  let [range, code, at, end] = [0, 0, 0, 0]

  function normalize(): void {
    if (range >>> 0 >= TOP) return
    if (at >= end) throw new Damaged('a chunk is cut short')
    range = (range << 8) >>> 0
    code = ((code << 8) | bytes[at++]) >>> 0
  }

  function bit(index: number): number {
    normalize()
    const probability = probabilities[index]
    const bound = (range >>> PRECISION_BITS) * probability
    if (code < bound) {
      range = bound
      probabilities[index] = probability + (((1 << PRECISION_BITS) - probability) >> MOVE_BITS)
      return 0
    }
    range -= bound
    code -= bound
    probabilities[index] = probability - (probability >> MOVE_BITS)
    return 1
  }

  function tree(first: number, bits: number): number {
    let node = 1
    for (let k = 0; k < bits; k++) node = (node << 1) | bit(first + node)
    return node - (1 << bits)
  }

  function reverseTree(first: number, bits: number): number {
    let [node, value] = [1, 0]
    for (let k = 0; k < bits; k++) {
      const next = bit(first + node)
      node = (node << 1) | next
      value |= next << k
    }
    return value
  }

  function directBits(count: number): number {
    let value = 0
    for (let k = 0; k < count; k++) {
      normalize()
      range >>>= 1
      const next = code >= range ? 1 : 0
      if (next === 1) code -= range
      value = (value << 1) | next
    }
    return value >>> 0
  }

  function matchLength(coder: number, positionState: number): number {
    if (bit(coder) === 0) return tree(coder + LENGTH_LOW + positionState * 8, 3)
    if (bit(coder + 1) === 0) return 8 + tree(coder + LENGTH_MIDDLE + positionState * 8, 3)
    return 16 + tree(coder + LENGTH_HIGH, 8)
  }

  function distance(length: number): number {
    const slot = tree(SLOT + Math.min(length, 3) * 64, 6)
    if (slot < FIRST_MODEL_SLOT) return slot
    const bits = (slot >> 1) - 1
    const base = ((2 | (slot & 1)) << bits) >>> 0
    if (slot < FIRST_DIRECT_SLOT) return base + reverseTree(SPECIAL + base - slot, bits)
    return base + directBits(bits - ALIGN_BITS) * (1 << ALIGN_BITS) + reverseTree(ALIGN, ALIGN_BITS)
  }

  function literal(): void {
    const { bytes: out, length } = output
    const before = length > begin ? out[length - 1] : 0
    const context = (((length - begin) & literalMask) << literalContext) + (before >> (8 - literalContext))
    const first = LITERAL + 0x300 * context
    let symbol = 1
    if (state >= FIRST_STATE_AFTER_MATCH) {
      if (repeat0 >= length - begin) throw new Damaged('a match reaches back too far')
      let matched = out[length - repeat0 - 1]
      while (symbol < 0x100) {
        const expected = (matched >> 7) & 1
        matched <<= 1
        const next = bit(first + ((1 + expected) << 8) + symbol)
        symbol = (symbol << 1) | next
        if (next !== expected) break
      }
    }
    while (symbol < 0x100) symbol = (symbol << 1) | bit(first + symbol)
    out[output.length++] = symbol & 0xff
    state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6
  }

  /** The length of the match that comes next, its distance in `repeat0`. */
  function match(positionState: number): number {
    if (bit(IS_REPEAT + state) === 0) {
      repeat3 = repeat2
      repeat2 = repeat1
      repeat1 = repeat0
      const length = matchLength(MATCH_LENGTH, positionState)
      state = state < FIRST_STATE_AFTER_MATCH ? 7 : 10
      repeat0 = distance(length)
      return length + SHORTEST_MATCH
    }
    if (bit(IS_REPEAT_0 + state) === 0) {
      if (bit(IS_LONG_REPEAT_0 + state * POSITION_STATES + positionState) === 0) {
        state = state < FIRST_STATE_AFTER_MATCH ? 9 : 11
        return 1
      }
    } else {
      let distance = repeat1
      if (bit(IS_REPEAT_1 + state) === 1) {
        distance = repeat2
        if (bit(IS_REPEAT_2 + state) === 1) {
          distance = repeat3
          repeat3 = repeat2
        }
        repeat2 = repeat1
      }
      repeat1 = repeat0
      repeat0 = distance
    }
    const length = matchLength(REPEAT_LENGTH, positionState)
    state = state < FIRST_STATE_AFTER_MATCH ? 8 : 11
    return length + SHORTEST_MATCH
  }

  return {
    forget() {
      begin = output.length
    },
    setProperties(byte) {
      const positionBits = Math.floor(byte / 45)
      const literalPosition = Math.floor(byte / 9) % 5
      literalContext = byte % 9
      if (positionBits > 4 || literalContext + literalPosition > 4) throw new Damaged('its properties mean nothing')
      literalMask = (1 << literalPosition) - 1
      positionMask = (1 << positionBits) - 1
    },
    reset() {
      probabilities.fill(HALF)
      state = repeat0 = repeat1 = repeat2 = repeat3 = 0
    },
    unpack(from, to, size) {
      output.reserve(size)
      const stop = output.length + size
      ;[at, end, range, code] = [from, to, 0xffffffff, 0]
      if (bytes[at++] !== 0) throw new Damaged('a chunk does not begin as one')
      for (let k = 0; k < 4; k++) code = ((code << 8) | bytes[at++]) >>> 0
      while (output.length < stop) {
        const positionState = (output.length - begin) & positionMask
        if (bit(IS_MATCH + state * POSITION_STATES + positionState) === 0) {
          literal()
          continue
        }
        const length = match(positionState)
        if (repeat0 >= output.length - begin) throw new Damaged('a match reaches back too far')
        if (output.length + length > stop) throw new Damaged('a match is too long')
        const out = output.bytes
        for (let k = 0, source = output.length - repeat0 - 1; k < length; k++) out[output.length++] = out[source++]
      }
      normalize()
      if (at !== end || code !== 0) throw new Damaged('a chunk does not end where it should')
    },
  }
}

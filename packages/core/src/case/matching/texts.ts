import { type Column, columnLength, valueAt } from '../../table/column.js'

/** The values of a column as texts, each once, with how many records have it. */
export interface Texts {
  readonly levels: readonly string[]
  /** Each level without case, accents, spaces and punctuation; numbers without leading zeros. */
  readonly forms: () => readonly string[]
  readonly counts: Int32Array
  /** Which level a record has; -1 where it is missing. */
  readonly levelAt: (row: number) => number
  readonly present: number
  /** Records with a value that no other record has. */
  readonly unique: number
  /** Mean number of words. */
  readonly words: number
}

export function textsOf(values: Column | readonly string[], normal: (text: string) => string = normalForm): Texts {
  const { levels, codes } = codesOf(values)
  const counts = new Int32Array(levels.length)
  for (const code of codes) if (code >= 0) counts[code]++
  const used = levels.flatMap((_, code) => (counts[code] > 0 ? [code] : []))
  const place = new Int32Array(levels.length).fill(-1)
  for (const [k, code] of used.entries()) place[code] = k
  const kept = used.map((code) => levels[code])
  let forms: readonly string[] | undefined
  return {
    levels: kept,
    forms: () => {
      forms ??= kept.map(normal)
      return forms
    },
    counts: Int32Array.from(used, (code) => counts[code]),
    levelAt: (row) => (codes[row] < 0 ? -1 : place[codes[row]]),
    present: codes.reduce((sum, code) => sum + (code < 0 ? 0 : 1), 0),
    unique: counts.reduce((sum, count) => sum + (count === 1 ? 1 : 0), 0),
    words: meanWords(kept),
  }
}

function codesOf(values: Column | readonly string[]): { levels: readonly string[]; codes: Int32Array } {
  if ('kind' in values && values.kind === 'categorical') return values
  const codeOf = new Map<string, number>()
  const textAt = 'kind' in values ? (row: number) => valueAt(values, row) : (row: number) => values[row]
  const codes = Int32Array.from({ length: 'kind' in values ? columnLength(values) : values.length }, (_, row) => {
    const value = textAt(row)
    if (value === null) return -1
    const code = codeOf.get(String(value)) ?? codeOf.size
    codeOf.set(String(value), code)
    return code
  })
  return { levels: [...codeOf.keys()], codes }
}

const ASCII = /^[ -~]*$/
const ACCENTS = /\p{M}/gu
const NO_LETTER_ASCII = /[^a-z0-9]+/g
const NO_LETTER = /[^\p{L}\p{N}]+/gu
const DIGITS = /^0*(\d+)$/

/** Without case, accents, spaces and punctuation; a number without leading zeros. */
export function normalForm(text: string): string {
  const form = ASCII.test(text)
    ? text.toLowerCase().replace(NO_LETTER_ASCII, '')
    : withoutAccents(text).replace(NO_LETTER, '')
  return DIGITS.exec(form)?.[1] ?? form
}

/** In normal form each. */
export function wordsOf(text: string): readonly string[] {
  const words = ASCII.test(text) ? text.toLowerCase().split(NO_LETTER_ASCII) : withoutAccents(text).split(NO_LETTER)
  return words.filter((word) => word !== '')
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(ACCENTS, '').toLowerCase()
}

export function sortedForm(words: readonly string[]): string {
  return [...words].sort().join(' ')
}

const LOOKED_AT = 1000

function meanWords(levels: readonly string[]): number {
  const step = Math.max(1, levels.length / LOOKED_AT)
  let [words, looked] = [0, 0]
  for (let at = 0; at < levels.length; at += step, looked++) words += wordsOf(levels[Math.floor(at)]).length
  return looked === 0 ? 0 : words / looked
}

const MOST_DIGITS = 15

/** Whether texts are alike but for their digits, such as P-0017 and P-0018. */
export function hasOneSkeleton(levels: readonly string[]): boolean {
  if (levels.length < 2) return false
  const skeleton = levels[0].replace(/\d+/g, '#')
  if (!skeleton.includes('#')) return false
  return levels.every(
    (level) => level.length <= skeleton.length + MOST_DIGITS && level.replace(/\d+/g, '#') === skeleton,
  )
}

/** The share of numbers v for which v + g is there too, g being the most frequent gap: 1 for 1, 2, 3 and for 10, 20, 30. */
export function nearestInRow(levels: readonly string[]): number {
  const numbers = Float64Array.from(levels, (level) => Number(level.replace(/\D/g, ''))).sort()
  const gaps = new Map<number, number>()
  for (let k = 1; k < numbers.length; k++) {
    const gap = numbers[k] - numbers[k - 1]
    if (gap > 0) gaps.set(gap, (gaps.get(gap) ?? 0) + 1)
  }
  let most = 0
  for (const times of gaps.values()) most = Math.max(most, times)
  // One pair of neighbours is there by chance.
  return most < 2 ? 0 : Math.min(1, (most + 1) / numbers.length)
}

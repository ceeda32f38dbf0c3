import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { math } from '@scrim/kernels'
import { directIdentifiers } from '../../keys/direct-identifiers.js'
import { type Column, columnLength, type NumericColumn, valueAt } from '../../table/column.js'
import { countedValues } from '../../table/counted-values.js'
import type { CarriedIdentifier, Carrying, Digested, IdentifierSide, WrittenAs } from '../../table/release.js'
import { columnNames, findColumn, type Table, table } from '../../table/table.js'
import {
  hasOneSkeleton,
  nearestInRow,
  normalForm,
  sortedForm,
  type Texts,
  textsOf,
  wordsOf,
} from '../matching/texts.js'
import { isNamedIdentifier } from './identifiers.js'

/**
 * Identifiers of people in the original (names, numbers of persons, free text: texts or named whole numbers that nearly nobody
 * shares) that stand in a release: in the column of the same name or any other one, as they are, spelled differently (case, accents,
 * spaces, punctuation, order of words), as a hexadecimal digest (MD5, SHA-1, SHA-256), or inside a longer text. Digests are also
 * compared with those of keys and targets joined in the usual ways.
 *
 * Common names occur in both files by chance. What chance gives is the largest of
 *   the share of originals whose identifier another original has too,
 *   of numbers: the share of originals v for which v + g is an original, g the most frequent gap (1 of n numbers that count),
 *   of a column that the original has under this name: the share of its own values that are an identifier of somebody else,
 *   the same share for people of a holdout.
 * Blind to identifiers that were encrypted, shortened, or digested with a salt.
 */
export function carriedIdentifiers({ original, released, holdout, identifiers, digested }: CarriedInput): Carrying {
  const textsIn = remembered((column: Column) => textsOf(column))
  const known = identifiers.map((column) => indexOf(column, holdout, textsIn))
  const tries: (CarriedIdentifier | null)[] = []
  for (const column of released.columns) {
    const digests = column.kind === 'categorical' ? digestsIn(textsIn(column)) : undefined
    const people = digests === undefined ? known : [...known, ...joinedColumns(original, holdout, digested, digests)]
    for (const identifier of people) {
      const ways = digests === undefined ? plainWays(identifier, column, textsIn) : digestWay(identifier, digests)
      for (const way of ways) {
        const seen = compared(identifier, way, column, original, textsIn)
        tries.push(seen && { ...seen, ...whoIsDigested(identifier, way, column, original, textsIn) })
        if (seen !== null) break
      }
    }
  }
  return {
    identifiers: known.map(({ name }) => name),
    compared: tries.length,
    columns: tries.flatMap((seen) => seen ?? []),
  }
}

export interface CarriedInput {
  readonly original: Table
  readonly released: Pick<Table, 'columns'>
  readonly holdout: Table | undefined
  /** Columns of the original that say who somebody is. */
  readonly identifiers: readonly Column[]
  /** Keys and targets, which a digest may be made of, in their order. */
  readonly digested: readonly string[]
}

const FEWEST_ROWS = 20
/** So large a share of people has a value that nobody else has. */
const NEARLY_ALL = 0.8
/** Where form or name say that it is an identifier of people. */
const MOST = 0.5
const NUMBERS_OF_PEOPLE = new Set(['national-id', 'card', 'imei', 'phone', 'medical-number', 'account', 'document'])

/** The columns of a file that say who somebody is; one that has a role does not. */
export function identifierColumns(file: Table, inRole: ReadonlySet<string>): readonly Column[] {
  if (file.rows < FEWEST_ROWS) return []
  return file.columns.filter((column) => {
    if (inRole.has(column.name) || column.kind === 'date') return false
    if (column.kind === 'numeric') return isNumberOfPeople(column)
    const { unique, present } = textsOf(column)
    if (present < FEWEST_ROWS || unique < MOST * present) return false
    return unique >= NEARLY_ALL * present || kindOf(column) !== undefined
  })
}

function isNumberOfPeople(column: NumericColumn): boolean {
  if (!column.values.every((value) => Number.isNaN(value) || Number.isSafeInteger(value))) return false
  const { counts, known } = countedValues(column)
  const unique = counts.reduce((sum, count) => sum + (count === 1 ? 1 : 0), 0)
  if (known < FEWEST_ROWS || unique < MOST * known) return false
  return isNamedIdentifier(column.name) || NUMBERS_OF_PEOPLE.has(kindOf(column) ?? '')
}

function kindOf(column: Column): string | undefined {
  return directIdentifiers(table('', [column]))[0]?.kind
}

/** Identifiers of the people of a file, by their normal form. */
interface Index {
  /** How many people have it. */
  readonly people: ReadonlyMap<string, number>
  readonly size: number
}

interface Known {
  readonly name: string
  readonly texts: Texts
  readonly original: Index
  readonly outside: Index | null
  /** Of each record of the original. */
  readonly formOfRow: (row: number) => string | undefined
  readonly plain: ReadonlySet<string>
  /** Normal forms by those with their words in order: "Smith, John" is "John Smith". */
  readonly bySorted: ReadonlyMap<string, string>
  readonly mostWords: number
  readonly isNumber: boolean
  /** The columns that were joined to make it. */
  readonly joined?: readonly string[]
}

function indexOf(column: Column, holdout: Table | undefined, textsIn: (column: Column) => Texts): Known {
  const texts = textsIn(column)
  const outside = holdout && findColumn(holdout, column.name)
  return known(column.name, texts, outside && textsIn(outside), (row) => {
    const level = texts.levelAt(row)
    return level < 0 ? undefined : texts.forms()[level]
  })
}

function known(
  name: string,
  texts: Texts,
  outside: Texts | undefined,
  formOfRow: (row: number) => string | undefined,
): Known {
  const bySorted = new Map<string, string>()
  let mostWords = 1
  const forms = texts.forms()
  if (texts.words > 1)
    for (const [k, level] of texts.levels.entries()) {
      const words = wordsOf(level)
      mostWords = Math.max(mostWords, words.length)
      if (mostWords > MOST_WORDS) break
      if (words.length > 1) bySorted.set(sortedForm(words), forms[k])
    }
  return {
    name,
    texts,
    original: indexIn(texts),
    outside: outside === undefined ? null : indexIn(outside),
    formOfRow,
    plain: new Set(texts.levels),
    bySorted,
    mostWords,
    isNumber: forms.every((form) => /^\d+$/.test(form)),
  }
}

function indexIn({ forms, counts, present }: Texts): Index {
  const people = new Map<string, number>()
  for (const [k, form] of forms().entries()) if (form !== '') people.set(form, (people.get(form) ?? 0) + counts[k])
  return { people, size: present }
}

/** Which identifiers, by their normal form, a text carries. */
interface Way {
  readonly written: WrittenAs
  readonly formsIn: (text: string, form: string) => readonly string[]
}

const NONE: readonly string[] = []
/** Shorter numbers are those of something else. */
const LONG_NUMBER = 6
/** An identifier inside a text is no word by chance. */
const LONG_WORD = 6
const MOST_WORDS = 5

function plainWays(identifier: Known, column: Column, textsIn: (column: Column) => Texts): readonly Way[] {
  if (column.kind === 'date') return []
  const isNamesake = column.name === identifier.name
  if (column.kind === 'numeric' && !isNamesake && !(identifier.isNumber && isLong(identifier))) return []
  const whole: Way = {
    written: 'otherwise',
    formsIn: (text, form) => {
      if (identifier.bySorted.size === 0 || identifier.original.people.has(form)) return [form]
      const sorted = identifier.bySorted.get(sortedForm(wordsOf(text)))
      return sorted === undefined ? [form] : [form, sorted]
    },
  }
  const isText = column.kind === 'categorical' && textsIn(column).words > 1
  if (!isText || identifier.mostWords > MOST_WORDS) return [whole]
  return [whole, { written: 'inside a text', formsIn: (text) => stretches(wordsOf(text), identifier.mostWords) }]
}

function isLong({ texts }: Known): boolean {
  const forms = texts.forms()
  return forms.filter(({ length }) => length >= LONG_NUMBER).length >= NEARLY_ALL * forms.length
}

/** All runs of up to so many words, without the spaces. */
function stretches(words: readonly string[], most: number): readonly string[] {
  const forms: string[] = []
  for (let from = 0; from < words.length; from++) {
    let run = ''
    for (let to = from; to < Math.min(words.length, from + most); to++) {
      run += words[to]
      if (run.length >= LONG_WORD) forms.push(normalForm(run))
    }
  }
  return forms
}

type Digest = 'MD5' | 'SHA-1' | 'SHA-256'
const DIGESTS: Readonly<Record<number, Digest>> = { 32: 'MD5', 40: 'SHA-1', 64: 'SHA-256' }
const DIGEST_OF = { MD5: md5, 'SHA-1': sha1, 'SHA-256': sha256 } as const
const HEX = /^[0-9a-f]+$/i

/** Whether the texts of a column are digests, and of which kind. */
export function digestIn({ levels }: Texts): Digest | undefined {
  const [first = ''] = levels
  const digest = DIGESTS[first.length]
  if (digest === undefined) return undefined
  const alike = levels.filter((level) => level.length === first.length && HEX.test(level)).length
  return alike >= NEARLY_ALL * levels.length ? digest : undefined
}

/** The digests in a column. */
interface Digests {
  readonly algorithm: Digest
  readonly values: ReadonlySet<string>
}

function digestsIn(texts: Texts): Digests | undefined {
  const algorithm = digestIn(texts)
  return algorithm && { algorithm, values: new Set(texts.levels.map((level) => level.toLowerCase())) }
}

/** Digests take long: whether there are any is asked of so many people first. */
const ASKED_FIRST = 2000

function isAmong({ algorithm, values }: Digests, textAt: (k: number) => string, count: number): boolean {
  const step = Math.max(1, count / ASKED_FIRST)
  for (let at = 0; at < count; at += step) if (values.has(hexDigest(textAt(Math.floor(at)), algorithm))) return true
  return false
}

function digestWay(identifier: Known, released: Digests): readonly Way[] {
  const { algorithm } = released
  const { levels } = identifier.texts
  const spellings = SPELLINGS.filter((spelled) => isAmong(released, (k) => spelled(levels[k]), levels.length))
  if (spellings.length === 0) return []
  const forms = identifier.texts.forms()
  const formOf = new Map(
    spellings.flatMap((spelled) => levels.map((level, k) => [hexDigest(spelled(level), algorithm), forms[k]])),
  )
  return [
    {
      written: algorithm,
      formsIn: (text) => {
        const form = formOf.get(text.toLowerCase())
        return form === undefined ? NONE : [form]
      },
    },
  ]
}

/** As it is, in small and in capital letters, without spaces and punctuation, and in normal form. */
const SPELLINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.trim().toLowerCase(),
  (text) => text.trim().toUpperCase(),
  (text) => text.replace(/[^\p{L}\p{N}]+/gu, ''),
  normalForm,
]

function hexDigest(text: string, algorithm: Digest): string {
  return bytesToHex(DIGEST_OF[algorithm](utf8ToBytes(text)))
}

const SEPARATORS = ['', ',', ';', '|', '-', '_', ' ']

/** Keys with targets, and whole records, joined as somebody would who makes a digest of them; where the release has such digests. */
function joinedColumns(
  original: Table,
  holdout: Table | undefined,
  digested: readonly string[],
  released: Digests,
): readonly Known[] {
  const all = columnNames(original)
  const isAll = digested.join('\n') === all.join('\n')
  const choices = (isAll ? [all] : [digested, all]).filter((names) => names.length > 1)
  return choices.flatMap((names) =>
    SEPARATORS.flatMap((separator) => {
      if (!isAmong(released, joiner(original, names, separator), original.rows)) return []
      const texts = joinedTexts(original, names, separator)
      const hasAll = holdout !== undefined && names.every((name) => findColumn(holdout, name) !== undefined)
      const outside = hasAll ? joinedTexts(holdout, names, separator) : undefined
      const formOfRow = (row: number) => texts.forms()[texts.levelAt(row)]
      return [{ ...known(names.join(', '), texts, outside, formOfRow), joined: names }]
    }),
  )
}

/** Which person's values stand behind the digest in each released record. */
function whoIsDigested(
  { joined, formOfRow }: Known,
  { formsIn }: Way,
  column: Column,
  original: Table,
  textsIn: (column: Column) => Texts,
): { readonly digested?: Digested } {
  if (joined === undefined) return {}
  const rowOf = new Map<string | undefined, number>()
  for (let row = original.rows - 1; row >= 0; row--) rowOf.set(formOfRow(row), row)
  const { levels, forms, levelAt } = textsIn(column)
  const personOf = levels.map((level, k) => rowOf.get(formsIn(level, forms()[k])[0]) ?? -1)
  const person = Int32Array.from({ length: columnLength(column) }, (_, row) => personOf[levelAt(row)] ?? -1)
  return { digested: { columns: joined, person } }
}

function joiner(file: Table, names: readonly string[], separator: string): (row: number) => string {
  const columns = names.flatMap((name) => findColumn(file, name) ?? [])
  return (row) => columns.map((column) => valueAt(column, row) ?? '').join(separator)
}

function joinedTexts(file: Table, names: readonly string[], separator: string): Texts {
  const textAt = joiner(file, names, separator)
  return textsOf(
    Array.from({ length: file.rows }, (_, row) => textAt(row)),
    (text) => text,
  )
}

/** So many texts are searched through for what is inside. */
const MOST_TEXTS = 20_000

function compared(
  identifier: Known,
  { written, formsIn }: Way,
  column: Column,
  original: Table,
  textsIn: (column: Column) => Texts,
): CarriedIdentifier | null {
  const texts = textsIn(column)
  const { levels, counts } = texts
  const forms = texts.forms()
  const isPerson = (form: string) => identifier.original.people.has(form)
  const isOutside = (form: string) => identifier.outside?.people.has(form) === true
  const step = written === 'inside a text' ? Math.max(1, levels.length / MOST_TEXTS) : 1
  const carried = new Set<string>()
  const foundOutside = new Set<string>()
  let [carrying, outside, records, squares, asItIs] = [0, 0, 0, 0, 0]
  for (let at = 0; at < levels.length; at += step) {
    const k = Math.floor(at)
    records += counts[k]
    squares += counts[k] ** 2
    const inText = formsIn(levels[k], forms[k])
    const people = inText.filter(isPerson)
    const others = inText.filter(isOutside)
    for (const form of people) carried.add(form)
    for (const form of others) foundOutside.add(form)
    if (people.length > 0) carrying += counts[k]
    if (others.length > 0) outside += counts[k]
    if (people.length > 0 && identifier.plain.has(levels[k])) asItIs += counts[k]
  }
  if (carrying === 0) return null
  const people = peopleOf(identifier.original, carried)
  const scale = (index: Index) => Math.max(1, identifier.original.size / index.size)
  const inOriginal = ownShare(identifier, formsIn, column, original, textsIn)
  const dense = denseShare(identifier.texts)
  const chance = {
    records: Math.max(inOriginal, dense, repeatedShare(identifier.original)),
    people: Math.max(inOriginal, denseShare(texts), repeatedAmong(identifier.original, records)),
  }
  const outsiders = identifier.outside && {
    records: Math.min(1, (outside / records) * scale(identifier.outside)),
    people: peopleOf(identifier.outside, foundOutside) / identifier.outside.size,
  }
  const originals = identifier.original.size / designEffect(identifier.original)
  const side = (
    counts: Omit<IdentifierSide, 'byChance' | 'basis' | 'chanceFrom'>,
    name: 'records' | 'people',
    from: number,
  ) => {
    const isOutsiders = outsiders !== null && outsiders[name] > chance[name]
    return {
      ...counts,
      byChance: isOutsiders ? outsiders[name] : chance[name],
      basis: isOutsiders ? ('outsiders' as const) : dense > 0 ? ('chance' as const) : ('leave-one-out' as const),
      chanceFrom: Math.max(1, isOutsiders ? (identifier.outside?.size ?? from) : from),
    }
  }
  return {
    column: identifier.name,
    releasedColumn: column.name,
    written: 2 * asItIs >= carrying ? 'as it is' : written,
    records: side({ carrying, of: records, effective: records ** 2 / squares }, 'records', originals),
    people: side(
      { carrying: people, of: identifier.original.size, effective: originals },
      'people',
      originals * Math.min(1, identifier.original.size / records),
    ),
  }
}

function peopleOf({ people }: Index, forms: ReadonlySet<string>): number {
  let sum = 0
  for (const form of forms) sum += people.get(form) ?? 0
  return sum
}

/** People of whom another has the same identifier. */
function repeatedShare({ people, size }: Index): number {
  let repeated = 0
  for (const count of people.values()) if (count > 1) repeated += count
  return repeated / size
}

/** People whose identifier one of `records` other people has: of fewer than there are others, or more of the same. */
function repeatedAmong({ people, size }: Index, records: number): number {
  let [met, pairs] = [0, 0]
  const drawn = Math.min(1, records / Math.max(1, size - 1))
  for (const count of people.values()) {
    met += count * (1 - math.pow(1 - drawn, count - 1))
    pairs += count * (count - 1)
  }
  return records < size ? met / size : Math.min(1, (pairs * records) / (size * Math.max(1, size - 1)))
}

/** People with one identifier are found together. */
function designEffect({ people, size }: Index): number {
  let squares = 0
  for (const count of people.values()) squares += count ** 2
  return Math.max(1, squares / size)
}

/** Of numbers that differ in digits only: the share that has a neighbour at the most frequent gap. */
function denseShare(texts: Texts): number {
  return hasOneSkeleton(texts.levels) ? nearestInRow(texts.levels) : 0
}

/** Values of the original's own column of this name that are an identifier of somebody else. */
function ownShare(
  identifier: Known,
  formsIn: Way['formsIn'],
  { name }: Column,
  original: Table,
  textsIn: (column: Column) => Texts,
): number {
  const sameNamed = name === identifier.name ? undefined : findColumn(original, name)
  if (sameNamed === undefined) return 0
  const { levels, forms: formsOf, levelAt } = textsIn(sameNamed)
  const forms = formsOf()
  const step = Math.max(1, columnLength(sameNamed) / MOST_TEXTS)
  let [others, rows] = [0, 0]
  for (let at = 0; at < columnLength(sameNamed); at += step) {
    const row = Math.floor(at)
    const level = levelAt(row)
    if (level < 0) continue
    rows++
    const mine = identifier.formOfRow(row)
    const isOther = (form: string) => form !== mine && identifier.original.people.has(form)
    if (formsIn(levels[level], forms[level]).some(isOther)) others++
  }
  return rows === 0 ? 0 : others / rows
}

function remembered<Of extends object, Value>(make: (item: Of) => Value): (item: Of) => Value {
  const made = new Map<Of, Value>()
  return (item) => {
    const value = made.get(item) ?? make(item)
    made.set(item, value)
    return value
  }
}

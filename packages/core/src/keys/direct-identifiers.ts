import { count, fixed, percent } from '../print.js'
import { type Column, type DateColumn, MISSING_CODE } from '../table/column.js'
import type { Table } from '../table/table.js'
import { anyOf, columnWords } from './column-words.js'
import { IDENTIFIER_KINDS } from './identifier-kinds.js'
import { HOUSEHOLD } from './roles-by-name.js'

/** A column that seems to say who a record is. */
export interface DirectIdentifier {
  readonly column: string
  readonly kind: string
  readonly reason: string
  readonly advice: string
}

/** Texts of a column, and how many different ones there are among the records that have one. */
interface Contents {
  readonly column: Column
  readonly words: string
  /** Distinct values as they would be written, evenly taken where there are very many. */
  readonly texts: readonly string[]
  readonly distinct: number
  readonly present: number
}

/** Of the values that are looked at; the others may be typing errors or "unknown". */
const MOST = 0.8
/** Names outside the list of frequent ones are names too. */
const MOST_OF_NAMES = 0.25
/** With the name of the column as a further witness. */
const HALF = 0.5
const LOOKED_AT = 5000
const MANY_VALUES = 20
const FEWEST_RECORDS = 20
const REMOVE = 'remove it'

/**
 * Direct identifiers of a table, by what their values look like and what their columns are called. Content speaks first: a
 * column of e-mail addresses is one whatever its name. A name alone convicts only where most records have a value of their
 * own, so that `name` of a drug or `account` type with five levels is none. Blind to identifiers of unknown form that
 * repeat, to identifiers in pictures, and to what two columns give together: for that see `uniqueness.ts`.
 */
export function directIdentifiers(table: Table): readonly DirectIdentifier[] {
  return table.columns.flatMap((column) => identifierIn(contentsOf(column)) ?? [])
}

function identifierIn(contents: Contents): DirectIdentifier | undefined {
  const { column, distinct, present } = contents
  if (present === 0 || distinct < 2) return undefined
  if (column.kind === 'date') return exactDate(column, contents)
  for (const kind of IDENTIFIER_KINDS) {
    const reason = reasonFor(kind, contents)
    if (reason !== undefined) return { column: column.name, kind: kind.id, reason, advice: kind.advice ?? REMOVE }
  }
  return hidden(contents) ?? recordNumber(contents) ?? personNumber(contents)
}

function reasonFor(
  kind: (typeof IDENTIFIER_KINDS)[number],
  { column, words, texts, distinct, present }: Contents,
): string | undefined {
  if (column.kind === 'numeric' && kind.numbers !== true) return undefined
  const isNamed = kind.named?.test(words) === true
  const isOwn = distinct >= HALF * present
  const { looksLike } = kind
  if (
    looksLike !== undefined &&
    (kind.proof !== 'name' || isNamed) &&
    (kind.proof !== 'distinct' || isNamed || isOwn)
  ) {
    const share = texts.filter(looksLike).length / texts.length
    const needed = isNamed ? HALF : kind.id === 'name' ? MOST_OF_NAMES : MOST
    if (share >= needed && (kind.id !== 'name' || isNamed || distinct >= MANY_VALUES))
      return `${percent(share, 0)} of its values look like ${kind.title}${isNamed ? ', and its name says so' : ''}`
  }
  const isMany = isOwn || (kind.id === 'name' && distinct >= MANY_VALUES)
  if (isNamed && kind.byNameAlone === true && isMany && (column.kind === 'categorical' || isWhole(column)))
    return `its name is typical of ${kind.title}, with ${count(distinct, 'different value')} in ${count(present, 'record')}`
  return undefined
}

const EMAIL_INSIDE = /[^\s@<]+@[^\s@]+\.[a-z]{2,}/i
const URL_INSIDE = /https?:\/\/\S+/i
const PHONE_INSIDE = /\+\d[\d ()/-]{8,}\d/

/** Some values only: what people write into a remark, or a column in which several things were collected. */
function hidden({ column }: Contents): DirectIdentifier | undefined {
  if (column.kind !== 'categorical') return undefined
  const kept = column.levels.filter(
    (level) => EMAIL_INSIDE.test(level) || URL_INSIDE.test(level) || PHONE_INSIDE.test(level),
  ).length
  if (kept === 0) return undefined
  return {
    column: column.name,
    kind: 'hidden',
    reason: `${count(kept, 'value')} of ${count(column.levels.length, 'different one')} ${kept === 1 ? 'has' : 'have'} an e-mail address, a link or a telephone number inside`,
    advice: 'remove it, or what it contains',
  }
}

const NAMED_ID =
  / (id|ids|ident|identifier|uid|uuid|guid|pid|hhid|caseid|respid|seqn|serial|rowid|rownames?|rownum|row|index|x|nr|no|num|number|code|key|record|barcode) /
const FEWEST_DIGITS = 6
const NEARLY_ALL = 0.95

/** A value of its own for every record: texts, whole numbers without gaps or called so, long numbers of one length. */
function recordNumber({ column, words, texts, distinct, present }: Contents): DirectIdentifier | undefined {
  if (present < FEWEST_RECORDS || distinct < NEARLY_ALL * present) return undefined
  const recordNumber = (reason: string) => ({ column: column.name, kind: 'record-number', reason, advice: REMOVE })
  if (column.kind === 'categorical')
    return recordNumber(`${count(distinct, 'different text')} in ${count(present, 'record')}: each has its own`)
  if (!isWhole(column) || distinct < present) return undefined
  if (isCount(column) && !isYears(texts)) return recordNumber('it counts the records without gaps')
  if (NAMED_ID.test(words))
    return recordNumber('its name says that it numbers the records, and it is different for each')
  const isOneLength = texts.every((text) => /^\d+$/.test(text) && text.length === texts[0].length)
  if (isOneLength && texts[0].length >= FEWEST_DIGITS && present >= 10 * FEWEST_RECORDS)
    return recordNumber(`a number of ${texts[0].length} digits of its own for each of ${count(present, 'record')}`)
  return undefined
}

const NAMED_PERSON = anyOf(
  `id, pid, uid, ident, identifier, person, person id, subject, subj, respondent, respid, caseid`,
)
const FEW_RECORDS_EACH = 20

/** The same person in several records, as in a panel: whoever knows the number knows them all. */
function personNumber({ column, words, distinct, present }: Contents): DirectIdentifier | undefined {
  if (!NAMED_PERSON.test(words) || HOUSEHOLD.test(words)) return undefined
  if (distinct < MANY_VALUES || FEW_RECORDS_EACH * distinct < present) return undefined
  if (column.kind === 'numeric' && !isWhole(column)) return undefined
  return {
    column: column.name,
    kind: 'person-number',
    reason: `its name says that it is an identifier, with ${fixed(present / distinct, 1)} records per value`,
    advice: 'remove it, or name it as identifier',
  }
}

const MANY_DATES = 31

/** Days tell who somebody is; months and years do not. A few dates are those of waves or of field work. */
function exactDate(column: DateColumn, { distinct, present, words }: Contents): DirectIdentifier | undefined {
  if (distinct < Math.min(MANY_DATES, HALF * present)) return undefined
  const isFirst = (days: number) => Number.isNaN(days) || new Date(days * 86_400_000).getUTCDate() === 1
  if (column.unit === 'day' && column.values.every(isFirst)) return undefined
  const isBirth = / (birth|birthday|birthdate|dob|born|geburt[^ ]*|geb|naissance|nacimiento|nascita|urodzenia) /.test(
    words,
  )
  return {
    column: column.name,
    kind: column.unit === 'time' ? 'time' : isBirth ? 'birth-date' : 'date',
    reason: `${count(distinct, `different ${column.unit === 'time' ? 'moment' : 'day'}`)} in ${count(present, 'record')}${isBirth ? ', named as a date of birth' : ''}`,
    advice: isBirth
      ? 'keep the year, or the age in years'
      : 'keep the year, or the days since an event of the same person',
  }
}

export function contentsOf(column: Column): Contents {
  const words = columnWords(column.name)
  if (column.kind === 'categorical') {
    const used = new Uint8Array(column.levels.length)
    let present = 0
    for (const code of column.codes)
      if (code !== MISSING_CODE) {
        used[code] = 1
        present++
      }
    const levels = column.levels.filter((_, code) => used[code] === 1)
    return { column, words, texts: evenly(levels), distinct: levels.length, present }
  }
  const values = column.values.filter((value) => !Number.isNaN(value)).sort()
  const different = values.filter((value, k) => k === 0 || value !== values[k - 1])
  return { column, words, texts: evenly(different).map(String), distinct: different.length, present: values.length }
}

function evenly<Of extends string | number>(values: ArrayLike<Of>): Of[] {
  const step = Math.max(1, values.length / LOOKED_AT)
  const taken: Of[] = []
  for (let at = 0; at < values.length; at += step) taken.push(values[Math.floor(at)])
  return taken
}

function isWhole(column: Column): boolean {
  return column.kind === 'numeric' && column.values.every((value) => Number.isNaN(value) || Number.isSafeInteger(value))
}

/** A time series has one record a year. */
function isYears(texts: readonly string[]): boolean {
  return texts.every((text) => /^(?:1[89]|20)\d\d$/.test(text))
}

/** Whether numbers that are all different leave no gap. */
export function isCount(column: Column): boolean {
  if (column.kind !== 'numeric') return false
  let [least, largest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (const value of column.values) {
    least = Math.min(least, value)
    largest = Math.max(largest, value)
  }
  return largest - least + 1 === column.values.length
}

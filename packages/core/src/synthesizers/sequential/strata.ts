import { math } from '@scrim/kernels'
import { UserError, unknownName } from '../../errors.js'
import type { Json } from '../../json.js'
import { count } from '../../print.js'
import { stackColumns, takeRows, valueAt } from '../../table/column.js'
import { columnNames, columnOf, findColumn, selectRows, type Table, table } from '../../table/table.js'
import { codingOf, encode } from '../methods/coding.js'
import { numbersOf } from '../methods/method.js'
import type { FittedSynthesizer, Streams } from '../synthesizer.js'

/**
 * Synthesis stratum by stratum, as synthpop's `syn.strata`: each stratum, a combination of values of the stratifying
 * variables, has a generator of its own, learned from its records alone. The stratum of a synthetic record is drawn with
 * replacement from those of the original records. Small strata are refused: what is learned from few records repeats them.
 *
 * @param made the variables that are made
 */
export async function fitStrata(
  data: Table,
  by: readonly string[],
  made: readonly string[],
  random: Streams,
  fit: (stratum: Table, random: Streams) => Promise<FittedSynthesizer>,
): Promise<FittedSynthesizer> {
  const strata = strataOf(data, by)
  requireLarge(strata, made.length)
  const fitted: FittedSynthesizer[] = []
  for (const { label, rows } of strata) fitted.push(await fit(selectRows(data, rows), within(label, random)))
  const known = by.every((name) => made.includes(name)) && fitted.every(({ logProb }) => logProb !== undefined)
  return {
    sample: (rows, streams) => sampleStrata(data, strata, fitted, rows, streams),
    describe: () => {
      const descriptions = fitted.map((one) => one.describe())
      return {
        strata: strata.map(({ label, rows }) => ({ stratum: label, records: rows.length })),
        variables: strata.flatMap(({ label }, k) => listOf(descriptions[k].variables).map(labelled(label))),
        warnings: strata.flatMap(({ label }, k) => listOf(descriptions[k].warnings).map((text) => `${label}: ${text}`)),
      }
    },
    ...(known ? { logProb: (records) => logProbability(data, by, strata, fitted, records) } : {}),
  }
}

interface Stratum {
  /** `sex = f, region = north`. */
  readonly label: string
  readonly rows: Int32Array
}

/** In order of their first records; missing is a value. */
function strataOf(data: Table, by: readonly string[]): Stratum[] {
  for (const name of by)
    if (findColumn(data, name) === undefined)
      throw new UserError(`strata: ${unknownName('column', name, columnNames(data))}`)
  const rowsOf = new Map<string, number[]>()
  labelsOf(data, by, data).forEach((label, row) => {
    const known = rowsOf.get(label)
    if (known === undefined) rowsOf.set(label, [row])
    else known.push(row)
  })
  return [...rowsOf].map(([label, rows]) => ({ label, rows: Int32Array.from(rows) }))
}

/** Each combination is written once, however many records have it. */
function labelsOf(data: Table, by: readonly string[], records: Table): string[] {
  let labels: string[] = Array.from({ length: records.rows }, () => '')
  for (const name of by) {
    const column = columnOf(records, name)
    const codes = numbersOf(
      encode(codingOf(columnOf(data, name), { specials: [], mostClasses: data.rows, missing: false }), column)[0],
    )
    const texts = new Map<number, string>()
    labels = labels.map((before, row) => {
      let text = texts.get(codes[row])
      if (text === undefined) {
        text = `${name} = ${valueAt(column, row) ?? '(missing)'}`
        texts.set(codes[row], text)
      }
      return before === '' ? text : `${before}, ${text}`
    })
  }
  return labels
}

const RECORDS_FOR_ANY = 10
const RECORDS_PER_VARIABLE = 10
const MOST_NAMED = 5

function requireLarge(strata: readonly Stratum[], variables: number): void {
  const least = RECORDS_FOR_ANY + RECORDS_PER_VARIABLE * variables
  const small = strata.filter(({ rows }) => rows.length < least)
  if (small.length === 0) return
  const named = small.slice(0, MOST_NAMED).map(({ label, rows }) => `${label} has ${rows.length}`)
  const more = small.length > MOST_NAMED ? ` and ${small.length - MOST_NAMED} more` : ''
  throw new UserError(
    `strata: ${count(variables, 'variable')} need at least ${least} records in a stratum, but ${named.join('; ')}${more}; merge strata or name fewer`,
  )
}

function within(label: string, random: Streams): Streams {
  return (purpose) => random(`${label}/${purpose}`)
}

function sampleStrata(
  data: Table,
  strata: readonly Stratum[],
  fitted: readonly FittedSynthesizer[],
  rows: number,
  random: Streams,
): Table {
  const stratumOf = new Int32Array(data.rows)
  strata.forEach(({ rows: own }, k) => {
    for (const row of own) stratumOf[row] = k
  })
  const draw = random('strata')
  const drawn = Int32Array.from({ length: rows }, () => stratumOf[draw.below(data.rows)])
  const sizes = new Int32Array(strata.length)
  for (const k of drawn) sizes[k]++
  const present = [...strata.keys()].filter((k) => sizes[k] > 0)
  const parts = present.map((k) => fitted[k].sample(sizes[k], within(strata[k].label, random)))
  const next = new Int32Array(strata.length)
  present.forEach((k, p) => {
    next[k] = parts.slice(0, p).reduce((sum, part) => sum + part.rows, 0)
  })
  const place = drawn.map((k) => next[k]++)
  const columns = parts[0].columns.map((_, j) => takeRows(stackColumns(parts.map((part) => part.columns[j])), place))
  return table(`${data.name} (synthetic)`, columns)
}

/** The share of the stratum times the probability there. */
function logProbability(
  data: Table,
  by: readonly string[],
  strata: readonly Stratum[],
  fitted: readonly FittedSynthesizer[],
  records: Table,
): Float64Array {
  for (const name of by)
    if (findColumn(records, name) === undefined) throw new UserError(`${records.name} has no column "${name}"`)
  const labels = labelsOf(data, by, records)
  const total = new Float64Array(records.rows).fill(Number.NEGATIVE_INFINITY)
  strata.forEach(({ label, rows }, k) => {
    const members = Int32Array.from(labels.keys()).filter((row) => labels[row] === label)
    if (members.length === 0) return
    const share = math.log(rows.length / data.rows)
    fitted[k].logProb?.(selectRows(records, members)).forEach((log, at) => {
      total[members[at]] = share + log
    })
  })
  return total
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}

function labelled(stratum: string): (described: Json) => Json {
  return (described) =>
    typeof described === 'object' && described !== null && !Array.isArray(described)
      ? { stratum, ...described }
      : described
}

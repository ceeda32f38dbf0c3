import { countIds } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { choice } from '../option-kinds.js'
import { count, grouped } from '../print.js'
import type { Stream } from '../random/stream.js'
import { addKernelNoise, densityKernel, SMOOTHINGS, smoothByRank } from '../synthesizers/methods/smoothing.js'
import { keyClasses, rowsOfPart } from '../table/classes.js'
import { categorical } from '../table/column.js'
import { roundingOf } from '../table/precision.js'
import { release } from '../table/release.js'
import { columnNames, findColumn, selectRows, type Table, table } from '../table/table.js'
import { anonymiser, nameProblems, withColumns } from './method/anonymiser.js'
import { NUMBERS, type NumberColumn } from './method/number-columns.js'
import { boundsOption, type CodedVariable, codeBounds, excludeOption } from './top-coding.js'

/**
 * What is done to a synthetic table before it is released (synthpop's `sdc`, Nowok, Raab and Dibben 2016), in this order:
 * top and bottom coding; removal of records that look like somebody; smoothing of numbers; names and a label that say
 * that the data are synthetic.
 *
 * `replicated` removes synthetic records whose keys are unique in the synthetic table and unique in the original.
 * `in-original` removes those unique in the synthetic table whose keys occur in the original at all, which are more. The
 * original is compared after the same top and bottom coding.
 *
 * Removal looks at the original: that a combination is absent tells something to who knows all other records.
 */
const options = z.object({
  remove: choice(['replicated', 'in-original', 'none'], 'replicated').describe(
    'synthetic uniques to remove: unique in the original too, occurring in the original, none',
  ),
  bounds: boundsOption
    .default({})
    .describe('top and bottom coding: {"income": [null, 9000]}, lower and upper bound, null for none'),
  exclude: excludeOption.default({}).describe('codes that neither coding nor smoothing touches: {"income": [-8]}'),
  smooth: z
    .record(z.string(), z.enum(SMOOTHINGS).exclude(['none']))
    .default({})
    .describe('numbers to smooth: {"income": "density"}, or rmean or spline, which hide no extreme'),
  prefix: z.string().default('').describe('text before every column name'),
  suffix: z.string().default('').describe('text after every column name'),
  label: z.string().default('').describe('text of an additional column that says what the table is; empty for none'),
  labelColumn: z.string().min(1).default('flag').describe('name of that column'),
})

type Options = z.output<typeof options>

type SdcDescription = {
  readonly recoded: readonly CodedVariable[]
  readonly removal: RemovalCounts | null
  readonly smoothed: readonly { readonly variable: string; readonly method: string; readonly exempt: number }[]
}

export type RemovalCounts = {
  readonly keys: readonly string[]
  /** Records of the synthetic table before. */
  readonly rows: number
  readonly uniquesInOriginal: number
  readonly uniquesInSynthetic: number
  /** Unique in the synthetic table and present in the original. */
  readonly presentInOriginal: number
  /** Unique in both. */
  readonly replicated: number
  readonly removed: number
}

export const sdc = anonymiser({
  id: 'sdc',
  title: 'Post-processing of a synthetic table',
  summary: 'Removes synthetic records that equal somebody unique, codes and smooths numbers, labels the table.',
  options,
  ofSynthetic: true,
  apply(data, roles, chosen, context) {
    const problems = optionProblems(data, chosen)
    if (problems.length > 0) throw new UserError(problems)
    const exclude = within(chosen.exclude, chosen.bounds)
    const recoded = codeBounds(data, { bounds: chosen.bounds, exclude })
    const original = context.original && codeKnown(context.original, { bounds: chosen.bounds, exclude })
    const removal = chosen.remove === 'none' ? null : removeUniques(recoded.table, original, roles.keys, chosen.remove)
    const left = removal?.table ?? recoded.table
    const blurs = Object.entries(chosen.smooth).map(([name, method]) =>
      smoothColumn(left, name, method, chosen.exclude[name] ?? [], context.random(name)),
    )
    const blurred = withColumns(
      left,
      blurs.map(({ column }) => column),
    )
    return {
      table: rename(blurred, chosen),
      description: {
        recoded: recoded.variables,
        removal: removal?.counts ?? null,
        smoothed: blurs.map(({ about }) => about),
      },
      notes: [
        ...(removal === null ? [] : removalNotes(removal.counts)),
        ...(Object.values(chosen.smooth).every((method) => method === 'density')
          ? []
          : [
              'rmean and spline move ordinary values a little and lonely extremes hardly at all: only density hides them',
            ]),
      ],
    }
  },
})

function optionProblems(
  data: Table,
  { bounds, exclude, smooth, prefix, suffix, label, labelColumn }: Options,
): string[] {
  const problems = nameProblems(data, Object.keys(smooth))
  for (const name of Object.keys(smooth)) {
    const column = findColumn(data, name)
    if (column !== undefined && !NUMBERS.accepts(column)) problems.push(`smooth: "${name}" is not numeric`)
  }
  for (const name of Object.keys(exclude))
    if (!Object.hasOwn(bounds, name) && !Object.hasOwn(smooth, name))
      problems.push(`exclude names "${name}", which is neither coded nor smoothed`)
  if (label !== '' && columnNames(data).some((name) => prefix + name + suffix === labelColumn))
    problems.push(`there is a column "${labelColumn}" already; choose another labelColumn`)
  return problems
}

function within<Value>(
  record: Readonly<Record<string, Value>>,
  names: Readonly<Record<string, unknown>>,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => Object.hasOwn(names, name)))
}

/** The original coded as the synthetic table, on the columns it has. */
function codeKnown(original: Table, { bounds, exclude }: Pick<Options, 'bounds' | 'exclude'>): Table {
  const known = Object.fromEntries(Object.entries(bounds).filter(([name]) => findColumn(original, name) !== undefined))
  return codeBounds(original, { bounds: known, exclude: within(exclude, known) }).table
}

function removeUniques(
  synthetic: Table,
  original: Table | null,
  wanted: readonly string[],
  which: 'replicated' | 'in-original',
): { readonly table: Table; readonly counts: RemovalCounts } {
  if (original === null)
    throw new UserError(
      'sdc removes synthetic records that occur in the original, so it needs both: give the synthetic table as the released one, or set remove to none',
    )
  const pair = release({ original, released: synthetic, keys: wanted, type: 'synthetic' })
  const keys = wanted.length > 0 ? wanted : pair.variables
  const classes = keyClasses(pair, keys)
  const originalIds = rowsOfPart(pair, classes, classes.ids, 'original')
  const ids = rowsOfPart(pair, classes, classes.ids, 0)
  const inOriginal = countIds(originalIds, classes.count)
  const inSynthetic = countIds(ids, classes.count)
  const unique = (row: number) => inSynthetic[ids[row]] === 1
  const rows = Array.from({ length: synthetic.rows }, (_, row) => row)
  const present = rows.filter((row) => unique(row) && inOriginal[ids[row]] > 0)
  const replicated = present.filter((row) => inOriginal[ids[row]] === 1)
  const removed = new Set(which === 'replicated' ? replicated : present)
  if (removed.size === synthetic.rows)
    throw new UserError(`every record of ${synthetic.name} would be removed; choose fewer keys`)
  return {
    table: selectRows(
      synthetic,
      rows.filter((row) => !removed.has(row)),
    ),
    counts: {
      keys,
      rows: synthetic.rows,
      uniquesInOriginal: originalIds.reduce((total, id) => total + (inOriginal[id] === 1 ? 1 : 0), 0),
      uniquesInSynthetic: rows.filter(unique).length,
      presentInOriginal: present.length,
      replicated: replicated.length,
      removed: removed.size,
    },
  }
}

function removalNotes({ rows, removed }: RemovalCounts): string[] {
  if (removed === 0) return []
  return [
    `${count(removed, 'record')} of ${grouped(rows)} removed: percentages of the release have another denominator now, and the absence of a combination tells something about the original`,
  ]
}

function smoothColumn(
  data: Table,
  name: string,
  method: Options['smooth'][string],
  exclude: readonly number[],
  random: Stream,
): { readonly column: NumberColumn; readonly about: SdcDescription['smoothed'][number] } {
  const column = findColumn(data, name)
  if (column === undefined || !NUMBERS.accepts(column)) throw new Error(`${name} has not been checked`)
  const rows = Array.from(column.values.keys()).filter(
    (row) => !Number.isNaN(column.values[row]) && !exclude.includes(column.values[row]),
  )
  const smooth = smoothed(
    column,
    Float64Array.from(rows, (row) => column.values[row]),
    method,
    random,
  )
  const values = column.values.slice()
  for (const [place, row] of rows.entries()) values[row] = smooth[place]
  return { column: { ...column, values }, about: { variable: name, method, exempt: data.rows - rows.length } }
}

function smoothed(
  column: NumberColumn,
  values: Float64Array,
  method: Options['smooth'][string],
  random: Stream,
): Float64Array {
  if (method !== 'density') return smoothByRank(values, method, roundingOf(column, values))
  const kernel = densityKernel(column, values)
  return kernel === null ? values : addKernelNoise(values, kernel, random)
}

function rename(data: Table, { prefix, suffix, label, labelColumn }: Options): Table {
  const columns = data.columns.map((column) => ({ ...column, name: prefix + column.name + suffix }))
  if (label === '') return table(data.name, columns)
  return table(data.name, [...columns, categorical(labelColumn, new Array<string>(data.rows).fill(label))])
}

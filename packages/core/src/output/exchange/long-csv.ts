import { UserError, unknownName } from '../../errors.js'
import { columnNames, findColumn, type Table } from '../../table/table.js'
import { OUTPUT_KINDS } from '../description/description.js'
import { readTerms } from './term-names.js'
import { parseGrid, printedNumber } from './text-grid.js'

/**
 * The long form of a request: one number per row, with the columns
 *
 *   output_id, kind, family, response, term, level, statistic, value, se, decimals, and one for each variable that a table is crossed by.
 *
 * `response` is also the variable that a mean or a summary is of; `term` of a correlation is "A, B". The recipe is put together
 * from the rows of an output, and its numbers are given numbers of the request.
 */
const MODEL_COLUMNS = ['family', 'response', 'term', 'level'] as const
const COLUMNS = ['output_id', 'kind', ...MODEL_COLUMNS, 'statistic', 'value', 'se', 'decimals'] as const
type Known = (typeof COLUMNS)[number]

interface LongRow {
  readonly line: number
  readonly text: (column: Known) => string
  /** Levels of the variables that are crossed; those that are blank are left out. */
  readonly cell: Readonly<Record<string, string>>
}

/** The request as its JSON form has it, to be checked as any other. */
export function requestOfLongCsv(file: string, text: string, data: Table): object {
  const [header, ...body] = parseGrid(text)
  if (header === undefined) throw new UserError(`${file} is empty`)
  const names = header.map((name) => name.trim())
  const lacking = (['output_id', 'kind', 'value'] as const).filter((name) => !names.includes(name))
  if (lacking.length > 0)
    throw new UserError(
      `${file}: there is no column "${lacking[0]}"; a request in long form needs output_id, kind and value`,
    )
  const crossed = names.filter((name) => !COLUMNS.some((known) => known === name))
  const strange = crossed.find((name) => findColumn(data, name) === undefined)
  if (strange !== undefined)
    throw new UserError(`${file}: ${unknownName('column', strange, [...COLUMNS, ...columnNames(data)])}`)
  const rows = body
    .map((cells, k) => ({ cells, line: k + 2 }))
    .filter(({ cells }) => cells.some((cell) => cell !== ''))
    .map(
      ({ cells, line }): LongRow => ({
        line,
        text: (column) => cells[names.indexOf(column)]?.trim() ?? '',
        cell: Object.fromEntries(
          crossed.flatMap((name) => {
            const level = cells[names.indexOf(name)]?.trim() ?? ''
            return level === '' ? [] : [[name, level]]
          }),
        ),
      }),
    )
  const ids = [...new Set(rows.map((row) => row.text('output_id')))]
  return {
    outputs: ids.map((id) => {
      const ofOutput = rows.filter((row) => row.text('output_id') === id)
      return outputOf(file, id, ofOutput, data)
    }),
  }
}

function outputOf(file: string, id: string, rows: readonly LongRow[], data: Table): object {
  const [first] = rows
  const kind = first.text('kind')
  const decimals = decimalsOf(rows)
  const common = { id, kind, ...(decimals === null ? {} : { decimals }) }
  const by = [...new Set(rows.flatMap(({ cell }) => Object.keys(cell)))]
  switch (kind) {
    case 'regression':
      return { ...common, ...regressionOf(file, rows, data) }
    case 'table': {
      const variable = first.text('response')
      return {
        ...common,
        by,
        statistic: first.text('statistic') || 'count',
        ...(variable === '' ? {} : { var: variable }),
        totals: rows.some(({ cell }) => Object.keys(cell).length < by.length),
        values: rows.map((row) => ({ cell: row.cell, value: numberOf(file, row, 'value') })),
      }
    }
    case 'summary':
      return {
        ...common,
        var: first.text('response'),
        by,
        statistics: [...new Set(rows.map((row) => row.text('statistic')))],
        values: rows.map((row) => ({ group: row.cell, [row.text('statistic')]: numberOf(file, row, 'value') })),
      }
    case 'correlation': {
      const pairs = rows.map((row) => row.text('term').split(/\s*,\s*/))
      return {
        ...common,
        vars: [...new Set(pairs.flat())],
        method: first.text('statistic') || 'pearson',
        values: rows.map((row, k) => ({ pair: pairs[k], value: numberOf(file, row, 'value') })),
      }
    }
    default:
      throw new UserError(`${file}, line ${first.line}: ${unknownName('kind', kind, OUTPUT_KINDS)}`)
  }
}

function regressionOf(file: string, rows: readonly LongRow[], data: Table): object {
  const coefficients = rows.filter((row) => row.text('term') !== '(model)')
  const asWritten = [...new Set(coefficients.map((row) => row.text('term')))]
  const read = readTerms(asWritten, data)
  if ('unknown' in read) {
    const line = coefficients.find((row) => row.text('term') === read.unknown)?.line
    throw new UserError(
      `${file}, line ${line}: the term "${read.unknown}" is not made of columns and levels of ${data.name}`,
    )
  }
  const values = rows.flatMap((row) => {
    const level = row.text('level')
    const written = row.text('term')
    const place = { term: read.names[asWritten.indexOf(written)] ?? written, ...(level === '' ? {} : { level }) }
    const statistic = row.text('statistic') || 'estimate'
    const se = row.text('se') === '' ? {} : { se: numberOf(file, row, 'se') }
    return [{ ...place, [statistic]: numberOf(file, row, 'value'), ...se }]
  })
  const report = [
    ...new Set(values.flatMap((value) => Object.keys(value).filter((name) => name !== 'term' && name !== 'level'))),
  ]
  const { terms, intercept } = read
  return { family: rows[0].text('family'), response: rows[0].text('response'), terms, intercept, report, values }
}

function numberOf(file: string, row: LongRow, column: 'value' | 'se'): number {
  const printed = printedNumber(row.text(column))
  if (printed === null)
    throw new UserError(`${file}, line ${row.line}: ${column} is "${row.text(column)}", which is not a number`)
  return printed.value
}

/** Printed decimals by statistic: as the column says, or as the texts have them. */
function decimalsOf(rows: readonly LongRow[]): Readonly<Record<string, number>> | null {
  const most: Record<string, number> = {}
  const add = (statistic: string, said: string, text: string) => {
    const decimals = said === '' ? printedNumber(text)?.decimals : Number(said)
    if (decimals !== undefined && Number.isInteger(decimals)) most[statistic] = Math.max(most[statistic] ?? 0, decimals)
  }
  for (const row of rows) {
    const usual =
      row.text('kind') === 'regression' ? 'estimate' : row.text('kind') === 'correlation' ? 'pearson' : 'count'
    add(row.text('statistic') || usual, row.text('decimals'), row.text('value'))
    if (row.text('se') !== '') add('se', row.text('decimals'), row.text('se'))
  }
  return Object.keys(most).length === 0 ? null : most
}

import { z } from 'zod'
import { UserError } from '../../errors.js'
import { atPath } from '../../json.js'
import { columnOf, type Table } from '../../table/table.js'
import {
  cellName,
  type Output,
  outputSchema,
  REGRESSION_FAMILIES,
  requestSchema,
  type TableStatistic,
} from '../description/description.js'
import { labelled, requestTable } from '../description/variables.js'
import { recompute } from '../numbers/recompute.js'
import { readTerms } from './term-names.js'
import { isPrintedAs, type PrintedNumber, parseGrid, printedNumber, type TextGrid } from './text-grid.js'

/**
 * A results folder of ACRO: `results.json` names for each output its type and its files. The folder has numbers, not recipes, so scrim looks
 * for the recipe: the variables from the headers, the statistic by trying which one the data give to the printed digit. What cannot be found,
 * and what has no numbers (plots, files of the researcher's own), has to be looked at by a person.
 */
export interface AcroImport {
  readonly request: { readonly outputs: readonly Output[] }
  readonly unread: readonly UnreadOutput[]
}

export const unreadSchema = z.object({
  id: z.string(),
  type: z.string(),
  files: z.array(z.string()),
  blocked: z.boolean(),
  reason: z.string(),
})

/** `blocked` are files that no environment lets out, because they hold the data that they draw. */
export type UnreadOutput = Readonly<z.output<typeof unreadSchema>>

const BLOCKED = ['.svg', '.gph']

export function importAcro(results: unknown, fileText: (name: string) => string | null, data: Table): AcroImport {
  const listed = atPath(results, ['results'])
  if (typeof listed !== 'object' || listed === null)
    throw new UserError('results.json is not one of ACRO: it has no object "results"')
  const outputs: Output[] = []
  const unread: UnreadOutput[] = []
  for (const [id, result] of Object.entries(listed)) {
    const type = String(atPath(result, ['type']) ?? 'unknown')
    const files = namesOf(result)
    const read = readResult(id, type, files, fileText, data)
    if (typeof read !== 'string') outputs.push(...read)
    else {
      const blocked = files.some((name) => BLOCKED.some((ending) => name.toLowerCase().endsWith(ending)))
      unread.push({ id, type, files, blocked, reason: blocked ? 'the file holds the data that it draws' : read })
    }
  }
  return { request: { outputs }, unread }
}

/** The outputs that a result is, or why it cannot be computed again. */
function readResult(
  id: string,
  type: string,
  files: readonly string[],
  fileText: (name: string) => string | null,
  data: Table,
): Output[] | string {
  if (type !== 'table' && type !== 'regression') return `a ${type} has no numbers that can be computed again`
  const texts = files.map((name) => (name.toLowerCase().endsWith('.csv') ? fileText(name) : null))
  const grids = texts.flatMap((text) => (text === null ? [] : [parseGrid(text)]))
  if (grids.length === 0) return 'its CSV files are not there'
  return type === 'table' ? tableOutputs(id, grids[0], data) : regressionOutputs(id, grids.flat(), data)
}

function namesOf(result: unknown): string[] {
  const files = atPath(result, ['files'])
  if (!Array.isArray(files)) return []
  return files.map((file: unknown) => atPath(file, ['name'])).filter((name) => typeof name === 'string')
}

interface PrintedCell {
  readonly cell: Readonly<Record<string, string>>
  /** Null where nothing is printed. */
  readonly number: PrintedNumber | null
}

const TOTAL = 'All'

/** A table, or why it is none; a header of statistics over variables gives one table for each column. */
function tableOutputs(id: string, grid: TextGrid, data: Table): Output[] | string {
  const [header, ...body] = grid
  if (header === undefined) return 'its file is empty'
  const index = header.findIndex((name) => data.columns.every((column) => column.name !== name))
  if (index > 0) return crossTable(id, header.slice(0, index), header.slice(index), body, data)
  const names = grid.findIndex((row, k) => k > 0 && row[0] !== '' && row.slice(1).every((cell) => cell === ''))
  if (header[0] !== '' || names < 1) return 'its header names no column of the data'
  const rows = [grid[names][0]]
  if (data.columns.every(({ name }) => name !== rows[0]))
    return `its header names "${rows[0]}", which is no column of the data`
  const columns = header.slice(1).map((_, j) => grid.slice(0, names).map((row) => row[j + 1]))
  const outputs = columns.map((labels, j) => {
    const cells = grid
      .slice(names + 1)
      .flatMap((row) =>
        row[0] === TOTAL ? [] : [{ cell: { [rows[0]]: row[0] }, number: printedNumber(row[j + 1] ?? '') }],
      )
    return recipeOf(columns.length === 1 ? id : `${id} ${labels.join(' ')}`, rows, cells, data)
  })
  const problem = outputs.find((one) => typeof one === 'string')
  return problem ?? outputs.filter((one) => typeof one !== 'string')
}

function crossTable(
  id: string,
  rows: readonly string[],
  labels: readonly string[],
  body: TextGrid,
  data: Table,
): Output[] | string {
  const named = labels.filter((label) => label !== TOTAL)
  const levelsOf = (name: string) => labelled(columnOf(data, name)).levels
  const areNumbers = named.every((label) => printedNumber(label) !== null)
  const across = data.columns
    .filter(({ name, kind }) => !rows.includes(name) && (kind === 'categorical' || areNumbers))
    .map(({ name }) => ({ name, levels: levelsOf(name) }))
    .filter(({ levels }) => named.every((label) => levels.includes(plainLevel(label, levels))))
    .sort((a, b) => a.levels.length - b.levels.length)
  const rowCell = (row: readonly string[]) =>
    Object.fromEntries(
      rows.flatMap((name, k) =>
        row[k] === TOTAL || row[k] === '' ? [] : [[name, plainLevel(row[k], levelsOf(name))]],
      ),
    )
  for (const { name, levels } of across) {
    const cells = body.flatMap((row) =>
      labels.map((label, j): PrintedCell => {
        const level = label === TOTAL ? {} : { [name]: plainLevel(label, levels) }
        return { cell: { ...rowCell(row), ...level }, number: printedNumber(row[rows.length + j] ?? '') }
      }),
    )
    const recipe = recipeOf(id, [...rows, name], cells, data)
    if (typeof recipe !== 'string') return [recipe]
  }
  if (named.length > 1 || labels.length > 1)
    return across.length === 0 ? 'no column of the data has the levels of its header' : NOT_FOUND
  const single = body.map(
    (row): PrintedCell => ({
      cell: Object.fromEntries(rows.flatMap((name, k) => (row[k] === TOTAL ? [] : [[name, row[k]]]))),
      number: printedNumber(row[rows.length] ?? ''),
    }),
  )
  const recipe = recipeOf(id, rows, single, data)
  return typeof recipe === 'string' ? recipe : [recipe]
}

/** "2010.0" for the level "2010". */
function plainLevel(label: string, levels: readonly string[]): string {
  return levels.includes(label)
    ? label
    : (levels.find((level) => label !== '' && Number(level) === Number(label)) ?? label)
}

const NOT_FOUND = 'no statistic of the data gives its numbers'
const STATISTICS: readonly TableStatistic[] = ['mean', 'sum', 'sd', 'median', 'min', 'max']

/** The statistic that gives all printed numbers; cells without a number are suppressed where the data have one. */
function recipeOf(id: string, by: readonly string[], cells: readonly PrintedCell[], data: Table): Output | string {
  const totals = cells.some(({ cell }) => Object.keys(cell).length < by.length)
  const tries: object[] = [
    { statistic: 'count' },
    ...data.columns.flatMap((column) =>
      column.kind === 'categorical' || by.includes(column.name)
        ? []
        : STATISTICS.map((statistic) => ({ statistic, var: column.name })),
    ),
  ]
  const decimals = Math.min(15, Math.max(0, ...cells.map(({ number }) => number?.decimals ?? 0)))
  for (const recipe of tries) {
    const output = outputSchema.parse({ id, kind: 'table', by, totals, decimals, ...recipe })
    const values = new Map(computedOn(output, data).map(({ element, value }) => [element, value]))
    const givenBy = ({ cell }: PrintedCell) => values.get(cellName(by, cell))
    const isSame = cells.every((cell) => {
      const value = givenBy(cell)
      return cell.number === null || (value !== undefined && isPrintedAs(value, cell.number))
    })
    if (!isSame || cells.every(({ number }) => number === null)) continue
    const hidden = cells.filter((cell) => cell.number === null && givenBy(cell) !== undefined)
    return outputSchema.parse({ ...output, suppressed: hidden.map(({ cell }) => cell) })
  }
  return NOT_FOUND
}

function computedOn(output: Output, data: Table) {
  return recompute(output, requestTable(requestSchema.parse({ outputs: [output] }), data))
}

const FAMILIES: Readonly<Record<string, string | undefined>> = { ols: 'linear', logit: 'logistic', poisson: 'poisson' }

/** A summary of statsmodels: a block of facts, then one of coefficients. */
function regressionOutputs(id: string, grid: TextGrid, data: Table): Output[] | string {
  const fact = (name: string) => {
    for (const row of grid)
      for (let k = 0; k + 1 < row.length; k += 2) if (row[k].trim() === name) return row[k + 1].trim()
    return undefined
  }
  const [response, model] = [fact('Dep. Variable:'), fact('Model:')]
  const start = grid.findIndex((row) => row[1]?.trim() === 'coef')
  if (response === undefined || model === undefined || start < 0) return 'its file is no summary of a model'
  const family = FAMILIES[model.toLowerCase()]
  if (family === undefined) return `a ${model} model is not supported; there is: ${REGRESSION_FAMILIES.join(', ')}`
  const rows = grid.slice(start + 1).filter((row) => row.length > 2 && row[0] !== '')
  const read = readTerms(
    rows.map((row) => row[0].trim()),
    data,
  )
  if ('unknown' in read) return `the term "${read.unknown}" is not made of columns and levels of the data`
  if (data.columns.every(({ name }) => name !== response)) return `"${response}" is no column of the data`
  const printed = rows.map((row) => [printedNumber(row[1]), printedNumber(row[2])] as const)
  const most = (k: 0 | 1) => Math.min(15, Math.max(0, ...printed.map((one) => one[k]?.decimals ?? 0)))
  const output = outputSchema.parse({
    id,
    kind: 'regression',
    family,
    response,
    terms: read.terms,
    intercept: read.intercept,
    report: ['estimate', 'se', 'n'],
    decimals: { estimate: most(0), se: most(1) },
  })
  const values = computedOn(output, data)
  const isSame = printed.every(([estimate], k) => {
    const estimated = values.find(({ element, statistic }) => element === read.names[k] && statistic === 'estimate')
    return estimate !== null && estimated !== undefined && isPrintedAs(estimated.value, estimate)
  })
  return isSame ? [output] : 'the data do not give its coefficients'
}

import { z } from 'zod'
import { UserError } from '../../errors.js'
import type { Context } from '../../measure.js'
import { choice } from '../../option-kinds.js'
import { parseOptions } from '../../options.js'
import { categorical, numeric } from '../../table/column.js'
import { type Table, table } from '../../table/table.js'
import {
  type Cell,
  type Output,
  type OutputRequest,
  type RequestVariable,
  variablesOf,
} from '../description/description.js'
import { outputValue, type Recomputed } from '../description/value.js'
import { categoriesOf } from '../description/variables.js'
import { type GivenValue, givenValues, unaskedProblems } from '../numbers/given-values.js'
import { recomputed } from '../numbers/recompute.js'
import { SCALES } from './aims/aims.js'
import { type Fidelity, fidelityOf } from './aims/fidelity.js'
import { type EmbedControl, type EmbedState, embed, embedOptions } from './embed.js'
import { drawStart } from './knowledge.js'
import { type CodedTable, decoded } from './records/coded-records.js'
import { isReproduced } from './records/statistic.js'
import { aimsOf, knowledgeWith, setUp } from './setup.js'

/**
 * Records that give published outputs, made from what is printed and nothing else: the numbers, the number of records, and
 * levels and ranges of the variables. Where nothing else is known of a variable its values are equally likely at the start.
 * No value is missing. A percentage is of all records, or of a count that is printed too; one of an unknown total is left out.
 */
export const embedOutputsOptions = z.object({
  scale: choice(SCALES, 'joint').describe('what differences are divided by in the search'),
  ...embedOptions.shape,
})

export interface EmbeddedOutputs {
  readonly records: Table
  /** How many are printed. */
  readonly numbers: number
  /** Those that the records do not give to the last printed digit. */
  readonly off: readonly (Fidelity['elements'][number] & { readonly output: string })[]
  readonly ended: EmbedState['ended']
  /** What could not be aimed at. */
  readonly notes: readonly string[]
}

export async function embedOutputs(
  request: OutputRequest,
  asked: z.input<typeof embedOutputsOptions>,
  context: Context,
  control: Pick<EmbedControl, 'isTimeUp' | 'watch'> = {},
): Promise<EmbeddedOutputs> {
  const options = parseOptions('embed', embedOutputsOptions, asked)
  const tables = Array.isArray(request.knowledge) ? request.knowledge : []
  const { n, variables } = described(request, [...request.outputs, ...tables])
  const setup = setUp({ ...request, knowledge: 'none' }, variables, undefined, tables)
  const coded = setup.whole.variables
  checkValues([...request.outputs, ...tables], {
    variables: coded,
    codes: drawStart(coded, setup.knowledge, ANY_RECORDS, context.random('embed/any')),
    rows: ANY_RECORDS,
  })

  const counts = printedCounts([...request.outputs, ...tables], n)
  const [published, known] = [request.outputs, tables].map((outputs) =>
    outputs.map((output) => publishedNumbers(output, n, counts)),
  )
  const aims = aimsOf(
    [...setup.outputs, ...setup.released],
    [...published, ...known].map(({ aimed }) => aimed),
    options.scale,
  )
  const start = knowledgeWith(
    setup,
    aimsOf(
      setup.released,
      known.map(({ aimed }) => aimed),
      options.scale,
    ),
    n,
  )
  const [state] = await embed(
    { variables: coded, options },
    [
      {
        rows: n,
        aims,
        knowledge: options.engine === 'direct' ? knowledgeWith(setup, aims, n) : start,
        seed: context.seed,
        run: 'output/embed',
        snapshots: false,
      },
    ],
    { ...control, tasks: context.tasks, signal: context.signal },
  )
  const outputs = await fidelityOf(
    coded,
    request.outputs,
    published.map(({ all }) => all),
    [state.codes],
    context.tasks,
  )
  return {
    records: simulatedRecords({ variables: coded, codes: state.codes, rows: n }),
    numbers: outputs.reduce((total, { elements }) => total + elements.length, 0),
    off: outputs.flatMap(({ output, elements }) =>
      elements
        .filter(({ mean, published, precision }) => mean === null || !isReproduced(mean, published, precision))
        .map((element) => ({ output, ...element })),
    ),
    ended: state.ended,
    notes: [...setup.outputs.flatMap(({ left }) => left), ...published.flatMap(({ left }) => left)],
  }
}

/** Embedded records as a file. Nobody may take them for people. */
export function simulatedRecords(records: CodedTable): Table {
  const { name, columns, rows } = decoded('embedded', records)
  const mark = Array.from({ length: rows }, () => 'simulated from outputs')
  return table(name, [...columns, categorical('scrim_record', mark)])
}

/** The variables that outputs use, as the request describes them, without a record; everything that it leaves open is reported. */
function described(
  request: OutputRequest,
  outputs: readonly Output[],
): { readonly n: number; readonly variables: Table } {
  const used = [...new Set(outputs.flatMap((output) => variablesOf(output)))]
  const unknown = used.filter((name) => request.variables.every((variable) => variable.name !== name))
  const categories = categoriesOf(request)
  const missing = [
    ...(request.n === undefined || request.n === 0 ? ['"n", the number of records'] : []),
    ...unknown.map((name) => `variable "${name}" with its type and its levels or range`),
    ...request.variables.flatMap((variable) => {
      const fields = missingFields(variable, categories.has(variable.name))
      return fields.length === 0 ? [] : [`${fields.join(' and ')} of variable "${variable.name}"`]
    }),
    ...outputs.flatMap((output) =>
      output.values === undefined || output.values.length === 0
        ? [`the printed "values" of output "${output.id}"`]
        : [],
    ),
  ]
  if (missing.length > 0)
    throw new UserError(`the request does not say all that is needed without the data; missing: ${missing.join('; ')}`)
  const columns = request.variables.map(({ name, type, levels }) =>
    type === 'categorical' ? categorical(name, [], { levels: levels ?? [] }) : numeric(name, []),
  )
  return { n: request.n ?? 0, variables: table('the request', columns) }
}

function missingFields({ type, levels, min, max, decimals }: RequestVariable, isCategory: boolean): string[] {
  if (isCategory && type !== 'categorical') return ['"type": "categorical"', '"levels"']
  if (type === 'categorical') return levels === undefined || levels.length === 0 ? ['"levels"'] : []
  return [
    ...(min === undefined ? ['"min"'] : []),
    ...(max === undefined ? ['"max"'] : []),
    ...(type === 'numeric' && decimals === undefined ? ['"decimals"'] : []),
  ]
}

const ANY_RECORDS = 500

/** Every number must be one that some records have: any records show which ones an output has. */
function checkValues(outputs: readonly Output[], records: CodedTable): void {
  const anybody = decoded('any records', records)
  const problems = outputs.flatMap((output) => unaskedProblems(output, recomputed(output, anybody)))
  if (problems.length > 0) throw new UserError(problems)
}

interface Published {
  readonly all: Recomputed
  /** Without what no total is known of. */
  readonly aimed: Recomputed
  readonly left: readonly string[]
}

/** The numbers of an output as they were printed. */
function publishedNumbers(output: Output, n: number, counts: ReadonlyMap<string, number>): Published {
  const values = givenValues(output)
  const numbers = values.map((value) => {
    const total = value.statistic === 'percentage' ? totalOf(output, value, counts) : n
    const error = total === undefined ? null : standardError(value, values, total)
    return {
      isAimed: total !== undefined,
      number: outputValue(output, value.element, value.statistic, value.value, error),
    }
  })
  const asRecomputed = (chosen: typeof numbers): Recomputed => ({
    values: chosen.map(({ number }) => number),
    dropped: [],
    flags: [],
    records: n,
    degreesOfFreedom: null,
  })
  const aimed = numbers.filter(({ isAimed }) => isAimed)
  const lost = numbers.length - aimed.length
  return {
    all: asRecomputed(numbers),
    aimed: asRecomputed(aimed),
    left:
      lost === 0
        ? []
        : [`output "${output.id}": ${lost} percentages are of totals that no output prints, and are not aimed at`],
  }
}

/** As precisely as outputs say: from what is printed beside a number, else what counts and shares have by themselves. */
function standardError(
  { element, statistic, value }: GivenValue,
  beside: readonly GivenValue[],
  n: number,
): number | null {
  const find = (name: string) => beside.find((other) => other.element === element && other.statistic === name)?.value
  switch (statistic) {
    case 'estimate':
      return find('se') ?? null
    case 'ratio': {
      const error = find('se')
      return error === undefined ? null : error * value
    }
    case 'count':
    case 'n':
      return Math.sqrt(Math.max(0, value) + 1)
    case 'percentage': {
      const share = value / 100
      return 100 * Math.sqrt((Math.max(0, share * (1 - share)) + 1 / n) / n)
    }
    case 'mean': {
      const sd = find('sd')
      return sd === undefined ? null : sd / Math.sqrt(Math.max(1, find('n') ?? n))
    }
    case 'pearson':
    case 'spearman':
      return (1 - value * value) / Math.sqrt(n)
  }
  return null
}

/** How many records have some levels, by `keyOf`, as far as tables of counts of all records print it. */
function printedCounts(outputs: readonly Output[], n: number): Map<string, number> {
  const counts = new Map([[keyOf({}), n]])
  for (const output of outputs)
    if (output.kind === 'table' && output.statistic === 'count' && isOfAll(output) && output.rounding === undefined)
      for (const { cell, value } of output.values ?? []) counts.set(keyOf(cell), value)
  return counts
}

const keyOf = (cell: Cell) => JSON.stringify(Object.entries(cell).sort(([a], [b]) => (a < b ? -1 : 1)))

const isOfAll = ({ filter, weights }: Output) => filter === null && weights === null

/** The records that a percentage is of; undefined where no output prints how many they are. */
function totalOf(output: Output, value: GivenValue, counts: ReadonlyMap<string, number>): number | undefined {
  if (output.kind !== 'table' || !isOfAll(output)) return undefined
  const { cell } = (output.values ?? [])[givenValues(output).findIndex(({ element }) => element === value.element)]
  return counts.get(keyOf(Object.fromEntries(Object.entries(cell).filter(([name]) => output.within.includes(name)))))
}

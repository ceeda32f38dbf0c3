import { UserError } from '../../errors.js'
import { atPath } from '../../json.js'
import { type Output, outputSchema } from '../description/description.js'
import type { OutputValue } from '../description/value.js'
import type { Appetite } from '../rules/appetite.js'
import { below, type Finding, people, smallStatus } from '../rules/finding.js'

/** An output that has left already, with the numbers it had. */
export interface EarlierOutput {
  /** File that tells of it. */
  readonly source: string
  readonly output: Output
  readonly values: readonly Pick<OutputValue, 'element' | 'statistic' | 'value'>[]
}

/** Outputs of an earlier check (what it wrote as JSON) that were not refused. */
export function parseEarlier(file: string, value: unknown): EarlierOutput[] {
  const outputs = atPath(value, ['outputs'])
  if (!Array.isArray(outputs))
    throw new UserError(`${file} is not the result of a check of outputs: it has no list of outputs`)
  return outputs.flatMap((checked: unknown) => {
    const description = outputSchema.safeParse(atPath(checked, ['description']))
    const values = atPath(checked, ['values'])
    if (!description.success || !Array.isArray(values))
      throw new UserError(`${file} is not the result of a check of outputs: an output has no description or no values`)
    if (atPath(checked, ['verdict']) === 'refuse') return []
    return [{ source: file, output: description.data, values: values.flatMap(numberOf) }]
  })
}

function numberOf(number: unknown): Pick<OutputValue, 'element' | 'statistic' | 'value'>[] {
  const [element, statistic, value] = ['element', 'statistic', 'value'].map((name) => atPath(number, [name]))
  return typeof element === 'string' && typeof statistic === 'string' && typeof value === 'number'
    ? [{ element, statistic, value }]
    : []
}

/** Whether an output was released before: not, with the same numbers, or with others. */
export const CHANGES = ['new', 'unchanged', 'changed'] as const
type Change = (typeof CHANGES)[number]

/** The earlier output with the same recipe, if there is one. */
export function sameBefore(output: Output, earlier: readonly EarlierOutput[]): EarlierOutput | undefined {
  const wanted = recipe(output)
  return earlier.find((one) => recipe(one.output) === wanted)
}

/** Everything that makes the numbers, in the order of the schema; not what it is called, nor how many digits are printed. */
function recipe(output: Output): string {
  const { id: _, title: __, decimals: ___, values: ____, ...rest } = output
  return JSON.stringify(rest)
}

export function changeOf(values: readonly OutputValue[], before: EarlierOutput | undefined): Change {
  if (before === undefined) return 'new'
  const isSame = before.values.every((value) => {
    const before = values.find(({ element, statistic }) => element === value.element && statistic === value.statistic)
    return before !== undefined && Math.abs(before.value - value.value) <= before.precision
  })
  return isSame ? 'unchanged' : 'changed'
}

/** Counts that have moved by less than the threshold since they were released: the difference is about those who came or went. */
export function smallUpdates(
  output: Output,
  values: readonly OutputValue[],
  before: EarlierOutput | undefined,
  { threshold }: Appetite,
): Finding[] {
  if (before === undefined) return []
  return values.flatMap(({ element, statistic, value }) => {
    if (statistic !== 'count' && statistic !== 'n') return []
    const old = before.values.find((one) => one.element === element && one.statistic === statistic)
    const moved = old === undefined ? 0 : Math.abs(value - old.value)
    if (moved === 0 || moved >= threshold) return []
    const what = `${element} has changed by ${people(moved)} since ${before.source}`
    const finding = below('update', smallStatus(moved), output.id, element, what, moved, threshold)
    return [{ ...finding, others: [before.output.id], earlier: true }]
  })
}

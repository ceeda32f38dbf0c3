import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { inline } from '../../tasks/task.js'
import { LOGISTIC, survey } from '../../testing/scenes/survey.js'
import { requestSchema } from '../description/description.js'
import { requestTable } from '../description/variables.js'
import { recompute } from '../numbers/recompute.js'
import { embedOutputs } from './from-outputs.js'

const context = {
  seed: 1,
  random: (purpose: string, k?: number) => stream(1, purpose, k),
  progress: () => {},
  signal: undefined,
  tasks: inline,
}

const N = 300
const data = survey(N)
const VARIABLES = [
  { name: 'age', type: 'integer', min: 18, max: 77 },
  { name: 'income', type: 'integer', min: 10, max: 30 },
  { name: 'sex', type: 'categorical', levels: ['f', 'm'] },
  { name: 'area', type: 'categorical', levels: ['a', 'b', 'c'] },
  { name: 'ill', type: 'categorical', levels: ['no', 'yes'] },
]

/** What is printed of these people, and nothing of the people. */
function printed(outputs: readonly object[]) {
  const described = requestSchema.parse({ variables: VARIABLES, outputs })
  const own = requestTable(described, data)
  const withValues = described.outputs.map((output) => {
    const values = recompute(output, own).map(({ element, statistic, value, decimals }) => {
      const number = Number(value.toFixed(decimals))
      const cell = Object.fromEntries(element.split(', ').map((part) => part.split('=')))
      if (output.kind === 'table') return { cell, value: number }
      if (output.kind === 'summary') return { group: cell, [statistic]: number }
      return { term: element, [statistic]: number }
    })
    return { ...output, values }
  })
  return requestSchema.parse({ n: N, variables: VARIABLES, outputs: withValues })
}

const MEANS = { id: 's', kind: 'summary', var: 'income', by: ['area'], statistics: ['mean', 'sd'], decimals: 1 }
const COUNTS = { id: 't', kind: 'table', by: ['sex', 'ill'] }

describe('records from outputs alone', () => {
  it('give every printed number of a model, a table and a summary, and say that they are simulated', async () => {
    const { records, numbers, off } = await embedOutputs(printed([LOGISTIC, COUNTS, MEANS]), {}, context)
    expect([records.rows, numbers, off]).toEqual([N, 5 + 4 + 6, []])
    expect(records.columns.map(({ name }) => name)).toEqual(['ill', 'age', 'sex', 'area', 'income', 'scrim_record'])
    expect(records.columns.at(-1)).toMatchObject({ levels: ['simulated from outputs'] })
  })

  it('take percentages of all, and of totals that another table prints; others are told', async () => {
    const shares = { id: 'p', kind: 'table', by: ['sex', 'ill'], statistic: 'percentage', within: ['sex'] }
    const sexes = { id: 'n', kind: 'table', by: ['sex'] }
    const known = await embedOutputs(printed([sexes, shares]), {}, context)
    expect([known.off, known.notes]).toEqual([[], []])
    const unknown = await embedOutputs(printed([shares]), { proposals: 0 }, context)
    expect(unknown.notes).toEqual([
      'output "p": 4 percentages are of totals that no output prints, and are not aimed at',
    ])
  })

  it('say what they cannot reproduce', async () => {
    const request = printed([COUNTS])
    const { off, numbers } = await embedOutputs({ ...request, n: N - 10 }, { proposals: 5000 }, context)
    expect(numbers).toBe(4)
    expect(off.length).toBeGreaterThan(0)
    expect(off[0]).toMatchObject({ output: 't', statistic: 'count' })
  })

  it.each([
    [{ n: undefined }, 'missing: "n", the number of records'],
    [{ variables: [] }, 'variable "sex" with its type and its levels or range; variable "ill" with'],
    [{ variables: [{ name: 'sex', type: 'categorical' }] }, '"levels" of variable "sex"'],
    [
      { variables: [{ name: 'ill', type: 'integer', min: 0, max: 1 }] },
      '"type": "categorical" and "levels" of variable "ill"',
    ],
    [{ variables: [{ name: 'age', type: 'numeric' }] }, '"min" and "max" and "decimals" of variable "age"'],
    [{ outputs: [{ ...COUNTS, values: undefined }] }, 'the printed "values" of output "t"'],
    [
      { outputs: [{ ...COUNTS, values: [{ cell: { sex: 'x', ill: 'no' }, value: 1 }] }] },
      'output "t": sex=x, ill=no count is given, but the description does not ask for it',
    ],
  ])('need %j', async (change, sentence) => {
    const request = requestSchema.parse({ ...printed([COUNTS]), ...change })
    await expect(embedOutputs(request, {}, context)).rejects.toThrow(sentence)
  })
})

import { join } from 'node:path'
import {
  categorical,
  classModel,
  classProbabilities,
  columnNames,
  csvChunks,
  type Learner,
  numberModel,
  numeric,
  type OwnAttackers,
  predictedNumbers,
  type Response,
  readTable,
  type Table,
  table,
  UserError,
  z,
} from '@scrim/core'
import type { Io } from '../io.js'
import { COMMAND_PREFIX, inFolder, LARGEST_SEED, runTemplate, templateProblems } from './external-synthesizer.js'
import { readBytes } from './files.js'
import { writeOutput } from './outputs.js'

/**
 * Attackers that are not scrim's, where options name them: `command:...` reads a file to learn from and one to predict, and
 * writes its predictions; `file:NAME` has been asked before, about every record of the original.
 */
const FILE_PREFIX = 'file:'
const PLACEHOLDERS = ['train', 'test', 'out', 'seed']
const noOptions = z.object({})

/** All that the options name, whatever measure they are of. */
export async function externalAttackers(
  options: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<OwnAttackers | undefined> {
  const named = attackersNamed(options).filter((id) => id.startsWith(COMMAND_PREFIX) || id.startsWith(FILE_PREFIX))
  if (named.length === 0) return undefined
  const ofMeasure: Record<string, object> = {}
  for (const id of named) {
    const rest = id.slice(id.indexOf(':') + 1).trim()
    ofMeasure[id] = id.startsWith(COMMAND_PREFIX)
      ? commandAttacker(id, rest, io)
      : await readTable(rest, readBytes(rest, io))
  }
  return ofMeasure
}

/** The lists `attackers` of all measures. */
export function attackersNamed(options: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.values(options).flatMap((own) => {
    const list = typeof own === 'object' && own !== null && 'attackers' in own ? own.attackers : []
    return [list].flat().filter((id): id is string => typeof id === 'string')
  })
}

function commandAttacker(id: string, template: string, io: Io): Learner<typeof noOptions> {
  const problems = templateProblems('attackers', template, PLACEHOLDERS)
  if (problems.length > 0) throw new UserError(problems)
  return {
    id,
    title: 'External command',
    responses: ['classes', 'numbers'],
    options: noOptions,
    fit: async (features, response, _options, context) => {
      const seed = String(context.random('command').below(LARGEST_SEED))
      const training = withTarget(features, response)
      const asked = (people: Table) =>
        inFolder(async (folder) => {
          const files = {
            train: join(folder, 'train.csv'),
            test: join(folder, 'test.csv'),
            out: join(folder, 'predictions.csv'),
          }
          writeOutput(files.train, csvChunks(training), io)
          writeOutput(files.test, csvChunks(people), io)
          await runTemplate(template, files, { seed }, io)
          const said = await readTable('what the command predicted', readBytes(files.out, io))
          if (said.rows !== people.rows)
            throw new UserError(`the command predicted ${said.rows} records, and {test} has ${people.rows}`)
          return said
        })
      const about = { importance: features.columns.map(({ name }) => ({ name, value: 0 })), notes: [template] }
      return response.kind === 'numbers'
        ? { ...numberModel(id, async (people) => predictedNumbers(await asked(people))), ...about }
        : {
            ...classModel(response.levels.length, async (people) =>
              classProbabilities(await asked(people), response.levels),
            ),
            ...about,
          }
    },
  }
}

/** The keys with the target behind them, under a name that no key has. */
function withTarget(features: Table, response: Response): Table {
  const names = columnNames(features)
  let name = 'target'
  while (names.includes(name)) name = `_${name}`
  const column =
    response.kind === 'numbers'
      ? numeric(name, response.values)
      : categorical(
          name,
          Array.from(response.codes, (code) => response.levels[code]),
          { levels: response.levels },
        )
  return table('train', [...features.columns, column])
}

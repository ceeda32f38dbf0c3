import { randomInt } from 'node:crypto'
import {
  type Anonymisation,
  type Anonymiser,
  anonymise,
  anonymisers,
  count,
  findAnonymiser,
  grouped,
  optionsOf,
  percent,
  readingIn,
  type Table,
  UserError,
  withCodebookOf,
} from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { readFiles, STANDARD } from '../../files/files.js'
import { inputsOf } from '../../files/load-case.js'
import { checkOutputs, writeOutput } from '../../files/outputs.js'
import { tableReader } from '../../files/reader.js'
import { checkColumnNames, checkTableFile, TABLE_FILE, writeTable } from '../../files/table-file.js'
import type { Io } from '../../io.js'
import type { Arguments, Flags } from '../../options/arguments.js'
import { CONFIG_FLAGS, READING_FLAGS, RELEASE_FLAGS } from '../../options/case-flags.js'
import { type Asked, readCase } from '../../options/config.js'
import { measureOptions } from '../../options/set-options.js'
import { DRAWN_SEED_FLAG, METHOD_OPTION_FLAG, REPORT_FLAG } from '../../options/usual-flags.js'
import { progressLine } from '../../printing/progress.js'
import { textTable, wrap } from '../../printing/text-table.js'

const { keys, 'numeric-keys': numericKeys, weight, household } = RELEASE_FLAGS
const COLUMN_FLAGS: Flags = {
  keys,
  'numeric-keys': numericKeys,
  weight,
  household,
  ...READING_FLAGS,
}

const METHODS = anonymisers.map(({ id }) => id)

export const anonymiseCommand: Command = {
  usage: 'ORIGINAL -o FILE --method NAME [--keys a,b] [--set option=value]...',
  writesCsv: true,
  flags: {
    out: { group: 'writing', value: 'FILE', short: 'o', help: TABLE_FILE },
    method: { value: 'NAME', values: METHODS, help: METHODS.join(', ') },
    list: { help: 'show all methods with their options and defaults' },
    ...COLUMN_FLAGS,
    released: { value: 'FILE', help: 'sdc: the synthetic file to prepare; ORIGINAL is what it was made from' },
    set: METHOD_OPTION_FLAG,
    seed: DRAWN_SEED_FLAG,
    report: REPORT_FLAG,
    ...CONFIG_FLAGS,
  },
  notes: [
    'Row i of the file that is written derives from row i of ORIGINAL (--type perturbed for scrim assess), except with sdc, which removes rows of a synthetic file.',
    'The JSON report has everything: transition matrices of pram, suppressions per key, sizes of groups. It is for you: it has the seed, and who knows the seed can undo what was drawn. The seed is never written into the masked file.',
  ],
  examples: [
    'scrim anonymise survey.csv -o masked.csv --method pram --keys sex,region --report pram.json',
    'scrim anonymise survey.csv -o masked.csv --method local-suppression --keys sex,age,region --set k=3',
    `scrim anonymise survey.csv -o masked.csv --method recode --set 'groups.age=fixed:0|18|65|99'`,
    'scrim anonymise survey.csv --released synthetic.csv -o safe.csv --method sdc --set label=SYNTHETIC',
  ],
  run,
}

async function run(args: Arguments, io: Io): Promise<number> {
  if (args.has('list')) {
    io.out(anonymisers.map((anonymiser) => methodText(anonymiser, io.columns)).join('\n'))
    return EXIT.ok
  }
  const { original, released, out, anonymiser } = whatToDo(args)
  checkTableFile(out)
  const asked = readCase(args, io)
  const options =
    measureOptions(args, asked, {
      at: (path) => [anonymiser.id, ...path],
      schema: () => anonymiser.options,
    })[anonymiser.id] ?? {}
  const report = args.text('report')
  const files = released === undefined ? [original] : [original, released]
  checkOutputs(
    {
      files: report === undefined ? [out] : [out, report],
      inputs: inputsOf({ ...args, positionals: files }, asked),
    },
    io,
  )

  const progress = progressLine(io)
  progress.show(`reading ${original}`)
  const tables = await readTables(files, asked, io)
  checkColumnNames(out, tables[tables.length - 1])
  const seed = asked.seed ?? randomInt(LARGEST_RANDOM_SEED)
  const made = anonymise(anonymiser, tables[tables.length - 1], {
    seed,
    options,
    original: released === undefined ? undefined : tables[0],
    roles: rolesOf(asked),
    progress: (done, total) => progress.show(`${anonymiser.id}: ${done} of ${total}`, done / total),
  })
  progress.show(`writing ${out}`)
  writeTable(out, withCodebookOf(tables[0], made.table), io)
  progress.clear()
  const about: Report = { original: released ?? original, out, anonymiser, seed, made }
  if (report !== undefined) writeOutput(report, report.endsWith('.json') ? json(about) : screen(about, io.columns), io)
  else if (out !== STANDARD) io.out(screen(about, io.columns))
  return EXIT.ok
}

/** Wide enough that nobody tries them all. */
const LARGEST_RANDOM_SEED = 2 ** 47

function whatToDo(args: Arguments) {
  const [original, ...rest] = args.positionals
  if (original === undefined) throw new UserError(`no file given; usage: scrim anonymise ${anonymiseCommand.usage}`)
  if (rest.length > 0) throw new UserError(`unexpected argument "${rest[0]}"; the file to write is named by -o`)
  const out = args.text('out')
  if (out === undefined) throw new UserError('-o is missing: the file to write, or - for stdout')
  const method = args.text('method')
  if (method === undefined)
    throw new UserError(`--method is missing; there is: ${anonymisers.map(({ id }) => id).join(', ')}`)
  const anonymiser = findAnonymiser(method)
  const released = args.text('released')
  if (released !== undefined && anonymiser.ofSynthetic !== true)
    throw new UserError(`--released is for sdc only; ${anonymiser.id} masks ORIGINAL`)
  return { original, released, out, anonymiser }
}

function rolesOf({ keys, numericKeys, weight, household }: Asked) {
  return { keys, numericKeys, weight: weight ?? null, household: household ?? null }
}

async function readTables(names: readonly string[], asked: Asked, io: Io): Promise<Table[]> {
  const reader = tableReader()
  const tables: Table[] = []
  try {
    for (const file of readFiles(names, io, asked.maxSize)) tables.push(await reader.read(file, readingIn(asked)))
  } finally {
    await reader.close()
  }
  return tables
}

interface Report {
  readonly original: string
  readonly out: string
  readonly anonymiser: Anonymiser
  readonly seed: number
  readonly made: Anonymisation
}

function json({ original, out, seed, made }: Report): string {
  const { table: _, ...about } = made
  return `${JSON.stringify({ original, file: out === STANDARD ? null : out, seed, ...about }, null, 2)}\n`
}

function screen({ original, out, anonymiser, seed, made }: Report, width: number): string {
  const { table, removed, changed, notes } = made
  const what = removed === 0 ? count(table.rows, 'record') : `${count(table.rows, 'record')}, ${removed} removed`
  const rows = (changed ?? []).map(({ column, cells, suppressed }) => [
    column,
    grouped(cells),
    percent(cells / table.rows),
    grouped(suppressed),
  ])
  return [
    ...wrap(`${anonymiser.title} of ${original}: ${what}, written to ${out === STANDARD ? 'stdout' : out}`, width),
    '',
    ...(rows.length === 0
      ? []
      : [
          textTable(
            [
              { title: 'column' },
              { title: 'cells changed', align: 'right' },
              { title: 'share', align: 'right' },
              { title: 'now missing', align: 'right' },
            ],
            rows,
            width,
          ),
        ]),
    ...notes.flatMap((note) => wrap(`note: ${note}`, width)),
    ...wrap(`Seed ${seed}: keep it to yourself, it is in no file but this report.`, width),
    '',
  ].join('\n')
}

function methodText(anonymiser: Anonymiser, width: number): string {
  const options = optionsOf(anonymiser).map((option) => [
    option.name,
    JSON.stringify(option.default),
    option.description,
  ])
  const columns = [{ title: 'option' }, { title: 'default' }, { title: 'meaning', fold: true }]
  return [
    ...wrap(`${anonymiser.title} (${anonymiser.id}): ${anonymiser.summary}`, width),
    '',
    textTable(columns, options, width),
  ].join('\n')
}

import { ENGINES, isInstalled } from '@scrim/engines'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { textTable } from '../../printing/text-table.js'

export const enginesCommand: Command = {
  usage: '',
  flags: {},
  writes: false,
  notes: [
    'A table that an engine holds is named where a file would be; a command with --engine can be given files of this machine too. The answer is the same as for a file with the same records.',
    'What an engine needs is installed beside scrim, or in a folder that NODE_PATH names. Passwords come from where the engine’s own programs take them: PGPASSWORD, ~/.pgpass, SPARK_CONNECT_AUTHENTICATE_TOKEN.',
  ],
  examples: [
    'scrim assess census.parquet release.parquet --keys sex,age --engine duckdb --memory 4GB',
    'scrim assess census.people release.csv --keys sex,age --engine postgresql://reader@db.example/census',
    'scrim assess lake.people /lake/release --keys sex,age --engine sc://spark.example:15002',
  ],
  async run(_, io) {
    const columns = [
      { title: 'engine' },
      { title: '--engine' },
      { title: 'here' },
      { title: 'what it reads', fold: true },
    ]
    const rows = ENGINES.map(({ title, address, holds, needs }) => [title, address, stateOf(needs), holds])
    io.out(textTable(columns, rows, io.columns))
    const missing = ENGINES.flatMap(({ title, needs }) =>
      needs === undefined || isInstalled(needs) ? [] : [`${title}: npm install ${needs}`],
    )
    if (missing.length > 0) io.out(`\nTo get the rest, beside scrim:\n${missing.map((line) => `  ${line}\n`).join('')}`)
    return EXIT.ok
  },
}

/** Spark runs elsewhere, and nothing is needed here to speak with it. */
function stateOf(needs: string | undefined): string {
  if (needs === undefined) return 'built in'
  return isInstalled(needs) ? 'installed' : 'missing'
}

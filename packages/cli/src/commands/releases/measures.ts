import { type AnyMeasure, measures, optionsOf } from '@scrim/core'
import type { Command } from '../../command.js'
import { EXIT } from '../../exit.js'
import { textTable } from '../../printing/text-table.js'

export const measuresCommand: Command = {
  usage: '[--json]',
  flags: { json: { prints: true, help: 'as JSON, with the options of each measure and their defaults' } },
  writes: false,
  notes: ['The options of one measure are listed by scrim help MEASURE, for example scrim help k-anonymity.'],
  examples: ['scrim measures', 'scrim measures --json', 'scrim help k-anonymity'],
  async run(args, io) {
    if (args.has('json')) io.data(`${JSON.stringify(measures.map(declaration), null, 2)}\n`)
    else io.out(listing(io.columns))
    return EXIT.ok
  },
}

function declaration(measure: AnyMeasure) {
  const { id, version, title, summary, family, threat, role, orientation, scope, unit, needs, thresholds } = measure
  return {
    id,
    version,
    title,
    summary,
    family,
    threat,
    role,
    orientation,
    scope,
    unit,
    needs,
    thresholds,
    options: optionsOf(measure),
  }
}

const ROOM_FOR_NEEDS = 72

function listing(width: number): string {
  const columns = [
    { title: 'measure' },
    { title: 'needs', spare: width < ROOM_FOR_NEEDS },
    { title: 'what it says', fold: true },
    { title: 'role', spare: true },
    { title: 'threat', spare: true },
    { title: 'family', spare: true },
  ]
  const rows = measures.map(({ id, family, threat, role, needs, summary }) => [
    id,
    needs.join(', ') || 'nothing',
    summary,
    role,
    threat ?? '-',
    family,
  ])
  return textTable(columns, rows, width)
}

import {
  checkRequest,
  type FileRow,
  type OutputCheck,
  type OutputsView,
  outputsView,
  parseEarlier,
  parseRequest,
  requestOfLongCsv,
  UserError,
} from '@scrim/core'
import { readSource } from './project.js'
import type { OutputsQuestion, SourceFile } from './protocol.js'
import { sha256 } from './sha256.js'

/** What a check found, as its worker keeps it. */
export interface CheckedOutputs {
  readonly check: OutputCheck
  readonly files: readonly FileRow[]
  readonly view: OutputsView
}

/** A request by the rules for output checking, alone, together and with what was released before. */
export async function checkOutputs(asked: OutputsQuestion): Promise<CheckedOutputs> {
  const { request: file, data: source, types, earlier, preset } = asked
  const started = performance.now()
  const { table, sha256: hash } = await readSource(source, types)
  const bytes = new Uint8Array(await file.content.arrayBuffer())
  const text = new TextDecoder().decode(bytes)
  const value = file.name.toLowerCase().endsWith('.csv')
    ? requestOfLongCsv(file.name, text, table)
    : parsedJson(file.name, text)
  const request = parseRequest(file.name, value)
  const before = await Promise.all(
    earlier.map(async ({ name, content }) => parseEarlier(name, parsedJson(name, await content.text()))),
  )
  const { check } = checkRequest(request, table, { preset, earlier: before.flat() })
  const files: FileRow[] = [
    { role: 'data', name: source.name, rows: table.rows, columns: table.columns.length, sha256: hash },
    { role: 'request', name: file.name, rows: request.outputs.length, columns: 0, sha256: sha256(bytes) },
  ]
  const provenance = {
    version: SCRIM_VERSION,
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    command: commandOf(file, source, preset),
    files,
    seconds: (performance.now() - started) / 1000,
  }
  return { check, files, view: outputsView(check, provenance, 1) }
}

/** As the command line writes it, to be handed to a later check. */
export function outputsJson({ check, files }: CheckedOutputs): string {
  return `${JSON.stringify({ scrim: SCRIM_VERSION, ...check, outputRisk: null, files }, null, 2)}\n`
}

function commandOf(request: SourceFile, data: SourceFile, preset: string): string {
  return `scrim outputs check ${request.name} --data ${data.name} --preset ${preset} --rules-only`
}

function parsedJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UserError(`${name} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

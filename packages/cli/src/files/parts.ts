import { type AnyMeasure, type JsonObject, jsonOf, type Result, UserError } from '@scrim/core'
import type { Io } from '../io.js'
import { version } from '../version.js'
import { fileExists, readFiles } from './files.js'

/**
 * Results of some measures of a run, which others run the rest of. A part is named after everything that its numbers depend on, so that
 * parts of other files, another config or another version are never put together. Aggregates only, never scores of records.
 */
export interface Part {
  readonly part: number
  readonly of: number
  readonly run: string
  readonly results: readonly Result[]
}

/** `2/5`: the second of five. */
export function partNumbers(text: string): { readonly part: number; readonly of: number } {
  const [, part, of] = /^(\d+)\/(\d+)$/.exec(text)?.map(Number) ?? []
  if (part === undefined || part < 1 || part > of)
    throw new UserError(
      `--part takes a part and how many there are, from 1/5 to 5/5, but it is ${JSON.stringify(text)}`,
    )
  return { part, of }
}

/** Neighbours in the list take about as long as each other, so that they are dealt out in turn. */
export function measuresOfPart(planned: readonly AnyMeasure[], { part, of }: Pick<Part, 'part' | 'of'>) {
  return planned.filter((_, k) => k % of === part - 1).map(({ id }) => id)
}

export function partText(part: Part): string {
  return `${JSON.stringify({ scrim: version(), ...part })}\n`
}

/** The part in a file; undefined where there is none, or one of another run. */
export function readPart(file: string, io: Io): Part | undefined {
  return fileExists(file, io) ? partIn(file, io) : undefined
}

function partIn(file: string, io: Io): Part | undefined {
  const [{ bytes }] = readFiles([file], io)
  const { part, of, run, results } = jsonOf(file, new TextDecoder().decode(bytes)) as Partial<
    Record<keyof Part, unknown>
  > &
    JsonObject
  if (typeof part !== 'number' || typeof of !== 'number' || typeof run !== 'string' || !Array.isArray(results))
    return undefined
  return { part, of, run, results: results as readonly Result[] }
}

/** All results of a run, or everything that is wrong with its parts. */
export function mergedParts(
  files: readonly string[],
  { id, planned }: { readonly id: string; readonly planned: readonly AnyMeasure[] },
  io: Io,
): ReadonlyMap<string, Result> {
  const parts = files.map((file) => ({ file, found: partIn(file, io) }))
  const problems = parts.flatMap(({ file, found }) => {
    if (found === undefined) return [`${file} is no part that scrim partial wrote`]
    return found.run === id
      ? []
      : [`${file} was made of other files, with another config, or by another version of scrim; make it again`]
  })
  if (problems.length > 0) throw new UserError(problems)
  const held = parts.flatMap(({ found: each }) => each ?? [])
  const partCount = Math.max(...held.map((each) => each.of))
  if (held.some((each) => each.of !== partCount))
    throw new UserError(
      `the parts are of runs in ${[...new Set(held.map((each) => each.of))].join(' and ')} parts; name those of one`,
    )
  const missing = Array.from({ length: partCount }, (_, k) => k + 1).filter((part) =>
    held.every((each) => each.part !== part),
  )
  if (missing.length > 0)
    throw new UserError(
      missing.map(
        (part) => `part ${part} of ${partCount} is missing; make it with scrim partial --part ${part}/${partCount}`,
      ),
    )
  const results = new Map(held.flatMap((each) => each.results.map((result) => [result.measure, result] as const)))
  const lacking = planned.filter((measure) => !results.has(measure.id))
  if (lacking.length > 0)
    throw new UserError(`no part has ${lacking.map((measure) => measure.id).join(', ')}; make them again`)
  return results
}

import { join } from 'node:path'
import { type AnyMeasure, type Assessment, type Chart, picturesOf, type Result } from '@scrim/core'
import { writeOutput } from '../files/outputs.js'
import type { Io } from '../io.js'
import { chartSvg } from './svg.js'

/** A folder to write charts into. */
export const chartsFolder = (name: string) => ({ name, endings: ['.svg'] })

/** Writes every chart of a result as SVG into a folder and returns the names of the files. */
export async function writeCharts(
  measure: AnyMeasure,
  result: Result,
  folder: string,
  io: Io,
  assessment?: Assessment,
): Promise<readonly string[]> {
  const pictures = await unlessItFails(`the charts of ${measure.id}`, io, () => picturesOf(measure, result, assessment))
  return writeDrawn(
    (pictures ?? []).map(({ name, chart }) => ({ ...chart, name })),
    folder,
    io,
  )
}

/** Writes charts as SVG under their names, and returns the names of the files. */
export async function writeDrawn(charts: readonly Chart[], folder: string, io: Io): Promise<readonly string[]> {
  const written: string[] = []
  for (const [chart, svg] of await drawnCharts(charts, io)) {
    const file = join(folder, `${chart.name}.svg`)
    writeOutput(file, svg, io)
    written.push(file)
  }
  return written
}

/** The charts that can be drawn, as SVG, in their order. */
export async function drawnCharts(
  charts: readonly (Chart | null)[],
  io: Pick<Io, 'err'>,
): Promise<ReadonlyMap<Chart, string>> {
  const drawn = new Map<Chart, string>()
  for (const chart of charts) {
    if (chart === null) continue
    const svg = await unlessItFails(`the chart ${chart.name}`, io, () => chartSvg(chart))
    if (svg !== null) drawn.set(chart, svg)
  }
  return drawn
}

/** No picture is worth the answer: what cannot be drawn is told and left out. */
async function unlessItFails<Drawn>(
  what: string,
  io: Pick<Io, 'err'>,
  draw: () => Drawn | Promise<Drawn>,
): Promise<Drawn | null> {
  try {
    return await draw()
  } catch (error) {
    io.err(`scrim: ${what} could not be drawn: ${error instanceof Error ? error.message : String(error)}\n`)
    return null
  }
}

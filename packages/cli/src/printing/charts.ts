import { join } from 'node:path'
import { type AnyMeasure, type Assessment, picturesOf, type Result } from '@scrim/core'
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
  const written: string[] = []
  for (const { name, chart } of picturesOf(measure, result, assessment)) {
    const file = join(folder, `${name}.svg`)
    writeOutput(file, await chartSvg(chart), io)
    written.push(file)
  }
  return written
}

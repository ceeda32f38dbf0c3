import { basename, join } from 'node:path'
import { type AnyMeasure, type Assessment, type Chart, picturesOf, type Result, xmlText } from '@scrim/core'
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

export const INDEX = 'index.html'

/** A page with all charts of a folder side by side, the overview first: nobody opens eighty files one by one. */
export function writeIndex(files: readonly string[], folder: string, io: Io): void {
  const names = files.map((file) => basename(file, '.svg'))
  const pictures = [...names.filter((name) => name === 'overview'), ...names.filter((name) => name !== 'overview')].map(
    (name) =>
      `<figure><img src="${encodeURIComponent(name)}.svg" alt="${xmlText(name)}"><figcaption>${xmlText(name)}</figcaption></figure>`,
  )
  writeOutput(join(folder, INDEX), `${INDEX_HEAD}\n${pictures.join('\n')}\n</main></body></html>\n`, io)
}

const INDEX_HEAD = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Charts</title>
<style>body { margin: 1.5rem; font: 16px/1.5 system-ui, sans-serif; } main { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 34rem), 1fr)); gap: 1.5rem; align-items: start; }
figure { margin: 0; padding: .75rem; border: 1px solid #d5d9de; border-radius: .4rem; background: #ffffff; color: #565d66; } img { max-width: 100%; } figcaption { font-size: .85rem; }</style>
</head><body><h1>Charts</h1><main>`

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

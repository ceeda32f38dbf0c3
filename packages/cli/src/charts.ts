import { join } from 'node:path'
import type { AnyMeasure, Chart, Finding, ReleaseFinding, Result } from '@scrim/core'
import { writeOutput } from './files.js'
import { byTarget, originalFinding, releasedFindings } from './findings.js'
import type { Io } from './io.js'
import { chartSvg } from './svg.js'

/** Writes every chart of a result as SVG into a folder and returns the names of the files. */
export async function writeCharts(
  measure: AnyMeasure,
  result: Result,
  folder: string,
  io: Io,
): Promise<readonly string[]> {
  const written: string[] = []
  for (const { name, chart } of namedCharts(measure, result)) {
    const file = join(folder, `${name}.svg`)
    writeOutput(file, await chartSvg(chart), io)
    written.push(file)
  }
  return written
}

interface NamedChart {
  readonly name: string
  readonly chart: Chart
}

/**
 * `measure-chart`, with the place of the release and the name of the target where there are several. A picture of all
 * targets is drawn once, with the riskiest.
 */
function namedCharts(measure: AnyMeasure, result: Result): readonly NamedChart[] {
  return releasedFindings(result).flatMap((release, index) =>
    byTarget(release).flatMap((finding, rank) => {
      const number = result.releases.length === 1 ? '' : release === result.pooled ? '-all' : `-${index + 1}`
      const target = release.targets === undefined ? '' : `-${fileName(finding.target ?? '')}`
      const charts = chartsOf(measure, result, finding, rank === 0 ? (release.targets ?? []) : [])
      return charts.map((chart) => ({ name: `${measure.id}-${chart.name}${number}${target}`, chart }))
    }),
  )
}

function chartsOf(
  measure: AnyMeasure,
  result: Result,
  finding: ReleaseFinding,
  targets: readonly ReleaseFinding[],
): readonly Chart[] {
  const pictured = asFinding(finding)
  if (pictured === null || pictured.value === null) return []
  const original = originalFinding(result, finding.target)
  return measure.charts(pictured, { name: finding.name, original: original && asFinding(original), targets })
}

/** The finding as its measure gave it, or null where there is none. */
function asFinding({ records: _, details, ...finding }: ReleaseFinding): Finding | null {
  return details === null ? null : { ...finding, details }
}

function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.-]+/gu, '_')
}

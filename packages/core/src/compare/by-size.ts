import { type Chart, lineChart } from '../chart/chart.js'
import { UserError } from '../errors.js'
import { column, type FindingTable } from '../evidence/finding-table.js'
import { type AnyMeasure, DEFAULT_SEED, type ReleaseFinding, type RunOptions } from '../measure.js'
import { grouped } from '../print.js'
import { sampleWithoutReplacement } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { mean, standardDeviation } from '../stats/sums.js'
import { stackColumns } from '../table/column.js'
import type { Release } from '../table/release.js'
import { columnOf, selectRows, type Table } from '../table/table.js'

/**
 * A measure against the size of the release: the same question about random parts of all released records, drawn anew
 * `repeats` times for each size. Figures that are shares of the original fall when less is released; those that are
 * conditional on a match hardly move (Raab, Nowok and Dibben 2024, Figure 2).
 */
export interface BySize {
  readonly tables: readonly FindingTable[]
  readonly charts: readonly Chart[]
}

export async function measureBySize(
  measure: AnyMeasure,
  release: Release,
  options: object,
  sizes: readonly number[],
  repeats: number,
  run: RunOptions = {},
): Promise<BySize> {
  const all = stacked(release)
  const tooLarge = sizes.find((size) => size < 1 || size > all.rows)
  if (tooLarge !== undefined)
    throw new UserError(
      `sizes must lie between 1 and ${grouped(all.rows)}, the released records, but ${tooLarge} does not`,
    )
  const seed = run.seed ?? DEFAULT_SEED
  const lines: Line[] = []
  for (const size of sizes) {
    const drawn: ReleaseFinding[] = []
    // All records are one part: to draw it again gives the same.
    for (let draw = 0; draw < (size === all.rows ? 1 : repeats); draw++) {
      const rows = sampleWithoutReplacement(stream(seed, `by-size/${size}`, draw), all.rows, size)
      const part = { ...release, released: [selectRows(all, rows)], likeness: [], identifiers: [], notCovered: [] }
      const result = await measure.run({ ...part, ungrouped: null }, options, run)
      drawn.push(...result.releases.flatMap((finding) => finding.targets ?? [finding]))
    }
    for (const target of new Set(drawn.map((finding) => finding.target)))
      lines.push(...linesOf(measure, size, target, drawn))
  }
  const groups = [...new Set(lines.map(({ group }) => group))]
  return {
    tables: groups.flatMap((group) => tablesOf(lines.filter((line) => line.group === group))),
    charts: groups.flatMap((group) =>
      chartsOf(
        measure,
        lines.filter((line) => line.group === group),
      ),
    ),
  }
}

interface Figure {
  /** The table that it stands in. */
  readonly group: string
  readonly figure: string
}

interface Line extends Figure {
  readonly size: number
  readonly target: string | null
  readonly mean: number
  readonly sd: number | null
}

function linesOf(measure: AnyMeasure, size: number, target: string | null, drawn: readonly ReleaseFinding[]): Line[] {
  const draws = drawn.filter((finding) => finding.target === target).map((finding) => figuresOf(measure, finding))
  const figures = draws.find((each) => each.length > 0) ?? []
  return figures.map(({ group, figure }) => {
    const isSame = (other: Figure) => other.group === group && other.figure === figure
    const values = draws.flatMap((each) => each.find(isSame)?.value ?? [])
    return { group, figure, size, target, mean: mean(values) ?? 0, sd: standardDeviation(values) }
  })
}

/** Shares that stand in tables of one row, as those of synthpop; where there are none, the headline. */
function figuresOf(measure: AnyMeasure, finding: ReleaseFinding): readonly (Figure & { readonly value: number })[] {
  const { details, value } = finding
  if (details === null || value === null) return []
  const single = (measure.tables?.({ ...finding, details }, finding) ?? []).filter(({ rows }) => rows.length === 1)
  const shares = single.flatMap(({ name: group, columns, rows: [row] }) =>
    columns.flatMap(({ name: figure, format }, j) => {
      const cell = row[j]
      return format.kind === 'share' && typeof cell === 'number' ? [{ group, figure, value: cell }] : []
    }),
  )
  return shares.some(({ group }) => !CHECKS.test(group))
    ? shares.filter(({ group }) => !CHECKS.test(group))
    : [{ group: 'value', figure: measure.id, value }]
}

/** What checks name differs from draw to draw. */
const CHECKS = /^check/

/** Means, and then standard deviations, with a column for each figure. */
function tablesOf(lines: readonly Line[]): readonly FindingTable[] {
  const [{ group }] = lines
  const figures = [...new Set(lines.map(({ figure }) => figure))]
  const targets = targetsOf(lines)
  const sizes = [...new Set(lines.map(({ size }) => size))]
  const table = (name: string, title: string, cell: (line: Line | undefined) => number | null | undefined) => ({
    name,
    title,
    columns: [
      ...(targets.length > 1 ? [column.text('target')] : []),
      column.count('records'),
      ...figures.map((figure) => column.share(figure)),
    ],
    rows: targets.flatMap((target) =>
      sizes.map((size) => [
        ...(targets.length > 1 ? [target] : []),
        size,
        ...figures.map(
          (figure) =>
            cell(lines.find((line) => line.target === target && line.size === size && line.figure === figure)) ?? null,
        ),
      ]),
    ),
  })
  return [
    table(`by-size-${group}`, `By size of the release, means over random parts (${group})`, (line) => line?.mean),
    table(`by-size-${group}-sd`, `Standard deviations over random parts (${group})`, (line) => line?.sd),
  ]
}

/** One stands for all where they say the same: what is about the keys alone is said once. */
function targetsOf(lines: readonly Line[]): readonly (string | null)[] {
  const targets = [...new Set(lines.map(({ target }) => target))]
  const said = targets.map((wanted) =>
    JSON.stringify(lines.filter(({ target }) => target === wanted).map(({ target: _, ...line }) => line)),
  )
  return new Set(said).size === 1 ? targets.slice(0, 1) : targets
}

function chartsOf({ id, title }: AnyMeasure, lines: readonly Line[]): readonly Chart[] {
  const [{ group }] = lines
  const targets = targetsOf(lines)
  return targets.map((target) =>
    lineChart(
      {
        name: [`${id}-by-size-${group}`, ...(targets.length > 1 ? [fileName(target ?? '')] : [])].join('-'),
        title: `${title} by size of the release (${group})${targets.length === 1 ? '' : `: ${target}`}`,
        x: 'released records',
        y: 'share',
      },
      lines
        .filter((line) => line.target === target)
        .map(({ size, mean: average, figure }) => ({ x: size, y: average, series: figure })),
    ),
  )
}

function fileName(text: string): string {
  return text.replace(/[^\p{L}\p{N}_.-]+/gu, '_')
}

/** All released records below each other. */
function stacked({ released, original }: Release): Table {
  if (released.length === 1) return released[0]
  const names = original.columns
    .map(({ name }) => name)
    .filter((name) => released.every((table) => hasColumn(table, name)))
  return {
    name: 'all releases together',
    rows: released.reduce((rows, table) => rows + table.rows, 0),
    columns: names.map((name) => stackColumns(released.map((table) => columnOf(table, name)))),
  }
}

function hasColumn(table: Table, name: string): boolean {
  return table.columns.some((one) => one.name === name)
}

import { math } from '@scrim/kernels'
import type { UtilityAssessment } from '../../assess/usefulness.js'
import type { Chart } from '../../chart/chart.js'
import { type MatrixCell, matrixChart } from '../../chart/comparison.js'
import { lettersWidth } from '../../chart/letters.js'
import { COMPOSED, chartOf, fileColors, labelled, layer, percentTicks } from '../../chart/parts.js'
import type { Discretion } from '../../discretion.js'
import type { Result } from '../../measure.js'
import { fixed, significant } from '../../print.js'
import { quantileSorted } from '../../stats/quantile.js'
import { type Column, valueAt } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { findColumn, type Table } from '../../table/table.js'

/**
 * What users of a release look at first: every column beside the original's, how columns hang together in both files, and the pairs
 * that came out worst. Cells of few people are merged before anything is drawn, for every reader; for readers outside shares and
 * associations go in steps besides.
 */
export interface PictureGroup {
  readonly title: string
  /** How to read them. */
  readonly about: string
  readonly charts: readonly Chart[]
}

const MOST_COLUMNS = 24
const MOST_CELLS = 8
const MOST_PAIR_CELLS = 6
const MOST_PAIRS = 2
const NUMBER_CLASSES = 8
const MISSING = 'missing'

export function utilityPictures(
  index: number,
  results: readonly Result[],
  release: Release | null,
  numbers: Discretion,
  { worstPairs }: Pick<UtilityAssessment, 'worstPairs'>,
): readonly PictureGroup[] {
  const groups = [
    ...(release === null
      ? []
      : [columnsGroup(release, index, numbers), pairsGroup(release, index, numbers, worstPairs)]),
    associationsGroup(index, results, numbers),
  ]
  return [groups[0], groups[2] ?? null, groups[1]].flatMap((group) =>
    group == null || group.charts.length === 0 ? [] : [group],
  )
}

/** A column in classes that may be shown, and which of them each record of a file is in. */
interface Classed {
  readonly name: string
  readonly classes: readonly string[]
  readonly classOf: (file: Table) => (row: number) => number
}

function columnsGroup(release: Release, index: number, numbers: Discretion): PictureGroup {
  const { original, variables } = release
  const released = release.released[index]
  const all = variables
    .flatMap((name) => classed(original, released, name, MOST_CELLS, numbers) ?? [])
    .map((column) => ({ column, ...sharesOf(column, original, released) }))
    .sort((a, b) => a.overlap - b.overlap)
  const shown = all.slice(0, MOST_COLUMNS)
  const some = shown.length < all.length ? ` The ${shown.length} of ${all.length} columns that differ most.` : ''
  return {
    title: 'Column by column',
    about: `Share of records in each class: the original in grey, the release in blue; columns that differ most first. Overlap is the share of records that agree: 100 % where both are distributed alike.${some}`,
    charts: shown.map(({ column: { name, classes }, shares, overlap }, k) =>
      columnChart(
        { name: `column-${k + 1}`, title: name, subtitle: `overlap ${numbers.share(overlap, original.rows, 0)}` },
        classes.flatMap((label, at) => {
          const bars = [
            { label, file: 'original', share: numbers.shareValue(shares[0][at], original.rows) },
            { label, file: 'release', share: numbers.shareValue(shares[1][at], released.rows) },
          ]
          return bars.every(({ share }) => share === 0) ? [] : bars
        }),
      ),
    ),
  }
}

const [COLUMN_ROOM, LEAST_BARS, LETTER] = [205, 75, 11]

type Bar = { readonly label: string; readonly file: string; readonly share: number }

function columnChart(heading: { name: string; title: string; subtitle: string }, bars: readonly Bar[]): Chart {
  const most = Math.max(...bars.map(({ share }) => share))
  const ticks = most > 0.5 ? [0, 0.5, 1] : most > 0.2 ? [0, 0.2, 0.4] : [0, 0.1, 0.2]
  return chartOf(
    heading,
    {
      // With their names beside them, all pictures are equally wide.
      width: Math.max(LEAST_BARS, COLUMN_ROOM - LETTER * Math.max(...bars.map(({ label }) => lettersWidth(label)))),
      height: { step: 8 },
      data: { values: bars.map((bar) => ({ ...bar })) },
      ...layer(
        { type: 'bar' },
        {
          y: labelled('label', { axis: { labelLimit: 130, domain: false, ticks: false } }),
          yOffset: { field: 'file', sort: ['original', 'release'] },
          x: {
            field: 'share',
            type: 'quantitative',
            title: null,
            axis: percentTicks(ticks),
            scale: { domainMax: ticks[2] },
          },
          color: { ...fileColors('file'), legend: null },
        },
      ),
    },
    COMPOSED,
  )
}

function sharesOf({ classes, classOf }: Classed, original: Table, released: Table) {
  const shares = [original, released].map((file) => {
    const counts = new Float64Array(classes.length)
    const at = classOf(file)
    for (let row = 0; row < file.rows; row++) counts[at(row)]++
    return counts.map((count) => count / Math.max(1, file.rows))
  })
  return { shares, overlap: shares[0].reduce((sum, share, at) => sum + Math.min(share, shares[1][at]), 0) }
}

/** Null where there is nothing to tell classes by. */
function classed(original: Table, released: Table, name: string, most: number, numbers: Discretion): Classed | null {
  const [before, after] = [findColumn(original, name), findColumn(released, name)]
  if (before === undefined || after === undefined) return null
  const labels = labelsOf(before, most)
  if (labels === null) return null
  const counts = new Map<string, number>()
  for (let row = 0; row < released.rows; row++) counts.set(labels.at(after, row), 0)
  for (let row = 0; row < original.rows; row++) {
    const label = labels.at(before, row)
    counts.set(label, (counts.get(label) ?? 0) + 1)
  }
  // What few people have is told of nobody: it goes with what is left over.
  const named = labels.all.filter((label) => counts.has(label) && numbers.mayName(counts.get(label) ?? 0))
  const kept = new Set([...named].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0)).slice(0, most - 1))
  const isKept = (column: Column, file: Table) =>
    Array.from({ length: file.rows }, (_, row) => kept.has(labels.at(column, row))).every((is) => is)
  const isWhole = isKept(before, original) && isKept(after, released)
  const classes = [...named.filter((label) => kept.has(label)), ...(isWhole ? [] : [OTHER])]
  const places = new Map(classes.map((label, at) => [label, at]))
  return {
    name,
    classes,
    classOf: (file) => {
      const column = file === original ? before : after
      return (row) => places.get(labels.at(column, row)) ?? classes.length - 1
    },
  }
}

const OTHER = 'all others'

interface Labels {
  /** In the order in which they are drawn. */
  readonly all: readonly string[]
  readonly at: (column: Column, row: number) => string
}

/** Levels as they are, numbers of many values in round classes that are open at both ends, dates by year. */
function labelsOf(column: Column, most: number): Labels | null {
  if (column.kind === 'categorical')
    return {
      all: [...column.levels, MISSING],
      at: (file, row) => String(valueAt(file, row) ?? MISSING),
    }
  const number = (file: Column, row: number): number =>
    file.kind === 'categorical' ? Number.NaN : column.kind === 'date' ? yearOf(file.values[row]) : file.values[row]
  const sorted = Float64Array.from(column.values, (_, row) => number(column, row))
    .filter((value) => !Number.isNaN(value))
    .sort()
  if (sorted.length === 0) return null
  const distinct = [...new Set(sorted)]
  if (distinct.length < most)
    return {
      all: [...distinct.map(String), MISSING],
      at: (file, row) => textOf(number(file, row), String),
    }
  const breaks = roundBreaks(sorted, Math.min(NUMBER_CLASSES, most) - 1)
  // Most people have the least value, such as no gain at all.
  if (breaks.length === 1 && sorted[0] >= breaks[0]) {
    const [least] = breaks
    const [low, high] = [`up to ${least}`, `over ${least}`]
    return {
      all: [low, high, MISSING],
      at: (file, row) => textOf(number(file, row), (value) => (value > least ? high : low)),
    }
  }
  const classes = [
    `under ${breaks[0]}`,
    ...breaks.slice(1).map((upper, k) => `${breaks[k]} to ${upper}`),
    `${breaks[breaks.length - 1]} and over`,
  ]
  return {
    all: [...classes, MISSING],
    at: (file, row) => textOf(number(file, row), (value) => classes[breaks.filter((lower) => value >= lower).length]),
  }
}

function textOf(value: number, text: (value: number) => string): string {
  return Number.isNaN(value) ? MISSING : text(value)
}

const DAYS_PER_YEAR = 365.2425
const yearOf = (days: number) => 1970 + Math.floor(days / DAYS_PER_YEAR)

/** Between classes of about equally many people, rounded so that no break is somebody's value. */
function roundBreaks(sorted: Float64Array, classes: number): readonly number[] {
  const at = (share: number) => quantileSorted(sorted, share) ?? 0
  const step = math.pow(10, Math.floor(math.log10(Math.max(1e-9, (at(0.95) - at(0.05)) / classes))))
  const breaks = Array.from({ length: classes - 1 }, (_, k) =>
    significant(Math.round(at((k + 1) / classes) / step) * step, 10),
  )
  return [...new Set(breaks)].sort((a, b) => a - b)
}

interface AssociationsFound {
  readonly names: readonly string[]
  readonly pairs: readonly {
    readonly a: string
    readonly b: string
    readonly original: number
    readonly released: number
  }[]
}

const MOST_NAMES = 16
/** For readers outside associations go in these steps. */
const STEP = 0.05

function associationsGroup(index: number, results: readonly Result[], numbers: Discretion): PictureGroup | null {
  const details = results.find(({ measure }) => measure === 'associations')?.releases[index]?.details as
    | AssociationsFound
    | null
    | undefined
  if (details == null) return null
  const shown = (value: number) =>
    numbers.audience === 'internal' ? value : Number(fixed(STEP * Math.round(value / STEP), 2))
  const names = details.names.slice(0, MOST_NAMES)
  const pairs = details.pairs.filter(({ a, b }) => names.includes(a) && names.includes(b))
  const cells = (value: (pair: AssociationsFound['pairs'][number], isAbove: boolean) => number): MatrixCell[] =>
    pairs.flatMap((pair) =>
      [
        [pair.a, pair.b],
        [pair.b, pair.a],
      ].map(([row, column]) => ({
        row,
        column,
        value: shown(value(pair, names.indexOf(row) < names.indexOf(column))),
      })),
    )
  const some =
    names.length < details.names.length ? ` The first ${names.length} of ${details.names.length} columns.` : ''
  return {
    title: 'How columns are associated',
    about: `Correlation of two numbers, Cramér’s V of two categories, correlation ratio of one of each: 0 is no association, 1 the strongest.${some}`,
    charts: [
      matrixChart(
        {
          name: 'associations',
          title: 'Associations',
          subtitle: 'above the diagonal the original, below it the release',
          legend: null,
          span: 1,
        },
        cells(({ original, released }, isAbove) => (isAbove ? original : released)),
        names,
      ),
      matrixChart(
        { name: 'change', title: 'Change', subtitle: 'release less original', legend: null, span: 0.5 },
        cells(({ original, released }) => released - original),
        names,
      ),
    ],
  }
}

function pairsGroup(
  release: Release,
  index: number,
  numbers: Discretion,
  worstPairs: UtilityAssessment['worstPairs'],
): PictureGroup {
  const { original } = release
  const released = release.released[index]
  const charts = worstPairs.slice(0, MOST_PAIRS).flatMap(({ variables, ratio }, k) => {
    const [x, y] = variables.map((name) => classed(original, released, name, MOST_PAIR_CELLS, numbers))
    return x == null || y == null ? [] : [pairChart(k + 1, x, y, ratio, { original, released, numbers })]
  })
  return {
    title: 'The pairs of columns that differ most',
    about: 'Share of records in each combination, the original left and the release right: the darker, the more.',
    charts,
  }
}

interface Files {
  readonly original: Table
  readonly released: Table
  readonly numbers: Discretion
}

function pairChart(
  place: number,
  x: Classed,
  y: Classed,
  ratio: number,
  { original, released, numbers }: Files,
): Chart {
  const cells = [
    { file: 'original', table: original },
    { file: 'release', table: released },
  ].flatMap(({ file, table }) => {
    const counts = new Float64Array(x.classes.length * y.classes.length)
    const [xOf, yOf] = [x.classOf(table), y.classOf(table)]
    for (let row = 0; row < table.rows; row++) counts[xOf(row) * y.classes.length + yOf(row)]++
    return [...counts].map((count, k) => ({
      file,
      x: x.classes[Math.floor(k / y.classes.length)],
      y: y.classes[k % y.classes.length],
      share: numbers.shareValue(count / Math.max(1, table.rows), table.rows),
    }))
  })
  const axis = { title: null, axis: { labelLimit: 160 } }
  return chartOf(
    {
      name: `pair-${place}`,
      title: `${x.name} by ${y.name}`,
      subtitle: `${fixed(ratio, 1)} times as far off as chance`,
    },
    {
      data: { values: cells },
      facet: { field: 'file', type: 'nominal', title: null, sort: ['original', 'release'] },
      columns: 2,
      spec: {
        width: { step: 24 },
        height: { step: 20 },
        ...layer(
          { type: 'rect' },
          {
            x: labelled('x', { ...axis, sort: [...x.classes], axis: { labelLimit: 110, labelAngle: -45 } }),
            y: labelled('y', { ...axis, sort: [...y.classes] }),
            color: {
              field: 'share',
              type: 'quantitative',
              title: null,
              scale: { range: ['#eef2f7', '#2f6db5', '#12305a'] },
              legend: null,
            },
          },
        ),
      },
    },
    COMPOSED,
  )
}

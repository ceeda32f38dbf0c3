import { math } from '@scrim/kernels'
import { barChart, type Chart, histogramChart, lineChart, scatterChart } from '../chart/chart.js'
import type { Json, JsonObject } from '../json.js'
import { fixed } from '../print.js'
import { binomialPmf } from '../stats/distributions.js'
import type { CellBoxes } from './engines/engine.js'
import type { AttackResult, TargetResult } from './game.js'
import { fitCart, logProbabilities } from './generator/cart-generator.js'
import { cellBook, countsOfSet, recordAt, recordLabel, recordsOf, replaceRecord } from './generator/records.js'

/** Pictures of an attack. They show records of the original: they are for its owner, not for a release. */
export function attackCharts(result: AttackResult): Chart[] {
  const [first] = result.targets
  const target = result.worst ?? first
  if (target === undefined) return []
  return [
    ...worldsChart(result, target),
    posteriorChart(target),
    ...overSetsChart(target),
    ...copiesChart(result, target),
    ...(result.targets.length > 1 ? [sweepChart(result), rankingChart(result)] : []),
  ]
}

const SCHEMA = 'https://vega.github.io/schema/vega-lite/v6.json'
const COLORS = { released: '#8a8f98', expected: '#2f6db5', alarm: '#c0392b', frame: '#333333' }
/** More worlds than this are not shown all. */
const MOST_PANELS = 36
const SHOWN_OF_MANY = 12
const MOST_CELLS_SHOWN = 64
const NORMAL_95 = 1.96

/**
 * One panel per world (Figure 3 of the paper): bars are the released counts; dots what the generator of this world gives on
 * average, with 95 % of its draws, or, where sets were simulated, boxes of their counts; red where a released cell is
 * impossible in this world (was never simulated). The most probable world is framed. Not more cells than can be told apart.
 */
function worldsChart({ game }: AttackResult, target: TargetResult): Chart[] {
  const panels = target.boxes === null ? exactPanels(game, target) : simulatedPanels(game, target, target.boxes)
  if (panels.length === 0) return []
  const x = { field: 'cell', type: 'nominal', sort: null, title: null, axis: { labelAngle: -90, labelFontSize: 7 } }
  const y = (field: string) => ({ field, type: 'quantitative', title: 'records' })
  const color = { condition: { test: 'datum.best', value: COLORS.frame }, value: COLORS.expected }
  const box: Json[] =
    target.boxes === null
      ? []
      : [
          {
            mark: { type: 'bar', size: 4, fillOpacity: 0.5 },
            encoding: { x, y: y('lowerQuartile'), y2: { field: 'upperQuartile' }, color },
          },
        ]
  const layer: Json[] = [
    {
      mark: { type: 'bar' },
      encoding: {
        x,
        y: y('released'),
        color: { condition: { test: 'datum.impossible', value: COLORS.alarm }, value: COLORS.released },
      },
    },
    {
      transform: [{ filter: 'datum.impossible' }],
      mark: { type: 'text', text: '✕', color: COLORS.alarm, dy: -6 },
      encoding: { x, y: y('released') },
    },
    { mark: { type: 'rule', color: COLORS.expected }, encoding: { x, y: y('lower'), y2: { field: 'upper' } } },
    ...box,
    { mark: { type: 'point', filled: true, size: 12 }, encoding: { x, y: y('expected'), color } },
  ]
  const [shown, red] = target.boxes === null ? ['dots, 95 %', 'impossible'] : ['boxes', 'never simulated']
  return [
    {
      name: 'worlds',
      title: 'Released counts in each world',
      spec: {
        $schema: SCHEMA,
        title: `Released counts (bars) and what each world would give (${shown}); red: ${red} there`,
        data: { values: panels },
        facet: { field: 'world', type: 'nominal', sort: null, title: null },
        columns: 4,
        spec: { width: 190, height: 90, layer },
        config: { view: { stroke: null }, axis: { grid: false }, font: 'sans-serif' },
      },
    },
  ]
}

function exactPanels(game: AttackResult['game'], target: TargetResult): JsonObject[] {
  const [{ cart }] = game.models
  const book = cellBook(game.variables)
  for (let row = 0; row < game.original.rows; row++) book.idOf(game.original, row)
  for (let u = 0; u < game.sets.distinct.rows; u++) book.idOf(game.sets.distinct, u)
  if (cart === null || book.cells.length > MOST_CELLS_SHOWN) return []
  const cells = [...book.cells].sort((a, b) => compare(a, b))
  const records = recordsOf(cells, game.variables.length)
  const released = meanReleased(game.sets, game.setsPerRelease, cells)
  const n = released.reduce((sum, count) => sum + count, 0)
  return shownWorlds(target).flatMap((world) => {
    const [record] = target.candidates.worlds[world].records
    const fitted = fitCart(game.variables, replaceRecord(game.original, target.row, record), cart)
    return Array.from(logProbabilities(fitted, records), (log, c) => {
      const p = math.exp(log)
      const half = NORMAL_95 * Math.sqrt(n * p * (1 - p))
      return {
        ...panelCell(game, target, world, cells[c], released[c]),
        expected: n * p,
        lower: Math.max(0, n * p - half),
        upper: n * p + half,
        impossible: p === 0 && released[c] > 0,
      }
    })
  })
}

/** Worlds of several records (who replaced a member) show the first of them. */
function simulatedPanels(game: AttackResult['game'], target: TargetResult, boxes: CellBoxes): JsonObject[] {
  const order = boxes.records.map((_, cell) => cell).sort((a, b) => compare(boxes.records[a], boxes.records[b]))
  const released = meanReleased(game.sets, game.setsPerRelease, boxes.records)
  const firstOf = target.candidates.worlds.map((_, world) =>
    target.candidates.worlds.slice(0, world).reduce((sum, { records }) => sum + records.length, 0),
  )
  return shownWorlds(target).flatMap((world) =>
    order.map((cell) => {
      const [lower, lowerQuartile, expected, upperQuartile, upper] = boxes.byCandidate[firstOf[world]][cell]
      return {
        ...panelCell(game, target, world, boxes.records[cell], released[cell]),
        lower,
        lowerQuartile,
        expected,
        upperQuartile,
        upper,
        impossible: upper === 0 && released[cell] > 0,
      }
    }),
  )
}

function panelCell(
  { variables }: AttackResult['game'],
  target: TargetResult,
  world: number,
  cell: Int32Array,
  released: number,
): JsonObject {
  return {
    world: panelTitle(target, world),
    cell: recordLabel(variables, cell),
    released,
    best: target.posteriors[0]?.map.includes(world) ?? false,
  }
}

function panelTitle({ candidates, posteriors }: TargetResult, world: number): string {
  const p = posteriors[0]?.probabilities[world]
  const best = posteriors[0]?.map.includes(world) ? ' ◀' : ''
  return `${candidates.worlds[world].label}: ${p === undefined ? 'impossible' : fixed(p, 3)}${best}`
}

/** All worlds, or the most probable ones and the truth. */
function shownWorlds({ candidates, posteriors }: TargetResult): number[] {
  const all = candidates.worlds.map((_, k) => k)
  if (all.length <= MOST_PANELS) return all
  const p = posteriors[0]?.probabilities ?? []
  const best = [...all].sort((a, b) => (p[b] ?? 0) - (p[a] ?? 0)).slice(0, SHOWN_OF_MANY)
  return [...new Set([...best, ...(candidates.truth === null ? [] : [candidates.truth])])].sort((a, b) => a - b)
}

function compare(a: Int32Array, b: Int32Array): number {
  const at = a.findIndex((code, j) => code !== b[j])
  return at < 0 ? 0 : a[at] - b[at]
}

/** Mean count of each cell over the sets of the first release. */
function meanReleased(sets: AttackResult['game']['sets'], m: number, cells: readonly Int32Array[]): number[] {
  const sums = new Float64Array(sets.distinct.rows)
  for (let s = 0; s < m; s++)
    countsOfSet(sets, s).forEach((count, u) => {
      sums[u] += count / m
    })
  return cells.map((cell) => {
    let sum = 0
    for (let u = 0; u < sums.length; u++)
      if (sets.distinct.codes.every((codes, j) => codes[u] === cell[j])) sum += sums[u]
    return sum
  })
}

function posteriorChart(target: TargetResult): Chart {
  const shown = shownWorlds(target)
  const after = target.posteriors[0]
  return barChart(
    {
      name: 'posterior',
      red: 'the truth',
      title: `Prior (grey) and posterior: record ${target.row + 1}; the truth is red`,
      x: 'candidate',
      y: 'probability',
    },
    shown.flatMap((world) => [
      { label: target.candidates.worlds[world].label, value: target.prior[world], series: 'original' as const },
      {
        label: target.candidates.worlds[world].label,
        value: after?.probabilities[world] ?? 0,
        series: 'release' as const,
        alarm: world === target.candidates.truth,
      },
    ]),
  )
}

function overSetsChart({ overSets, candidates, prior }: TargetResult): Chart[] {
  const { truth } = candidates
  if (overSets.length < 2 || truth === null) return []
  const points = [prior[truth], ...overSets.map(({ probabilities }) => probabilities[truth] ?? 0)]
  return [
    lineChart(
      { name: 'over-sets', title: 'Probability of the truth after each set', x: 'released sets', y: 'probability' },
      points.map((y, x) => ({ x, y, series: 'truth' })),
    ),
  ]
}

/** How often the record occurs in simulated sets, with what chance gives. */
function copiesChart({ game, given }: AttackResult, target: TargetResult): Chart[] {
  const [model] = game.models
  if (given || game.sets.sets < 20 || model.cart === null) return []
  const truth = recordAt(game.original, target.row)
  const copies = new Float64Array(game.sets.sets)
  for (let u = 0; u < game.sets.distinct.rows; u++) {
    if (!game.sets.distinct.codes.every((codes, j) => codes[u] === truth[j])) continue
    for (let k = game.sets.start[u]; k < game.sets.start[u + 1]; k++) copies[game.sets.set[k]] = game.sets.count[k]
  }
  const n = game.sets.sizes[0]
  const [log] = logProbabilities(fitCart(game.variables, game.original, model.cart), recordsOf([truth], truth.length))
  const most = copies.reduce((a, b) => Math.max(a, b), 0)
  const bins = Array.from({ length: most + 1 }, (_, k) => ({
    lower: k - 0.5,
    upper: k + 0.5,
    count: copies.filter((copy) => copy === k).length,
  }))
  const chance = bins.map((_, k) => binomialPmf(k, n, math.exp(log)) * copies.length)
  const title = `Copies of record ${target.row + 1} in ${copies.length} sets; expected ${chance
    .slice(0, 4)
    .map((x) => fixed(x, 0))
    .join(', ')} …`
  return [histogramChart({ name: 'copies', title, x: 'copies', y: 'sets' }, bins)]
}

const GUESSED = 'more likely than not'

function sweepChart({ targets }: AttackResult): Chart {
  const points = targets.flatMap(({ frequency, summary }) =>
    summary === null
      ? []
      : [{ x: math.log10(frequency), y: summary.meanPosterior, alarm: summary.meanPosterior >= 0.5 }],
  )
  return scatterChart(
    {
      name: 'sweep',
      title: 'Mean posterior of the truth by how common the record is',
      x: 'equal records in the original (log10)',
      y: 'mean posterior',
      red: GUESSED,
    },
    points,
    [{ value: targets[0].summary?.prior ?? 0, label: 'prior' }],
  )
}

const RANKED = 25

function rankingChart({ targets }: AttackResult): Chart {
  const worst = [...targets].sort((a, b) => (b.summary?.risk ?? 0) - (a.summary?.risk ?? 0)).slice(0, RANKED)
  return barChart(
    {
      name: 'ranking',
      title: `The ${worst.length} records most at risk`,
      x: 'record',
      y: 'mean posterior of the truth',
      red: GUESSED,
    },
    worst.map(({ row, summary }) => ({
      label: String(row + 1),
      value: summary?.meanPosterior ?? 0,
      alarm: (summary?.meanPosterior ?? 0) >= 0.5,
    })),
  )
}

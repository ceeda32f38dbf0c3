// docs/img/cost-by-size.svg and the tables of docs/scale.md, of what `npm run bench -- engines --keep` measured.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { withBlock } from './marked-block.mjs'
import { root } from './site-pages.mjs'

const RESULTS = join(root, 'bench/results/2-cores-amd-epyc-node-20.json')
const PAGE = join(root, 'docs/scale.md')
const PICTURE = join(root, 'docs/img/cost-by-size.svg')

const SIZES = [1e5, 1e6, 1e7, 1e8]
const ENGINES = ['DuckDB', 'Spark']
const TASKS = {
  counts: 'counts by six columns',
  sample: 'sample of 100,000',
  measures: 'measures of a quick assessment',
  quick: 'quick assessment in all',
}
const grouped = (n) => n.toLocaleString('en-US')

/** What was measured of one size and engine: seconds of all processes, by task; undefined where nothing was. */
export function measuredCosts(rows, size, engine) {
  const [both, counts, quick, before] = [
    `counts, then sample, ${grouped(size)} x 6, ${engine}`,
    `  counts, ${grouped(size)} x 6, ${engine}`,
    `quick, ${grouped(size)} x 12, ${engine}`,
    `  before the first measure, ${grouped(size)}, ${engine}`,
  ].map((name) => rows[name])
  return {
    counts: counts && spent(counts),
    sample: both && spent(both) - spent(counts),
    quick: quick && spent(quick),
    before: before && spent(before),
    measures: quick && spent(quick) - spent(before),
    clock: { counts: counts?.clock, quick: quick?.clock },
    megabytes: { counts: both?.megabytes, quick: quick?.megabytes },
    others: { counts: both?.othersMegabytes, quick: quick?.othersMegabytes },
  }
}

const spent = ({ processor, others = 0 }) => processor + others

const allCosts = (rows) =>
  ENGINES.flatMap((engine) => SIZES.map((size) => ({ engine, size, ...measuredCosts(rows, size, engine) })))

const seconds = (value) => (value === undefined ? '' : value < 10 ? value.toFixed(1) : value.toFixed(0))
const markdown = (header, rows) =>
  [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

function measuredTable(rows) {
  const shown = allCosts(rows).filter(({ counts, quick }) => counts !== undefined || quick !== undefined)
  const most = ({ megabytes, others }) => {
    const own = Math.max(...Object.values(megabytes).filter((value) => value !== undefined))
    const servers = Object.values(others).filter((value) => value !== undefined)
    return `${grouped(Math.round(own))} MB${servers.length === 0 ? '' : ` and ${grouped(Math.round(Math.max(...servers)))} MB`}`
  }
  return markdown(
    [
      'engine',
      'records',
      'counts',
      'sample',
      'quick, before the measures',
      'quick, in all',
      'by the clock: counts',
      'quick',
      'peak memory',
    ],
    shown.map((cost) => [
      cost.engine,
      grouped(cost.size),
      ...[cost.counts, cost.sample, cost.before, cost.quick].map((value) =>
        value === undefined ? '' : `${seconds(value)} s`,
      ),
      ...[cost.clock.counts, cost.clock.quick].map((value) => (value === undefined ? '' : `${seconds(value)} s`)),
      most(cost),
    ]),
  )
}

const MACHINES = [1, 2, 4, 8, 16]

/**
 * Worked out, not measured. Counts are divided by the machines but for what the smallest table takes already; each machine numbers
 * records and reads tables for itself; measures are dealt out.
 */
export function onMachines(rows, engine, machines) {
  const costs = SIZES.map((size) => measuredCosts(rows, size, engine))
  const largest = (task) => costs.findLastIndex((cost) => cost[task] !== undefined)
  const [ofCounts, ofQuick] = [largest('counts'), largest('quick')]
  const start = costs[0].counts
  return {
    counts:
      ofCounts < 1
        ? undefined
        : { size: SIZES[ofCounts], seconds: start + (costs[ofCounts].counts - start) / machines },
    quick:
      ofQuick < 0
        ? undefined
        : { size: SIZES[ofQuick], seconds: costs[ofQuick].before + costs[ofQuick].measures / machines },
  }
}

function machinesTable(rows) {
  const columns = [
    { engine: 'Spark', task: 'counts' },
    { engine: 'DuckDB', task: 'quick' },
  ].flatMap((column) => {
    const found = onMachines(rows, column.engine, 1)[column.task]
    return found === undefined ? [] : [{ ...column, size: found.size }]
  })
  const name = ({ engine, task, size }) =>
    `${task === 'counts' ? 'counts' : 'quick assessment'} of ${grouped(size)}, ${engine}`
  return markdown(
    ['machines', ...columns.map(name)],
    MACHINES.map((machines) => [
      machines,
      ...columns.map(({ engine, task }) => `${seconds(onMachines(rows, engine, machines)[task].seconds)} s`),
    ]),
  )
}

const [WIDTH, HEIGHT] = [760, 330]
const PANEL = { width: 290, height: 220, top: 40 }
const LEFT = [60, 420]
const COLOURS = {
  counts: ['#1f6fb2', '#6db3f2'],
  sample: ['#c2651a', '#f0a35e'],
  measures: ['#7a7a7a', '#a8a8a8'],
  quick: ['#2e7d4f', '#6fcf97'],
}
const SHOWN = ['counts', 'sample', 'quick']

/** Seconds of processor time against records, both on a scale of powers of ten, an engine each; dark where the reader's page is. */
export function costPicture(rows) {
  const costs = allCosts(rows)
  const values = costs.flatMap((cost) => SHOWN.flatMap((task) => cost[task] ?? []))
  const [low, high] = [Math.floor(Math.log10(Math.min(...values))), Math.ceil(Math.log10(Math.max(...values)))]
  const y = (value) => PANEL.top + PANEL.height * (1 - (Math.log10(value) - low) / (high - low))
  const x = (panel, size) => LEFT[panel] + (PANEL.width * (Math.log10(size) - 5)) / 3
  const text = (at, up, words, anchor = 'middle', more = '') =>
    `<text x="${at.toFixed(1)}" y="${up.toFixed(1)}" text-anchor="${anchor}"${more}>${words}</text>`
  const parts = ENGINES.flatMap((engine, panel) => {
    const ticks = Array.from({ length: high - low + 1 }, (_, k) => low + k).flatMap((power) => [
      `<line class="grid" x1="${LEFT[panel]}" x2="${LEFT[panel] + PANEL.width}" y1="${y(10 ** power).toFixed(1)}" y2="${y(10 ** power).toFixed(1)}"/>`,
      text(LEFT[panel] - 6, y(10 ** power) + 4, `${grouped(10 ** power)} s`, 'end'),
    ])
    const sizes = SIZES.map((size) => text(x(panel, size), PANEL.top + PANEL.height + 18, grouped(size)))
    const lines = SHOWN.flatMap((task) => {
      const points = costs.filter((cost) => cost.engine === engine && cost[task] !== undefined)
      const path = points.map((cost) => `${x(panel, cost.size).toFixed(1)},${y(cost[task]).toFixed(1)}`)
      return [
        `<polyline class="${task}" points="${path.join(' ')}"/>`,
        ...points.map(
          (cost) =>
            `<circle class="${task}" cx="${x(panel, cost.size).toFixed(1)}" cy="${y(cost[task]).toFixed(1)}" r="3"/>`,
        ),
      ]
    })
    return [
      text(LEFT[panel] + PANEL.width / 2, 22, `${engine}: processor time by records`, 'middle', ' font-weight="bold"'),
      ...ticks,
      ...sizes,
      ...lines,
    ]
  })
  const legend = SHOWN.flatMap((task, k) => [
    `<line class="${task}" x1="${60 + 220 * k}" x2="${84 + 220 * k}" y1="306" y2="306"/>`,
    text(90 + 220 * k, 310, TASKS[task], 'start'),
  ])
  const colours = (dark) =>
    SHOWN.map(
      (task) =>
        `polyline.${task},line.${task}{stroke:${COLOURS[task][dark]}}circle.${task}{fill:${COLOURS[task][dark]}}`,
    ).join('')
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="Processor time by records">`,
    `<style>rect{fill:#fff}text{font:12px sans-serif;fill:#222}.grid{stroke:#ddd}polyline,line{fill:none;stroke-width:2}.grid{stroke-width:1}${colours(0)}@media(prefers-color-scheme:dark){rect{fill:#1b1b1f}text{fill:#ddd}.grid{stroke:#444}${colours(1)}}</style>`,
    `<rect width="${WIDTH}" height="${HEIGHT}"/>`,
    ...parts,
    ...legend,
    '</svg>',
  ].join('\n')}\n`
}

export function withCosts(page, rows) {
  return withBlock(withBlock(page, 'cost', measuredTable(rows)), 'machines', machinesTable(rows))
}

export const keptRows = () => JSON.parse(readFileSync(RESULTS, 'utf8')).full

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(PAGE, withCosts(readFileSync(PAGE, 'utf8'), keptRows()))
  writeFileSync(PICTURE, costPicture(keptRows()))
}

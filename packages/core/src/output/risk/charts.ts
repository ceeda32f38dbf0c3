import { barChart, type Chart, COLORS, FRAME, SCHEMA } from '../../chart/chart.js'
import type { Json } from '../../json.js'
import { fixed } from '../../print.js'
import type { OutputRisk } from './risk.js'
import type { TargetRisk } from './target-risk.js'

/**
 * Pictures of the risk of outputs: how the error fell, how near the printed numbers are, members beside people outside by number of
 * keys, each set of keys, risk against error, and who is found out. They show groups of ten people and more, never records.
 */
export function outputRiskCharts(risk: OutputRisk): Chart[] {
  return [
    ...searchChart(risk),
    ...embeddedChart(risk),
    ...risk.targets.flatMap((target) => sizesChart(target)),
    ...setsChart(risk),
    ...trajectoryChart(risk),
    ...risk.targets.flatMap((target) => groupsChart(target)),
  ]
}

function layered(name: string, title: string, subtitle: string, height: number, layer: readonly Json[]): Chart {
  return { name, title, spec: { $schema: SCHEMA, ...FRAME, height, title: { text: title, subtitle }, layer } }
}

/** A logarithm has no 0. */
const SMALLEST_ERROR = 1e-12

function searchChart({ runs, options }: OutputRisk): Chart[] {
  const values = runs.flatMap(({ replicate, history }) =>
    history.map(({ steps, mae }) => ({ run: replicate + 1, steps, mae: Math.max(mae, SMALLEST_ERROR) })),
  )
  if (values.length <= runs.length) return []
  const unit = options.engine === 'ea' ? 'generations' : 'proposals'
  return [
    layered('search', 'How the error fell', 'one line per embedded data set', 240, [
      {
        data: { values },
        mark: { type: 'line', point: true, color: COLORS.release, opacity: 0.6 },
        encoding: {
          x: { field: 'steps', type: 'quantitative', title: unit },
          y: {
            field: 'mae',
            type: 'quantitative',
            title: 'mean absolute difference',
            scale: { type: 'log' },
            axis: { format: '.0e' },
          },
          detail: { field: 'run', type: 'nominal' },
        },
      },
    ]),
  ]
}

const MOST_ELEMENTS = 40

/** In half units of the last printed digit, since the numbers themselves cannot be told apart by eye. */
function embeddedChart({ outputs }: OutputRisk): Chart[] {
  const all = outputs.flatMap(({ output, elements }) =>
    elements.flatMap(({ element, statistic, published, precision, mean, least, most }) => {
      if (mean === null || least === null || most === null) return []
      const off = (value: number) => (value - published) / precision
      const label = `${outputs.length > 1 ? `${output}: ` : ''}${element}${statistic === 'estimate' ? '' : ` (${statistic})`}`
      return [{ label, mean: off(mean), least: off(least), most: off(most) }]
    }),
  )
  if (all.length === 0) return []
  const size = ({ least, most }: { least: number; most: number }) => Math.max(Math.abs(least), Math.abs(most))
  const kept = new Set([...all].sort((a, b) => size(b) - size(a)).slice(0, MOST_ELEMENTS))
  const shown = all.filter((one) => kept.has(one))
  const y = { field: 'label', type: 'nominal', sort: null, title: null }
  const x = { type: 'quantitative', title: 'embedded less published, in half units of the last printed digit' }
  const few = shown.length < all.length ? `; the ${shown.length} furthest of ${all.length} numbers` : ''
  return [
    layered(
      'embedded',
      'Published numbers in the embedded data',
      `shaded: prints the same; dots: mean, lines: all embedded data sets${few}`,
      16 * Math.max(shown.length, 3),
      [
        {
          data: { values: [{ from: -1, to: 1 }] },
          mark: { type: 'rect', color: COLORS.original, opacity: 0.25 },
          encoding: { x: { ...x, field: 'from' }, x2: { field: 'to' } },
        },
        {
          data: { values: shown },
          mark: { type: 'rule', color: COLORS.release },
          encoding: { y, x: { ...x, field: 'least' }, x2: { field: 'most' } },
        },
        {
          data: { values: shown },
          mark: { type: 'point', filled: true, size: 45, color: COLORS.release, opacity: 1 },
          encoding: { y, x: { ...x, field: 'mean' } },
        },
      ],
    ),
  ]
}

/** Members and people outside, a grey line per split, their means black. */
function sizesChart({ target, bySize }: TargetRisk): Chart[] {
  const values = bySize.flatMap(({ size, split, members, outsiders }) =>
    members === null || outsiders === null
      ? []
      : [
          { keys: `${size} keys`, who: 'members', split, tcap: members },
          { keys: `${size} keys`, who: 'outside', split, tcap: outsiders },
        ],
  )
  if (values.length === 0) return []
  const title = `${target}: guessed right where a class says it`
  const x = { field: 'who', type: 'nominal', title: null, axis: { labelAngle: 0 } }
  const y = { type: 'quantitative', title: 'share guessed right (TCAP)', scale: { zero: false } }
  return [
    {
      name: `members-outside-${target}`,
      title,
      spec: {
        $schema: SCHEMA,
        title: { text: title, subtitle: 'grey: one split; black: mean over splits' },
        data: { values },
        facet: { column: { field: 'keys', type: 'nominal', sort: null, title: null } },
        spec: {
          width: 110,
          height: 200,
          layer: [
            {
              mark: { type: 'line', color: '#bbbbbb', point: { color: '#bbbbbb', size: 16 } },
              encoding: { x, y: { ...y, field: 'tcap' }, detail: { field: 'split', type: 'nominal' } },
            },
            {
              mark: { type: 'line', color: COLORS.rule, point: { color: COLORS.rule, size: 50 } },
              encoding: { x, y: { ...y, field: 'tcap', aggregate: 'mean' } },
            },
          ],
        },
        config: FRAME.config,
      },
    },
  ]
}

function setsChart({ targets }: OutputRisk): Chart[] {
  const cells = targets.flatMap(({ target, keys, bySet }) =>
    bySet.map(({ keys: own, difference }) => ({
      target,
      set: own.length === keys.length ? 'all keys' : own.join(', '),
      difference,
    })),
  )
  if (cells.length === 0 || targets.every(({ splits }) => splits.length === 0)) return []
  const largest = Math.max(0.005, ...cells.map(({ difference }) => Math.abs(difference)))
  const sets = new Set(cells.map(({ set }) => set))
  return [
    {
      name: 'key-sets',
      title: 'Marginal risk by set of keys',
      spec: {
        $schema: SCHEMA,
        title: {
          text: 'Marginal risk by set of keys',
          subtitle: 'success with members less success with people outside',
        },
        width: Math.max(60, 60 * targets.length),
        height: Math.max(60, 13 * sets.size),
        config: FRAME.config,
        data: { values: cells },
        mark: { type: 'rect', stroke: 'white' },
        encoding: {
          x: { field: 'target', type: 'nominal', sort: null, title: null, axis: { labelAngle: 0 } },
          y: { field: 'set', type: 'nominal', sort: null, title: null, axis: { labelLimit: 420, labelFontSize: 9 } },
          color: {
            field: 'difference',
            type: 'quantitative',
            title: 'difference',
            scale: { domain: [-largest, 0, largest], range: [COLORS.release, '#f4f4f4', COLORS.alarm] },
            legend: { format: '+.1%' },
          },
        },
      },
    },
  ]
}

function trajectoryChart({ trajectory }: OutputRisk): Chart[] {
  if (trajectory === null || trajectory.points.length === 0) return []
  const { points, line } = trajectory
  const most = Math.max(...points.map(({ mae }) => mae))
  const ends = line === null ? [] : [0, most].map((mae) => ({ mae, risk: line.intercept + line.slope * mae }))
  const x = { field: 'mae', type: 'quantitative', title: 'mean absolute difference from the published numbers' }
  const y = { field: 'risk', type: 'quantitative', title: 'TCAP (all keys, others 0)', scale: { zero: false } }
  const at0 = line === null ? '' : `; at an error of 0: ${fixed(line.intercept, 3)}, r ${fixed(line.correlation, 2)}`
  return [
    layered('trajectory', 'Risk while data are being embedded', `one dot per snapshot${at0}`, 240, [
      {
        data: { values: points.map((point) => ({ ...point })) },
        mark: { type: 'point', filled: true, color: COLORS.release, opacity: 0.6 },
        encoding: { x, y },
      },
      { data: { values: ends }, mark: { type: 'line', color: COLORS.rule }, encoding: { x, y } },
    ]),
  ]
}

const MOST_GROUPS = 20

function groupsChart({ target, groups }: TargetRisk): Chart[] {
  if (groups.length === 0) return []
  const largest = [...groups].sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference)).slice(0, MOST_GROUPS)
  const shown = groups.filter((group) => largest.includes(group))
  return [
    barChart(
      {
        name: `groups-${target}`,
        title: `${target}: who is guessed right more often as a member`,
        subtitle: 'members less people outside, by level; groups of ten people and more',
        x: '',
        y: 'excess guessed right',
      },
      shown.map(({ variable, level, difference }) => ({ label: `${variable} ${level}`, value: difference })),
    ),
  ]
}

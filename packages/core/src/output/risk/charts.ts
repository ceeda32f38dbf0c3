import { barChart } from '../../chart/chart.js'
import { type Chart, COLORS, COMPOSED, chartOf, labelled, layer, on, quantity } from '../../chart/parts.js'
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
    ...frontCharts(risk),
    ...embeddedChart(risk),
    ...risk.targets.flatMap((target) => sizesChart(target)),
    ...setsChart(risk),
    ...trajectoryChart(risk),
    ...risk.targets.flatMap((target) => groupsChart(target)),
  ].filter(({ isBlank }) => isBlank !== true)
}

/** Quiet: a line and a number for every few powers of ten. */
const POWERS = { scale: { type: 'log' }, axis: { tickCount: 6, format: '~g', labelOverlap: true } }

/** A logarithm has no 0. */
const SMALLEST_ERROR = 1e-12

function searchChart({ runs, options }: OutputRisk): Chart[] {
  const values = runs.flatMap(({ replicate, history }) =>
    history.map(({ steps, mae }) => ({ run: replicate + 1, steps, mae: Math.max(mae, SMALLEST_ERROR) })),
  )
  if (values.length <= runs.length) return []
  const encoding = {
    x: on(quantity(options.engine === 'ea' ? 'generations' : 'proposals'), 'steps'),
    y: on(quantity('mean difference from the published numbers', POWERS), 'mae'),
    detail: { field: 'run', type: 'nominal' },
  }
  const line = { type: 'line', point: true, color: COLORS.release, opacity: 0.6 }
  const heading = { name: 'search', title: 'How the error fell', subtitle: 'one line per embedded data set' }
  return [chartOf(heading, { height: 240, layer: [layer(line, encoding, values)] })]
}

const OUTPUTS_SHOWN = 3
const BEFORE = 10

/** The front of non-dominated sorting, for each two of the first outputs. */
function frontCharts({ runs }: OutputRisk): Chart[] {
  const members = runs.flatMap(({ front = [] }) => front)
  const names = Object.keys(members[0] ?? {}).slice(0, OUTPUTS_SHOWN)
  const pairs = names.flatMap((first, k) => names.slice(k + 1).map((second) => [first, second] as const))
  return pairs.map(([first, second]) => {
    const shown = (name: string) => {
      const errors = members.map((member) => member[name])
      const least = Math.min(...errors.filter((error) => error > 0))
      // What is reproduced has no logarithm, and stands a step before the others.
      return errors.map((error) => Math.max(error, Number.isFinite(least) ? least / BEFORE : SMALLEST_ERROR))
    }
    const [x, y] = [shown(first), shown(second)]
    const values = x.map((error, k) => ({ first: error, second: y[k] }))
    const encoding = {
      x: on(quantity(`error of ${first}`, POWERS), 'first'),
      y: on(quantity(`error of ${second}`, POWERS), 'second'),
    }
    const heading = {
      name: `front-${first}-${second}`,
      title: `What ${first} costs ${second}`,
      subtitle: 'data sets of which none is better in every output; at the very edge it is reproduced',
    }
    const dots = layer({ type: 'point', filled: true, color: COLORS.release, opacity: 0.6 }, encoding, values)
    return chartOf(heading, { height: 240, layer: [dots] })
  })
}

const MOST_ELEMENTS = 40

/** In half units of the last printed digit, since the numbers themselves cannot be told apart by eye. */
function embeddedChart({ outputs }: OutputRisk): Chart[] {
  const all = outputs.flatMap(({ output, elements }) => {
    const isOne = new Set(elements.map(({ statistic }) => statistic)).size < 2
    return elements.flatMap(({ element, statistic, published, precision, mean, least, most }) => {
      if (mean === null || least === null || most === null) return []
      const off = (value: number) => (value - published) / precision
      const label = `${outputs.length > 1 ? `${output}: ` : ''}${element}${isOne ? '' : ` (${statistic})`}`
      return [{ label, mean: off(mean), least: off(least), most: off(most) }]
    })
  })
  if (all.length === 0) return []
  const size = ({ least, most }: { least: number; most: number }) => Math.max(Math.abs(least), Math.abs(most))
  const kept = new Set([...all].sort((a, b) => size(b) - size(a)).slice(0, MOST_ELEMENTS))
  const whole = all.filter((one) => kept.has(one))
  const short = whole.map((one) => ({ ...one, label: levelsOf(one.label) }))
  const shown = new Set(short.map(({ label }) => label)).size < whole.length ? whole : short
  const y = labelled('label')
  const x = quantity('half units of the last digit')
  const few = shown.length < all.length ? `; the ${shown.length} furthest of ${all.length} numbers` : ''
  const same = layer(
    { type: 'rect', color: COLORS.original, opacity: 0.25 },
    { x: on(x, 'from'), x2: { field: 'to' } },
    [{ from: -1, to: 1 }],
  )
  const range = { y, x: on(x, 'least'), x2: { field: 'most' } }
  const dot = { type: 'point', filled: true, size: 45, color: COLORS.release, opacity: 1 }
  return [
    chartOf(
      {
        name: 'embedded',
        title: 'How far the embedded data are from the published numbers',
        subtitle: `shaded: prints the same; dots: mean, lines: all embedded data sets${few}`,
      },
      {
        height: 16 * Math.max(shown.length, 3),
        layer: [
          same,
          layer({ type: 'rule', color: COLORS.release }, range, shown),
          layer(dot, { y, x: on(x, 'mean') }, shown),
        ],
      },
    ),
  ]
}

/** Levels without the names of their variables: "counts: female, high" for "counts: sex=female, education=high". */
function levelsOf(label: string): string {
  return label.replace(/(^|: |, )[^=,:]+=/g, '$1')
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
  // Two dots are two numbers and no picture.
  if (values.length < 3) return []
  const x = { field: 'who', type: 'nominal', title: null, axis: { labelAngle: 0 } }
  const y = on(quantity('share guessed right (TCAP)', { scale: { zero: false } }), 'tcap')
  const line = (color: string, size: number) => ({ type: 'line', color, point: { color, size } })
  return [
    chartOf(
      {
        name: `members-outside-${target}`,
        title: `${target}: guessed right where the keys settle it`,
        subtitle: 'grey: one split; black: mean over splits',
      },
      {
        data: { values },
        facet: { column: labelled('keys') },
        spec: {
          width: 110,
          height: 200,
          layer: [
            layer(line('#bbbbbb', 16), { x, y, detail: { field: 'split', type: 'nominal' } }),
            layer(line(COLORS.rule, 50), { x, y: { ...y, aggregate: 'mean' } }),
          ],
        },
      },
      COMPOSED,
    ),
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
  const sets = new Set(cells.map(({ set }) => set))
  if (cells.length === 0 || targets.every(({ splits }) => splits.length === 0)) return []
  // One set says of each target what the table says.
  if (sets.size < 2) return []
  const largest = Math.max(0.005, ...cells.map(({ difference }) => Math.abs(difference)))
  const color = {
    field: 'difference',
    type: 'quantitative',
    title: 'difference',
    scale: { domain: [-largest, 0, largest], range: [COLORS.release, '#f4f4f4', COLORS.alarm] },
    legend: { labelExpr: "format(100 * datum.value, '+.1f') + ' %'" },
  }
  const place = {
    x: labelled('target', { axis: { labelAngle: 0 } }),
    y: labelled('set', { axis: { labelLimit: 300 } }),
  }
  return [
    chartOf(
      {
        name: 'key-sets',
        title: 'Marginal risk by set of keys',
        subtitle: 'success with members less success with people outside',
      },
      {
        width: Math.max(60, 60 * targets.length),
        height: Math.max(60, 15 * sets.size),
        ...layer({ type: 'rect', stroke: 'white' }, { ...place, color }, cells),
      },
      COMPOSED,
    ),
  ]
}

function trajectoryChart({ trajectory }: OutputRisk): Chart[] {
  if (trajectory === null || trajectory.points.length === 0) return []
  const { points, line } = trajectory
  const most = Math.max(...points.map(({ mae }) => mae))
  const ends = line === null ? [] : [0, most].map((mae) => ({ mae, risk: line.intercept + line.slope * mae }))
  const place = {
    x: on(quantity('mean absolute difference from the published numbers'), 'mae'),
    y: on(quantity('TCAP (all keys, others 0)', { scale: { zero: false } }), 'risk'),
  }
  const at0 = line === null ? '' : `; at an error of 0: ${fixed(line.intercept, 3)}, r ${fixed(line.correlation, 2)}`
  const dot = { type: 'point', filled: true, color: COLORS.release, opacity: 0.6 }
  const dots = points.map((point) => ({ ...point }))
  return [
    chartOf(
      { name: 'trajectory', title: 'Risk while data are being embedded', subtitle: `one dot per snapshot${at0}` },
      { height: 240, layer: [layer(dot, place, dots), layer({ type: 'line', color: COLORS.rule }, place, ends)] },
    ),
  ]
}

const MOST_GROUPS = 20

function groupsChart({ target, groups }: TargetRisk): Chart[] {
  const largest = groups
    .filter(({ difference }) => difference !== 0)
    .sort((a, b) => Math.abs(b.difference) - Math.abs(a.difference))
    .slice(0, MOST_GROUPS)
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

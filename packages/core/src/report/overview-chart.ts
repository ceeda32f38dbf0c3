import type { Assessment } from '../assess/assessment.js'
import { LEVELS } from '../assess/judge.js'
import type { Chart } from '../chart/chart.js'
import { THREAT_TEXT } from '../evidence/threats.js'

const COLORS: Readonly<Record<(typeof LEVELS)[number], string>> = {
  HIGH: '#c0392b',
  MODERATE: '#d68910',
  INCONCLUSIVE: '#8a8f98',
  LOW: '#2f6db5',
  'NOT ASSESSED': '#cccccc',
}

/** Beyond these ends a bound says no more, and would flatten the others. */
const [LEAST, MOST] = [-0.2, 1.05]

/** The whole assessment in one picture: the leakage of every threat with its bounds, one panel per release, its verdict above. */
export function overviewChart({ original, releases }: Assessment): Chart {
  const clipped = (value: number) => Math.min(MOST, Math.max(LEAST, value))
  const panels = releases.map(({ name, verdict, threats }) => {
    const data = threats.flatMap(({ threat, target, level, leakage, interval }) =>
      leakage === null
        ? []
        : [
            {
              threat: target === null ? THREAT_TEXT[threat].title : `${THREAT_TEXT[threat].title} (${target})`,
              level,
              leakage: clipped(leakage),
              lower: clipped(interval?.lower ?? leakage),
              upper: clipped(interval?.upper ?? leakage),
            },
          ],
    )
    const y = { field: 'threat', type: 'nominal', sort: null, title: null }
    const x = {
      type: 'quantitative',
      title: 'leakage: 0 % as about anybody, 100 % as the original itself',
      scale: { domain: [LEAST, MOST] },
      axis: { labelExpr: "format(100 * datum.value, '~r') + ' %'" },
    }
    const shown = LEVELS.filter((level) => data.some((one) => one.level === level))
    const color = {
      field: 'level',
      type: 'nominal',
      title: 'verdict',
      scale: { domain: shown, range: shown.map((level) => COLORS[level]) },
    }
    return {
      title: { text: name, subtitle: `${verdict.level}: ${verdict.recommendation}`, anchor: 'start' },
      width: 420,
      height: 26 * Math.max(2, data.length),
      data: { values: data },
      layer: [
        {
          mark: { type: 'rule', strokeWidth: 2 },
          encoding: { y, x: { ...x, field: 'lower' }, x2: { field: 'upper' }, color },
        },
        { mark: { type: 'point', filled: true, size: 70 }, encoding: { y, x: { ...x, field: 'leakage' }, color } },
      ],
    }
  })
  return {
    name: 'overview',
    title: `Assessment of releases of ${original.name}`,
    spec: {
      $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
      config: { view: { stroke: null }, axis: { grid: false, labelLimit: 300 }, font: 'sans-serif' },
      resolve: { scale: { color: 'independent' } },
      vconcat: panels,
    },
  }
}

import { bandChart, barChart, boxChart, type Chart, lineChart } from '@scrim/core'
import { type Comparison, knownOf } from '../comparison.js'
import { TAUS } from './attacks.js'
import { DEPENDENCY, THRESHOLD_CURVES, THRESHOLDS } from './published.js'
import {
  atKappa,
  attackerTable,
  attributionTable,
  continuousTable,
  curveSpread,
  dependencyTable,
  type Found,
  keyTable,
  meanCurve,
  ratesBySetting,
} from './tables.js'

/** Pictures of the tables, observed beside published; none of what was not run. */
export function studyCharts(findings: Found): Chart[] {
  const keys = keyTable(findings).rows
  const attribution = attributionTable(findings).rows
  const alone = / alone$/
  const without = /^without /
  return [
    ...dependencyChart(findings),
    ...thresholdChart(findings),
    ...spreadCharts(findings),
    ...pairChart('attackers', 'Attackers', 'RAPID', ofRates(attackerTable(findings).rows)),
    ...pairChart('keys-alone', 'One key alone', 'RAPID', ofSettings(keys, alone)),
    ...pairChart('keys-without', 'All keys but one', 'RAPID', ofSettings(keys, without)),
    ...pairChart('attribution', 'Who is at risk', 'RAPID', ofRates(attribution)),
    ...pairChart(
      'coefficients',
      'Median log odds of being at risk',
      'against female, young, low education',
      attribution.filter(({ figure }) => figure === 'median coefficient'),
    ),
    ...pairChart('continuous', 'Income', 'RAPID', ofRates(continuousTable(findings).rows)),
  ]
}

function ofRates(rows: readonly Comparison[]): Comparison[] {
  return rows.filter(({ figure }) => figure === 'RAPID')
}

/** Rows whose setting has `words`, without them. */
function ofSettings(rows: readonly Comparison[], words: RegExp): Comparison[] {
  return rows
    .filter(({ setting }) => words.test(setting))
    .map((row) => ({ ...row, setting: row.setting.replace(words, '') }))
}

function pairChart(name: string, what: string, y: string, rows: readonly Comparison[]): Chart[] {
  if (rows.length === 0) return []
  const isPublished = rows.every(({ published }) => published !== null)
  return [
    barChart(
      { name, title: `${what}: observed (blue) and ${isPublished ? 'published' : 'computed apart'} (grey)`, x: '', y },
      rows.flatMap((row) => [
        { label: row.setting, value: knownOf(row), series: 'original' as const },
        { label: row.setting, value: row.observed, series: 'release' as const },
      ]),
    ),
  ]
}

function dependencyChart(findings: Found): Chart[] {
  const { rows } = dependencyTable(findings)
  if (rows.length === 0) return []
  const points = DEPENDENCY.flatMap(({ kappa }) =>
    rows
      .filter(({ setting }) => setting === atKappa(kappa))
      .flatMap((row) => [
        { x: kappa, y: row.observed, series: `${row.figure}, observed` },
        { x: kappa, y: knownOf(row), series: `${row.figure}, published` },
      ]),
  )
  const title = 'RAPID and accuracy: observed and published'
  return [lineChart({ name: 'dependency', title, x: 'kappa', y: 'share of records' }, points)]
}

function thresholdChart(findings: Found): Chart[] {
  const points = THRESHOLD_CURVES.flatMap(({ kappa, rates }) => {
    const curve = meanCurve(findings, kappa)
    if (curve.length === 0) return []
    return [
      ...curve.map((y, k) => ({ x: TAUS[k], y, series: `${atKappa(kappa)}, observed` })),
      ...rates.map((y, k) => ({ x: THRESHOLDS[k], y, series: `${atKappa(kappa)}, published` })),
    ]
  })
  if (points.length === 0) return []
  const title = 'RAPID by threshold: observed and published'
  return [lineChart({ name: 'thresholds', title, x: 'tau', y: 'RAPID' }, points)]
}

/** The curve over the threshold with a standard deviation over files to either side, and the rates of all files as boxes. */
function spreadCharts(findings: Found): Chart[] {
  const band = THRESHOLD_CURVES.flatMap(({ kappa }) =>
    curveSpread(findings, kappa).map(({ mean, sd }, k) => ({
      x: TAUS[k],
      y: mean,
      lower: Math.max(0, mean - sd),
      upper: Math.min(1, mean + sd),
      series: atKappa(kappa),
    })),
  )
  const { kappas, attackers } = ratesBySetting(findings)
  return [
    ...(band.length === 0
      ? []
      : [
          bandChart(
            {
              name: 'threshold-band',
              title: 'RAPID by threshold: mean over files, one standard deviation to either side',
              x: 'tau',
              y: 'RAPID',
            },
            band,
          ),
        ]),
    ...(kappas.length === 0
      ? []
      : [boxChart({ name: 'spread', title: 'RAPID over files: forest, tau 0.3', x: 'kappa', y: 'RAPID' }, kappas)]),
    ...(attackers.length === 0
      ? []
      : [
          boxChart(
            { name: 'attacker-spread', title: 'RAPID over files, by attacker: kappa 10', x: '', y: 'RAPID' },
            attackers,
          ),
        ]),
  ]
}

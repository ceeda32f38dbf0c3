import type { Assessment, ReleaseAssessment } from '../../assess/assessment.js'
import { LEVELS, type Level } from '../../assess/judge.js'
import { type Chart, CONFIG, layer, on, percentTicks, SCHEMA } from '../../chart/parts.js'
import { THREAT_TEXT } from '../../evidence/threats.js'
import type { Json } from '../../json.js'

/** Colours and shapes of verdicts, so that nothing rests on colour alone. */
const LOOKS: Readonly<Record<(typeof LEVELS)[number], { readonly color: string; readonly shape: string }>> = {
  HIGH: { color: '#b3261e', shape: 'diamond' },
  MODERATE: { color: '#b26a00', shape: 'triangle-up' },
  INCONCLUSIVE: { color: '#6b7280', shape: 'cross' },
  LOW: { color: '#1b7f4b', shape: 'circle' },
  'NOT ASSESSED': { color: '#cccccc', shape: 'circle' },
}
const GREY = '#8a8f98'
const INK = '#333333'

/** Beyond these ends a bound says no more, and would flatten the others. */
const [LEAST, MOST] = [-0.2, 1.05]

/**
 * The whole assessment in one picture: the leakage of every threat with its bounds, on the scale from what other people give
 * away to the original itself, with a tick where it is called high; one panel per release, its verdict above.
 */
export function overviewChart({
  original,
  releases,
  targets,
}: Pick<Assessment, 'original' | 'releases' | 'targets'>): Chart {
  return {
    name: 'overview',
    title: `Leakage by threat: releases of ${original.name}`,
    spec: {
      $schema: SCHEMA,
      config: CONFIG,
      resolve: { scale: { color: 'independent', shape: 'independent' } },
      vconcat: releases.map((release) => panel(release, targets.length > 1, releases.length === 1)),
    },
  }
}

function panel({ name, verdict, threats }: ReleaseAssessment, named: boolean, isOnly: boolean): Json {
  const place = (share: number) => Math.min(MOST, Math.max(LEAST, share))
  const data = threats.flatMap(({ threat, target, level, leakage, interval, limits }) =>
    leakage === null
      ? []
      : [
          {
            threat: named && target !== null ? `${THREAT_TEXT[threat].title} (${target})` : THREAT_TEXT[threat].title,
            level,
            leakage: place(leakage),
            lower: place(interval?.lower ?? leakage),
            upper: place(interval?.upper ?? leakage),
            limit: limits.high,
          },
        ],
  )
  const levels = LEVELS.filter((level) => data.some((row) => row.level === level))
  const y = { field: 'threat', type: 'nominal', sort: null, title: null }
  const x = {
    type: 'quantitative',
    title: 'leakage (tick: high from here)',
    scale: { domain: [LEAST, MOST] },
    axis: percentTicks([0, 0.25, 0.5, 0.75, 1]),
  }
  const ends = [
    { at: 0, text: 'other people' },
    { at: 1, text: 'the original' },
  ]
  const heading = { type: 'text', dy: -6, y: 0, color: INK, fontSize: 11 }
  const color = lookScale('color', levels)
  const shape = lookScale('shape', levels)
  return {
    title: {
      ...(isOnly
        ? { text: 'Leakage by threat', subtitle: `${name}: ${verdict.level}` }
        : { text: name, subtitle: `${verdict.level}: ${verdict.recommendation}` }),
      anchor: 'start',
      offset: 18,
    },
    width: 280,
    height: 24 * Math.max(2, data.length),
    data: { values: data },
    layer: [
      layer({ type: 'rule', color: GREY, strokeDash: [4, 3] }, { x: on(x, 'at') }, ends),
      layer(heading, { x: on(x, 'at'), text: { field: 'text' } }, ends),
      layer({ type: 'tick', color: INK, thickness: 1, height: 12 }, { y, x: on(x, 'limit') }),
      layer({ type: 'rule', strokeWidth: 2 }, { y, x: on(x, 'lower'), x2: { field: 'upper' }, color }),
      layer({ type: 'point', filled: true, size: 80 }, { y, x: on(x, 'leakage'), color, shape }),
    ],
  }
}

/** Verdicts by colour or by shape, with a legend below. */
export function lookScale(look: 'color' | 'shape', levels: readonly Level[]) {
  return {
    field: 'level',
    type: 'nominal',
    title: null,
    scale: { domain: [...levels], range: levels.map((level) => LOOKS[level][look]) },
    // Two beside each other: on a phone there is no room for more below the frame.
    legend: levels.length > 1 ? { orient: 'bottom', columns: 2 } : null,
  }
}

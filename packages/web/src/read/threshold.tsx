import { useState } from 'preact/hooks'
import type { ThresholdCurve } from '../engine/protocol.js'
import { share } from '../numbers.js'

const TEXT = {
  attribution: {
    title: 'How sure must an intruder be to speak?',
    about:
      'An intruder looks up a person’s keys in the release and makes a claim when the most frequent target there has at least this share.',
    label: 'share needed',
  },
  rapid: {
    title: 'When does a model know too much?',
    about:
      'A person is at risk when a model trained on the release beats a guess from overall frequencies by more than this threshold, or misses their number by less than it.',
    label: 'threshold',
  },
} as const

const SIZE = { width: 460, height: 220, left: 48, right: 16, top: 12, bottom: 34 }
const LINES = ['first', 'second', 'third']

/** A share over a threshold, with the threshold in the reader's hand. */
export function Threshold({ curve }: { curve: ThresholdCurve }) {
  const { measure, threshold, points, target } = curve
  const [at, setAt] = useState(curve.chosen)
  const last = points[points.length - 1]?.at ?? 1
  const first = points[0]?.at ?? 0
  const names = Object.keys(points[0]?.values ?? {})
  const x = (value: number) =>
    SIZE.left + ((value - first) / (last - first || 1)) * (SIZE.width - SIZE.left - SIZE.right)
  const y = (value: number) => SIZE.height - SIZE.bottom - value * (SIZE.height - SIZE.top - SIZE.bottom)
  const id = `threshold-${measure}-${target ?? ''}`
  return (
    <section class="threshold" aria-labelledby={id}>
      <h3 id={id}>
        {TEXT[measure].title} {target === null ? '' : <span class="grey">({target})</span>}
      </h3>
      <p class="grey">{TEXT[measure].about}</p>
      <p>
        {TEXT[measure].label} ({threshold}): <output>{Number(at.toFixed(3))}</output>{' '}
        <input
          type="range"
          aria-label={`${TEXT[measure].label} (${threshold})`}
          min={first}
          max={last}
          step={(last - first) / 100}
          value={at}
          onInput={({ currentTarget }) => setAt(Number(currentTarget.value))}
        />
      </p>
      <div role="status">
        <ul class="legend">
          {names.map((name, k) => (
            <li key={name} class={LINES[k]}>
              {name}: <strong>{share(valueAt(curve, name, at))}</strong>
            </li>
          ))}
        </ul>
      </div>
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden="true" class="curve">
        {[0, 0.5, 1].map((tick) => (
          <g key={tick} class="tick">
            <line x1={x(first)} x2={x(last)} y1={y(tick)} y2={y(tick)} />
            <text x={x(first) - 6} y={y(tick) + 4} text-anchor="end">
              {100 * tick} %
            </text>
            <text x={x(first + tick * (last - first))} y={SIZE.height - 14} text-anchor="middle">
              {Number((first + tick * (last - first)).toPrecision(3))}
            </text>
          </g>
        ))}
        {names.map((name, k) => (
          <polyline
            key={name}
            class={LINES[k]}
            points={points
              .flatMap(({ at: where, values }) => (values[name] == null ? [] : [`${x(where)},${y(values[name] ?? 0)}`]))
              .join(' ')}
          />
        ))}
        <line class="chosen" x1={x(at)} x2={x(at)} y1={y(0)} y2={y(1)} />
        {names.map((name, k) => {
          const value = valueAt(curve, name, at)
          return value === null ? null : <circle key={name} class={LINES[k]} cx={x(at)} cy={y(value)} r={5} />
        })}
      </svg>
    </section>
  )
}

/** On the straight line between the two thresholds that were computed. */
function valueAt({ points }: Pick<ThresholdCurve, 'points'>, name: string, at: number): number | null {
  const after = points.findIndex((point) => point.at >= at)
  if (after < 0) return points[points.length - 1]?.values[name] ?? null
  const [a, b] = [points[Math.max(0, after - 1)], points[after]]
  const [low, high] = [a.values[name] ?? null, b.values[name] ?? null]
  if (low === null || high === null || b.at === a.at) return high
  return low + ((high - low) * (at - a.at)) / (b.at - a.at)
}

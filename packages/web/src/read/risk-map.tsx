import type { MapPoint } from '@scrim/core'
import { levelClass } from '@scrim/report'
import { range, roughly } from '../numbers.js'

/** Where a release stands between risk and utility; `index` is null for one that is only there to compare with. */
export interface Placed {
  readonly point: MapPoint
  readonly index: number | null
  readonly label: string
}

const SIZE = { width: 420, height: 320, left: 68, right: 24, top: 24, bottom: 44 }
/** From the middle of the largest point to its label. */
const LABEL_GAP = 17
/** Two labels need so much between their lines. */
const LINE = 16
const TICKS = [0, 0.25, 0.5, 0.75, 1]
const ANCHORS = [
  { name: 'the original', utility: 1, risk: 1 },
  { name: 'nothing', utility: 0, risk: 0 },
  { name: 'a fair sample', utility: 1, risk: 0 },
]

const x = (utility: number) => SIZE.left + utility * (SIZE.width - SIZE.left - SIZE.right)
const y = (risk: number) => SIZE.height - SIZE.bottom - risk * (SIZE.height - SIZE.top - SIZE.bottom)

/**
 * The height of each label: beside its point, or above labels of the same half of the map that it would lie upon. From below, since what
 * stands at the bottom cannot give way.
 */
function labelHeights(points: readonly Placed[]): ReadonlyMap<Placed, number> {
  const heights = new Map<Placed, number>()
  const taken = { left: [y(0) - 7], right: [y(0) - 7] }
  const known = points.flatMap((placed) => {
    const { risk, utility } = placed.point
    return risk === null || utility === null ? [] : [{ placed, at: y(risk.value) + 4, isRight: utility.value > 0.5 }]
  })
  for (const { placed, at, isRight } of known.sort((a, b) => b.at - a.at)) {
    const lines = isRight ? taken.right : taken.left
    const height = Math.min(at, ...lines.filter((line) => line - at < LINE).map((line) => line - LINE))
    lines.push(height)
    heights.set(placed, height)
  }
  return heights
}

/** The map of risk and utility with points to choose; the list below it says the same in words. */
export function RiskMap({
  points,
  chosen,
  onChoose,
}: {
  points: readonly Placed[]
  chosen: number
  onChoose: (index: number) => void
}) {
  if (points.length === 0) return null
  const heights = labelHeights(points)
  return (
    <figure class="map">
      <svg viewBox={`0 0 ${SIZE.width} ${SIZE.height}`} aria-hidden="true">
        {TICKS.map((tick) => (
          <g key={tick} class="tick">
            <line x1={x(tick)} x2={x(tick)} y1={y(0)} y2={y(1)} />
            <line x1={x(0)} x2={x(1)} y1={y(tick)} y2={y(tick)} />
            <text x={x(tick)} y={y(0) + 16} text-anchor="middle">
              {100 * tick} %
            </text>
            <text x={x(0) - 6} y={y(tick) + 4} text-anchor="end">
              {100 * tick} %
            </text>
          </g>
        ))}
        <text x={x(0.5)} y={SIZE.height - 8} text-anchor="middle">
          utility: better to the right
        </text>
        <text x={13} y={y(0.5)} text-anchor="middle" transform={`rotate(-90 13 ${y(0.5)})`}>
          risk: better below
        </text>
        {ANCHORS.map(({ name, utility, risk }) => (
          <g key={name} class="anchor">
            <rect x={x(utility) - 4} y={y(risk) - 4} width={8} height={8} />
            <text
              x={x(utility) + (utility > 0.5 ? -8 : 8)}
              y={y(risk) - 7}
              text-anchor={utility > 0.5 ? 'end' : 'start'}
            >
              {name}
            </text>
          </g>
        ))}
        {points.map((placed) => {
          const { point, index, label } = placed
          return point.risk === null || point.utility === null ? null : (
            // biome-ignore lint/a11y/noStaticElementInteractions: the buttons below do the same for the keyboard
            <g
              key={label}
              class={`point ${levelClass(point.level)} ${index === chosen ? 'chosen' : ''} ${index === null ? 'before' : ''}`}
              onClick={() => index !== null && onChoose(index)}
            >
              <line
                x1={x(point.utility.value)}
                x2={x(point.utility.value)}
                y1={y(point.risk.lower)}
                y2={y(point.risk.upper)}
              />
              <circle cx={x(point.utility.value)} cy={y(point.risk.value)} r={index === chosen ? 9 : 7} />
              <text
                x={x(point.utility.value) + (point.utility.value > 0.5 ? -LABEL_GAP : LABEL_GAP)}
                y={heights.get(placed)}
                text-anchor={point.utility.value > 0.5 ? 'end' : 'start'}
              >
                {label}
              </text>
            </g>
          )
        })}
      </svg>
      <figcaption>
        <table class="points">
          <caption>Risk is the largest leakage of any threat</caption>
          <thead>
            <tr>
              <th scope="col">release</th>
              <th scope="col">risk</th>
              <th scope="col">utility</th>
            </tr>
          </thead>
          <tbody>
            {points.map(({ point, index, label }) => (
              <tr key={label}>
                <th scope="row">
                  {index === null ? (
                    label
                  ) : (
                    <button type="button" class="small" aria-pressed={index === chosen} onClick={() => onChoose(index)}>
                      {label}
                    </button>
                  )}
                </th>
                <td data-head="risk">
                  {roughly(point.risk?.value ?? null)}{' '}
                  {point.risk === null ? null : <span class="grey">({range(point.risk)})</span>}
                </td>
                <td data-head="utility">{roughly(point.utility?.value ?? null)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </figcaption>
    </figure>
  )
}

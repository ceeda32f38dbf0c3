import { type Chart, chartOf, layer, on } from '../../chart/parts.js'
import type { Candidate, Score } from '../../compare/comparison.js'
import type { Json } from '../../json.js'
import { symmetricEigen } from '../../stats/matrices/eigen.js'
import { candidateLooks, clamp, scoreName, scoreOf } from './scales.js'

/**
 * Principal components of the scores as they are (Gabriel 1971, "The biplot graphic display of matrices"): centred, not
 * rescaled, so that a measure in which the candidates do not differ adds nothing. Signs: a component grows with most of what
 * it is made of. For four candidates on.
 */
interface Components {
  /** Of each candidate on the first two components. */
  readonly scores: readonly (readonly [number, number])[]
  readonly loadings: readonly (readonly [number, number])[]
  /** Share of the variance. */
  readonly explained: readonly [number, number]
}

const ARROW = 0.8
const NOTHING = 1e-12

/** Null where the candidates do not differ. */
export function componentsOf(rows: readonly (readonly number[])[]): Components | null {
  const [n, k] = [rows.length, rows[0]?.length ?? 0]
  if (n < 2 || k < 2) return null
  const centres = Array.from({ length: k }, (_, j) => rows.reduce((sum, row) => sum + row[j], 0) / n)
  const centred = rows.map((row) => row.map((value, j) => value - centres[j]))
  const covariance = new Float64Array(k * k)
  for (const row of centred)
    for (let i = 0; i < k; i++) for (let j = 0; j < k; j++) covariance[i * k + j] += (row[i] * row[j]) / (n - 1)
  const { values, vectors } = symmetricEigen(covariance, k)
  const total = values.reduce((sum, value) => sum + Math.max(0, value), 0)
  if (total < NOTHING) return null
  const [first, second] = [upright(vectors[0]), upright(vectors[1])]
  const along = (row: readonly number[], axis: readonly number[]) =>
    row.reduce((sum, value, j) => sum + value * axis[j], 0)
  return {
    scores: centred.map((row) => [along(row, first), along(row, second)]),
    loadings: first.map((value, j) => [value, second[j]]),
    explained: [Math.max(0, values[0]) / total, Math.max(0, values[1]) / total],
  }
}

function upright(vector: Float64Array): number[] {
  const sign = vector.reduce((sum, value) => sum + value, 0) < 0 ? -1 : 1
  return Array.from(vector, (value) => sign * value)
}

function matrixOf(candidates: readonly Candidate[], scores: readonly Score[]): number[][] {
  return candidates.map((candidate) => scores.map((score) => clamp(scoreOf(candidate, score)?.place?.value ?? 0)))
}

export function biplotChart(candidates: readonly Candidate[], shown: readonly Score[]): Chart | null {
  const found = componentsOf(matrixOf(candidates, shown))
  if (found === null) return null
  const reach = Math.max(...found.scores.flat().map(Math.abs))
  const longest = Math.max(...found.loadings.map(([x, y]) => Math.hypot(x, y)))
  const arrows = shown.map((score, j) => ({
    text: scoreName(score),
    kind: score.block === 'risk' ? 'risk' : 'utility',
    x: (ARROW * reach * found.loadings[j][0]) / longest,
    y: (ARROW * reach * found.loadings[j][1]) / longest,
    x0: 0,
    y0: 0,
  }))
  const axis = (share: number, which: string) => ({
    type: 'quantitative',
    title: `${which} component (${Math.round(100 * share)} % of the variance)`,
  })
  const x = { ...axis(found.explained[0], 'first'), scale: { domain: [-1.35 * reach, 1.35 * reach] } }
  const y = { ...axis(found.explained[1], 'second'), scale: { domain: [-1.15 * reach, 1.15 * reach] } }
  const color = {
    field: 'kind',
    type: 'nominal',
    title: 'arrows',
    scale: { domain: ['risk', 'utility'], range: ['#a8201a', '#1f4e96'] },
    legend: null,
  }
  const long = arrows.filter(({ x: dx, y: dy }) => Math.hypot(dx, dy) > 0.12 * reach)
  const shafts = { x: on(x, 'x0'), y: on(y, 'y0'), x2: { field: 'x' }, y2: { field: 'y' }, color }
  return chartOf(
    {
      name: 'biplot',
      title: 'Candidates and measures together',
      subtitle: 'red arrows: risk; blue: utility; filled: on the front',
    },
    {
      height: 300,
      resolve: { scale: { color: 'independent' }, legend: { color: 'independent' } },
      layer: [
        layer({ type: 'rule', strokeWidth: 1.2 }, shafts, arrows),
        layer(
          { type: 'text', fontSize: 10, dy: -6 },
          { x: on(x, 'x'), y: on(y, 'y'), text: { field: 'text' }, color },
          long,
        ),
        { layer: pointLayers(candidates, found.scores, x, y) },
      ],
    },
  )
}

/** The first component of the risks against that of the utilities. */
export function blockChart(candidates: readonly Candidate[], shown: readonly Score[]): Chart | null {
  const risks = shown.filter(({ block }) => block === 'risk')
  const utilities = shown.filter(({ block }) => block !== 'risk')
  const [risk, utility] = [risks, utilities].map((block) => componentsOf(matrixOf(candidates, block)))
  if (risk === null || utility === null) return null
  const share = ([first]: readonly [number, number]) => `${Math.round(100 * first)} % of the variance`
  const scores = candidates.map((_, k): readonly [number, number] => [utility.scores[k][0], risk.scores[k][0]])
  const x = { type: 'quantitative', title: `utility, first component (${share(utility.explained)})` }
  const y = { type: 'quantitative', title: `risk, first component (${share(risk.explained)})` }
  return chartOf(
    {
      name: 'blocks',
      title: 'Risk and utility by their first components',
      subtitle: 'centred; right is useful, up is risky; filled: on the front',
    },
    { height: 300, layer: pointLayers(candidates, scores, x, y) },
  )
}

/** Labels belong to their candidate by construction: a dot carries its name. */
function pointLayers(
  candidates: readonly Candidate[],
  scores: readonly (readonly [number, number])[],
  x: Readonly<Record<string, Json>>,
  y: Readonly<Record<string, Json>>,
): Json[] {
  const dots = candidates.map(({ name, front }, k) => ({
    candidate: name,
    x: scores[k][0],
    y: scores[k][1],
    filled: front === null || front.label !== 'dominated' ? 1 : 0,
  }))
  return [true, false].map((filled) =>
    layer(
      { type: 'point', filled, size: 90, opacity: 1 },
      { x: on(x, 'x'), y: on(y, 'y'), ...candidateLooks(candidates) },
      dots.filter((dot) => (dot.filled === 1) === filled),
    ),
  )
}

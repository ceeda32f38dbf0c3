import type { Chart } from '../../chart/parts.js'
import type { Candidate, Comparison, Score } from '../../compare/comparison.js'
import { THREATS, type Threat } from '../../evidence/threats.js'
import { percent } from '../../print.js'
import { INTERVAL_LEVEL } from '../../stats/levels.js'
import { biplotChart, blockChart } from './components.js'
import { dominanceChart } from './dominance-chart.js'
import { dotChart } from './dot-chart.js'
import { heatmapChart } from './heatmap.js'
import { parallelChart } from './parallel.js'
import { radialChart } from './radial.js'

export interface QuestionedPicture {
  readonly question: string
  readonly reading: string
  readonly chart: Chart
  /** Too much in it for half a page. */
  readonly wide: boolean
}

/** A picture by the question that it answers; where it cannot be drawn, a sentence says why, or nothing is to be said. */
interface Display extends Omit<QuestionedPicture, 'chart'> {
  readonly draw: () => Chart | string | null
}

const FEWEST_FOR_COMPONENTS = 4
const [FEWEST_SPOKES, MOST_SPOKES] = [3, 10]

/** Displays 2 to 8; the first is the map, the last two are tables. `notDrawn` are those that there are too few, or too many, candidates for. */
export function displaysOf({ candidates, dominance }: Comparison): {
  readonly pictures: readonly QuestionedPicture[]
  readonly notDrawn: readonly string[]
} {
  const scored = candidates.filter(({ scores }) => scores.some(({ place }) => place !== null))
  if (scored.length === 0) return { pictures: [], notDrawn: ['no candidate could be placed'] }
  const shown = shownScores(scored)
  const common = shown.filter(({ id, target }) =>
    scored.every(({ scores }) => scores.some((one) => one.id === id && one.target === target && one.place !== null)),
  )
  const hasSpokes = common.length >= FEWEST_SPOKES && common.length <= MOST_SPOKES
  const hasComponents = scored.length >= FEWEST_FOR_COMPONENTS && common.length >= 2
  const displays: Display[] = [
    {
      question: 'Where is each candidate good or bad?',
      reading:
        'Dark red is bad, dark blue is good. Risk: leakage, 0 what other people give away too, 100 the original. Utility: place, 0 keeps nothing, 100 an honest sample. A star is significant; /// was not assessed.',
      draw: () => heatmapChart(scored, shown),
      wide: true,
    },
    {
      question: 'How sure is each number?',
      reading: `One row per threat or measure, with ${percent(INTERVAL_LEVEL, 0)} intervals; lines at the two ends of each scale.`,
      draw: () => dotChart(scored, shown),
      wide: true,
    },
    {
      question: 'What is the profile of each candidate?',
      reading: 'Up is good everywhere: risk is drawn as 100 % less leakage.',
      draw: () => parallelChart(scored, shown),
      wide: true,
    },
    {
      question: 'And as a shape?',
      reading:
        'The same profile around a circle: the inner ring is the worst end of each scale, the outer one the best.',
      draw: () =>
        hasSpokes
          ? radialChart(scored, common)
          : `the radial profile needs ${FEWEST_SPOKES} to ${MOST_SPOKES} measures, and ${common.length} are common to all candidates`,
      wide: false,
    },
    {
      question: 'Which candidates and measures go together?',
      reading:
        'Principal components of the scores as they are, centred and not rescaled; arrows point to where a score grows.',
      draw: () =>
        hasComponents
          ? biplotChart(scored, common)
          : `principal components need ${FEWEST_FOR_COMPONENTS} candidates, and there are ${scored.length}`,
      wide: false,
    },
    {
      question: 'Does another weighting change the picture?',
      reading:
        'The first component of the risks against that of the utilities, each with the sign in which it grows with its block.',
      draw: () => (hasComponents ? blockChart(scored, common) : null),
      wide: false,
    },
    {
      question: 'Who dominates whom?',
      reading: 'Share of draws in which the row is no worse than the column in both, and better in one.',
      draw: () =>
        dominance.names.length > 1 ? dominanceChart(dominance) : 'dominance needs two candidates on the map',
      wide: false,
    },
  ]
  const drawn = displays.map(({ draw, ...display }) => ({ ...display, chart: draw() }))
  return {
    pictures: drawn.flatMap(({ chart, ...display }) =>
      chart === null || typeof chart === 'string' ? [] : [{ ...display, chart }],
    ),
    notDrawn: drawn.flatMap(({ chart }) => (typeof chart === 'string' ? [chart] : [])),
  }
}

/** What at least one candidate has a place for, in the order of threats and measures. */
function shownScores(candidates: readonly Candidate[]): readonly Score[] {
  const seen = new Map<string, Score>()
  for (const { scores } of candidates)
    for (const score of scores) {
      const key = `${score.id} ${score.target}`
      if (score.place !== null && !seen.has(key)) seen.set(key, score)
    }
  const blocks = ['risk', 'relations', 'columns']
  const order = ({ block, id }: Score) => 100 * blocks.indexOf(block) + Math.max(0, THREATS.indexOf(id as Threat))
  return [...seen.values()].sort((a, b) => order(a) - order(b))
}

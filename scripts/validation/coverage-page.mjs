// docs/coverage.md: do intervals hold what they speak of?
import { PERTURBED } from './scenes.mjs'
import { errorAt, fromTo, markdownTable, mean, percent, shareOf } from './shares.mjs'

export const COVERED = ['honest', 'CART, minbucket 5', 'each copied with a chance of 5 %']
const COLUMNS = [...COVERED, PERTURBED]
const LEAST = 0.92
const MOST = 0.98
/** A share so many of its standard errors beyond a bar has broken it. */
const ERRORS = 2
const FEWEST = 15

/**
 * Share of the intervals that hold the mean value of a scene. The mean was estimated from the same n values, which lie nearer to
 * it than to the true one by √((n - 1) / n).
 */
function coverage(rows, id, scene) {
  const known = rows.filter(
    (row) => row.measure === id && row.scene === scene && row.value !== null && row.interval != null,
  )
  if (known.length < FEWEST) return null
  const truth = mean(known.map(({ value }) => value))
  const stretched = Math.sqrt(known.length / (known.length - 1))
  return shareOf(known, ({ value, interval: [lower, upper] }) => {
    const at = value - (value - truth) * stretched
    return lower - ROUNDING <= at && at <= upper + ROUNDING
  })
}

const ROUNDING = 1e-12

/** How often the one-sided 95 % bounds of the effect lie on their side of the mean effect: below it, and above it. */
function bounded(rows, id, scene) {
  const known = rows.flatMap((row) =>
    row.measure === id && row.scene === scene && row.assessed && row.effect != null ? [row.effect] : [],
  )
  if (known.length < FEWEST) return null
  const truth = mean(known.map(({ value }) => value))
  return {
    lower: shareOf(known, ({ lower }) => lower <= truth + ROUNDING).share,
    upper: shareOf(known, ({ upper }) => truth - ROUNDING <= upper).share,
  }
}

function boundsSection(rows, measures) {
  const found = measures
    .map(({ id }) => ({ id, cells: COLUMNS.map((scene) => bounded(rows, id, scene)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== null))
  return [
    '## Bounds of the effect',
    '',
    'The judge goes by one-sided 95 % bounds of what a value exceeds its fair control by. How often the lower one lies below the mean effect of the',
    'same simulations, and the upper one above it; no bar is held to these.',
    '',
    markdownTable(
      ['measure', ...COLUMNS],
      found.map(({ id, cells }) => [
        `[\`${id}\`](measures/${id}.md)`,
        ...cells.map((cell) => (cell === null ? '-' : `${percent(cell.lower)}, ${percent(cell.upper)}`)),
      ]),
    ),
    '',
  ]
}

/** What is below or above the bars by more than the error of the simulation. */
export function uncovered(rows, measures) {
  return measures.flatMap(({ id }) =>
    COLUMNS.flatMap((scene) => {
      const found = coverage(rows, id, scene)
      if (found === null) return []
      const { share, n } = found
      const isBroken = share + ERRORS * errorAt(LEAST, n) < LEAST || share - ERRORS * errorAt(MOST, n) > MOST
      return isBroken ? [`the interval of ${id} covers ${percent(share, 1)} of ${n} in "${scene}"`] : []
    }),
  )
}

export function coveragePage(rows, measures) {
  const found = measures
    .map(({ id, varies = [] }) => ({ id, varies, cells: COLUMNS.map((scene) => coverage(rows, id, scene)) }))
    .filter(({ cells }) => cells.some((cell) => cell !== null))
  const counts = found.flatMap(({ cells }) => cells.flatMap((cell) => cell?.n ?? []))
  const print = (cell) =>
    cell === null ? '-' : `${percent(cell.share)} ± ${(100 * errorAt(cell.share, cell.n)).toFixed(0)}`
  return [
    '# Do the intervals cover?',
    '',
    'How often the 95 % interval of a measure contains what it estimates, in simulated releases of 300 people. What it estimates is the',
    'mean of its value over all simulations of a column, in each of which there are other people, another release made from them and',
    'other random numbers of the attacker.',
    '',
    `Each number rests on ${fromTo(counts)} simulations and has its own standard error behind ±. Made by \`node scripts/validation/calibration.mjs\`;`,
    '`npm run validate` fails when one lies below 92 % or above 98 % by more than two standard errors.',
    '',
    markdownTable(
      ['measure', 'allows for', ...COLUMNS],
      found.map(({ id, varies, cells }) => [`[\`${id}\`](measures/${id}.md)`, varies.join(', '), ...cells.map(print)]),
    ),
    '',
    'Measures that are not in the table have no interval: their value is exact given the files, or is chosen on the same people, as the',
    'threshold of [`rapid-threshold`](measures/rapid-threshold.md) is, and other people would have led to another one. Not simulated are',
    '[`rapid-cv`](measures/rapid-cv.md) and [`strong-attack`](measures/strong-attack.md), which need the generator. The interval of',
    '[`population-uniqueness`](measures/population-uniqueness.md) held the mean of its estimates in 93 % of 60 samples of 300 from 3,000 people',
    'of this population, and never the true share (0.03 %, estimated 6.6 %): it knows nothing of how wrong its model is.',
    '',
    'An interval is made from one release. It can know how much released *records* vary, but not how much the *model* would that was',
    'fitted to other people: a tree of other people splits elsewhere, and all records of the release follow it together. That is why',
    'the column CART tends to lie below the others; several syntheses of one original do not show it either. It matters most for few',
    'coarse keys, where a synthesis follows the margins of its original, so that both files vary together: with sex, or sex and',
    'education, as the only keys the intervals of `attribution` and `dcap` covered 75 and 82 % of 80 CART releases (95 and 96 % of honest ones). A value that is 0 in nearly',
    'every simulation, as identical records among honest ones are, is covered more often than 95 %: an interval from nothing seen has',
    'to reach beyond 0.',
    '',
    ...boundsSection(rows, measures),
  ].join('\n')
}

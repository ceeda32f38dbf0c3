import { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceProblems, toRows } from '../../neighbors/release-space.js'
import { type Space, space } from '../../neighbors/space.js'
import { columnNames, whole } from '../../option-kinds.js'
import { count, fixed, grouped, percent, precise } from '../../print.js'
import { mean, sum } from '../../stats/sums.js'
import { tableOfPart } from '../../table/classes.js'
import { scanFor } from '../../table/release.js'
import { foundChart, rankChart } from './charts.js'
import { blocksOf } from './costs/blocks.js'
import { linkedInSpace } from './costs/space-costs.js'
import { NEAREST } from './matching/guesses.js'
import { link } from './matching/link.js'
import { peopleKey, type ScannedPeople } from './scanned-people.js'
import { nearestTable } from './summary.js'
import { chanceOfFinds, evidenceOfFinds } from './truth/finds-by-chance.js'
import { type Found, found } from './truth/found.js'
import { type LookedFor, lookedForIn } from './truth/looked-for.js'
import { comparedIn, NO_CORRESPONDENCE, rowsCorrespond } from './truth/row-order.js'
import { chosenOrKeys } from './truth/sides.js'
import { askedOf, sameRows } from './truth/truth.js'

/**
 * Re-identification of a perturbed release, in which row i derives from row i of the original: the intruder knows the keys
 * of each of n people and takes the released record nearest to them (Gower 1971), one at random if several are. With C_i
 * the nearest records, person i is found with probability h_i = [i in C_i] / |C_i|; the value is mean h.
 *   by chance       1/n: the records dealt out at random
 *   everything      the original itself: mean 1/f_i = G/n, f_i people having the keys of i, G different keys
 * Leakage = (mean h - 1/n) / (G/n - 1/n). Distance-based record linkage: Pagliuca and Seri (1999); Domingo-Ferrer and Torra (2001).
 *
 * People with the same keys have the same C_i, so together they add at most 1 (`evidenceOfFinds`). For the test let the rows be
 * dealt out at random: then E binomial(T, k) <= 1/k! for the number T = Σ h of finds, whatever the distances and ties, so
 *   P(T >= t) <= 1 / (t (t - 1) ... (t - k + 1)), k the whole part of t,
 * for any number of people: five finds have p = 1/120, where one is expected.
 * Blind to rows that were put into another order, and to what an intruder learns from a find.
 */
const options = z.object({
  variables: columnNames(1).describe(
    'what the intruder knows; the keys and numeric keys when not given, and all variables when there are none',
  ),
  sample: whole(5000, { min: 100 }).describe(
    'how many people are looked for when there are more than 10,000; among all released records',
  ),
})

type Options = z.output<typeof options>

/** The own record is looked for among this many nearest ones. */
const KEPT = 20

export const reidentification = measure({
  id: 'reidentification',
  title: 'Re-identification',
  summary: 'share of people whose released record is found by somebody who knows their keys',
  family: 'linkage',
  threat: 'identity',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: ['paired rows'],
  unit: 'share',
  varies: ['people'],
  blindTo: 'rows that were put into another order, and what is learnt from a find',
  fooledBy: {
    'shuffle rows': 'whose record is whose is then not known, and nothing is said',
    'repeat records': 'whose record is whose is then not known, and nothing is said',
    'pad with noise': 'whose record is whose is then not known, and nothing is said',
  },
  options,
  check: distanceProblems,
  compute,
  citations: ['domingo2001'],
  records: {
    found: { riskier: 'higher', meaning: 'chance to pick the right record' },
    nearestRecords: { riskier: 'lower', meaning: 'released records at the smallest distance' },
    nearerThanOwn: { riskier: 'lower', meaning: 'released records nearer than the person’s own' },
    distanceToOwn: { riskier: 'lower', meaning: 'distance to the record that was made of the person' },
    distanceToNearest: { riskier: 'lower', meaning: 'distance to the nearest released record' },
  },
  literature: [{ value: 0.1, meaning: 'mean linkage risk up to which a release passes', source: 'riskutility 0.1.0' }],
  sentence: ({ value, details: { variables, found, foundByChance, lookedFor } }) =>
    `whoever knows ${variables.join(', ')} finds the released record of ${percent(value ?? 0)} of people (${fixed(found, 1)} of ${grouped(lookedFor)}; ${precise(foundByChance, 1)} by chance)`,
  tables: ({ details: { amongNearest } }) => [nearestTable(amongNearest)],
  charts: ({ details, controls, interval }, { name }) => [
    foundChart(
      `People whose released record is found: ${name}`,
      [{ label: 'this release', value: details.found / details.lookedFor, interval }],
      controls,
    ),
    rankChart(details, name),
  ],
})

async function compute({ release, part }: Subject, chosen: Options, context: Context) {
  const names = chosenOrKeys(release, chosen.variables)
  const files = [release.original, tableOfPart(release, part)] as const
  const scan = scanFor<ScannedPeople>(release, peopleKey('reidentification')(part, chosen, context.seed))
  const people = scan ?? lookedForIn(files, names, chosen.sample, context.random)
  const all = space([people.original, people.released], names, [0], { clip: false })
  if (all.columns.length === 0) throw new NotApplicable('there is no column to compare records by')
  const { files: linked, costs } = linkedInSpace(all, people)
  const { rows } = people
  const [n] = people.records
  const truth = sameRows(rows.length)
  const asked = askedOf(linked, truth)
  const named = await link(linked, costs, NEAREST, asked, blocksOf(linked, []), context)
  const { perKey, ...near } = found({ files: linked, truth, asked, linked: named })
  const hits = sum(near.risk)
  const chance = 1 / n
  return {
    ...evidenceOfFinds({
      value: hits / rows.length,
      byChance: chance,
      ofOriginal: byEqualKeys(all, people),
      p: chanceOfFinds(hits, rows.length, n),
      keys: perKey,
      found: Math.min(hits, perKey.length),
      lookedFor: rows.length,
    }),
    ...(rowsCorrespond(
      release.variables,
      scan?.compared ?? comparedIn(files, context.random),
      context.random('other rows'),
    )
      ? {}
      : { notAssessed: NO_CORRESPONDENCE }),
    added: () =>
      toRows(
        { rows, fileRows: n },
        near.risk.map((hit) => hit - chance),
      ),
    isOfAll: scan !== undefined,
    details: describe(names, n, near, all.weight, perKey.length),
    warnings:
      rows.length < n ? [`${count(rows.length, 'person', 'people')} were looked for, drawn at random from ${n}`] : [],
    records: () => scoresOf(near, all.weight, { rows, fileRows: n }),
  }
}

/** Mean of 1/f over the people looked for: what the original itself gives away. */
function byEqualKeys({ ids: [originals], count: points }: Space, { people, original: { times } }: LookedFor): number {
  const records = new Int32Array(points)
  for (const [row, point] of originals.entries()) records[point] += times?.[row] ?? 1
  let total = 0
  for (let row = 0; row < people.rows; row++) total += 1 / records[originals[row]]
  return total / people.rows
}

type Near = Omit<Found, 'perKey'>

/** The own record is only followed among the nearest ones. */
const isFar = (nearer: number) => nearer >= KEPT

function describe(variables: readonly string[], n: number, near: Near, weight: number, distinct: number) {
  const { risk, tied, nearer, asNear } = near
  const lookedFor = risk.length
  const [certain, oneNearest] = [risk, tied].map((values) => values.filter((value) => value === 1).length)
  const among = (k: number, at: number) =>
    isFar(nearer[at]) ? 0 : Math.min(1, Math.max(0, (k - nearer[at]) / Math.max(1, asNear[at])))
  return {
    variables,
    people: n,
    lookedFor,
    /** Σ h, and by chance. */
    found: sum(risk),
    foundByChance: lookedFor / n,
    /** People who are found for certain: the only nearest record is their own. */
    certain,
    /** People to whom one record alone is nearest, and how often it is their own: what an intruder can rely on. */
    oneNearest,
    precision: oneNearest === 0 ? null : certain / oneNearest,
    /** Different combinations of what is known. */
    distinct,
    meanTied: mean(tied) ?? 0,
    meanDistance: {
      toOwn: mean(distances(near.own, weight)) ?? 0,
      toNearest: mean(distances(near.least, weight)) ?? 0,
    },
    /** Share of people whose own record is among the k nearest. */
    amongNearest: Array.from({ length: Math.min(KEPT, n) }, (_, place) => ({
      k: place + 1,
      share: mean(risk.map((_hit, at) => among(place + 1, at))) ?? 0,
      chance: (place + 1) / n,
    })),
  }
}

function distances(costs: Float64Array, weight: number): Float64Array {
  return costs.map((cost) => cost / weight)
}

function scoresOf({ risk, tied, nearer, own, least }: Near, weight: number, on: Parameters<typeof toRows>[0]) {
  return {
    found: toRows(on, risk),
    nearestRecords: toRows(on, tied),
    nearerThanOwn: toRows(
      on,
      nearer.map((records) => (isFar(records) ? Number.NaN : records)),
    ),
    distanceToOwn: toRows(on, distances(own, weight)),
    distanceToNearest: toRows(on, distances(least, weight)),
  }
}

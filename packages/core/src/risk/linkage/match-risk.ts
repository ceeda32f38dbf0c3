import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { NotApplicable, unknownName } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { measure, type Subject } from '../../measure.js'
import { distanceProblems } from '../../neighbors/release-space.js'
import { columnNames } from '../../option-kinds.js'
import { percent } from '../../print.js'
import type { Release } from '../../table/release.js'
import { columnOf } from '../../table/table.js'
import { matches } from './matching/best-records.js'
import { chanceOfFinds, evidenceOfFinds } from './truth/finds-by-chance.js'
import { chosenOrKeys, requirePairedRows } from './truth/sides.js'

/**
 * Identification risk of partially synthetic data (Reiter and Mitra 2009): records are people's own, some values of the keys
 * are replaced. The intruder knows the true keys of a person t. In release l the N_l records that match them are equally
 * likely, and over m releases record j has the probability p_tj = (1/m) Σ_l [j matches in l] / N_l. With the c_t records of
 * the highest probability and I_t = 1 if the person's own is among them,
 *   expected match risk  Σ I_t / c_t,  its share of people being the value
 *   true match rate      Σ [c_t = 1] I_t / n
 *   false match rate     Σ [c_t = 1] (1 - I_t) / Σ [c_t = 1]
 * Several releases are attacked together: who holds them all averages their noise away. Blind to near matches beyond `within`,
 * and it takes the intruder to know that the person is in the file.
 */
const options = z.object({
  variables: columnNames(1).describe('what the intruder knows; the keys and numeric keys when not given'),
  within: z
    .record(z.string(), z.number().min(0))
    .default({})
    .describe('how far numbers may be apart and still match, per key; equal when not given'),
})

export type Options = z.output<typeof options>

export const matchRisk = measure({
  id: 'match-risk',
  title: 'Match risk of partial synthesis',
  summary: 'expected share of people whose record is the most probable match over all releases',
  family: 'linkage',
  threat: 'identity',
  role: 'supports',
  orientation: 'risk',
  scope: 'pair',
  needs: ['paired rows'],
  unit: 'share',
  varies: ['people'],
  pools: true,
  blindTo: 'records that nearly match, and rows that were put into another order',
  fooledBy: {
    'leave the step':
      'an intruder who takes numbers as they are finds nobody; record linkage measures how near they are',
    'shuffle rows': 'whose record is whose is then not known',
    'repeat records': 'whose record is whose is then not known',
    'pad with noise': 'whose record is whose is then not known',
  },
  options,
  check,
  compute,
  citations: ['reiter2009'],
  records: {
    matchRisk: {
      riskier: 'higher',
      meaning: 'expected match: 1 over the most probable records if the own one is among them, otherwise 0',
    },
    mostProbable: { riskier: 'lower', meaning: 'records of the highest match probability' },
  },
  sentence: ({ value, details: { trueMatchRate, falseMatchRate, variables, releases } }) =>
    `whoever knows ${variables.join(', ')} matches ${percent(value ?? 0)} of people ${releases === 1 ? 'in it' : `over ${releases} releases`}: ${percent(trueMatchRate)} uniquely and rightly${falseMatchRate === null ? '' : `, and ${percent(falseMatchRate)} of unique matches are wrong`}`,
  tables: ({ details }) => [
    findingTable(
      'links',
      'What an intruder gets who links everybody',
      [details],
      [
        [column.count('people'), ({ people }) => people],
        [column.number('expected matches'), ({ expectedMatches }) => expectedMatches],
        [column.number('by chance'), ({ byChance }) => byChance],
        [column.count('one record best'), ({ uniqueBest }) => uniqueBest],
        [column.share('rightly'), ({ trueMatchRate }) => trueMatchRate],
        [column.share('wrongly'), ({ falseMatchRate }) => falseMatchRate],
        [column.count('no match'), ({ unmatched }) => unmatched],
      ],
    ),
  ],
  charts: ({ details, controls, interval, value }, { name }) => [
    barChart({ name: 'matches', title: `People matched: ${name}`, x: '', y: 'share of people' }, [
      { label: 'expected', value: value ?? 0, interval },
      { label: 'unique and right', value: details.trueMatchRate },
      { label: 'at random', value: controls?.fair?.value ?? 0, series: 'original' },
      { label: 'the original', value: controls?.everything?.value ?? 1, series: 'original' },
    ]),
  ],
})

function check(release: Release, { variables, within }: Options): string[] {
  const unknown = distanceProblems(release, { variables })
  if (unknown.length > 0) return unknown
  const names = chosenOrKeys(release, variables)
  return Object.keys(within).flatMap((name) => {
    if (!names.includes(name)) return [`within: ${unknownName('key', name, names)}`]
    return columnOf(release.original, name).kind === 'categorical' ? [`within: "${name}" is not a number`] : []
  })
}

function compute({ release, part }: Subject, chosen: Options) {
  const { original } = release
  const n = original.rows
  const released = release.released.filter((_, k) => part === 'all' || part === k)
  for (const table of released) requirePairedRows(original, table)
  const names = chosenOrKeys(release, chosen.variables)
  if (names.length === 0) throw new NotApplicable('there is no column to match records by')
  const { risk, best, ids, distinct } = matches(original, released, names, chosen.within)
  const keys = new Float64Array(distinct)
  let [sum, unique, right, unmatched] = [0, 0, 0, 0]
  for (let row = 0; row < n; row++) {
    keys[ids[row]] += risk[row]
    sum += risk[row]
    if (best[row] === 0) unmatched++
    if (best[row] !== 1) continue
    unique++
    right += risk[row]
  }
  const chance = 1 / n
  return {
    ...evidenceOfFinds({
      value: sum / n,
      byChance: chance,
      ofOriginal: distinct / n,
      p: chanceOfFinds(sum, n, n),
      keys,
      found: Math.min(sum, distinct),
      lookedFor: n,
    }),
    added: () => risk.map((one) => one - chance),
    details: {
      variables: names,
      people: n,
      releases: released.length,
      expectedMatches: sum,
      byChance: 1,
      trueMatchRate: right / n,
      /** Of the people with a single best record; null where there are none. */
      falseMatchRate: unique === 0 ? null : 1 - right / unique,
      uniqueBest: unique,
      /** People whom no release matches. */
      unmatched,
      distinct,
    },
    records: () => ({ matchRisk: risk, mostProbable: best }),
  }
}

import { NotApplicable } from '../../errors.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, type Finding, measure, type Subject } from '../../measure.js'
import { fixed, grouped, percent, significant } from '../../print.js'
import { rowsLookedAt } from '../../random/sampling.js'
import { total, weightedMean } from '../../stats/sums.js'
import { tableOfPart } from '../../table/classes.js'
import { selectRows } from '../../table/table.js'
import type { About } from './attack.js'
import { claimCharts, linkageCharts } from './charts.js'
import { problemsOf } from './checks.js'
import { type Claims, claimsFinding } from './claims.js'
import { linkedFiles } from './costs/linked-files.js'
import { importanceOf, type KeyImportance } from './importance.js'
import { onPeople, recordsOf, unknownMembership, weightsOfPeople } from './linked-people.js'
import { type Range, rangeOfFinds } from './matching/range.js'
import { type Options, options } from './options.js'
import { isOfKeys, type ScannedPeople, scannedFor } from './scanned-people.js'
import { ceilingOf, insiderOf, nameOf, type Tried, tryAll } from './suite.js'
import { nearestTable, type Summary, summaryOf } from './summary.js'
import { evidenceOfFinds, pOfAttack } from './truth/finds-by-chance.js'
import { lookedForIn, sidesByRow } from './truth/looked-for.js'
import { comparedIn, NO_CORRESPONDENCE, rowsCorrespond } from './truth/row-order.js'
import { knownColumns, type Sides, sidesOf, type TruthKind } from './truth/sides.js'
import { multiplicity, truthOfRows, withoutTruth } from './truth/truth.js'
import { warningsOf } from './warnings.js'

/**
 * Record linkage: the intruder holds a file on people (the original's keys, or a register of their own), compares everybody
 * with every released record, and names the record that fits best, one at random if several do. With weights π_ij of the
 * records named and T(i) those that are person i's,
 *   r_i = Σ_{j in T(i)} π_ij,   value = mean r: the expected share of right links.
 *   by chance       R0 = mean of |T(i)| / candidates: scores that have nothing to do with who is who
 *   everything      the same attack on the original itself; mean 1/f_i where that is so by definition
 * Ties are shared, never broken by the order of rows, which is the truth. How records are compared is the `method`, whether
 * everybody is linked alone or all at once the `matching`; by default the suite of four, of which the most successful counts.
 * Domingo-Ferrer and Torra (2001); Fellegi and Sunter (1969); Herranz et al. (2016).
 *
 * In a synthetic release nobody has a record: then the value is how often a claim would be right all the same, and nothing is decided.
 */
export type Details = {
  readonly variables: readonly string[]
  readonly method: string
  readonly matching: string
  readonly truth: TruthKind
  readonly people: number
  readonly lookedFor: number
  readonly records: number
  readonly withoutTruth: number
  readonly summary: Summary | null
  readonly weightedValue: number | null
  /** The value for somebody who does not know who is in the file: risks times the share of the population that is; null if unknown. */
  readonly unknownMembership: number | null
  /** The attacks of the suite, the most successful first. */
  readonly suite: readonly { readonly attack: string; readonly value: number; readonly byChance: number }[]
  readonly about: About
  /** Where rates of agreement are found by EM: what the same attack reaches with those of the truth, an insider's. */
  readonly insider: number | null
  readonly matched: {
    readonly total: number | null
    readonly epsilon: number | null
    readonly converged: boolean
    readonly tied: number | null
    /** The value by the worst and the best of all assignments that cost the same; null for transport, and where there is too much to look at. */
    readonly range: Range | null
  } | null
  readonly importance: readonly KeyImportance[]
  readonly claims: Claims | null
}

export const recordLinkage = measure({
  id: 'record-linkage',
  title: 'Record linkage',
  summary: 'share of people whose released record is named by somebody who links it with what they know',
  family: 'linkage',
  threat: 'identity',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: ['paired rows'],
  // An identifier does as well, and of a synthetic release it says what would be claimed.
  needsWith: ({ truth }, { identifier, type }) =>
    truth !== 'auto' || identifier !== null || type === 'synthetic' ? [] : ['paired rows'],
  unit: 'share',
  varies: ['people'],
  stochastic: true,
  blindTo: 'rows that were put into another order where there is no identifier, and what is learnt from a link',
  // Claims are one piece of work; attacks on people who have records in it are cut.
  alone: ({ identifier, type }) => identifier === null && type !== 'perturbed',
  fooledBy: {
    'shuffle rows': 'whose record is whose is then not known without an identifier, and nothing is said',
    'repeat records': 'whose record is whose is then not known without an identifier, and nothing is said',
    'pad with noise': 'whose record is whose is then not known without an identifier, and nothing is said',
  },
  options,
  check: problemsOf,
  compute,
  citations: ['fellegi1969', 'domingo2001', 'herranz2016'],
  records: {
    linkageRisk: { riskier: 'higher', meaning: 'chance that the intruder names the person’s own record' },
    named: { riskier: 'lower', meaning: 'released records that the intruder would name' },
    nearestRecords: { riskier: 'lower', meaning: 'released records at the smallest distance' },
    nearerThanOwn: { riskier: 'lower', meaning: 'released records nearer than the person’s own' },
    costOfOwn: { riskier: 'lower', meaning: 'cost of the record that is the person’s own' },
    costOfNearest: { riskier: 'lower', meaning: 'least cost of any released record' },
    gapToSecond: { riskier: 'higher', meaning: 'how much the best record stands out; 0 where several are best' },
  },
  sentence: ({ value, details }) =>
    details.claims === null ? linkSentence(value ?? 0, details) : claimSentence(details.claims),
  tables: ({ details: { suite, summary } }) => [
    findingTable('attacks', 'By attack', suite, [
      [column.text('attack'), ({ attack }) => attack],
      [column.share('found'), ({ value }) => value],
      [column.share('by chance'), ({ byChance }) => byChance],
    ]),
    nearestTable(summary?.amongNearest ?? []),
    findingTable('risks', 'People by their risk', summary?.bands ?? [], [
      [column.text('risk'), ({ band }) => band],
      [column.count('people'), ({ people }) => people],
    ]),
  ],
  charts: (finding, { name }) =>
    finding.details.claims === null ? linkageCharts(finding, name) : claimCharts(finding.details.claims, name),
})

function linkSentence(value: number, { variables, method, matching, matched, summary, lookedFor }: Details): string {
  const how = matching === 'independent' ? method : `${method}, ${matching}`
  const by = summary === null ? '' : `; ${significant(summary.foundByChance, 2)} by chance`
  const range = matched?.range ?? null
  const ties =
    range === null || range.least === range.most
      ? ''
      : `; ${percent(range.least)} to ${percent(range.most)} by assignments that cost the same`
  return `whoever knows ${variables.join(', ')} names the right record of ${percent(value)} of people (${how}; ${fixed(value * lookedFor, 1)} of ${grouped(lookedFor)}${by}${ties})`
}

function claimSentence({ claimed, people, precision, right, rightOfOthers }: Claims): string {
  const rightly = precision === null ? '' : `, ${percent(precision)} of them rightly in everything else`
  return `nobody has a record in it; an intruder would claim one for ${percent(claimed / people)} of people${rightly} (over all people ${percent(right)}; ${percent(rightOfOthers)} with other people’s records)`
}

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const scan = scannedFor(subject, chosen, context.seed)
  const sides = scan === undefined ? sidesOf(subject, chosen) : sidesByRow(scan, knownColumns(subject.release, chosen))
  if (sides.names.length === 0) throw new NotApplicable('there is no column to link records by')
  if (sides.kind === 'none') return claimsFinding(subject, sides.names, chosen, context)
  const looked = scan === undefined ? lookedFor(subject, sides, chosen, context) : sides
  return linkage(subject, looked, scan, chosen, context)
}

/** Of the people looked for. */
async function linkage(
  { release, part }: Subject,
  sides: Sides,
  scan: ScannedPeople | undefined,
  chosen: Options,
  context: Context,
): Promise<Finding<Details>> {
  const { original, population } = release
  const files = linkedFiles(sides.query, sides.search, sides.names, chosen)
  const tried = await tryAll(files, sides.truth, chosen, sides.known, context)
  const [best] = tried
  const { risk, chance, perKey } = best.found
  const summary = summaryOf(best.attack, best.found)
  const n = sides.query.rows
  const copies = Math.max(1, multiplicity(sides.truth))
  const keys = perKey.map((sum) => Math.min(1, sum / copies))
  const { value, byChance } = best
  const onOriginal = { rows: sides.people, fileRows: original.rows }
  const weights = scan === undefined ? weightsOfPeople(release, sides.people) : scan.weights
  const share = scan === undefined ? population && original.rows / population.rows : scan.ofPopulation
  const corresponds =
    sides.kind !== 'row' ||
    release.identifier !== null ||
    release.attacker !== null ||
    rowsCorrespond(
      release.variables,
      scan?.compared ?? comparedIn([original, tableOfPart(release, part)], context.random),
      context.random('other rows'),
    )
  return {
    ...evidenceOfFinds({
      value,
      byChance,
      ofOriginal: await ceilingOf(release, sides, best.options, context),
      p: Math.min(1, tried.length * pOfAttack(best.attack, summary.found)),
      keys,
      found: total(keys),
      lookedFor: n,
      copies,
      // Whoever is matched wrongly one to one takes the record of somebody who is too: misses come in pairs, or in longer circles.
      together: best.options.matching === 'independent' ? 1 : 2,
      tried: tried.length,
    }),
    ...(corresponds ? {} : { notAssessed: NO_CORRESPONDENCE }),
    isOfAll: scan !== undefined,
    added: () =>
      onPeople(
        onOriginal,
        risk.map((own, k) => own - chance[k]),
      ),
    details: {
      variables: sides.names,
      method: best.options.method,
      matching: best.options.matching,
      truth: sides.kind,
      people: sides.of,
      lookedFor: n,
      records: files.search.records,
      withoutTruth: withoutTruth(sides.truth),
      summary,
      weightedValue: weights && weightedMean(risk, weights),
      unknownMembership: unknownMembership(weights, share, risk),
      suite:
        tried.length === 1
          ? []
          : tried.map((one) => ({ attack: nameOf(one.options), value: one.value, byChance: one.byChance })),
      about: best.attack.about,
      insider:
        chosen.method === 'probabilistic'
          ? await insiderOf(files, sides.truth, sides.known, best.options, context)
          : null,
      matched: matchedOf(best),
      importance: await importanceOf(chosen.importance, sides, best.options, context),
      claims: null,
    },
    warnings: warningsOf(best, summary, n, sides),
    records: () => recordsOf(best.found, onOriginal),
  }
}

/** The people looked for: everybody, or a sample. Where all are matched at once, all are looked for. */
function lookedFor({ release, part }: Subject, sides: Sides, chosen: Options, { random }: Context): Sides {
  const { query, names, truth, people, everything, known } = sides
  const released = tableOfPart(release, part)
  if (isOfKeys(release, released, chosen))
    return sidesByRow(lookedForIn([release.original, released], names, chosen.sample, random), names)
  const sample = chosen.matching === 'independent' ? chosen.sample : null
  const rows = rowsLookedAt(query.rows, sample, () => random('people'))
  if (rows.length === query.rows) return sides
  return {
    ...sides,
    query: selectRows(query, rows),
    truth: truthOfRows(truth, rows),
    people: Int32Array.from(rows, (row) => people[row]),
    everything: known === 'query' ? { ...everything, truth: truthOfRows(everything.truth, rows) } : everything,
  }
}

function matchedOf({ attack, options: { matching } }: Tried): Details['matched'] {
  if (attack.matched === null) return null
  const { total: sum, epsilon, converged, tied } = attack.matched
  return { total: sum, epsilon, converged, tied, range: matching === 'one-to-one' ? rangeOfFinds(attack) : null }
}

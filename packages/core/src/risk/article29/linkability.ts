import { z } from 'zod'
import { lineChart, linesOver } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceOptions, distanceProblems, passingSpace, type Side, toRows } from '../../neighbors/release-space.js'
import { choice, columnNames, whole } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { remember } from '../../table/classes.js'
import { type Release, scanFor } from '../../table/release.js'
import { type ColumnSets, columnSets } from './column-sets.js'
import { type Attack, CURVE_TO, links, linksTask, noLink } from './links.js'
import {
  type AttackCounts,
  attackChart,
  attackFinding,
  residualSentence,
  residualThresholds,
} from './residual/attack.js'
import { linksKey, type ScannedLinks, scannedAttack } from './scanned-links.js'
import { attackAll, type Targets, targetOptions, victims } from './targets.js'

/**
 * Linkability (Article 29 Working Party 2014; Giomi et al. 2023): somebody holds columns A of a person in one file and
 * columns B in another. Does the release say that both are the same person? It does when one released record is among the
 * k nearest to the person on A and among the k nearest on B. Ties are broken at random and the expected number is counted;
 * for k = 1 a person counts |T_A ∩ T_B| / (|T_A| |T_B|), T the released records at the least distance. Equal released
 * records count once, for repeating them would only make ties.
 * Blind to other splits of the columns, and to linking the two files directly without the release.
 */
const { variables: _, missing: __, ...comparison } = distanceOptions

const options = z.object({
  columnsA: columnNames(1).describe(
    'columns of the first file; every second one that varies, in alphabetical order, or those not in columnsB',
  ),
  columnsB: columnNames(1).describe('columns of the second file; all the others'),
  k: whole(1, { min: 1, max: 100 }).describe('how many nearest released records are looked at on either side'),
  ties: choice(['expected', 'index'], 'expected').describe(
    'equally near records: chosen at random, counting what is expected; or the first in the file',
  ),
  ...targetOptions,
  missing: choice(['match', 'ignore'], 'match').describe(
    'match: missing is a value of its own; ignore: columns known in both records',
  ),
  ...comparison,
})

export type Options = z.output<typeof options>

export const linkability = measure({
  id: 'linkability',
  version: 2,
  title: 'Linkability',
  summary: 'share of people whose records in two other files could be linked through the release',
  family: 'article29',
  threat: 'linkability',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  unit: 'share',
  varies: ['people', 'release'],
  blindTo: 'other splits of the columns, and to linking two files directly',
  fooledBy: {
    'pad with noise': 'noise may be the nearest on one side',
  },
  options,
  check: columnProblems,
  compute,
  citations: ['giomi2023', 'article29'],
  records: {
    linked: { riskier: 'higher', meaning: '1: both halves of the record lead to one released record' },
  },
  literature: residualThresholds,
  sentence: ({ details }) =>
    `for ${percent(details.main.rate, 2)} of people one released record is ${nearest(details.k)} on both sets of columns; ${residualSentence(details, 2)}`,
  tables: ({ details }) => [
    findingTable('neighbours', 'Linked by number of neighbours', details.curve, [
      [column.number('k'), ({ k }) => k],
      [column.share('main'), ({ main }) => main],
      [column.share('control'), ({ control }) => control],
      [column.share('naive'), ({ naive }) => naive],
      [column.share('residual'), ({ residual }) => residual],
    ]),
  ],
  charts: ({ details }, { name }) => [
    attackChart(details, `Linkability at k = ${details.k}: ${name}`),
    lineChart(
      { name: 'curve', title: `Links among the k nearest: ${name}`, x: 'k', y: 'share of people linked' },
      linesOver(details.curve, 'k', { main: 'in the release', control: 'outside it', naive: CHANCE }),
    ),
  ],
})

export function nearest(k: number): string {
  return k === 1 ? 'the nearest' : `among the ${k} nearest`
}

const CHANCE = 'released records at random'

async function compute(subject: Subject, chosen: Options, context: Context) {
  const scan = scanFor<ScannedLinks>(subject.release, linksKey(subject.part, chosen, context.seed))
  const columns = scan?.columns ?? columnSets(subject.release, chosen)
  // First, so that its spaces are gone before the others are there.
  const byOriginal = await linkedByOriginal(subject, chosen, columns, scan, context)
  const attack =
    scan === undefined
      ? await attackOn(subject, chosen, columns, context)
      : await scannedAttack(scan, scan.nearReleased, context)
  const { a, b, groups, rows, people, warnings: aboutPeople } = attack
  const found = await links(context, a, b, (released) => Math.min(Math.max(CURVE_TO, chosen.k), released), chosen.ties)
  const { most } = found
  const released = scan?.different ?? found.a.ids.length
  const k = Math.min(chosen.k, released)
  const [inside, outside] = await attackAll(context, linksTask, found, groups, most)
  const curve = Array.from({ length: most }, (_, at) => ({
    main: successes(inside, most, at),
    control: outside === undefined ? null : successes(outside, most, at),
    naive: [{ what: CHANCE, rate: chanceOfLink(released, at + 1) }],
  }))
  const { warnings, details, ...finding } = attackFinding(curve[k - 1], people, byOriginal)
  const linked = Float64Array.from(rows, (_, at) => inside[at * most + k - 1])
  const perRow = () => toRows({ rows, fileRows: people }, linked)
  const { control } = details
  return {
    ...finding,
    ...(control === null ? {} : { added: () => perRow().map((chance) => chance - control.rate) }),
    isOfAll: scan !== undefined,
    details: {
      ...details,
      definition: 'scrim',
      ...columns,
      k,
      ties: chosen.ties,
      /** Success for k from 1 to 10, or to the k chosen if that is more. */
      curve: curve.map(atK),
    },
    warnings: [...aboutPeople, ...(k < chosen.k ? [`k is ${k}: the release has no more records`] : []), ...warnings],
    records: () => ({ linked: perRow() }),
  }
}

export type Details = Awaited<ReturnType<typeof compute>>['details']

/** On the release as points on either set of columns. */
async function attackOn(
  { release, part }: Pick<Subject, 'release' | 'part'>,
  chosen: Options,
  { columnsA, columnsB }: ColumnSets,
  context: Context,
): Promise<Attack> {
  const [a, b] = await Promise.all(
    [columnsA, columnsB].map((columns) =>
      passingSpace(context, { release, part }, { ...chosen, variables: [...columns] }),
    ),
  )
  const { inside, outside, warnings } = await victims(release, a, chosen.attacks, context)
  const groups = [
    targets(a.training, b.training, inside),
    ...(a.holdout && b.holdout && outside ? [targets(a.holdout, b.holdout, outside)] : []),
  ]
  const { rows, fileRows } = a.training
  return {
    a,
    b,
    groups,
    rows: inside.map((record) => rows[record]),
    people: fileRows,
    warnings: [...a.warnings, ...warnings],
  }
}

/** People linked when the original itself is released: not all of them where few coarse columns leave ties. */
function linkedByOriginal(
  { release }: Subject,
  chosen: Options,
  columns: ColumnSets,
  scan: ScannedLinks | undefined,
  context: Context,
): Promise<AttackCounts['main']> {
  const key = JSON.stringify([chosen, columns, context.seed, scan !== undefined])
  return remember(release, `linked by the original ${key}`, async () => {
    const { a, b, groups } =
      scan === undefined
        ? await attackOn({ release, part: 'original' }, chosen, columns, context)
        : await scannedAttack(scan, scan.nearOriginals, context)
    const found = await links(context, a, b, (counted) => Math.min(chosen.k, counted), chosen.ties)
    const k = found.most
    const [linked] = await attackAll(context, linksTask, found, groups.slice(0, 1), k)
    return successes(linked, k, k - 1)
  })
}

function targets(a: Side, b: Side, records: Int32Array): Targets {
  return { first: records.map((record) => a.ids[record]), second: records.map((record) => b.ids[record]) }
}

/** Expected links at k = at + 1. */
function successes(linked: Float64Array, most: number, at: number): AttackCounts['main'] {
  let sum = 0
  let squares = 0
  for (let place = at; place < linked.length; place += most) {
    sum += linked[place]
    squares += linked[place] ** 2
  }
  return { successes: sum, attacks: linked.length / most, squares }
}

/** 1 - C(m - k, k) / C(m, k): two random choices of k among m records have one in common. */
function chanceOfLink(m: number, k: number): number {
  return 1 - noLink({ draws: k, tied: m }, { draws: k, tied: m }, 0, 0, m)
}

export function atK(counts: AttackCounts, place: number) {
  const { main, control, naive, residual } = attackFinding(counts, 0, null).details
  return {
    k: place + 1,
    main: main.rate,
    control: control?.rate ?? null,
    naive: naive.at(0)?.rate ?? null,
    residual: residual?.value ?? null,
    lower: residual?.interval?.lower ?? null,
    upper: residual?.interval?.upper ?? null,
  }
}

function columnProblems(release: Release, { columnsA, columnsB, ...chosen }: Options): readonly string[] {
  const both = columnsA?.find((name) => columnsB?.includes(name))
  return [
    ...distanceProblems(release, { ...chosen, variables: [...(columnsA ?? []), ...(columnsB ?? [])] }),
    ...(both === undefined ? [] : [`"${both}" is in columnsA and in columnsB`]),
  ]
}

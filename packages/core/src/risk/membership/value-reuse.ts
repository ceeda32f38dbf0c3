import { z } from 'zod'
import { barChart, barsOver } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { leakageOf } from '../../evidence/evidence.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { measure, type Subject } from '../../measure.js'
import { distanceProblems } from '../../neighbors/release-space.js'
import { columnNames } from '../../option-kinds.js'
import { percent } from '../../print.js'
import type { Reason } from '../../reason.js'
import { normalQuantile } from '../../stats/distributions.js'
import { SIGNIFICANCE } from '../../stats/levels.js'
import { jointCodes, recordsById, rowsOfPart, tableOfPart } from '../../table/classes.js'
import { rowsOf, tableByTable } from '../../table/coded-records.js'
import { codeJointly } from '../../table/joint.js'
import { columnOf, countedBy, recordsIn, type Table } from '../../table/table.js'
import { everyColumn } from '../../utility/counted-columns.js'
import { hasIndependentColumns } from '../../views/related-columns.js'
import { alikeValues } from './scores/alike-values.js'
import { meanOf, reuse, shareReleased } from './scores/reused-values.js'

/**
 * Does the release have the very values of the people in the data? For person i and a column, a_i other originals and b_i of
 * the released records have i's exact value. If the release is another sample of the population, each of the a_i + b_i records is
 * a released one with chance ν = m / (m + n - 1), whatever the value and however many share it. Hence
 *   S = Σ_i (b_i / (a_i + b_i) - ν) over people with a_i + b_i > 0
 * has mean 0. Its variance is the sum of squares over values, since people with the same value stand or fall together, or that by
 * labels at random if larger; below 30 shared values the number of those that the release has is compared with a binomial. ν is that among values which are as round
 * and about as large (`alike-values.ts`), so that rounding and a narrower distribution are not taken for reuse. On the scale of
 * people,
 *   effect = S / (n (1 - ν)),
 * which is the share of people whose value is released if nobody shares it: b_i / (a_i + b_i) counts those shown, and other
 * originals with the same value say how many would be by chance. Leakage is the effect over that of the original itself. The
 * headline is the column with the smallest p where that shows something, otherwise the one whose leakage is known best; p and the
 * lower bound are corrected over the columns (Bonferroni).
 * Says nothing about a release whose columns are independent of each other: that tells the distribution of each column and nothing
 * else, which is where every scale begins. Only columns that could give away a twentieth of the people are asked. Needs no holdout. It sees a part of
 * membership only, so it can alarm and cannot reassure: `membership-audit` sees more. Blind to values that are changed by however little and to columns of few values.
 */
const options = z.object({
  variables: columnNames().describe('columns to look at; all that original and release share when not given'),
})

export const valueReuse = measure({
  id: 'value-reuse',
  title: 'Reuse of values',
  summary: 'share of people whose own value of a fine-grained column stands in the release, against chance',
  family: 'membership',
  threat: 'membership',
  role: 'decides',
  orientation: 'risk',
  scope: 'pair',
  needs: [],
  unit: 'share',
  blindTo: 'values that are changed by however little, and columns of few values',
  fooledBy: {
    'pad with noise':
      'in files as small as here no column tells anything about another among so many independent records',
  },
  options,
  countedColumns: everyColumn,
  check: distanceProblems,
  compute,
  records: {
    valuesReleased: {
      riskier: 'higher',
      meaning: 'of the other records with the value of this one, the share of released ones; mean over the columns',
    },
  },
  sentence: ({ details: { columns } }) => {
    const [{ column, shown, byChance }] = columns
    return `the release has the own ${column} of ${percent(shown)} of people, ${percent(byChance)} would be by chance`
  },
  tables: ({ details: { columns } }) => [
    findingTable('columns', 'Values of people that are in the release', columns, [
      [column.text('column'), (one) => one.column],
      [column.share('shown'), ({ shown }) => shown],
      [column.share('by chance'), ({ byChance }) => byChance],
      [column.p('p'), ({ p }) => p],
    ]),
  ],
  charts: ({ details: { columns } }, { name }) => [
    barChart(
      {
        name: 'columns',
        title: `People whose own value is released: ${name}`,
        grey: 'by chance',
        x: '',
        y: 'share of people',
      },
      barsOver(columns, 'column', { shown: 'release', byChance: 'original' }),
    ),
  ],
})

const INDEPENDENT: Reason = {
  code: 'data',
  text: 'no column of the release tells anything about another: it has their distributions alone',
}

/** A column is asked if the original itself would give away so large a share of people by it. */
const FINE = 0.05

function compute({ release, part }: Subject, { variables }: z.output<typeof options>) {
  const names = [...new Set(variables ?? release.variables)]
  const asked = names.flatMap((name) => reuseIn(release, part, name) ?? [])
  if (asked.length === 0)
    throw new NotApplicable('no column has values so fine that sharing one tells who was in the data')
  asked.sort((a, b) => a.effect.p - b.effect.p || b.effect.value - a.effect.value)
  const isShown = asked.length * asked[0].effect.p < SIGNIFICANCE
  const best = isShown ? asked[0] : asked.reduce((most, other) => (errorOf(other) < errorOf(most) ? other : most))
  const bestFirst = [best, ...asked.filter((other) => other !== best)]
  const corrected = normalQuantile(1 - SIGNIFICANCE / asked.length)
  return {
    value: best.shown,
    interval: null,
    controls: {
      fair: { value: best.byChance, se: null, what: 'sharing with other originals', basis: 'leave-one-out' as const },
      everything: { value: best.ofOriginal, se: null, what: 'the original itself' },
    },
    effect: {
      ...best.effect,
      lower: best.effect.value - corrected * (best.effect.se ?? 0),
      p: Math.min(1, asked.length * best.effect.p),
    },
    reach: best.effect.ceiling,
    narrow: true,
    ...(hasIndependentColumns(release, part) ? { notAssessed: INDEPENDENT } : {}),
    // Where columns were counted nothing is known of single records.
    ...(release.original.counted === undefined
      ? {
          added: () => best.scores().map((score) => score - best.chance),
          records: () => ({ valuesReleased: meanOf(asked.map(({ scores }) => scores())) }),
        }
      : {}),
    details: {
      people: recordsIn(release.original),
      released: best.released,
      /** The headline's first, then the smallest p. */
      columns: bestFirst.map(({ column, shown, byChance, alone, aloneShown, sharedValues, effect }) => ({
        column,
        /** Mean over all people of b / (a + b), 0 where nobody has their value: of how many the value stands in the release. */
        shown,
        byChance,
        /** People whose value is theirs alone among the originals, and those of them whose value the release has. */
        alone,
        aloneShown,
        /** Values that an original shares with any other record of the two files. */
        sharedValues,
        leakage: effect.value / effect.ceiling,
        p: effect.p,
      })),
    },
  }
}

/** The standard error of the leakage. */
const errorOf = ({
  effect: { se, ceiling },
}: {
  readonly effect: { readonly se: number | null; readonly ceiling: number }
}) => (se ?? 0) / ceiling

/** What one column shows; null where even the original itself would show little by it. */
function reuseIn(release: Subject['release'], part: Subject['part'], column: string) {
  const { joint, codes, counts, people } = valuesIn(release, part, column)
  const [inOriginal, inReleased] = counts
  const strataOf = (records: Int32Array) => alikeValues(joint, records)
  const ofOriginal = reuse(inOriginal, inOriginal, people, strataOf)
  const ceiling = ofOriginal.effect.value
  if (!(ceiling >= FINE)) return null
  const found = reuse(inOriginal, inReleased, people, strataOf)
  const effect = { ...found.effect, ceiling }
  const fair = { value: found.byChance, se: null, what: '', basis: 'leave-one-out' as const }
  if (leakageOf({ fair }, effect).place === null) return null
  return {
    column,
    ...found,
    effect,
    ofOriginal: ofOriginal.shown,
    /** For each original record b / (a + b), 0 where nobody else has its value; NaN where it is missing. */
    scores: () =>
      Float64Array.from(codes[0], (code) =>
        code < 0 ? Number.NaN : shareReleased(inOriginal[code], inReleased[code]),
      ),
  }
}

/** How many records of both files have each value, by its code: of all records where the column was counted, and otherwise of these. */
function valuesIn(release: Subject['release'], part: Subject['part'], column: string) {
  const files = [release.original, tableOfPart(release, part)].map((file) => countedBy(file, [column]))
  const isCounted = files.every(({ times }) => times !== undefined)
  const { joint, codes } = isCounted ? codesOfCounts(files, column) : codesOfRecords(release, part, column)
  return {
    joint,
    codes,
    counts: files.map(({ times = null }, k) => recordsById(codes[k], joint.cardinality, times)),
    people: isCounted ? recordsIn(files[0]) : release.original.rows,
  }
}

function codesOfCounts(files: readonly Table[], column: string) {
  const joint = codeJointly(files.map((file) => columnOf(file, column)))
  return { joint, codes: tableByTable(joint.codes, rowsOf(files)) }
}

function codesOfRecords(release: Subject['release'], part: Subject['part'], column: string) {
  const joint = jointCodes(release, column)
  return { joint, codes: (['original', part] as const).map((of) => rowsOfPart(release, joint, joint.codes, of)) }
}

import { pickRows } from '@scrim/kernels'
import { forest } from '../learners/forest.js'
import { fitContext } from '../learners/learner.js'
import { quantiles } from '../stats/quantile.js'
import { auc } from '../stats/tests/auc.js'
import { type CodedTable, canonicalTables, codedTable } from '../table/canonical-tables.js'
import { type Column, stackColumns } from '../table/column.js'
import { selectRows, type Table, table } from '../table/table.js'
import { withRows } from './repetition.js'
import { type ViewContext, view } from './view.js'

/**
 * Records that nobody would take for real ones hide the others: they make the release larger, so that more of what is near
 * a person ought to be released, and are themselves near nobody. Whoever holds the release sets them aside. A forest learns to
 * tell released from original records, from the smooth shape of the two files only, and every record gets the score of the
 * trees that were grown without it. Where these tell the files apart, what is left is
 *   X' = originals, and Y' = released records, whose score is at most the median score of the originals:
 * the same rule for both, so that an honest sample among the released records and the originals stay exchangeable. That
 * a record near i in the release decides about i and about itself alike makes it a little harder to find something.
 * People outside are left out: they would be scored by trees that have seen none of them.
 */
export const realLooking = view<RealLooking>({
  id: 'real-looking',
  undoes: 'records that nobody would take for real ones',
  what: 'among records that look real',
  async detect(release, context) {
    const tables = canonicalTables((['original', 0] as const).map((part) => codedTable(release, part)))
    const scores = await scoresOf(tables, context)
    if (scores === null) return undefined
    const [cut] = quantiles(scores[0], [0.5]) ?? [Number.NaN]
    const [original, released] = tables.map(({ rows }, t) =>
      rows.filter((_, record) => scores[t][record] <= cut).sort(),
    )
    return Math.min(original.length, released.length) < FEWEST_LEFT ? undefined : { original, released }
  },
  apply: (release, rows) => ({
    ...withRows(release, rows.released),
    original: selectRows(release.original, rows.original),
    holdout: null,
    population: null,
  }),
})

/** Rows that are left. */
interface RealLooking {
  readonly original: Int32Array
  readonly released: Int32Array
}

/** From here on the files are told apart: the chance that a released record has a higher score than an original one. */
const TOLD_APART = 0.6
const FEWEST_LEFT = 30

const TREES = 100
/** Most releases are like the original, and so many trees see that. */
const FEW_TREES = 20
const HARDLY_TOLD_APART = 0.55
/** The shape of a file is seen in so many of its records; the others are scored by what these have taught. */
const MOST_LEARNT = 5000
/** Leaves are large, so that a score tells of a region and not of the record next to it. */
const LEAF_SHARE = 0.02
const FEWEST_IN_LEAF = 20
const MOST_BINS = 256

/** By table and record: how much it looks like a released one to trees that were grown without it; null where the files are not told apart. */
async function scoresOf(tables: readonly CodedTable[], context: ViewContext): Promise<Float64Array[] | null> {
  if (tables[0].columns.every(tellsNothing)) return null
  const learnt = tables.map(({ rows }) => sampled(rows.length))
  const together = stacked(tables.map((of, t) => featuresOf(recordsAt(of, learnt[t]), tables)))
  const grown = async (trees: number) => {
    const model = await forest.fit(
      together,
      {
        kind: 'classes',
        codes: Int32Array.from({ length: together.rows }, (_, row) => (row < learnt[0].length ? 0 : 1)),
        levels: ['original', 'released'],
      },
      forest.options.parse({
        trees,
        minNode: Math.max(FEWEST_IN_LEAF, Math.round(LEAF_SHARE * together.rows)),
        categorical: 'target',
        maxBins: MOST_BINS,
      }),
      fitContext({ ...context, progress: undefined }, 'real-looking'),
    )
    const outOfBag = learnt.map((rows, t) =>
      Float64Array.from(rows, (_, k) => model.outOfBag.predictions[2 * (t === 0 ? k : learnt[0].length + k) + 1] || 0),
    )
    return { model, outOfBag, toldApart: auc(outOfBag[1], outOfBag[0])?.auc ?? 0 }
  }
  if ((await grown(FEW_TREES)).toldApart < HARDLY_TOLD_APART) return null
  const { model, outOfBag, toldApart } = await grown(TREES)
  if (toldApart < TOLD_APART) return null
  const scores: Float64Array[] = []
  for (const [t, of] of tables.entries()) {
    const all =
      learnt[t].length === of.rows.length
        ? new Float64Array(of.rows.length)
        : releasedShares(await model.predictProbabilities(featuresOf(of, tables)))
    for (const [k, row] of learnt[t].entries()) all[row] = outOfBag[t][k]
    scores.push(all)
  }
  return scores
}

/** Every so many-th record of a table whose order says nothing. */
function sampled(rows: number): Int32Array {
  const count = Math.min(rows, MOST_LEARNT)
  return Int32Array.from({ length: count }, (_, k) => Math.floor((k * rows) / count))
}

function releasedShares(probabilities: Float64Array): Float64Array {
  return Float64Array.from({ length: probabilities.length / 2 }, (_, row) => probabilities[2 * row + 1])
}

function stacked(tables: readonly Table[]): Table {
  return table(
    'original and release',
    tables[0].columns.map((_, j) => stackColumns(tables.map(({ columns }) => columns[j]))),
  )
}

function recordsAt({ columns, rows }: CodedTable, places: Int32Array): CodedTable {
  return {
    rows: pickRows(rows, places),
    columns: columns.map((column) => ({ ...column, codes: pickRows(column.codes, places) })),
  }
}

const tellsNothing = ({ cardinality }: Coded) => cardinality < 2

/** Columns that tell anything, of some records of the tables. */
function featuresOf({ columns, rows }: CodedTable, tables: readonly CodedTable[]): Table {
  const features = columns.flatMap((column, j) => {
    if (tellsNothing(column)) return []
    return column.numeric ? byRank(column) : commonLevels(column, countsIn(tables, j))
  })
  return { ...table('records', features), rows: rows.length }
}

type Coded = CodedTable['columns'][number]

function byRank({ name, codes }: Coded): Column {
  return { kind: 'numeric', name, values: Float64Array.from(codes, (code) => (code < 0 ? Number.NaN : code)) }
}

/**
 * Levels of fewer records than a leaf has are one level: that somebody's name stands in both files is no shape of a file, and would
 * leave those who share one.
 */
function commonLevels({ name, codes, cardinality }: Coded, counts: Int32Array): Column {
  const isCommon = (code: number) => counts[code] >= FEWEST_IN_LEAF
  return {
    kind: 'categorical',
    name,
    codes: codes.map((code) => (code < 0 || isCommon(code) ? code : cardinality)),
    levels: Array.from({ length: cardinality + 1 }, (_, code) => String(code)),
    ordered: false,
  }
}

/** How many records of all tables have each code. */
function countsIn(tables: readonly CodedTable[], j: number): Int32Array {
  const counts = new Int32Array(tables[0].columns[j].cardinality)
  for (const { columns } of tables) for (const code of columns[j].codes) if (code >= 0) counts[code]++
  return counts
}

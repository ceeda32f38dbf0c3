import {
  type AbortSignalLike,
  type AnyMeasure,
  type AttackResult,
  attack,
  attackCharts,
  barChart,
  binomialPmf,
  type Chart,
  cartSynthesizer,
  columnOf,
  disclosure,
  findColumn,
  logisticPmse,
  mean,
  openCase,
  synthesizeSets,
  type Table,
  table,
  throwIfAborted,
  UserError,
} from '@scrim/core'
import { type Check, type Comparison, knownOf } from '../comparison.js'
import { cellCounts, expectedCounts, hyperparameters, posteriorTolerance } from './hyperparameters.js'
import { type Novelty, novelty } from './novelty.js'
import { type BuyerBewareDesign, type BuyerBewareTable, compare, type FigureTable, type Part, TRUTH } from './part.js'
import {
  COPIES_IN_100,
  cellTable,
  DISCO,
  DISCO_CONSTANT,
  EXACT_POSTERIORS,
  ORIGINAL_CELLS,
  SD2011,
  SD2011_MINBUCKET,
  SYNTHETIC_CELLS,
  VARIABLES,
} from './published.js'
import { selfTests } from './self-tests.js'

export type { BuyerBewareDesign } from './part.js'

const FULL = { releases: 1000, syntheses: 2000, sets: 5, settingSets: 20, permutations: 10 }
const QUICK = { releases: 200, syntheses: 400, sets: 2, settingSets: 5, permutations: 3 }

export function buyerBewareDesign({ seed, quick = false }: { seed: number; quick?: boolean }): BuyerBewareDesign {
  return { seed, ...(quick ? QUICK : FULL) }
}

export interface BuyerBewareStudy {
  readonly design: BuyerBewareDesign
  readonly tables: readonly BuyerBewareTable[]
  readonly figures: readonly FigureTable[]
  readonly checks: readonly Check[]
  readonly charts: readonly Chart[]
}

export interface BuyerBewareHow {
  readonly progress?: ((done: number, total: number, what: string) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
  /** The measures that are tested; all when not given. */
  readonly registry?: readonly AnyMeasure[] | undefined
}

/**
 * "Buyer beware" (Latner, Neunhoeffer and Drechsler 2025), repeated: a synthesis by trees gives a unique record away for
 * certain while repU and DiSCO find nothing.
 *
 *   copies           how often the unique record reappears (Table A.1)
 *   posterior        what the strong attacker believes after each of the ten published sets
 *   measures         repU and DiSCO of the same sets (Tables 1 and A.2), and of a release with a constant target
 *   coding           the same data as levels instead of numbers
 *   hyperparameters  minbucket and cp: risk beside loss, novelty, repU and DiSCO (Figure A.1)
 *   self-tests       what all of scrim's measures say when a record is certain, and when the target is noise
 *   sd2011           the critique of DiSCO on real data, if the file is given (Table A.3), and its minbucket study
 */
export async function studyBuyerBeware(
  design: BuyerBewareDesign,
  watched: BuyerBewareHow = {},
  sd2011?: Table,
): Promise<BuyerBewareStudy> {
  const original = cellTable('original', ORIGINAL_CELLS)
  const steps: { what: string; run: () => Promise<Part> }[] = [
    { what: 'copies', run: () => copies(original, design) },
    { what: 'posterior', run: () => posteriors(original) },
    { what: 'measures', run: () => measuresOfSets(original) },
    { what: 'coding', run: () => coding(design) },
    { what: 'minbucket and cp', run: () => hyperparameters(original, design, watched.signal) },
    { what: 'self-tests', run: () => selfTests(design, watched) },
    ...(sd2011 === undefined
      ? []
      : [
          { what: 'SD2011', run: () => realData(sd2011, design) },
          { what: 'SD2011, minbucket', run: () => realDataMinbucket(sd2011, design) },
        ]),
  ]
  const parts: Part[] = []
  for (const [k, { what, run }] of steps.entries()) {
    throwIfAborted(watched.signal)
    watched.progress?.(k, steps.length, what)
    parts.push(await run())
  }
  return {
    design,
    tables: parts.flatMap(({ tables }) => tables),
    figures: parts.flatMap(({ figures }) => figures),
    checks: parts.flatMap(({ checks }) => checks),
    charts: parts.flatMap(({ charts }) => charts),
  }
}

/** Three standard errors of the observed and the published share together. */
function shareTolerance(p: number, n: number, publishedN: number): number {
  return 3 * Math.sqrt(p * (1 - p) * (1 / n + 1 / publishedN))
}

const PUBLISHED_SYNTHESES = 100

async function copies(original: Table, { seed, syntheses }: BuyerBewareDesign): Promise<Part> {
  const { sets } = await synthesizeSets(cartSynthesizer, original, { seed, sets: syntheses })
  const counts = sets.map((set) => cellCounts(set)[TRUTH])
  const rows = COPIES_IN_100.map((published, k) => {
    const chance = binomialPmf(k, original.rows, 1 / original.rows)
    const isLast = k === COPIES_IN_100.length - 1
    const found = counts.map((count) => ((isLast ? count >= k : count === k) ? 1 : 0))
    const tolerance = shareTolerance(chance, syntheses, PUBLISHED_SYNTHESES)
    return compare(`${k}${isLast ? ' or more' : ''} copies`, 'share of syntheses', found, published / 100, tolerance)
  })
  return {
    tables: [{ name: 'copies', title: 'Copies of the unique record per synthesis (Table A.1, 100 sets)', rows }],
    figures: [frequencies(cellCounts(sets[0]))],
    checks: [],
    charts: [
      barChart(
        {
          name: 'frequencies',
          title: 'Records in each cell: original (grey) and one synthesis (blue), Figure 1',
          x: '',
          y: 'records',
        },
        cellCounts(sets[0]).flatMap((released, cell) => [
          { label: cellName(cell), value: ORIGINAL_CELLS[cell], series: 'original' as const },
          { label: cellName(cell), value: released, series: 'release' as const },
        ]),
      ),
      pairs('copies', 'Copies of the unique record: observed (blue) and published (grey)', 'share of syntheses', rows),
    ],
  }
}

function cellName(cell: number): string {
  return cell.toString(2).padStart(VARIABLES.length, '0')
}

/** The original beside a synthesis of ours and the first published one (Figure 1, Table A.1). */
function frequencies(released: readonly number[]): FigureTable {
  return {
    name: 'frequencies',
    title: 'Records in each cell: original, one synthesis, and the first published set (Figure 1)',
    header: ['cell', 'original', 'synthesis', 'published set 1'],
    rows: ORIGINAL_CELLS.map((original, cell) => [cellName(cell), original, released[cell], SYNTHETIC_CELLS[0][cell]]),
  }
}

/** Known with six digits. */
const ROUNDED = 1e-6

async function posteriors(original: Table): Promise<Part> {
  const released = SYNTHETIC_CELLS.map((counts, k) => cellTable(`set ${k + 1}`, counts))
  const found: AttackResult[] = []
  for (const one of released) found.push(await attack({ original, released: [one], record: 'last' }))
  const all = await attack({ original, released, record: 'last' })
  const truth = (result: AttackResult) => result.targets[0].posteriors[0].truth?.posterior ?? 0
  const rows = [
    ...found.map((result, k) =>
      compare(`set ${k + 1}`, 'posterior of 1111', [truth(result)], { apart: EXACT_POSTERIORS[k] }, ROUNDED),
    ),
    compare('all ten sets', 'posterior of 1111', [truth(all)], { apart: 1 }, ROUNDED),
  ]
  return {
    tables: [
      {
        name: 'posterior',
        title: 'What the strong attacker believes after each published set',
        rows,
      },
    ],
    figures: [],
    checks: [
      {
        what: 'the unique record is certain in the 8 sets that contain it, and less likely than before in the 2 others',
        holds: found.every((result, k) =>
          SYNTHETIC_CELLS[k][TRUTH] > 0 ? truth(result) === 1 : truth(result) < 1 / 16,
        ),
      },
    ],
    charts: [
      ...attackCharts(found[0]).filter(({ name }) => name === 'worlds' || name === 'posterior'),
      ...attackCharts(all).filter(({ name }) => name === 'over-sets'),
    ],
  }
}

async function measuresOfSets(original: Table): Promise<Part> {
  const keys = VARIABLES.slice(0, 3)
  const target = VARIABLES[3]
  const figures = async (released: Table) => {
    const { releases } = await disclosure.run(openCase({ keys, target }, { original, released }).release)
    const { details } = releases[0]
    return { repU: 100 * (details?.identity.repU ?? 0), disco: 100 * (details?.attribute.DiSCO ?? 0) }
  }
  const sets = SYNTHETIC_CELLS.map((counts, k) => cellTable(`set ${k + 1}`, counts))
  const found: Awaited<ReturnType<typeof figures>>[] = []
  for (const set of sets) found.push(await figures(set))
  const constant = async (value: 0 | 1) => (await figures(withConstant(sets[0], target, value))).disco
  const rows = [
    ...found.flatMap(({ repU, disco }, k) => [
      compare(`set ${k + 1}`, 'repU, %', [repU], 0, EXACT),
      compare(`set ${k + 1}`, 'DiSCO, %', [disco], DISCO[k], EXACT),
    ]),
    compare(
      'ten sets',
      'DiSCO, %',
      found.map(({ disco }) => disco),
      1.32,
      EXACT,
    ),
    compare('target 0 everywhere', 'DiSCO, %', [await constant(0)], DISCO_CONSTANT.zero, EXACT),
    compare('target 1 everywhere', 'DiSCO, %', [await constant(1)], DISCO_CONSTANT.one, EXACT),
  ]
  return {
    tables: [
      {
        name: 'measures',
        title: 'repU and DiSCO of the published sets (Tables 1 and A.2): keys var1-3, target var4',
        rows,
      },
    ],
    figures: [],
    checks: [
      {
        what: 'DiSCO is 0 exactly where the attacker is certain, and larger where he is misled',
        holds: found.every(({ disco }, k) => (disco === 0) === SYNTHETIC_CELLS[k][TRUTH] > 0),
      },
    ],
    charts: [],
  }
}

const EXACT = 1e-9

function withConstant(data: Table, name: string, value: number): Table {
  return table(
    data.name,
    data.columns.map((column) =>
      column.name === name && column.kind !== 'categorical'
        ? { ...column, values: column.values.map(() => value) }
        : column,
    ),
  )
}

async function coding({ seed, releases }: BuyerBewareDesign): Promise<Part> {
  const rows: Comparison[] = []
  for (const [kind, expected, meanPosterior] of [
    ['numbers', 1, 0.641],
    ['levels', 26.394, 0.0636],
  ] as const) {
    const original = cellTable('original', ORIGINAL_CELLS, kind)
    const { summary } = (await attack({ original, record: 'last', releases, seed })).targets[0]
    rows.push(
      compare(
        kind,
        'expected copies of 1111',
        [(await expectedCounts(original, {}))[TRUTH]],
        { apart: expected },
        0.001,
      ),
    )
    rows.push(
      compare(
        kind,
        'mean posterior of 1111',
        [summary?.meanPosterior ?? 0],
        { apart: meanPosterior },
        posteriorTolerance(summary),
      ),
    )
  }
  return {
    tables: [
      {
        name: 'coding',
        title: 'The same data coded as numbers and as levels',
        rows,
      },
    ],
    figures: [],
    checks: [],
    charts: [],
  }
}

/** In percent: how far another synthesizer and another seed may be off. Our choice; the paper states none. */
const BANDS = { repU: 1.5, disco: 1.5, constant: 0.75 } as const

async function realData(data: Table, { seed, sets }: BuyerBewareDesign): Promise<Part> {
  const original = columnsOfStudy(data)
  const releases = await synthesizeSets(cartSynthesizer, original, { seed, sets })
  const found = await disclosureOf(original, releases.sets)
  const constant = await disclosureOf(
    original,
    releases.sets.map((set) => withConstant(set, SD2011.target, 0)),
  )
  const of = (figure: keyof Disclosure) => found.map((one) => one[figure])
  const rows = [
    compare('original', 'UiO, %', of('UiO').slice(0, 1), SD2011.uniqueInOriginal, 0.005),
    compare('original', 'Dorig, %', of('Dorig').slice(0, 1), SD2011.dorig, 0.005),
    compare('CART', 'repU, %', of('repU'), SD2011.repU, BANDS.repU),
    compare('CART', 'DiSCO, %', of('DiSCO'), SD2011.disco, BANDS.disco),
    compare(
      'depress 0 everywhere',
      'DiSCO, %',
      constant.map(({ DiSCO }) => DiSCO),
      SD2011.constant,
      BANDS.constant,
    ),
  ]
  return {
    tables: [{ name: 'sd2011', title: 'SD2011 (Table A.3): keys sex, age, region, placesize; target depress', rows }],
    figures: [],
    checks: [
      {
        what: 'SD2011: a release that tells nothing about the target has a larger DiSCO than the synthesis',
        holds: (mean(constant.map(({ DiSCO }) => DiSCO)) ?? 0) > (mean(of('DiSCO')) ?? 0),
      },
    ],
    charts: [pairs('sd2011', 'SD2011: observed (blue) and published (grey)', '%', rows.slice(2))],
  }
}

function columnsOfStudy(data: Table): Table {
  const lacking = [...SD2011.keys, SD2011.target].filter((name) => findColumn(data, name) === undefined)
  if (lacking.length > 0)
    throw new UserError(lacking.map((name) => `${data.name} has no column "${name}"; is it SD2011 of synthpop?`))
  return table(
    data.name,
    [...SD2011.keys, SD2011.target].map((name) => columnOf(data, name)),
  )
}

interface Disclosure extends Novelty {
  readonly UiO: number
  readonly Dorig: number
  readonly repU: number
  readonly DiSCO: number
  readonly pmseRatio: number
}

/** In percent, but for numbers of keys and the ratio. */
async function disclosureOf(original: Table, released: readonly Table[]): Promise<Disclosure[]> {
  const given = openCase({ keys: SD2011.keys, target: SD2011.target }, { original, released }).release
  const { releases } = await disclosure.run(given, { targetGroups: 'none' })
  return releases.flatMap(({ details }, k) => {
    if (details === null) return []
    const { distinct, novelKeys, recordsWithKnownKey, keysThatReappear } = novelty(given, k, SD2011.keys)
    return [
      {
        UiO: 100 * details.identity.UiO,
        Dorig: 100 * details.attribute.Dorig,
        repU: 100 * details.identity.repU,
        DiSCO: 100 * details.attribute.DiSCO,
        distinct,
        novelKeys: 100 * novelKeys,
        recordsWithKnownKey: 100 * recordsWithKnownKey,
        keysThatReappear: 100 * keysThatReappear,
        pmseRatio: logisticPmse(given.original, given.released[k], { variables: given.variables, order: 1 }).nulls
          .conditional.ratio,
      },
    ]
  })
}

async function realDataMinbucket(data: Table, { seed, sets }: BuyerBewareDesign): Promise<Part> {
  const original = columnsOfStudy(data)
  const rows: Comparison[] = []
  const unpublished: (string | number | null)[][] = []
  for (const known of SD2011_MINBUCKET) {
    const options = { minbucket: known.minbucket }
    const made = await synthesizeSets(cartSynthesizer, original, { seed, sets, options })
    const found = await disclosureOf(original, made.sets)
    const of = (figure: keyof Disclosure) => found.map((one) => one[figure])
    const setting = `minbucket ${known.minbucket}`
    rows.push(
      compare(setting, 'distinct keys', of('distinct'), known.distinct, 50),
      compare(setting, 'not in the original, %', of('novelKeys'), known.novel, 1.5),
      compare(setting, 'records with a known key, %', of('recordsWithKnownKey'), { apart: known.knownRecords }, 1.5),
      compare(setting, 'repU, %', of('repU'), known.repU, 1.2),
      compare(setting, 'DiSCO, %', of('DiSCO'), known.disco, 1.2),
    )
    unpublished.push([setting, mean(of('keysThatReappear')), mean(of('pmseRatio'))])
  }
  return {
    tables: [
      {
        name: 'sd2011-minbucket',
        title: 'SD2011: minbucket, novelty and disclosure (published: five sets each)',
        rows,
      },
    ],
    figures: [
      {
        name: 'sd2011-minbucket-utility',
        title: 'SD2011: minbucket, keys of the original that reappear, and pMSE ratio (main effects)',
        header: ['setting', 'keys again, %', 'pMSE ratio'],
        rows: unpublished,
      },
    ],
    checks: [],
    charts: [
      pairs(
        'sd2011-minbucket',
        'SD2011, DiSCO by minbucket: observed (blue) and published (grey)',
        '%',
        rows.filter(({ figure }) => figure === 'DiSCO, %'),
      ),
    ],
  }
}

function pairs(name: string, title: string, y: string, rows: readonly Comparison[]): Chart {
  return barChart(
    { name, title, x: '', y },
    rows.flatMap((row) => {
      const { setting, figure, observed } = row
      const label = rows.every((other) => other.figure === figure) ? setting : `${setting}: ${figure}`
      return [
        { label, value: knownOf(row), series: 'original' as const },
        { label, value: observed, series: 'release' as const },
      ]
    }),
  )
}

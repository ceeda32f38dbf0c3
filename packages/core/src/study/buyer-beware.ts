import { CART_DEFAULTS, fitCart, leafCounts, logProbabilities } from '../attack/cart-generator.js'
import { attackCharts } from '../attack/charts.js'
import { type AttackResult, attack } from '../attack/game.js'
import { codeRecords, variablesOf } from '../attack/records.js'
import { barChart, type Chart, scatterChart } from '../chart/chart.js'
import { UserError } from '../errors.js'
import { disclosure } from '../risk/attribution/disclosure.js'
import { binomialPmf } from '../stats/distributions.js'
import { mean, standardDeviation } from '../stats/sums.js'
import { cartSynthesizer } from '../synthesizers/cart.js'
import { synthesizeSets } from '../synthesizers/synthesizer.js'
import { keyClasses, rowsOfPart } from '../table/classes.js'
import { release } from '../table/release.js'
import { columnOf, findColumn, type Table, table } from '../table/table.js'
import { type AbortSignalLike, throwIfAborted } from '../tasks/task.js'
import {
  COPIES_IN_100,
  cellTable,
  DISCO,
  DISCO_CONSTANT,
  EXACT_POSTERIORS,
  HYPERPARAMETERS,
  ORIGINAL_CELLS,
  SD2011,
  SD2011_MINBUCKET,
  SYNTHETIC_CELLS,
  VARIABLES,
} from './buyer-beware-published.js'
import type { Check, Comparison } from './rapid-tables.js'

/**
 * "Buyer beware" (Latner, Neunhoeffer and Drechsler 2025), repeated: a synthesis by trees gives a unique record away for
 * certain while repU and DiSCO find nothing.
 *
 *   copies           how often the unique record reappears (Table A.1)
 *   posterior        what the strong attacker believes after each of the ten published sets
 *   measures         repU and DiSCO of the same sets (Tables 1 and A.2), and of a release with a constant target
 *   coding           the same data as levels instead of numbers
 *   hyperparameters  minbucket and cp: risk beside the loss of the model (Figure A.1)
 *   sd2011           the critique of DiSCO on real data, if the file is given (Table A.3), and its minbucket study
 */
export interface BuyerBewareDesign {
  readonly seed: number
  /** Simulated releases per setting. */
  readonly releases: number
  /** Syntheses for the number of copies. */
  readonly syntheses: number
  /** Syntheses of SD2011 per setting. */
  readonly sets: number
}

const FULL = { releases: 1000, syntheses: 2000, sets: 5 }
const QUICK = { releases: 200, syntheses: 400, sets: 2 }

export function buyerBewareDesign({ seed, quick = false }: { seed: number; quick?: boolean }): BuyerBewareDesign {
  return { seed, ...(quick ? QUICK : FULL) }
}

interface BuyerBewareTable {
  readonly name: 'copies' | 'posterior' | 'measures' | 'coding' | 'hyperparameters' | 'sd2011' | 'sd2011-minbucket'
  readonly title: string
  readonly rows: readonly Comparison[]
}

export interface BuyerBewareStudy {
  readonly design: BuyerBewareDesign
  readonly tables: readonly BuyerBewareTable[]
  readonly checks: readonly Check[]
  readonly charts: readonly Chart[]
}

export interface BuyerBewareHow {
  readonly progress?: ((done: number, total: number, what: string) => void) | undefined
  readonly signal?: AbortSignalLike | undefined
}

export async function studyBuyerBeware(
  design: BuyerBewareDesign,
  how: BuyerBewareHow = {},
  sd2011?: Table,
): Promise<BuyerBewareStudy> {
  const original = cellTable('original', ORIGINAL_CELLS)
  const steps: { what: string; run: () => Promise<Part> }[] = [
    { what: 'copies', run: () => copies(original, design) },
    { what: 'posterior', run: () => posteriors(original) },
    { what: 'measures', run: () => measuresOfSets(original) },
    { what: 'coding', run: () => coding(design) },
    { what: 'minbucket and cp', run: () => hyperparameters(original, design) },
    ...(sd2011 === undefined
      ? []
      : [
          { what: 'SD2011', run: () => realData(sd2011, design) },
          { what: 'SD2011, minbucket', run: () => realDataMinbucket(sd2011, design) },
        ]),
  ]
  const parts: Part[] = []
  for (const [k, { what, run }] of steps.entries()) {
    throwIfAborted(how.signal)
    how.progress?.(k, steps.length, what)
    parts.push(await run())
  }
  return {
    design,
    tables: parts.map(({ table: one }) => one),
    checks: parts.flatMap(({ checks }) => checks),
    charts: parts.flatMap(({ charts }) => charts),
  }
}

interface Part {
  readonly table: BuyerBewareTable
  readonly checks: readonly Check[]
  readonly charts: readonly Chart[]
}

const TRUTH = 15

function compare(
  setting: string,
  figure: string,
  values: readonly number[],
  published: number,
  tolerance: number | null,
): Comparison {
  const observed = mean(values) ?? 0
  const difference = observed - published
  return {
    setting,
    figure,
    files: values.length,
    observed,
    sd: standardDeviation(values),
    published,
    difference,
    tolerance,
    within: tolerance === null ? null : Math.abs(difference) <= tolerance,
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
    table: { name: 'copies', title: 'Copies of the unique record per synthesis (Table A.1, 100 sets)', rows },
    checks: [],
    charts: [
      pairs('copies', 'Copies of the unique record: observed (blue) and published (grey)', 'share of syntheses', rows),
    ],
  }
}

function cellCounts(of: Table): number[] {
  const bits = VARIABLES.map((name) => {
    const column = columnOf(of, name)
    return column.kind === 'categorical' ? column.codes : column.values
  })
  const counts = new Array<number>(16).fill(0)
  for (let row = 0; row < of.rows; row++)
    counts[8 * bits[0][row] + 4 * bits[1][row] + 2 * bits[2][row] + bits[3][row]]++
  return counts
}

/** Published with six digits. */
const ROUNDED = 1e-6

async function posteriors(original: Table): Promise<Part> {
  const released = SYNTHETIC_CELLS.map((counts, k) => cellTable(`set ${k + 1}`, counts))
  const found: AttackResult[] = []
  for (const one of released) found.push(await attack({ original, released: [one], record: 'last' }))
  const all = await attack({ original, released, record: 'last' })
  const truth = (result: AttackResult) => result.targets[0].posteriors[0].truth?.posterior ?? 0
  const rows = [
    ...found.map((result, k) =>
      compare(`set ${k + 1}`, 'posterior of 1111', [truth(result)], EXACT_POSTERIORS[k], ROUNDED),
    ),
    compare('all ten sets', 'posterior of 1111', [truth(all)], 1, ROUNDED),
  ]
  return {
    table: {
      name: 'posterior',
      title: 'What the strong attacker believes after each published set (beside values computed apart, in R)',
      rows,
    },
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
    const { releases } = await disclosure.run(release({ original, released, keys, target }))
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
    table: {
      name: 'measures',
      title: 'repU and DiSCO of the published sets (Tables 1 and A.2): keys var1-3, target var4',
      rows,
    },
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

function withConstant(of: Table, name: string, value: number): Table {
  return table(
    of.name,
    of.columns.map((column) =>
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
    rows.push(compare(kind, 'expected copies of 1111', [expectedCounts(original, {})[TRUTH]], expected, 0.001))
    rows.push(compare(kind, 'mean posterior of 1111', [summary?.meanPosterior ?? 0], meanPosterior, tolerance(summary)))
  }
  return {
    table: {
      name: 'coding',
      title: 'The same data coded as numbers and as levels (beside values computed apart, in R)',
      rows,
    },
    checks: [],
    charts: [],
  }
}

function tolerance(summary: AttackResult['targets'][number]['summary']): number {
  return 3 * Math.SQRT2 * (summary?.standardError ?? 0) + 0.002
}

function fitted(original: Table, options: { minbucket?: number; cp?: number }) {
  const variables = variablesOf(VARIABLES, [original])
  return { variables, fit: fitCart(variables, codeRecords(variables, original), { ...CART_DEFAULTS, ...options }) }
}

function expectedCounts(original: Table, options: { minbucket?: number; cp?: number }): number[] {
  const { variables, fit } = fitted(original, options)
  const kind = columnOf(original, VARIABLES[0]).kind === 'categorical' ? 'levels' : 'numbers'
  const cells = codeRecords(variables, cellTable('cells', new Array<number>(16).fill(1), kind))
  return Array.from(logProbabilities(fit, cells), (log) => original.rows * Math.exp(log))
}

async function hyperparameters(original: Table, { seed, releases }: BuyerBewareDesign): Promise<Part> {
  const rows: Comparison[] = []
  const points: { x: number; y: number; alarm: boolean }[] = []
  let sameLeaves = true
  for (const known of HYPERPARAMETERS) {
    const options = { minbucket: known.minbucket, cp: known.cp }
    const setting = known.cp === CART_DEFAULTS.cp ? `minbucket ${known.minbucket}` : `cp ${known.cp}`
    const expected = expectedCounts(original, options)
    const loss = expected.reduce((sum, count, c) => sum + Math.abs(count - ORIGINAL_CELLS[c]), 0) / (2 * original.rows)
    const leaves = leafCounts(fitted(original, options).fit).slice(1)
    sameLeaves &&= leaves.every((count, j) => count === known.leaves[j])
    const { summary } = (await attack({ original, record: 'last', options, releases, seed })).targets[0]
    const risk = summary?.meanPosterior ?? 0
    points.push({ x: loss, y: risk, alarm: risk >= 0.5 })
    rows.push(compare(setting, 'expected copies of 1111', [expected[TRUTH]], known.expected, 0.001))
    if (known.totalVariation !== null) rows.push(compare(setting, 'loss (TV)', [loss], known.totalVariation, 0.0001))
    if (known.meanPosterior !== null)
      rows.push(compare(setting, 'mean posterior of 1111', [risk], known.meanPosterior, tolerance(summary) + 0.01))
  }
  const title = 'Risk and loss by minbucket and cp'
  return {
    table: {
      name: 'hyperparameters',
      title:
        'minbucket and cp: copies, loss of the model and risk (settings of Figure A.1; beside values computed apart, in R)',
      rows,
    },
    checks: [
      { what: 'the trees have the leaves of rpart in every setting', holds: sameLeaves },
      {
        what: 'cp 0.02 makes 46 copies of the unique record and still gives it away in every release',
        holds: (points[HYPERPARAMETERS.findIndex(({ cp }) => cp === 0.02)]?.y ?? 0) > 0.99,
      },
    ],
    charts: [
      scatterChart(
        { name: 'hyperparameters', title, x: 'loss of the model (TV)', y: 'mean posterior of the truth' },
        points,
        [{ value: 1 / 16, label: 'prior' }],
      ),
    ],
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
    table: { name: 'sd2011', title: 'SD2011 (Table A.3): keys sex, age, region, placesize; target depress', rows },
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

interface Disclosure {
  readonly UiO: number
  readonly Dorig: number
  readonly repU: number
  readonly DiSCO: number
  readonly distinct: number
  readonly novel: number
}

async function disclosureOf(original: Table, released: readonly Table[]): Promise<Disclosure[]> {
  const given = release({ original, released, keys: SD2011.keys, target: SD2011.target })
  const { releases } = await disclosure.run(given, { targetGroups: 'none' })
  const classes = keyClasses(given, SD2011.keys)
  const inOriginal = new Set(rowsOfPart(given, classes, classes.ids, 'original'))
  return releases.flatMap(({ details }, k) => {
    if (details === null) return []
    const distinct = new Set(rowsOfPart(given, classes, classes.ids, k))
    const novel = [...distinct].filter((id) => !inOriginal.has(id)).length
    return [
      {
        UiO: 100 * details.identity.UiO,
        Dorig: 100 * details.attribute.Dorig,
        repU: 100 * details.identity.repU,
        DiSCO: 100 * details.attribute.DiSCO,
        distinct: distinct.size,
        novel: (100 * novel) / distinct.size,
      },
    ]
  })
}

async function realDataMinbucket(data: Table, { seed, sets }: BuyerBewareDesign): Promise<Part> {
  const original = columnsOfStudy(data)
  const rows: Comparison[] = []
  for (const known of SD2011_MINBUCKET) {
    const options = { minbucket: known.minbucket }
    const made = await synthesizeSets(cartSynthesizer, original, { seed, sets, options })
    const found = await disclosureOf(original, made.sets)
    const of = (figure: keyof Disclosure) => found.map((one) => one[figure])
    const setting = `minbucket ${known.minbucket}`
    rows.push(
      compare(setting, 'distinct keys', of('distinct'), known.distinct, 50),
      compare(setting, 'not in the original, %', of('novel'), known.novel, 1.5),
      compare(setting, 'repU, %', of('repU'), known.repU, 1.2),
      compare(setting, 'DiSCO, %', of('DiSCO'), known.disco, 1.2),
    )
  }
  return {
    table: {
      name: 'sd2011-minbucket',
      title: 'SD2011: minbucket, novelty and disclosure (published: five sets each)',
      rows,
    },
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
    rows.flatMap(({ setting, figure, observed, published }) => {
      const label = rows.every((row) => row.figure === figure) ? setting : `${setting}: ${figure}`
      return [
        { label, value: published, series: 'original' as const },
        { label, value: observed, series: 'release' as const },
      ]
    }),
  )
}

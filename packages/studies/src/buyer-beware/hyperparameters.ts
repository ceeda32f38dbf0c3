import {
  type AbortSignalLike,
  attack,
  type CartTree,
  cartSynthesizer,
  columnOf,
  disclosure,
  growCart,
  leafOf,
  logisticPmse,
  math,
  mean,
  openCase,
  parseOptions,
  type RiskSummary,
  scatterChart,
  significant,
  stream,
  synthesizeSets,
  type Table,
  table,
  throwIfAborted,
  valueAt,
} from '@scrim/core'
import type { Comparison } from '../comparison.js'
import { novelty } from './novelty.js'
import { type BuyerBewareDesign, compare, type FigureTable, type Part, TRUTH } from './part.js'
import {
  CP,
  cellTable,
  HYPERPARAMETERS,
  type HyperparameterFact,
  MINBUCKET,
  ORIGINAL_CELLS,
  VARIABLES,
} from './published.js'

/**
 * minbucket and cp of CART synthesis of the 16 cells: what the strong attacker learns about the unique record beside what
 * the release loses, its novelty, and what repU and DiSCO say. Beside a grid, the settings just below and above each
 * threshold that depends on the data: leaf sizes and a third of the node sizes on the way of the unique record (minsplit is
 * three times minbucket), and the complexities of the fitted trees. There one record may decide whether a tree splits, and
 * that it does, or not, gives the record away, however many copies there are.
 */
interface Setting {
  readonly minbucket: number
  readonly cp: number
}

interface SettingFigures extends Setting {
  readonly leaves: readonly number[]
  readonly expected: number
  /** Total variation between the fitted generator and the original, without sampling noise. */
  readonly loss: number
  readonly summary: RiskSummary | null
  readonly releases: ReleaseFigures
}

/** Means over the syntheses of a setting. */
interface ReleaseFigures {
  readonly totalVariation: number
  readonly pmseRatio: number
  readonly novelKeys: number
  readonly recordsWithKnownKey: number
  readonly keysThatReappear: number
  readonly repU: number
  readonly disco: number
}

export async function hyperparameters(
  original: Table,
  design: BuyerBewareDesign,
  signal?: AbortSignalLike,
): Promise<Part> {
  const found: SettingFigures[] = []
  for (const setting of allSettings(original)) {
    throwIfAborted(signal)
    found.push(await figuresOf(original, setting, design))
  }
  const facts = HYPERPARAMETERS.flatMap((fact) => {
    const figures = found.find((one) => one.minbucket === fact.minbucket && one.cp === fact.cp)
    return figures === undefined ? [] : [{ fact, figures }]
  })
  const atCp002 = facts.find(({ fact }) => fact.cp === 0.02)?.figures
  return {
    tables: [
      {
        name: 'hyperparameters',
        title: 'minbucket and cp: copies, loss of the model and risk (settings of Figure A.1)',
        rows: facts.flatMap(({ fact, figures }) => besideFact(fact, figures)),
      },
    ],
    figures: [settingsTable(found)],
    checks: [
      {
        what: 'the trees have the leaves of rpart in every setting',
        holds: facts.every(({ fact, figures }) => figures.leaves.join() === fact.leaves.join()),
      },
      {
        what: 'cp 0.02 makes 46 copies of the unique record and still gives it away in every release',
        holds: (atCp002?.summary?.meanPosterior ?? 0) > 0.99 && Math.round(atCp002?.expected ?? 0) === 46,
      },
      {
        what: 'repU is 0 in every setting, whether the attacker is certain or learns nothing',
        holds: found.every(({ releases }) => releases.repU === 0),
      },
    ],
    charts: [
      scatterChart(
        {
          name: 'hyperparameters',
          title: 'Risk and loss by minbucket and cp',
          x: 'loss of the model (TV)',
          y: 'mean posterior of the truth',
        },
        found.map(({ loss, summary }) => {
          const risk = summary?.meanPosterior ?? 0
          return { x: loss, y: risk, alarm: risk >= 0.5 }
        }),
        [{ value: 1 / 16, label: 'prior' }],
      ),
    ],
  }
}

function besideFact(fact: HyperparameterFact, { expected, loss, summary }: SettingFigures): Comparison[] {
  const setting = settingName(fact)
  const rows = [compare(setting, 'expected copies of 1111', [expected], { apart: fact.expected }, 0.001)]
  if (fact.totalVariation !== null)
    rows.push(compare(setting, 'loss (TV)', [loss], { apart: fact.totalVariation }, 0.0001))
  if (fact.meanPosterior !== null) {
    const risk = summary?.meanPosterior ?? 0
    const tolerance = posteriorTolerance(summary) + 0.01
    rows.push(compare(setting, 'mean posterior of 1111', [risk], { apart: fact.meanPosterior }, tolerance))
  }
  return rows
}

/** Three joint standard errors of the observed and the known mean. */
export function posteriorTolerance(summary: RiskSummary | null): number {
  return 3 * Math.SQRT2 * (summary?.standardError ?? 0) + 0.002
}

function settingName({ minbucket, cp }: Setting): string {
  return cp === CP ? `minbucket ${minbucket}` : `cp ${significant(cp, 5)}`
}

function settingsTable(settings: readonly SettingFigures[]): FigureTable {
  return {
    name: 'settings',
    title:
      'Every setting, with those just below and above the thresholds of the data: leaves of var2 to var4, expected copies of 1111, total variation of the model (TV) and of its releases (E[TV]), pMSE ratio; mean posterior of the truth, share of releases with 0.99 or more, share in which it is the best guess; share of distinct released records that are new, of released records that are known, of original records that reappear; repU and DiSCO in percent',
    header: [
      'setting',
      'leaves',
      'copies',
      'TV',
      'E[TV]',
      'pMSE',
      'posterior',
      'P99',
      'MAP',
      'new',
      'known',
      'again',
      'repU %',
      'DiSCO %',
    ],
    rows: settings.map((setting) => [
      settingName(setting),
      setting.leaves.join('/'),
      setting.expected,
      setting.loss,
      setting.releases.totalVariation,
      setting.releases.pmseRatio,
      setting.summary?.meanPosterior ?? null,
      setting.summary?.atLeast99.share ?? null,
      setting.summary?.mapIsTruth.share ?? null,
      setting.releases.novelKeys,
      setting.releases.recordsWithKnownKey,
      setting.releases.keysThatReappear,
      setting.releases.repU,
      setting.releases.disco,
    ]),
  }
}

/** By minbucket, then by cp. */
function allSettings(original: Table): Setting[] {
  const thresholds = dataThresholds(original)
  const given = HYPERPARAMETERS.map((fact) => ({ minbucket: fact.minbucket, cp: fact.cp }))
  const all: Setting[] = [
    ...given,
    ...thresholds.minbucket.flatMap((size) => [size, size + 1]).map((size) => ({ minbucket: size, cp: CP })),
    ...thresholds.cp
      .flatMap((value) => [value * (1 - CP_STEP), value * (1 + CP_STEP)])
      .map((value) => ({ minbucket: MINBUCKET, cp: value })),
  ]
  return all
    .filter((one, k) => all.findIndex((other) => other.minbucket === one.minbucket && other.cp === one.cp) === k)
    .sort((a, b) => a.cp - b.cp || a.minbucket - b.minbucket)
}

/** How far from a threshold a setting just below or above it lies; changing one record of 1000 moves thresholds further. */
const CP_STEP = 0.001
const SPLIT_PER_BUCKET = 3

/** The largest minbucket with which a node on the way of the unique record still splits, and the complexities of all splits. */
export function dataThresholds(original: Table): { minbucket: number[]; cp: number[] } {
  const trees = treesOf(original, { minbucket: MINBUCKET, cp: CP }).filter(({ tree }) => tree.nodes > 1)
  const minbucket = trees.flatMap(({ tree, features }) => {
    const [leaf, ...above] = sizesOnTheWay(tree, leafOf(tree, features)[original.rows - 1])
    return [leaf, ...above.map((size) => Math.floor(size / SPLIT_PER_BUCKET))]
  })
  const cp = trees.flatMap(({ tree }) => Array.from(tree.complexity).filter((_, node) => tree.variable[node] >= 0))
  // Above a third of all records no tree splits, so that a larger leaf is no threshold.
  const most = Math.floor(original.rows / SPLIT_PER_BUCKET)
  return {
    minbucket: ascending(minbucket.filter((size) => size <= most)),
    cp: ascending(cp.map((value) => significant(value, 10)).filter((value) => value > 2 * CP)),
  }
}

/** The trees that the synthesis grows of var2 to var4, each on the variables before it. */
function treesOf(original: Table, { minbucket, cp }: Setting): { tree: CartTree; features: Table }[] {
  const options = { minbucket, minsplit: SPLIT_PER_BUCKET * minbucket, cp }
  return VARIABLES.slice(1).map((name, k) => {
    const features = table(
      'earlier variables',
      VARIABLES.slice(0, k + 1).map((earlier) => columnOf(original, earlier)),
    )
    const values = Float64Array.from({ length: original.rows }, (_, row) =>
      Number(valueAt(columnOf(original, name), row)),
    )
    return { tree: growCart(features, { kind: 'numbers', values }, options), features }
  })
}

/** Records in a node and in those above it, up to the root. */
function sizesOnTheWay({ number, n }: CartTree, leaf: number): number[] {
  const sizes: number[] = []
  for (let at = number[leaf]; at >= 1; at = Math.floor(at / 2)) sizes.push(n[number.indexOf(at)])
  return sizes
}

function ascending(values: readonly number[]): number[] {
  return [...new Set(values)].sort((a, b) => a - b)
}

async function figuresOf(
  original: Table,
  setting: Setting,
  { seed, releases, settingSets }: BuyerBewareDesign,
): Promise<SettingFigures> {
  const { minbucket, cp } = setting
  const options = { minbucket, cp }
  const expected = await expectedCounts(original, options)
  const { summary } = (await attack({ original, record: 'last', options, releases, seed })).targets[0]
  const { sets } = await synthesizeSets(cartSynthesizer, original, { seed, sets: settingSets, options })
  return {
    minbucket,
    cp,
    leaves: treesOf(original, setting).map(({ tree }) => (tree.nodes + 1) / 2),
    expected: expected[TRUTH],
    loss: totalVariation(expected, ORIGINAL_CELLS),
    summary,
    releases: await releaseFigures(original, sets),
  }
}

async function releaseFigures(original: Table, sets: readonly Table[]): Promise<ReleaseFigures> {
  const given = openCase({ keys: VARIABLES.slice(0, 3), target: VARIABLES[3] }, { original, released: sets }).release
  const { releases } = await disclosure.run(given)
  const over = (figure: (set: Table, k: number) => number) => mean(given.released.map(figure)) ?? 0
  const novel = given.released.map((_, k) => novelty(given, k, VARIABLES))
  return {
    totalVariation: over((set) => totalVariation(cellCounts(set), ORIGINAL_CELLS)),
    pmseRatio: over(
      (set) => logisticPmse(given.original, set, { variables: VARIABLES, order: 2 }).nulls.conditional.ratio,
    ),
    novelKeys: over((_, k) => novel[k].novelKeys),
    recordsWithKnownKey: over((_, k) => novel[k].recordsWithKnownKey),
    keysThatReappear: over((_, k) => novel[k].keysThatReappear),
    repU: over((_, k) => 100 * (releases[k].details?.identity.repU ?? 0)),
    disco: over((_, k) => 100 * (releases[k].details?.attribute.DiSCO ?? 0)),
  }
}

/** Of counts with the same total. */
function totalVariation(counts: readonly number[], others: readonly number[]): number {
  const total = others.reduce((sum, count) => sum + count, 0)
  return counts.reduce((sum, count, cell) => sum + Math.abs(count - others[cell]), 0) / (2 * total)
}

/** Records that the fitted generator is expected to put into the cells 0000 to 1111. */
export async function expectedCounts(original: Table, options: Partial<Setting>): Promise<number[]> {
  const chosen = parseOptions(cartSynthesizer.id, cartSynthesizer.options, options)
  // Nothing about this fit is random; its streams are there to be asked for.
  const fitted = await cartSynthesizer.fit(original, chosen, (purpose) => stream(1, purpose))
  const kind = columnOf(original, VARIABLES[0]).kind === 'categorical' ? 'levels' : 'numbers'
  const logs = fitted.logProb?.(cellTable('cells', new Array<number>(16).fill(1), kind))
  if (logs === undefined) throw new Error('trees without smoothing know the probability of a record')
  return Array.from(logs, (log) => original.rows * math.exp(log))
}

export function cellCounts(file: Table): number[] {
  const bits = VARIABLES.map((name) => {
    const column = columnOf(file, name)
    return column.kind === 'categorical' ? column.codes : column.values
  })
  const counts = new Array<number>(16).fill(0)
  for (let row = 0; row < file.rows; row++)
    counts[8 * bits[0][row] + 4 * bits[1][row] + 2 * bits[2][row] + bits[3][row]]++
  return counts
}

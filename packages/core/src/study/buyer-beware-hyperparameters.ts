import {
  CART_DEFAULTS,
  type CartGenerator,
  type CartStep,
  fitCart,
  leafCounts,
  leafOfRecord,
  logProbabilities,
} from '../attack/cart-generator.js'
import { attack } from '../attack/game.js'
import type { RiskSummary } from '../attack/posterior.js'
import { codeRecords, variablesOf } from '../attack/records.js'
import { scatterChart } from '../chart/chart.js'
import { disclosure } from '../risk/attribution/disclosure.js'
import { mean } from '../stats/sums.js'
import { cartSynthesizer } from '../synthesizers/cart.js'
import { synthesizeSets } from '../synthesizers/synthesizer.js'
import { release } from '../table/release.js'
import { columnOf, type Table } from '../table/table.js'
import { type AbortSignalLike, throwIfAborted } from '../tasks/task.js'
import { pmse } from '../utility/pmse.js'
import { type BuyerBewareDesign, compare, type FigureTable, type Part, TRUTH } from './buyer-beware-part.js'
import {
  cellTable,
  HYPERPARAMETERS,
  type HyperparameterFact,
  ORIGINAL_CELLS,
  VARIABLES,
} from './buyer-beware-published.js'
import { novelty } from './novelty.js'
import type { Comparison } from './rapid-tables.js'

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
        title:
          'minbucket and cp: copies, loss of the model and risk (settings of Figure A.1; beside values computed apart, in R)',
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
  const rows = [compare(setting, 'expected copies of 1111', [expected], fact.expected, 0.001)]
  if (fact.totalVariation !== null) rows.push(compare(setting, 'loss (TV)', [loss], fact.totalVariation, 0.0001))
  if (fact.meanPosterior !== null) {
    const risk = summary?.meanPosterior ?? 0
    const tolerance = posteriorTolerance(summary) + 0.01
    rows.push(compare(setting, 'mean posterior of 1111', [risk], fact.meanPosterior, tolerance))
  }
  return rows
}

/** Three joint standard errors of the observed and the known mean. */
export function posteriorTolerance(summary: RiskSummary | null): number {
  return 3 * Math.SQRT2 * (summary?.standardError ?? 0) + 0.002
}

function settingName({ minbucket, cp }: Setting): string {
  return cp === CART_DEFAULTS.cp ? `minbucket ${minbucket}` : `cp ${Number(cp.toPrecision(5))}`
}

function settingsTable(found: readonly SettingFigures[]): FigureTable {
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
    rows: found.map((one) => [
      settingName(one),
      one.leaves.join('/'),
      one.expected,
      one.loss,
      one.releases.totalVariation,
      one.releases.pmseRatio,
      one.summary?.meanPosterior ?? null,
      one.summary?.atLeast99.share ?? null,
      one.summary?.mapIsTruth.share ?? null,
      one.releases.novelKeys,
      one.releases.recordsWithKnownKey,
      one.releases.keysThatReappear,
      one.releases.repU,
      one.releases.disco,
    ]),
  }
}

/** By minbucket, then by cp. */
function allSettings(original: Table): Setting[] {
  const { minbucket, cp } = CART_DEFAULTS
  const thresholds = dataThresholds(original)
  const given = HYPERPARAMETERS.map((fact) => ({ minbucket: fact.minbucket, cp: fact.cp }))
  const all: Setting[] = [
    ...given,
    ...thresholds.minbucket.flatMap((size) => [size, size + 1]).map((size) => ({ minbucket: size, cp })),
    ...thresholds.cp
      .flatMap((value) => [value * (1 - CP_STEP), value * (1 + CP_STEP)])
      .map((value) => ({ minbucket, cp: value })),
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
  const { fit } = fitted(original, {})
  const steps = fit.fitted.flatMap(({ value }) => (value === null || value.nodes.nodes === 1 ? [] : [value]))
  const records = codeRecords(fit.variables, original)
  const minbucket = steps.flatMap((step) => {
    const [leaf, ...above] = sizesOnTheWay(step, leafOfRecord(step, fit.variables, records, original.rows - 1))
    return [leaf, ...above.map((size) => Math.floor(size / SPLIT_PER_BUCKET))]
  })
  const cp = steps.flatMap(({ nodes }) => Array.from(nodes.complexity).filter((_, node) => nodes.variable[node] >= 0))
  // Above a third of all records no tree splits, so that a larger leaf is no threshold.
  const most = Math.floor(original.rows / SPLIT_PER_BUCKET)
  return {
    minbucket: ascending(minbucket.filter((size) => size <= most)),
    cp: ascending(cp.map((value) => Number(value.toPrecision(10))).filter((value) => value > 2 * CART_DEFAULTS.cp)),
  }
}

/** Records in a node and in those above it, up to the root. */
function sizesOnTheWay({ nodes }: CartStep, leaf: number): number[] {
  const sizes: number[] = []
  for (let number = nodes.number[leaf]; number >= 1; number = Math.floor(number / 2))
    sizes.push(nodes.n[nodes.number.indexOf(number)])
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
  const expected = expectedCounts(original, options)
  const { summary } = (await attack({ original, record: 'last', options, releases, seed })).targets[0]
  const { sets } = await synthesizeSets(cartSynthesizer, original, { seed, sets: settingSets, options })
  return {
    minbucket,
    cp,
    leaves: leafCounts(fitted(original, options).fit).slice(1),
    expected: expected[TRUTH],
    loss: totalVariation(expected, ORIGINAL_CELLS),
    summary,
    releases: await releaseFigures(original, sets),
  }
}

async function releaseFigures(original: Table, sets: readonly Table[]): Promise<ReleaseFigures> {
  const given = release({ original, released: sets, keys: VARIABLES.slice(0, 3), target: VARIABLES[3] })
  const { releases } = await disclosure.run(given)
  const over = (figure: (set: Table, k: number) => number) => mean(given.released.map(figure)) ?? 0
  const novel = given.released.map((_, k) => novelty(given, k, VARIABLES))
  return {
    totalVariation: over((set) => totalVariation(cellCounts(set), ORIGINAL_CELLS)),
    pmseRatio: over((set) => pmse(given.original, set, { variables: VARIABLES, order: 2 }).ratio),
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

function fitted(original: Table, options: Partial<Setting>): { fit: CartGenerator } {
  const variables = variablesOf(VARIABLES, [original])
  return { fit: fitCart(variables, codeRecords(variables, original), { ...CART_DEFAULTS, ...options }) }
}

/** Records that the fitted generator is expected to put into the cells 0000 to 1111. */
export function expectedCounts(original: Table, options: Partial<Setting>): number[] {
  const { fit } = fitted(original, options)
  const kind = columnOf(original, VARIABLES[0]).kind === 'categorical' ? 'levels' : 'numbers'
  const cells = codeRecords(fit.variables, cellTable('cells', new Array<number>(16).fill(1), kind))
  return Array.from(logProbabilities(fit, cells), (log) => original.rows * Math.exp(log))
}

export function cellCounts(of: Table): number[] {
  const bits = VARIABLES.map((name) => {
    const column = columnOf(of, name)
    return column.kind === 'categorical' ? column.codes : column.values
  })
  const counts = new Array<number>(16).fill(0)
  for (let row = 0; row < of.rows; row++)
    counts[8 * bits[0][row] + 4 * bits[1][row] + 2 * bits[2][row] + bits[3][row]]++
  return counts
}

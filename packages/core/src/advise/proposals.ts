import { observed } from '../anonymisers/method/number-columns.js'
import type { JsonObject } from '../json.js'
import { quantileSorted } from '../stats/quantile.js'
import { findSynthesizer } from '../synthesizers/synthesizers.js'
import { type Column, columnLength } from '../table/column.js'
import { roundingOf, stepOf } from '../table/precision.js'
import type { Release } from '../table/release.js'
import { findColumn, type Table } from '../table/table.js'
import type { Change } from './change.js'
import { coarserWays } from './coarser.js'

const NOISE = [10, 30, 100] as const
/** Probability of staying as it is. */
const STAYS = [0.9, 0.75, 0.5] as const
const TAILS = [0.01, 0.025, 0.05] as const
const K = [3, 5] as const
/** Times the minbucket of the synthesis. */
const LARGER = [4, 10, 20] as const
const MOST_LEVELS = 500
const MOST_SUPPRESSED_KEYS = 30
const FEWEST_NUMBERS = 10

/** Everything that could help and that scrim can do to this release, the middle dose of each marked; what helps most often first. */
export function proposals(
  release: Release,
  files: { readonly original: Table; readonly released: Table },
): readonly Change[] {
  const both = release.variables.flatMap((name) => {
    const column = findColumn(files.released, name)
    const original = findColumn(files.original, name)
    return column === undefined || original === undefined || column.kind !== original.kind ? [] : [{ column, original }]
  })
  return [
    ...syntheses(release, both),
    ...noisy(both),
    ...coarserKeys(release, both),
    ...randomised(release, both),
    ...suppressions(release),
    ...codedTails(both),
  ]
}

interface Both {
  readonly column: Column
  readonly original: Column
}

function doses<Dose>(all: readonly Dose[], change: (dose: Dose) => Omit<Change, 'first'>, first = 1): Change[] {
  return all.map((dose, k) => ({ ...change(dose), first: k === Math.min(first, all.length - 1) }))
}

/** Larger leaves and smoothed numbers, where one of scrim's own synthesizers made the release. */
function syntheses({ generator, original, released }: Release, both: readonly Both[]): Change[] {
  if (generator === null || generator.own !== undefined) return []
  const { id, options } = findSynthesizer(generator.method)
  const chosen = generator.options as JsonObject
  const usual = options.parse({}) as JsonObject
  const [release] = released
  const change = (slot: string, what: string, more: JsonObject) => ({
    slot,
    what,
    method: id,
    options: { ...chosen, ...more },
  })
  const minbucket = Number(chosen.minbucket ?? usual.minbucket)
  const most = Math.min(original.rows, release.rows) / 4
  const smooth = numbersIn(both).filter((name) => isFine(both, name))
  return [
    ...(usual.minbucket === undefined
      ? []
      : doses(
          LARGER.map((times) => times * minbucket).filter((size) => size <= most),
          (size) => change('minbucket', `synthesised with minbucket ${size}`, { minbucket: size }),
        )),
    ...(usual.smoothing === undefined || (chosen.smoothing ?? 'none') !== 'none' || smooth.length === 0
      ? []
      : doses(['density'], (dose) =>
          change('smoothing', 'synthesised with smoothed numbers', {
            smoothing: Object.fromEntries(smooth.map((name) => [name, dose])),
          }),
        )),
  ]
}

/** Smoothing rounds to decimals: where the values have a wider step, it would only put them where anybody rounds them back from. */
function isFine(both: readonly Both[], name: string): boolean {
  const column = both.find(({ original }) => original.name === name)?.original
  if (column === undefined || column.kind !== 'numeric') return false
  const { perUnit } = roundingOf(column, observed(column))
  return perUnit === null || stepOf(column) === 1 / perUnit
}

function coarserKeys({ keys, ungrouped }: Release, both: readonly Both[]): Change[] {
  return both
    .filter(({ original }) => keys.includes(original.name) && ungrouped?.groups[original.name] === undefined)
    .flatMap(({ original }) =>
      doses(coarserWays(original), ({ what, options }) => ({
        slot: `recode ${original.name}`,
        what,
        method: 'recode',
        options,
      })),
    )
}

/** Of whole records where rows need not correspond, and of single key values. */
function suppressions({ keys, type }: Release): Change[] {
  if (keys.length === 0) return []
  const records = [
    { remove: 'replicated', what: 'without records whose keys are unique here and in the original' },
    { remove: 'in-original', what: 'without unique records whose keys occur in the original' },
  ]
  return [
    ...(type === 'perturbed'
      ? []
      : doses(records, ({ remove, what }) => ({ slot: 'records', what, method: 'sdc', options: { remove } }), 0)),
    ...(keys.length > MOST_SUPPRESSED_KEYS
      ? []
      : doses(
          K,
          (k) => ({
            slot: 'cells',
            what: `key values suppressed until ${k} records agree`,
            method: 'local-suppression',
            options: { k },
          }),
          0,
        )),
  ]
}

function randomised({ keys }: Release, both: readonly Both[]): Change[] {
  const levels = both.filter(
    ({ column }) => column.kind === 'categorical' && column.levels.length > 1 && column.levels.length <= MOST_LEVELS,
  )
  const all = levels.map(({ column }) => column.name)
  const ofKeys = all.filter((name) => keys.includes(name))
  const change = (variables: readonly string[], stays: number, which: string) => ({
    slot: 'pram',
    what: `PRAM of ${which}, ${Math.round(100 * (1 - stays))} % redrawn`,
    method: 'pram',
    options: { variables, pd: stays, fixedDiagonal: true, alpha: 1 },
  })
  return [
    ...(all.length === 0 ? [] : doses(STAYS, (stays) => change(all, stays, 'all levels'))),
    ...(ofKeys.length === 0 || ofKeys.length === all.length
      ? []
      : [{ ...change(ofKeys, STAYS[1], 'the keys'), first: false }]),
  ]
}

function noisy(both: readonly Both[]): Change[] {
  const variables = numbersIn(both)
  if (variables.length === 0) return []
  return doses(NOISE, (noise) => ({
    slot: 'noise',
    what: `noise of ${noise} % of the standard deviation`,
    method: 'noise',
    options: { variables, noise, round: 'step' },
  }))
}

function codedTails(both: readonly Both[]): Change[] {
  const names = numbersIn(both)
  const columns = both.filter(({ original }) => names.includes(original.name))
  return doses(
    TAILS.flatMap((tail) => {
      const bounds = Object.fromEntries(columns.flatMap(({ original }) => boundsOf(original, tail)))
      return Object.keys(bounds).length === 0 ? [] : [{ tail, bounds }]
    }),
    ({ tail, bounds }) => ({
      slot: 'tails',
      what: `cap the lowest and highest ${100 * tail} % of numbers`,
      method: 'top-coding',
      options: { bounds },
    }),
  )
}

function boundsOf(column: Column, tail: number): [string, readonly [number, number]][] {
  if (column.kind === 'categorical') return []
  const sorted = column.values.filter((value) => !Number.isNaN(value)).sort()
  const [lower, upper] = [tail, 1 - tail].map((share) => sorted[Math.round(share * (sorted.length - 1))])
  const idle = !(lower > sorted[0]) && !(upper < sorted[sorted.length - 1])
  return idle || quantileSorted(sorted, 0.5) === null || lower === upper ? [] : [[column.name, [lower, upper]]]
}

/** Numbers that have more than a few values: noise on a code is nonsense. */
function numbersIn(both: readonly Both[]): string[] {
  return both
    .filter(
      ({ column, original }) =>
        column.kind !== 'categorical' &&
        original.kind !== 'categorical' &&
        columnLength(column) > 0 &&
        new Set(original.values).size >= FEWEST_NUMBERS,
    )
    .map(({ column }) => column.name)
}

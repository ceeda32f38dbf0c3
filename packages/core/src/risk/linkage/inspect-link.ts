import { UserError } from '../../errors.js'
import { type Context, DEFAULT_SEED } from '../../measure.js'
import { parseOptions } from '../../options.js'
import { stream } from '../../random/stream.js'
import { valueAt } from '../../table/column.js'
import type { Release } from '../../table/release.js'
import { columnOf, type Table } from '../../table/table.js'
import { inline } from '../../tasks/task.js'
import { blockingRules, costsOf, guessRule } from './attack.js'
import { blocksOf } from './costs/blocks.js'
import { costsByKey, fillCosts, within } from './costs/costs.js'
import { linkedFiles } from './costs/linked-files.js'
import { guess, ruleWith } from './matching/guesses.js'
import { attackOptions, options } from './options.js'
import { sidesOf } from './truth/sides.js'

/** One person before the intruder: what is known, which records fit best, and what each key says for or against them. */
export type InspectedLink = Awaited<ReturnType<typeof inspectLink>>

type Value = string | number | null

/** For the custodian's eyes only: it shows single records. `row` counts from 1, in the file that is looked from. */
export async function inspectLink(
  release: Release,
  part: number,
  asked: object,
  row: number,
  { seed = DEFAULT_SEED, shown = 10 }: { readonly seed?: number | undefined; readonly shown?: number } = {},
) {
  const chosen = parseOptions('record-linkage', options, asked)
  const one = attackOptions(chosen, chosen.method === 'suite' ? 'deterministic' : chosen.method)
  const { query, search, names, truth, known, kind } = sidesOf({ release, part, target: '' }, chosen)
  if (!Number.isInteger(row) || row < 1 || row > query.rows)
    throw new UserError(`${query.name} has rows 1 to ${query.rows}; there is no row ${row}`)
  const files = linkedFiles(query, search, names, chosen)
  const blocks = blocksOf(files, blockingRules(one.blocking))
  const context: Context = {
    seed,
    random: (purpose, index) => stream(seed, `record-linkage/${purpose}`, index),
    progress: () => {},
    signal: undefined,
    tasks: inline,
  }
  const { costs } = await costsOf(files, truth, blocks, one, known, context)
  const a = files.query.ids[row - 1]
  const block = blocks.find(({ queries }) => queries.includes(a))
  const searches = block?.searches ?? Int32Array.from({ length: files.search.classes }, (_, c) => c)
  const inBlock = within(costs, files.search.counts, searches)
  const out = new Float64Array(searches.length)
  fillCosts(inBlock.costs, a, out)
  const least = out.reduce((low, cost) => Math.min(low, cost), Number.POSITIVE_INFINITY)
  const named = guess(out, inBlock.counts, out.length, least, ruleWith(guessRule(one), costs.widths?.[a]))
  const weightOf = new Map(named.members.map((member, k) => [searches[member], named.weights[k]]))
  const own = new Set(truth.rows.subarray(truth.start[row - 1], truth.start[row]))
  const place = new Map(Array.from(searches, (c, at) => [c, at]))
  const candidates = Array.from(files.search.ids.keys()).filter((j) => place.has(files.search.ids[j]))
  const costOf = (j: number) => out[place.get(files.search.ids[j]) ?? 0]
  const order = candidates.sort((x, y) => costOf(x) - costOf(y) || Number(own.has(y)) - Number(own.has(x)) || x - y)
  const best = [...order.slice(0, shown), ...order.slice(shown).filter((j) => own.has(j))]
  return {
    release: search.name,
    method: one.method,
    names,
    person: { row, values: valuesOf(query, names, row - 1) },
    /** Chance that the intruder names a record of the person; null where nobody knows which is. */
    risk: kind === 'none' ? null : [...own].reduce((sum, j) => sum + (weightOf.get(files.search.ids[j]) ?? 0), 0),
    candidates: candidates.length,
    best: best.map((j) => ({
      row: j + 1,
      values: valuesOf(search, names, j),
      cost: costOf(j),
      /** Chance that the intruder names it. */
      weight: weightOf.get(files.search.ids[j]) ?? 0,
      own: own.has(j),
      /** What each key adds to the cost; empty where the method does not compare key by key. */
      byKey: costs.keys.length === names.length ? costsByKey(costs, a, files.search.ids[j]) : [],
    })),
  }
}

function valuesOf(table: Table, names: readonly string[], row: number): Value[] {
  return names.map((name) => valueAt(columnOf(table, name), row))
}

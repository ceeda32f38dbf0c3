import { sampleWithoutReplacement } from '../../random/sampling.js'
import type { Stream } from '../../random/stream.js'
import { type CodedTable, emptyCodes } from '../embedding/records/coded-records.js'
import { type Aim, ledgerOf } from '../embedding/records/ledger.js'
import { reproduced } from '../embedding/records/statistic.js'

/**
 * The strongest attacker: knows all records but one value of one of them, and asks which values would print the same numbers. For
 * each record the sums are changed by the record with another value, and the outputs that follow are compared with what is printed;
 * a model moves by one Newton step from its fit, which is right to second order in the influence of a record. Needs no synthetic
 * data, and bounds what an attack by way of them can miss. A value that is the only one left is given away; even a single value that
 * is excluded is more than nothing.
 */
export type OutputGame = {
  readonly target: string
  readonly records: number
  /** Share of records for which at least one other value is excluded. */
  readonly excluded: number
  /** Share of records for which every other value is excluded. */
  readonly determined: number
  /** Mean share of the other values that is excluded. */
  readonly alternatives: number
}

const MOST_ALTERNATIVES = 20

/** `aims` are taken at the unrounded fit of these records. */
export function outputGame(
  { variables, codes, rows }: CodedTable,
  aims: readonly Aim[],
  target: number,
  wanted: number,
  random: Stream,
): OutputGame {
  const width = variables.length
  const ledger = ledgerOf(aims, width)
  const sums = ledger.sumsOf(codes)
  const records = sampleWithoutReplacement(random, rows, Math.min(wanted, rows))
  const { shares, name } = variables[target]
  const possible = Array.from(shares.keys()).filter((code) => shares[code] > 0)
  const numbers = ledger.statistics.map(({ aims: { targets } }) => new Float64Array(targets.length))
  const record = emptyCodes(variables, 1)
  const isPrinted = () =>
    ledger.statistics.every((statistic, k) => {
      if (statistic.uses[target] === 0) return true
      statistic.evaluate(sums, ledger.starts[k], numbers[k])
      return reproduced(numbers[k], statistic.aims) === numbers[k].length
    })

  let excluded = 0
  let determined = 0
  let share = 0
  for (const row of records) {
    const at = row * width
    const others = possible.filter((code) => code !== codes[at + target])
    const tried = others.length <= MOST_ALTERNATIVES ? others : drawnFrom(others, random)
    let out = 0
    for (let j = 0; j < width; j++) record[j] = codes[at + j]
    for (const other of tried) {
      ledger.add(codes, at, -1, sums, 0)
      record[target] = other
      ledger.add(record, 0, 1, sums, 0)
      if (!isPrinted()) out++
      ledger.add(record, 0, -1, sums, 0)
      ledger.add(codes, at, 1, sums, 0)
    }
    if (out > 0) excluded++
    if (tried.length > 0 && out === tried.length) determined++
    if (tried.length > 0) share += out / tried.length
  }
  const n = Math.max(1, records.length)
  return {
    target: name,
    records: records.length,
    excluded: excluded / n,
    determined: determined / n,
    alternatives: share / n,
  }
}

function drawnFrom(codes: readonly number[], random: Stream): number[] {
  return Array.from(sampleWithoutReplacement(random, codes.length, MOST_ALTERNATIVES), (k) => codes[k])
}

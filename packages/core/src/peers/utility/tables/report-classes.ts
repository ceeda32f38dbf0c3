import { math } from '@scrim/kernels'
import { codeJointly } from '../../../table/joint.js'
import { columnOf, type Table } from '../../../table/table.js'
import type { Pair } from '../../../utility/pair.js'
import { type Levels, withOnly } from '../../../utility/rare-levels.js'
import type { Classes, Coded } from '../../../utility/tables/cells.js'

/** How a report cuts columns before it counts. None knows weights. */
interface Report {
  /** The files that are the original to it. */
  readonly real: (pair: Pair) => readonly Table[]
  /** Lower ends of all classes but the first, ascending, from the known values of the original, which ascend too. */
  readonly cuts: (sorted: Float64Array) => readonly number[]
  /** Codes of original and release, the first `originals` of the former. */
  readonly levels: (levels: Levels, originals: number) => Levels
}

/** SDMetrics 0.32.0: numbers in ten classes of equal width over the range of the original, the outer ones without end. */
export const SDMETRICS: Report = { real: ({ original }) => [original], cuts: equalWidths, levels: (levels) => levels }

/**
 * mostlyai-qa 1.10.11: training and holdout records together are the original. Numbers are cut near ten quantiles of these, and the
 * cuts are rounded down to as few digits as tell them apart; the ten most frequent levels stay, those with fewer than five
 * records and all others are one. Text, of which it draws words at random, is a category here, and dates are numbers.
 */
export const MOSTLYAI_QA: Report = {
  real: ({ original, outside }) => (outside === null ? [original] : [original, outside]),
  cuts: quantileCuts,
  levels: frequentLevels,
}

/** Of a number in both reports, and the most frequent levels that mostlyai-qa keeps apart. */
const CLASSES = 10

export function codedFor(report: Report, pair: Pair): Coded {
  const real = report.real(pair)
  const originals = real.reduce((rows, file) => rows + file.rows, 0)
  const columns = pair.variables.map((name): Classes => {
    const joint = codeJointly([...real, pair.released].map((file) => columnOf(file, name)))
    const { codes, labels } =
      joint.kind === 'categorical'
        ? report.levels({ codes: joint.codes, labels: joint.levels }, originals)
        : classesOf(joint.codes, joint.numbers)
    return { name, codes, labels, cardinality: labels.length }
  })
  return { columns, originals, weights: null }

  function classesOf(codes: Int32Array, numbers: Float64Array): Levels {
    const known = codes.subarray(0, originals).filter((code) => code >= 0)
    const ends = report.cuts(Float64Array.from(known, (code) => numbers[code]).sort())
    const place = Int32Array.from(numbers, (value) => ends.filter((end) => value >= end).length)
    return {
      codes: codes.map((code) => (code < 0 ? -1 : place[code])),
      labels: ['below', ...ends.map((end) => `from ${end}`)],
    }
  }
}

function equalWidths(sorted: Float64Array): readonly number[] {
  if (sorted.length === 0) return []
  const [low, high] = [sorted[0], sorted[sorted.length - 1]]
  // A constant gets a class of width 1 around it.
  const [from, to] = low === high ? [low - 0.5, high + 0.5] : [low, high]
  const step = (to - from) / CLASSES
  return Array.from({ length: CLASSES - 1 }, (_, k) => from + (k + 1) * step)
}

const MOST_PLACES = 1000
const MOST_DIGITS = 20

function quantileCuts(sorted: Float64Array): readonly number[] {
  const distinct = [...new Set(sorted)]
  const breaks = distinct.length <= CLASSES ? distinct : spacedValues(sorted)
  return roundedDown(breaks, distinct.length <= CLASSES).slice(1)
}

/** The least and the greatest value and some between them, at evenly spaced places: as few as give eleven different ones. */
function spacedValues(sorted: Float64Array): number[] {
  let found: number[] = []
  for (let places = CLASSES; places < Math.max(CLASSES + 1, Math.min(MOST_PLACES, sorted.length + 1)); places++) {
    const step = (sorted.length - 1) / (places - 1)
    const at = (k: number) => (k === places - 1 ? sorted.length - 1 : Math.trunc(k * step))
    found = [...new Set(Array.from({ length: places }, (_, k) => sorted[at(k)]))]
    if (found.length > CLASSES) break
  }
  return found
}

/** Cuts with as few decimals as tell all breaks apart. The last break ends the last class and cuts nothing, unless each value is a class. */
function roundedDown(breaks: readonly number[], isEachValue: boolean): readonly number[] {
  const all = isEachValue ? [...breaks, breaks[breaks.length - 1] + 1] : breaks
  for (let digits = 0; digits < MOST_DIGITS; digits++) {
    const floors = all.map((value) => Math.floor(value * math.pow(10, digits)) / math.pow(10, digits))
    if (new Set(floors).size === all.length) return floors.slice(0, -1)
  }
  return all.slice(0, -1)
}

const FEWEST = 5

/** Missing competes for a place among the most frequent, and has a class in any case. */
function frequentLevels({ codes, labels }: Levels, originals: number): Levels {
  const counts = new Int32Array(labels.length + 1)
  for (const code of codes.subarray(0, originals)) counts[code + 1]++
  const kept = [...counts.keys()]
    .sort((a, b) => counts[b] - counts[a] || a - b)
    .slice(0, CLASSES)
    .filter((place) => counts[place] >= FEWEST && place > 0)
    .map((place) => place - 1)
  return withOnly({ codes, labels }, kept, 'other')
}

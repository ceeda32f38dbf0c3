import {
  type Cells,
  homogeneousInRelease,
  isWholeClassInRelease,
  isWholeClassInTruth,
  marginAgreement,
} from '../counts/cells.js'
import { COUNTS, type Exclusions, RULES } from '../counts/exclusions.js'

/**
 * The figures of synthpop's disclosure tables (Raab, Nowok and Dibben 2024), as fractions. With d and s the counts of the
 * original and of the release by key class q and target level t:
 *
 *   UiO, UiS     records unique on the keys; UiOiS: unique in the original and found in the release; repU: unique in both
 *   iS           original records whose class is in the release; DiS: whose class shows one target value there;
 *   DiSCO        and that value is right; DiSDiO: and the class is homogeneous in the original too
 *   CAP          the probability of guessing right by drawing from the class; DCAPd averages it over all original records,
 *                unmatched ones counting 0; TCAP is DiSCO / DiS, TCAPmatched is DiSCO / iS (TCAP up to synthpop 1.9-2)
 *
 * Exclusions remove cells from what is counted; what the intruder sees stays the whole release, and the identity figures
 * are never touched.
 */
export function figures(cells: Cells, excluded: Exclusions, seen: Counts = cells) {
  const tables = countTables(cells, excluded)
  const { nd, ns } = cells
  const cap = capSums(cells, seen, excluded)
  const share = (name: TableName) => tables.kept(name) / (name === 'synthetic' || name === 'Dsyn' ? ns : nd)
  return {
    identity: identity(cells, seen),
    attribute: {
      Dorig: share('Dorig'),
      Dsyn: share('Dsyn'),
      iS: share('iS'),
      DiS: share('DiS'),
      DiSCO: share('DiSCO'),
      DiSDiO: share('DiSDiO'),
      maxDenominator: tables.largest,
      meanDenominator: tables.positive === 0 ? null : tables.kept('DiSCO') / tables.positive,
    },
    cap: {
      baseCAPd: marginAgreement(cells),
      CAPd: cap.original / nd,
      CAPs: cap.synthetic / ns,
      DCAPd: cap.attribution / nd,
      DCAPs: cap.attribution / ns,
      DCAPb: ratio(cap.attribution, cap.inOriginal),
      TCAP: ratio(cap.correct, cap.disclosive),
      TCAPs: cap.correct / ns,
      TCAPb: ratio(cap.correct, cap.inOriginal),
      TCAPmatched: ratio(tables.kept('DiSCO'), cap.matched),
    },
    denominators: {
      original: nd,
      synthetic: ns,
      synthpopB: cap.inOriginal,
      TCAP: cap.disclosive,
      remaining: tables.kept('original'),
    },
    removed: tables.removed,
  }
}

function ratio(numerator: number, denominator: number): number | null {
  return denominator > 0 ? numerator / denominator : null
}

/** What uniqueness and proportions are counted with: the full tables, or what a definition leaves of them. */
export type Counts = Pick<Cells, 'd' | 's' | 'dClass' | 'dClassCount' | 'sClass'>

/** Who is alone with the keys. */
export function identity(cells: Cells, seen: Counts = cells) {
  let UiO = 0
  let UiS = 0
  let UiOiS = 0
  let repU = 0
  for (let q = 0; q < cells.classes; q++) {
    const uniqueInRelease = seen.sClass[q] === 1
    if (uniqueInRelease) UiS++
    if (seen.dClassCount[q] !== 1) continue
    UiO += seen.dClass[q]
    if (cells.sClass[q] > 0) UiOiS += seen.dClass[q]
    if (uniqueInRelease) repU += seen.dClass[q]
  }
  return { UiO: UiO / cells.nd, UiS: UiS / cells.ns, UiOiS: UiOiS / cells.nd, repU: repU / cells.nd }
}

const TABLES = ['original', 'synthetic', 'Dorig', 'Dsyn', 'iS', 'DiS', 'DiSCO', 'DiSDiO'] as const
type TableName = (typeof TABLES)[number]
const COLUMNS = [...RULES, 'remaining'] as const

/** The eight tables of synthpop, each put through the exclusions on its own counts. */
function countTables(cells: Cells, excluded: Exclusions) {
  const disclosive = homogeneousInRelease(cells)
  const of = Object.fromEntries(TABLES.map((name) => [name, new Float64Array(COLUMNS.length)])) as Record<
    TableName,
    Float64Array
  >
  let largest = 0
  let positive = 0
  for (let cell = 0; cell < cells.d.length; cell++) {
    const q = cells.classOf[cell]
    const d = cells.d[cell]
    const s = cells.s[cell]
    const right = isWholeClassInRelease(cells, cell)
    const known = isWholeClassInTruth(cells, cell)
    const inTruth = excluded.truth[cell]
    const inRelease = excluded.release[cell]
    of.original[inTruth] += d
    of.synthetic[inRelease] += s
    if (known) of.Dorig[inTruth] += d
    if (right) of.Dsyn[inRelease] += s
    if (cells.sClass[q] > 0) of.iS[inTruth] += d
    if (disclosive[q] === 1) of.DiS[inTruth] += d
    if (right) of.DiSCO[inTruth] += d
    if (right && known) of.DiSDiO[inTruth] += d
    if (right && d > 0 && inTruth === COUNTS) {
      positive++
      if (d > largest) largest = d
    }
  }
  /** What each rule removed from each table, and what remains. */
  const removed = Object.fromEntries(
    TABLES.map((name) => [name, Object.fromEntries(COLUMNS.map((column, k) => [column, of[name][k]]))]),
  ) as Record<TableName, Record<(typeof COLUMNS)[number], number>>
  return { removed, kept: (name: TableName) => removed[name].remaining, largest, positive }
}

/**
 * Sums over original records of CAP in the original and in the release, over released ones of CAP in the release; original
 * records with CAP 1, in classes that show one value, and in classes that the release has; released records whose class is in
 * the original.
 */
function capSums(cells: Cells, seen: Counts, excluded: Exclusions) {
  const sums = { original: 0, synthetic: 0, attribution: 0, correct: 0, disclosive: 0, matched: 0, inOriginal: 0 }
  for (let q = 0; q < cells.classes; q++) {
    const dq = seen.dClass[q]
    const sq = seen.sClass[q]
    if (dq > 0) sums.inOriginal += sq
    let homogeneous = false
    let counted = 0
    for (let cell = cells.start[q]; cell < cells.start[q + 1]; cell++) {
      const d = excluded.truth[cell] === COUNTS ? seen.d[cell] : 0
      const s = seen.s[cell]
      counted += d
      if (d > 0) sums.original += (d * seen.d[cell]) / dq
      if (s === 0) continue
      if (excluded.release[cell] === COUNTS) sums.synthetic += (s * s) / sq
      sums.attribution += (d * s) / sq
      if (s === sq) {
        homogeneous = true
        sums.correct += d
      }
    }
    if (homogeneous) sums.disclosive += counted
    if (sq > 0) sums.matched += counted
  }
  return sums
}

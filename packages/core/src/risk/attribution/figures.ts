import { type Cells, homogeneousInRelease, isWholeClassInRelease, isWholeClassInTruth } from './cells.js'
import { type ExclusionOptions, isOverLimit, RULES } from './exclusions.js'

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
 * are never touched. `synthpop` instead recounts uniqueness and proportions after the exclusion, as that package does.
 */
export type Figures = {
  readonly identity: { readonly UiO: number; readonly UiS: number; readonly UiOiS: number; readonly repU: number }
  readonly attribute: {
    readonly Dorig: number
    readonly Dsyn: number
    readonly iS: number
    readonly DiS: number
    readonly DiSCO: number
    readonly DiSDiO: number
    readonly maxDenominator: number
    readonly meanDenominator: number | null
  }
  readonly cap: {
    readonly baseCAPd: number
    readonly CAPd: number
    readonly CAPs: number
    readonly DCAPd: number
    readonly DCAPs: number
    readonly DCAPb: number | null
    readonly TCAP: number | null
    readonly TCAPs: number
    readonly TCAPb: number | null
    readonly TCAPmatched: number | null
  }
  readonly denominators: {
    readonly original: number
    readonly synthetic: number
    readonly synthpopB: number
    readonly TCAP: number
    readonly remaining: number
  }
  /** What each rule removed from each table, and what remains. */
  readonly removed: Readonly<Record<TableName, Readonly<Record<(typeof RULES)[number] | 'remaining', number>>>>
}

const TABLES = ['original', 'synthetic', 'Dorig', 'Dsyn', 'iS', 'DiS', 'DiSCO', 'DiSDiO'] as const
type TableName = (typeof TABLES)[number]

export function figures(cells: Cells, rule: Uint8Array, options: ExclusionOptions, synthpop: boolean): Figures {
  const tables = countTables(cells, rule, options)
  const { nd, ns } = cells
  const seen = synthpop ? afterExclusion(cells, rule, options) : cells
  const cap = capSums(cells, seen, tables.counts)
  const share = (name: TableName) => tables.kept[name] / (name === 'synthetic' || name === 'Dsyn' ? ns : nd)
  const iS = share('iS')
  return {
    identity: identity(cells, seen),
    attribute: {
      Dorig: share('Dorig'),
      Dsyn: share('Dsyn'),
      iS,
      DiS: share('DiS'),
      DiSCO: share('DiSCO'),
      DiSDiO: share('DiSDiO'),
      maxDenominator: tables.largest,
      meanDenominator: tables.positive === 0 ? null : tables.kept.DiSCO / tables.positive,
    },
    cap: {
      baseCAPd: cells.dLevel.reduce((sum, count) => sum + (count / nd) ** 2, 0),
      CAPd: cap.original / nd,
      CAPs: cap.synthetic / ns,
      DCAPd: cap.attribution / nd,
      DCAPs: cap.attribution / ns,
      DCAPb: ratio(cap.attribution, cap.inOriginal),
      TCAP: ratio(cap.correct, cap.disclosive),
      TCAPs: cap.correct / ns,
      TCAPb: ratio(cap.correct, cap.inOriginal),
      TCAPmatched: ratio(tables.kept.DiSCO, synthpop ? cap.matched : tables.kept.iS),
    },
    denominators: {
      original: nd,
      synthetic: ns,
      synthpopB: cap.inOriginal,
      TCAP: cap.disclosive,
      remaining: tables.kept.original,
    },
    removed: tables.removed,
  }
}

function ratio(numerator: number, denominator: number): number | null {
  return denominator > 0 ? numerator / denominator : null
}

/** What the intruder and the custodian count with: the full tables, or those that remain after exclusion. */
type Counts = Pick<Cells, 'd' | 'dCount' | 's' | 'dClass' | 'dClassCount' | 'sClass'>

function afterExclusion(cells: Cells, rule: Uint8Array, options: ExclusionOptions): Counts {
  const d = cells.d.map((count, cell) => (rule[cell] > 0 || isOverLimit(cells.dCount[cell], options) ? 0 : count))
  const dCount = cells.dCount.map((count, cell) => (rule[cell] > 0 || isOverLimit(count, options) ? 0 : count))
  const s = cells.s.map((count, cell) => (rule[cell] > 0 || isOverLimit(count, options) ? 0 : count))
  const dClass = new Float64Array(cells.classes)
  const dClassCount = new Int32Array(cells.classes)
  const sClass = new Int32Array(cells.classes)
  for (let cell = 0; cell < d.length; cell++) {
    const q = cells.classOf[cell]
    dClass[q] += d[cell]
    dClassCount[q] += dCount[cell]
    sClass[q] += s[cell]
  }
  return { d, dCount, s, dClass, dClassCount, sClass }
}

function identity(cells: Cells, seen: Counts): Figures['identity'] {
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

/** The eight tables of synthpop, each put through the exclusions on its own counts. */
function countTables(cells: Cells, rule: Uint8Array, options: ExclusionOptions) {
  const disclosive = homogeneousInRelease(cells)
  const removedBy = new Float64Array(TABLES.length * (RULES.length + 1))
  const width = RULES.length + 1
  let largest = 0
  let positive = 0
  const keptOriginal = new Uint8Array(cells.d.length)
  const keptReleased = new Uint8Array(cells.d.length)
  for (let cell = 0; cell < cells.d.length; cell++) {
    const q = cells.classOf[cell]
    const d = cells.d[cell]
    const s = cells.s[cell]
    const right = isWholeClassInRelease(cells, cell)
    const known = isWholeClassInTruth(cells, cell)
    const ofOriginal =
      rule[cell] > 0 ? rule[cell] - 1 : isOverLimit(cells.dCount[cell], options) ? RULES.length - 1 : RULES.length
    const ofReleased = rule[cell] > 0 ? rule[cell] - 1 : isOverLimit(s, options) ? RULES.length - 1 : RULES.length
    keptOriginal[cell] = ofOriginal === RULES.length ? 1 : 0
    keptReleased[cell] = ofReleased === RULES.length ? 1 : 0
    removedBy[ofOriginal] += d
    removedBy[width + ofReleased] += s
    if (known) removedBy[2 * width + ofOriginal] += d
    if (right) removedBy[3 * width + ofReleased] += s
    if (cells.sClass[q] > 0) removedBy[4 * width + ofOriginal] += d
    if (disclosive[q] === 1) removedBy[5 * width + ofOriginal] += d
    if (right) removedBy[6 * width + ofOriginal] += d
    if (right && known) removedBy[7 * width + ofOriginal] += d
    if (right && d > 0 && keptOriginal[cell] === 1) {
      positive++
      if (d > largest) largest = d
    }
  }
  const at = (table: number, column: number) => removedBy[table * width + column]
  const removed = Object.fromEntries(
    TABLES.map((name, table) => [
      name,
      Object.fromEntries([...RULES, 'remaining'].map((column, k) => [column, at(table, k)])),
    ]),
  ) as Figures['removed']
  const kept = Object.fromEntries(TABLES.map((name, table) => [name, at(table, RULES.length)])) as Record<
    TableName,
    number
  >
  return { kept, removed, largest, positive, counts: { keptOriginal, keptReleased } }
}

interface CapSums {
  /** Sums over original records of CAP in the original and in the release, over released ones of CAP in the release. */
  original: number
  synthetic: number
  attribution: number
  /** Original records with CAP 1, and those in classes that show one value. */
  correct: number
  disclosive: number
  matched: number
  /** Released records whose class is in the original. */
  inOriginal: number
}

function capSums(
  cells: Cells,
  seen: Counts,
  { keptOriginal, keptReleased }: { keptOriginal: Uint8Array; keptReleased: Uint8Array },
): CapSums {
  const sums: CapSums = {
    original: 0,
    synthetic: 0,
    attribution: 0,
    correct: 0,
    disclosive: 0,
    matched: 0,
    inOriginal: 0,
  }
  for (let q = 0; q < cells.classes; q++) {
    const from = cells.start[q]
    const to = cells.start[q + 1]
    const dq = seen.dClass[q]
    const sq = seen.sClass[q]
    if (dq > 0) sums.inOriginal += sq
    let homogeneous = false
    let counted = 0
    for (let cell = from; cell < to; cell++) {
      const d = keptOriginal[cell] === 1 ? seen.d[cell] : 0
      const s = seen.s[cell]
      counted += d
      if (d > 0) sums.original += (d * seen.d[cell]) / dq
      if (s === 0) continue
      if (keptReleased[cell] === 1) sums.synthetic += (s * s) / sq
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

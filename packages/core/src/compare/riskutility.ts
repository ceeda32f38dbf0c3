import type { Release } from '../table/release.js'
import { type RiskutilityHow, runOptions } from './riskutility-definitions.js'
import { type RiskutilityRow, type RiskutilityStatus, ROWS } from './riskutility-rows.js'

/**
 * What the R package riskutility prints, for those who must reproduce it: the rows and the overall level of its
 * `disclosure_report` (attribution and privacy groups), and the composites of its `rumap` with the measures of its vignette
 * (`riskutility-map.ts`). Its known defects are kept, here and nowhere else:
 *   k = 1 is FAIL, which no count and no level takes notice of;
 *   delta-presence is asked with bounds that nobody can violate;
 *   the target is grouped for CAP, and in 0.1.0 for no other row: exact matches of a continuous target are coincidences;
 *   the map is scaled from the least to the greatest candidate, so that each further one moves all others.
 * Use `compare` for an answer. RAPID and the pMSE of the map rest on forests, so that they vary with the seed.
 */
export interface RiskutilityReport {
  readonly name: string
  readonly rows: readonly RiskutilityRow[]
  readonly passed: number
  readonly warnings: number
  readonly errors: number
  /** Passed, warnings and errors: FAIL is in none of them. */
  readonly counted: number
  readonly overall: 'LOW' | 'MEDIUM' | 'HIGH'
  /** Rows of `compute = "all"` that were not computed, each with the reason. */
  readonly left: readonly string[]
}

/** What `compute` takes: rows, groups of them, or all. */
export const RISKUTILITY_ROWS: readonly string[] = [
  ...Object.keys(ROWS),
  ...new Set(Object.values(ROWS).map(({ group }) => group)),
  'all',
]

const USUAL_GROUPS = ['attribution', 'privacy']

/**
 * `disclosure_report` of one release with keys and a target: the groups attribution and privacy unless `compute` names others;
 * `without` leaves the forest of RAPID out.
 */
export async function riskutilityReport(
  release: Release,
  run: RiskutilityHow & {
    readonly without?: 'RAPID' | undefined
    readonly compute?: readonly string[] | undefined
  } = {},
): Promise<RiskutilityReport> {
  const { version = '0.1.0', without, compute = USUAL_GROUPS } = run
  const rows: RiskutilityRow[] = []
  const left: string[] = []
  for (const [id, { metric, group, needsHoldout, make }] of Object.entries(ROWS)) {
    if (metric === without || !compute.some((name) => name === 'all' || name === group || name === id)) continue
    if (needsHoldout && release.holdout === null)
      left.push(`${metric} needs a holdout; riskutility would split the original, and then it sees nothing`)
    else rows.push({ metric, ...(await make(release, runOptions(run), version)) })
  }
  return { name: release.released[0].name, rows, ...countsOf(rows), left }
}

function countsOf(rows: readonly RiskutilityRow[]): Omit<RiskutilityReport, 'name' | 'rows' | 'left'> {
  const rowsWith = (status: RiskutilityStatus) => rows.filter((row) => row.status === status).length
  const [passed, warnings, errors] = [rowsWith('PASS'), rowsWith('WARNING'), rowsWith('ERROR')]
  const overall = warnings === 0 && errors === 0 ? 'LOW' : warnings <= 2 && errors === 0 ? 'MEDIUM' : 'HIGH'
  return { passed, warnings, errors, counted: passed + warnings + errors, overall }
}

import { significant } from '../print.js'

/** What a row of riskutility's report is, and how its figures are taken from measures. */
export type RiskutilityStatus = 'PASS' | 'WARNING' | 'FAIL' | 'ERROR'

export interface RiskutilityRow {
  readonly metric: string
  readonly value: number | null
  /** What it is held against, as printed. */
  readonly reference: string
  readonly ratio: number | null
  readonly status: RiskutilityStatus
}

/** Of the only release. */
export async function detailsOf<Details>(
  result: Promise<{ readonly releases: readonly { readonly details: Details | null }[] }>,
): Promise<Details | null> {
  return (await result).releases[0]?.details ?? null
}

export function digits(value: number | null | undefined): string {
  return value === undefined || value === null ? 'unknown' : significant(value, 4).toString()
}

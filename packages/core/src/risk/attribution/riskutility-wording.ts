/** What riskutility prints about the ratio of a figure to its baseline; it cuts at 1 and 1.5. */
export type RiskutilityWording = { readonly says: 'elevated risk' | 'slightly elevated' | 'low risk' | 'undefined' }

export function riskutilityWording(ratio: number | null): RiskutilityWording {
  if (ratio === null) return { says: 'undefined' }
  return { says: ratio > 1.5 ? 'elevated risk' : ratio > 1 ? 'slightly elevated' : 'low risk' }
}

/** riskutility's verdict on a share nearer to training, whatever the sizes: up to this, and no significant difference. */
export const PASSES_UP_TO = 0.55
const WILCOXON_ABOVE = 0.05

export function passes(share: number, wilcoxonP: number | null): boolean {
  return share <= PASSES_UP_TO && (wilcoxonP === null || wilcoxonP > WILCOXON_ABOVE)
}

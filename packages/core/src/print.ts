/** Numbers as people read them: fractions are percent in print, never in results. */
export function percent(fraction: number, digits = 1): string {
  return `${(100 * fraction).toFixed(digits)} %`
}

export function count(n: number, singular: string, plural = `${singular}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? singular : plural}`
}

/** The value of an option as people write it: what `optionFromText` reads again. */
export function optionText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value
  const isPlainList = Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string')
  return isPlainList ? value.join(',') : JSON.stringify(value)
}

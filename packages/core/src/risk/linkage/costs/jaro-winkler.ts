/**
 * How alike two texts are written (Jaro 1989; Winkler 1990). Letters match when they are equal and less than half the longer
 * text apart; with m matches, t of them out of order (counted in pairs),
 *   Jaro = (m / |a| + m / |b| + (m - t) / m) / 3,
 * and a common beginning of up to four letters raises it: JW = J + 0.1 · prefix · (1 - J). From 0 to 1; 1 for equal texts.
 */
export function jaroWinkler(a: string, b: string): number {
  const likeness = jaro(a, b)
  let prefix = 0
  while (prefix < 4 && prefix < a.length && prefix < b.length && a[prefix] === b[prefix]) prefix++
  return likeness + 0.1 * prefix * (1 - likeness)
}

export function jaro(a: string, b: string): number {
  if (a === b) return 1
  if (a.length === 0 || b.length === 0) return 0
  const window = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1)
  const taken = new Uint8Array(b.length)
  const matched: number[] = []
  for (let i = 0; i < a.length; i++) {
    const to = Math.min(b.length, i + window + 1)
    for (let j = Math.max(0, i - window); j < to; j++) {
      if (taken[j] === 1 || a[i] !== b[j]) continue
      taken[j] = 1
      matched.push(i)
      break
    }
  }
  const matches = matched.length
  if (matches === 0) return 0
  let out = 0
  let at = 0
  for (let j = 0; j < b.length; j++) if (taken[j] === 1 && a[matched[at++]] !== b[j]) out++
  return (matches / a.length + matches / b.length + (matches - out / 2) / matches) / 3
}

/** The most that two texts of these lengths can reach: all letters of the shorter one match, in order, from the start on. */
export function mostAlike(a: number, b: number): number {
  const jaro = (1 + Math.min(a, b) / Math.max(a, b) + 1) / 3
  return jaro + 0.4 * (1 - jaro)
}

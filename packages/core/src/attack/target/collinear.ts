import type { Records, Variable } from '../generator/records.js'

/**
 * Sequential synthesis copies a variable from an earlier one when the two correlate by 0.99999 or more, which the fast
 * engine for trees does not. Worlds where that may happen are picked out here, generously, and fitted in full.
 */
const SUSPICIOUS = 0.999
/** Where values are missing the correlation is that of others than all records; it is looked at once, more generously. */
const SUSPICIOUS_WITH_MISSING = 0.99

export type CollinearGuard = (row: number, candidate: Int32Array) => boolean

export function collinearGuard(variables: readonly Variable[], { codes, rows }: Records): CollinearGuard {
  const value = (j: number, code: number) => (variables[j].kind === 'numbers' ? variables[j].numbers[code] : code)
  const centre = codes.map((column, j) => column.reduce((sum, code) => sum + value(j, code), 0) / rows)
  const pairs: { a: number; b: number; sums: Float64Array }[] = []
  for (let a = 0; a < variables.length; a++) {
    for (let b = a + 1; b < variables.length; b++) {
      const all = new Float64Array(5)
      const observed = new Float64Array(5)
      let n = 0
      for (let row = 0; row < rows; row++) {
        const [x, y] = [value(a, codes[a][row]) - centre[a], value(b, codes[b][row]) - centre[b]]
        add(all, x, y, 1)
        if (codes[a][row] === variables[a].missing || codes[b][row] === variables[b].missing) continue
        add(observed, x, y, 1)
        n++
      }
      if (n < rows && correlation(observed, n) >= SUSPICIOUS_WITH_MISSING) return () => true
      pairs.push({ a, b, sums: all })
    }
  }
  const changed = new Float64Array(5)
  return (row, candidate) =>
    pairs.some(({ a, b, sums }) => {
      changed.set(sums)
      add(changed, value(a, codes[a][row]) - centre[a], value(b, codes[b][row]) - centre[b], -1)
      add(changed, value(a, candidate[a]) - centre[a], value(b, candidate[b]) - centre[b], 1)
      return correlation(changed, rows) >= SUSPICIOUS
    })
}

/** Sums of x, y, xx, yy, xy. */
function add(sums: Float64Array, x: number, y: number, sign: number): void {
  sums[0] += sign * x
  sums[1] += sign * y
  sums[2] += sign * x * x
  sums[3] += sign * y * y
  sums[4] += sign * x * y
}

function correlation([x, y, xx, yy, xy]: Float64Array, n: number): number {
  const spread = (xx - (x * x) / n) * (yy - (y * y) / n)
  return spread > 0 ? Math.abs(xy - (x * y) / n) / Math.sqrt(spread) : 0
}

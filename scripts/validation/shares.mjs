// Shares of simulations, with their own error, and tables of them.

export function shareOf(rows, holds) {
  const n = rows.length
  const hits = rows.filter(holds).length
  return { n, hits, share: hits / n }
}

/** Standard error of a share of n simulations if the true one is `share`. */
export function errorAt(share, n) {
  return Math.sqrt((share * (1 - share)) / n)
}

export function percent(share, digits = 0) {
  return `${(100 * share).toFixed(digits)} %`
}

export function markdownTable(header, rows) {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** "20", or "8 to 20" where it is not the same for all. */
export function fromTo(numbers) {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)]
  return least === most ? String(least) : `${least} to ${most}`
}

export function mean(values) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

/**
 * How much a statistic varies with the records that it is made of: the delete-one jackknife,
 *   variance = ((n - 1) / n) Σ_i (δ_i - mean δ)²,
 * δ_i being by how much the statistic changes when record i is left out. Several independent files add up. On average it is
 * never below the variance of the statistic of n - 1 records, whatever the statistic: Efron and Stein (1981), "The jackknife
 * estimate of variance". Blind to what makes the files depend on each other.
 */
export interface Deletions {
  /** So many records have change the statistic by `change` when left out, each for itself; those never named by 0. */
  leave(change: number, records?: number): void
  variance(): number
}

export function deletions(records: number): Deletions {
  let total = 0
  let squares = 0
  return {
    leave(change, times = 1) {
      total += times * change
      squares += times * change * change
    },
    variance: () => (records === 0 ? 0 : ((records - 1) / records) * Math.max(0, squares - (total * total) / records)),
  }
}

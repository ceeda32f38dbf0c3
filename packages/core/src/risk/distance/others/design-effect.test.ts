import { describe, expect, it } from 'vitest'
import { permutation } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { drawNormal } from '../../../stats/draws.js'
import { mean, variance } from '../../../stats/sums.js'
import { numeric } from '../../../table/column.js'
import { release } from '../../../table/release.js'
import { selectRows, type Table, table } from '../../../table/table.js'
import { memorisation } from '../memorisation.js'

function pool(rows: number, columns: number): Table {
  const random = stream(columns, 'pool')
  return table(
    'pool',
    Array.from({ length: columns }, (_, j) =>
      numeric(
        `v${j}`,
        Float64Array.from({ length: rows }, () => drawNormal(random)),
      ),
    ),
  )
}

describe('design effect', () => {
  // Labels original and released dealt out at random over the same records: what mean h varies by, against what is said.
  it.each([
    [1, 100, 100],
    [8, 100, 100],
    [3, 60, 180],
  ])(
    'is the variance under random labels, with %i columns, %i original and %i released records',
    async (columns, n, m) => {
      const all = pool(n + m, columns)
      const random = stream(1, 'labels')
      const closer: number[] = []
      const said: number[] = []
      for (let run = 0; run < 250; run++) {
        const order = permutation(random, n + m)
        const of = release({
          original: selectRows(all, order.subarray(0, n)),
          released: selectRows(all, order.subarray(n)),
        })
        const { details } = (await memorisation(of)).releases[0]
        if (details === null) throw new Error('no details')
        closer.push(details.closer)
        said.push(details.designEffect)
      }
      const chance = m / (n + m - 1)
      const seen = (variance(closer) ?? 0) / ((chance * (1 - chance)) / n)
      expect(Math.abs((mean(closer) ?? 0) - chance)).toBeLessThan(0.01)
      // The variance of 250 draws is off by 9 %.
      expect(mean(said)).toBeGreaterThan(seen * 0.8)
      expect(mean(said)).toBeLessThan(seen * 1.3)
      if (columns > 1) expect(seen).toBeGreaterThan(1.1)
    },
  )
})

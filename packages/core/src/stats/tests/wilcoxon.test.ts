import { describe, expect, it } from 'vitest'
import { signedRank } from './wilcoxon.js'

const grid = (n: number, step: number, modulus: number, divisor: number) =>
  Array.from({ length: n }, (_, i) => ((i * step) % modulus) / divisor)

describe('signedRank', () => {
  it.each([
    ['exact', [1.1, 2.4, 3, 5.5, 0.3, 7.1, 2.2], [1, 2.9, 2, 3.1, 0.9, 4, 2.05], 21, 0.296875, 0.890625, 0.1484375],
    [
      'with ties and zeros',
      [1, 2, 3, 4, 5, 6, 7, 8],
      [1, 3, 1, 2, 7, 3, 7, 4],
      17,
      0.20337402315980746,
      0.93109514600956933,
      0.10168701157990373,
    ],
    [
      'of 60 pairs',
      grid(60, 37, 101, 7),
      grid(60, 53, 97, 6),
      799,
      0.51869913683093283,
      0.25934956841546641,
      0.74308960031921423,
    ],
    [
      'of 49 pairs with one zero',
      grid(49, 37, 101, 7),
      grid(49, 53, 97, 6.5),
      617,
      0.77004843935289902,
      0.61889047877242231,
      0.38502421967644951,
    ],
    ['of two tied pairs', [1, 3], [2, 2], 1.5, 1, 0.68132405588303147, 0.68132405588303147],
  ])('%s is that of wilcox.test in R', (_, x, y, v, twoSided, less, greater) => {
    expect(signedRank(x, y)).toMatchObject({ v, n: x.filter((value, i) => value !== y[i]).length })
    expect(signedRank(x, y)?.p).toBeCloseTo(twoSided, 12)
    expect(signedRank(x, y, 'less')?.p).toBeCloseTo(less, 12)
    expect(signedRank(x, y, 'greater')?.p).toBeCloseTo(greater, 12)
  })

  it('is exact only without ties and zeros and below 50 pairs', () => {
    const zeros = new Float64Array(50)
    const distinct = Float64Array.from({ length: 50 }, (_, i) => (i % 3 === 0 ? -1 : 1) * (i + 1))
    expect(signedRank(distinct, zeros)?.exact).toBe(false)
    expect(signedRank(distinct.subarray(1), zeros)?.exact).toBe(true)
    expect(signedRank([0, 1, 2], zeros)?.exact).toBe(false)
    expect(signedRank([1, 1, 2], zeros)?.exact).toBe(false)
  })

  it('is null when no pair differs', () => {
    expect(signedRank([1, 2], [1, 2])).toBeNull()
    expect(signedRank([], [])).toBeNull()
  })
})

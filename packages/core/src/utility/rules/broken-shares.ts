import { total } from '../../stats/sums.js'
import { fisherMidP } from '../../stats/tests/two-shares.js'

/** Records that break a rule, of all. */
interface Broken {
  readonly broken: number
  readonly records: number
}

/**
 * The share of released records that break a rule, beside that of the original. An honest sample breaks rules as often as its
 * source, whatever its size: no subsample is further off than another.
 */
export function besideOriginal({ broken, records }: Broken, original: Broken, what: string) {
  const usual = original.broken / original.records
  return {
    value: broken / records,
    test: {
      p: fisherMidP(broken, records, original.broken, original.records),
      what: `Fisher's test (mid-p) of the shares that break a ${what}`,
    },
    expected: {
      value: usual,
      power: null,
      cv: usual > 0 ? Math.sqrt((1 - usual) / (usual * records)) : 0,
      perfect: usual,
      what: 'an honest sample',
    },
  }
}

export function share(flags: Uint8Array): number {
  return total(flags) / flags.length
}

import type { Expected } from '../honest-samples.js'

/** An honest sample breaks rules as often as its source, whatever its size: no subsample is further off than another. */
export function sameShare(share: number, records: number): Expected {
  return {
    value: share,
    power: null,
    cv: share > 0 ? Math.sqrt((1 - share) / (share * records)) : 0,
    perfect: share,
    what: 'an honest sample',
  }
}

export function total(flags: Uint8Array): number {
  return flags.reduce((sum, flag) => sum + flag, 0)
}

export function share(flags: Uint8Array): number {
  return total(flags) / flags.length
}

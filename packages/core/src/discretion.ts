import { percent } from './print.js'

/**
 * How exactly a reader may know a number. `internal`: as it is. `publishable`: no small count, none that is small by
 * what is left of the whole, and none that a second report about nearly the same people would give back by difference:
 * counts are multiples of ten, and shares step by at least ten people.
 */
export interface Discretion {
  readonly audience: Audience
  /** `n` of `all` people. */
  count(n: number, all: number): string
  /** A share, or a place between two shares, of a quantity that counts `of` people. */
  share(share: number, of: number, digits?: number): string
  /** The same as a number, for pictures. */
  shareValue(share: number, of: number): number
}

export const AUDIENCES = ['publishable', 'internal'] as const
export type Audience = (typeof AUDIENCES)[number]

/** Stands on top of every document for readers inside. */
export const INTERNAL_BANNER =
  'Internal, not for publication: this document has exact counts and records of single people. Keep it where the original is kept.'

const STEP = 10

/** Numbers as they are. */
export const INTERNAL: Discretion = {
  audience: 'internal',
  count: (n) => grouped(n),
  share: (share, _of, digits) => percent(share, digits),
  shareValue: (share) => share,
}

export function discretionFor(audience: Audience): Discretion {
  if (audience === 'internal') return INTERNAL
  const shareValue = (share: number, of: number) => {
    const step = shareStep(of)
    return (Math.round(share / step) * Math.round(100 * step)) / 100
  }
  return {
    audience,
    count: (n, all) => {
      if (n < STEP) return `fewer than ${STEP}`
      if (n > all - STEP) return 'nearly all'
      return grouped(roundedTo(n, STEP))
    },
    share: (share, of) => percent(shareValue(share, of), 0),
    shareValue,
  }
}

const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5]

/** The least round step that is ten people or more. */
function shareStep(of: number): number {
  return STEPS.find((step) => step * of >= STEP) ?? 1
}

function roundedTo(n: number, step: number): number {
  return step * Math.round(n / step)
}

function grouped(n: number): string {
  return n.toLocaleString('en-US')
}

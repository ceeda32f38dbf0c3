/** A mean over files beside the known one; `within` is null where no tolerance is known. */
export interface Comparison {
  readonly setting: string
  readonly figure: string
  readonly files: number
  readonly observed: number
  readonly sd: number | null
  /** Printed or drawn in the paper or in its authors' files; null where nothing was published. */
  readonly published: number | null
  /** Computed by other programs (R, rpart, synthpop) where nothing was published. */
  readonly apart: number | null
  readonly difference: number
  readonly tolerance: number | null
  readonly within: boolean | null
}

/** A published number, or one that was computed apart. */
export type Known = number | { readonly apart: number }

/** What was found beside what is known. */
export function besideKnown(
  observation: Pick<Comparison, 'setting' | 'figure' | 'files' | 'observed' | 'sd'>,
  known: Known,
  tolerance: number | null,
): Comparison {
  const isPublished = typeof known === 'number'
  const difference = observation.observed - (isPublished ? known : known.apart)
  return {
    ...observation,
    published: isPublished ? known : null,
    apart: isPublished ? null : known.apart,
    difference,
    tolerance,
    within: tolerance === null ? null : Math.abs(difference) <= tolerance,
  }
}

/** What a picture draws beside what was found. */
export function knownOf({ published, apart }: Comparison): number {
  return published ?? apart ?? 0
}

/** Something about the shape of the results that holds or does not. */
export interface Check {
  readonly what: string
  readonly holds: boolean
}

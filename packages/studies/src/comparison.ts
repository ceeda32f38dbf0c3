/** A mean over files beside the published one; `within` is null where no tolerance is known. */
export interface Comparison {
  readonly setting: string
  readonly figure: string
  readonly files: number
  readonly observed: number
  readonly sd: number | null
  readonly published: number
  readonly difference: number
  readonly tolerance: number | null
  readonly within: boolean | null
}

/** Something about the shape of the results that holds or does not. */
export interface Check {
  readonly what: string
  readonly holds: boolean
}

/** What Elliot, Little and Allmendinger print about their embedded data (evolutionary algorithms for output disclosure risk). */

/** Mean absolute difference of the 23 coefficients: all records (Table 2), fold to whole (Table 3), fold to fold (Table 4). */
export const PUBLISHED_ERRORS = { whole: 0.0004, halves: 0.0007, quarters: 0.0002 } as const

/** TCAP of all records: mean over sets of 3 to 6 keys, and 6 keys. */
export const PUBLISHED_TCAP = { sets: 0.4962, six: 0.6317 } as const

/** TCAP of members less that of others (Table 5); the printed standard deviations divide by the number of folds. */
export const PUBLISHED_DIFFERENCES = { halves: [-0.005878, 0.023028], quarters: [-0.030879, 0.005609] } as const

/** TCAP against the mean absolute difference, and the correlation of the two. */
export const PUBLISHED_LINE = { intercept: 0.2279, slope: -0.0556, correlation: -0.9374 } as const

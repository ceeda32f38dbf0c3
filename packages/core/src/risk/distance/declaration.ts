/** What measures of a distance between people and released records declare alike. */
export const DISTANCE_MEASURE = {
  family: 'distance',
  orientation: 'risk',
  scope: 'pair',
  unit: 'share',
  varies: ['people', 'release'],
} as const

/** What hides copies from a share of released records. */
export const FOOLED_BY_NOISE = {
  'append noise': 'noise moves records apart that agree in all other columns',
  'pad with noise': 'it is a share of released records, and most of them are noise',
} as const

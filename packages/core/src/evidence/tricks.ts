/**
 * What can be done to a release so that a number looks better while nobody is protected better. A measure stands up to each
 * of them, or says in `fooledBy` why it does not; the answer, which rests on several measures, must stand up to all.
 */
export const TRICKS = {
  'shuffle rows': 'released records in another order',
  'shuffle columns': 'columns in another order, in all files',
  'rename levels': 'levels under other names, in all files',
  'reflect numbers': 'numbers with the other sign and in another unit, in all files',
  'add a constant': 'a column that is the same for everybody, in all files',
  'append noise': 'three columns of noise in all files, drawn anew for every record of each',
  'repeat records': 'every released record written five times',
  'pad with noise': 'four times as many independent records appended',
  'split levels': 'one level of a released column split in two at random',
  'jitter numbers': 'released numbers changed by less than anybody would notice',
  'leave the step': 'released numbers moved off the step that those of the original lie on',
  'recode missing': 'missing values of the release written as a level of their own',
} as const

export type Trick = keyof typeof TRICKS

/** What protects, or takes information away, and must not look like more risk. */
export const PROTECTIONS = {
  'constant target': 'the released target is the same for everybody',
  'permute target': 'released targets dealt out anew',
  'suppress a key': 'one key is missing in all released records',
  'coarsen a key': 'levels of one released key merged, in all files',
} as const

export type Protection = keyof typeof PROTECTIONS

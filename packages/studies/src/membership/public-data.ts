const SD2011_COLUMNS = [
  'sex',
  'age',
  'placesize',
  'region',
  'edu',
  'income',
  'marital',
  'ls',
  'sport',
  'smoke',
  'height',
  'weight',
]
const SAID_TWICE = ['fnlwgt', 'education_num', 'education-num', 'education.num']

/** Columns of the public files that are weights or say twice what others say, and those of a wide survey that are taken. */
export const PUBLIC_DATA: Readonly<Record<'adult' | 'census2k' | 'sd2011', (column: string) => boolean>> = {
  adult: (column) => !SAID_TWICE.includes(column),
  census2k: (column) => !SAID_TWICE.includes(column),
  sd2011: (column) => SD2011_COLUMNS.includes(column),
}

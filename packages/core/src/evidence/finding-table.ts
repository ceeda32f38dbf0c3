/**
 * A table of a measure as a plain value: what a user of that measure looks at, beside its pictures. The terminal, documents,
 * the page, JSON, CSV and R draw the same one. Numbers are numbers; how they are written is said by the column.
 */
export interface FindingTable {
  /** Unique within a measure and fit for a file name: `ident`. */
  readonly name: string
  readonly title: string
  readonly columns: readonly FindingColumn[]
  readonly rows: readonly (readonly FindingCell[])[]
  /**
   * Whether readers outside may have it, with numbers as exact as discretion allows. That needs shares and counts of all
   * people of the original, and no value of a record; without a word a table stays inside.
   */
  readonly publishable?: true
  /** Whether it is about the keys alone: where all targets have the same, it is said once. */
  readonly ofKeys?: true
}

/** Null where there is no figure. */
export type FindingCell = string | number | null

export interface FindingColumn {
  readonly name: string
  readonly format: Format
  /** Whether it stays inside where the table is for readers outside. */
  readonly internal?: true
}

/**
 * `share` is a fraction, printed as percent with so many decimals; `option` is an option as --set takes it, printed with the flag and
 * quoted for a shell; `number` has so many significant digits.
 */
export type Format =
  | { readonly kind: 'text' | 'option' | 'count' | 'p' }
  | { readonly kind: 'share' | 'number'; readonly digits: number }

export const column = {
  text: (name: string): FindingColumn => ({ name, format: { kind: 'text' } }),
  option: (name: string): FindingColumn => ({ name, format: { kind: 'option' } }),
  count: (name: string): FindingColumn => ({ name, format: { kind: 'count' } }),
  p: (name: string): FindingColumn => ({ name, format: { kind: 'p' } }),
  share: (name: string, digits = 2): FindingColumn => ({ name, format: { kind: 'share', digits } }),
  number: (name: string, digits = 4): FindingColumn => ({ name, format: { kind: 'number', digits } }),
}

/** One row for each of `rows`: every column with what stands in it. */
export function findingTable<Row>(
  name: string,
  title: string,
  rows: readonly Row[],
  columns: readonly (readonly [FindingColumn, (row: Row) => FindingCell | undefined])[],
): FindingTable {
  return {
    name,
    title,
    columns: columns.map(([head]) => head),
    rows: rows.map((row) => columns.map(([, cell]) => cell(row) ?? null)),
  }
}

/** Figures of one thing below each other, by their names. */
export function figureTable(
  name: string,
  title: string,
  figures: Readonly<Record<string, number | null>>,
  format: (name: string) => FindingColumn = column.number,
): FindingTable {
  return findingTable(name, title, Object.entries(figures), [
    [column.text(''), ([what]) => what],
    [format('value'), ([, value]) => value],
  ])
}

/** A table as a value: the terminal, Markdown and HTML draw the same one. */
export interface TableView {
  readonly caption: string
  readonly columns: readonly TableColumn[]
  readonly rows: readonly (readonly TableCell[])[]
}

/**
 * A text, or one with a note to it that does not belong to its words. `option`: the option that the text sets on the command
 * line, for a page that can set it.
 */
export type TableCell = string | { readonly text: string; readonly note?: string; readonly option?: string }

export function cellText(cell: TableCell): string {
  return typeof cell === 'string' ? cell : [cell.text, ...(cell.note === undefined ? [] : [cell.note])].join(' ')
}

export interface TableColumn {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** What stands in it, where that has a look of its own: a verdict, a term that the glossary explains, a hash. */
  readonly as?: 'verdict' | 'term' | 'code'
}

/** A title stands for a column of plain text. */
export function tableView(
  caption: string,
  columns: readonly (string | TableColumn)[],
  rows: TableView['rows'],
): TableView {
  return { caption, columns: columns.map((one) => (typeof one === 'string' ? { title: one } : one)), rows }
}

/** Null where there is nothing to show: neither a heading nor an empty table is drawn. */
export function tableUnlessEmpty(...table: Parameters<typeof tableView>): TableView | null {
  return table[2].length === 0 ? null : tableView(...table)
}

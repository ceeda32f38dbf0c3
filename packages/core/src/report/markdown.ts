import { cellText, type TableView } from './table-view.js'

/** Everything that is written as Markdown is put together from these parts. */

/** Parts with a blank line between them; those that are null are left out. */
export function paragraphs(parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== '').join('\n\n')
}

export function bullets(items: readonly string[]): string | null {
  return items.length === 0 ? null : items.map((item) => `- ${item}`).join('\n')
}

/** Nothing where there are no items. */
export function titledBullets(title: string, items: readonly string[]): string | null {
  return items.length === 0 ? null : `${title}:\n\n${bullets(items)}`
}

/** A heading with what follows; neither where nothing follows. */
export function section(heading: string, ...parts: readonly (string | null)[]): string | null {
  const body = paragraphs(parts)
  return body === '' ? null : `${heading}\n\n${body}`
}

/** `written` gets each cell with the number of its column. */
export function markdownTable(
  table: TableView | null,
  written: (cell: string, column: number) => string = escapeBar,
): string | null {
  if (table === null) return null
  const titles = table.columns.map(({ title }) => title)
  return [
    titles,
    titles.map(() => '---'),
    ...table.rows.map((row) => row.map((cell, column) => written(cellText(cell), column))),
  ]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}

function escapeBar(cell: string): string {
  return cell.replaceAll('|', '\\|')
}

/** For names and reasons that come from files: nothing in them may become a mention, a heading, HTML or another cell. */
export function harmless(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[&<>\\|`*_~[\]#@!]/g, (character) => `&#${character.charCodeAt(0)};`)
}

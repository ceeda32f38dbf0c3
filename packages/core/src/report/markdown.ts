import { markdownText } from '../escape.js'
import { cellText, type TableView } from './findings/table-view.js'

/**
 * Everything that is written as Markdown is put together from these parts. A string is text and is escaped on its way in; what
 * is meant as markup says so by its type.
 */
export interface Markdown {
  readonly markdown: string
}

type Part = string | Markdown

/** Markup as it is written, with texts in it: md`**${level}** ${sentence}`. */
export function md(markup: TemplateStringsArray, ...parts: readonly Part[]): Markdown {
  return { markdown: String.raw({ raw: markup }, ...parts.map(written)) }
}

function written(part: Part): string {
  return typeof part === 'string' ? markdownText(part) : part.markdown
}

/** Parts with a blank line between them; those that are null are left out. */
export function paragraphs(parts: readonly (Part | null)[]): Markdown {
  const all = parts.filter((part) => part !== null).map(written)
  return { markdown: all.filter((part) => part !== '').join('\n\n') }
}

export function bullets(items: readonly Part[]): Markdown | null {
  return items.length === 0 ? null : { markdown: items.map((item) => `- ${written(item)}`).join('\n') }
}

/** Nothing where there are no items. */
export function titledBullets(title: string, items: readonly Part[]): Markdown | null {
  const list = bullets(items)
  return list && md`${title}:\n\n${list}`
}

/** A heading with what follows; neither where nothing follows. */
export function section(heading: Markdown, ...parts: readonly (Part | null)[]): Markdown | null {
  const body = paragraphs(parts)
  return body.markdown === '' ? null : paragraphs([heading, body])
}

/** `cellOf` gets each cell with the number of its column. */
export function markdownTable(
  table: TableView | null,
  cellOf: (cell: string, column: number) => Part = (cell) => cell,
): Markdown | null {
  if (table === null) return null
  const titles = table.columns.map(({ title }) => title)
  const lines = [
    titles.map(written),
    titles.map(() => '---'),
    ...table.rows.map((row) => row.map((cell, column) => written(cellOf(cellText(cell), column)))),
  ]
  return { markdown: lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n') }
}

/** A table below its own title. */
export function titledTable(table: TableView): Markdown {
  return paragraphs([md`**${table.caption}**`, markdownTable(table)])
}

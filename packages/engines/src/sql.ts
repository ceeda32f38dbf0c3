/**
 * SQL is made of values: a template takes other pieces of SQL, names and texts that were quoted here, and numbers, and nothing
 * else. So no name of a column, file or table can become a part of the statement.
 */
export interface Sql {
  readonly text: string
}

export function sql(pieces: TemplateStringsArray, ...values: readonly (Sql | number)[]): Sql {
  let text = pieces[0]
  for (const [k, value] of values.entries())
    text += (typeof value === 'number' ? whole(value) : value.text) + pieces[k + 1]
  return { text }
}

function whole(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is no whole number`)
  return String(value)
}

/** A number that need not be whole, as every engine reads it. */
export function decimal(value: number): Sql {
  if (!Number.isFinite(value)) throw new Error(`${value} is no number`)
  return { text: value.toExponential() }
}

/** Pieces with something between them. */
export function joined(pieces: readonly Sql[], between: Sql = sql`, `): Sql {
  return { text: pieces.map(({ text }) => text).join(between.text) }
}

/** How an engine writes names and texts. */
export interface Dialect {
  name(name: string): Sql
  text(text: string): Sql
}

/** Standard SQL, as DuckDB and PostgreSQL read it: a quote inside is written twice. */
export const STANDARD_SQL: Dialect = {
  name: (name) => ({ text: `"${withoutNul(name).replaceAll('"', '""')}"` }),
  text: (text) => ({ text: `'${withoutNul(text).replaceAll("'", "''")}'` }),
}

/** Spark writes names in backticks, and reads backslashes in texts. */
export const SPARK_SQL: Dialect = {
  name: (name) => ({ text: `\`${withoutNul(name).replaceAll('`', '``')}\`` }),
  text: (text) => ({ text: `'${withoutNul(text).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'` }),
}

/** No engine takes it, and some stop reading there. */
function withoutNul(text: string): string {
  if (text.includes('\0')) throw new Error('a NUL character cannot be written in SQL')
  return text
}

/** A name of several parts, `schema.table`; a part in quotes may hold dots. */
export function nameParts(text: string, quote: '"' | '`'): readonly string[] | undefined {
  const parts: string[] = []
  let at = 0
  while (at <= text.length) {
    if (text[at] === quote) {
      let part = ''
      for (at++; text[at] !== quote || text[at + 1] === quote; at++) {
        if (at >= text.length) return undefined
        part += text[at]
        if (text[at] === quote) at++
      }
      at++
      parts.push(part)
    } else {
      const end = text.indexOf('.', at) < 0 ? text.length : text.indexOf('.', at)
      parts.push(text.slice(at, end))
      at = end
    }
    if (at < text.length && text[at] !== '.') return undefined
    at++
  }
  return parts.includes('') ? undefined : parts
}

// Parts of a page that a script writes, each between two marker lines.

const start = (name) => `<!-- ${name}:start -->`
const end = (name) => `<!-- ${name}:end -->`

/** The page with this text in its block; an error when it has none. */
export function withBlock(page, name, text) {
  const from = page.indexOf(start(name))
  const to = page.indexOf(end(name))
  if (from < 0 || to < from) throw new Error(`the page lacks ${start(name)} and ${end(name)}`)
  return `${page.slice(0, from)}${start(name)}\n${text}\n${page.slice(to)}`
}

/** What stands in the block of a page now. */
export function blockOf(page, name) {
  const from = page.indexOf(start(name))
  const to = page.indexOf(end(name))
  return from < 0 || to < from ? '' : page.slice(from + start(name).length, to).trim()
}

export const emptyBlock = (name) => `${start(name)}\n${end(name)}`

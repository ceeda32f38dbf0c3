// The fields of a Case in docs/cli.md, between two marker lines.
import { caseSchema, flagForms } from '@scrim/core'

const START = '<!-- case:start -->'
const END = '<!-- case:end -->'

/** The page with the fields filled in; an error when the markers are missing. */
export function withCaseFields(page) {
  const from = page.indexOf(START)
  const to = page.indexOf(END)
  if (from < 0 || to < from) throw new Error(`docs/cli.md lacks ${START} and ${END}`)
  const rows = Object.entries(caseSchema.shape).map(
    ([field, schema]) => `| \`${field}\` | ${flagOf(field, schema)} | ${escaped(schema.description)} |`,
  )
  return [
    `${page.slice(0, from)}${START}`,
    '| field | flag | meaning |',
    '|---|---|---|',
    ...rows,
    page.slice(to),
  ].join('\n')
}

function flagOf(field, schema) {
  const form = flagForms.get(schema)
  if (form === undefined) return ''
  const name = `--${form.name ?? field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  if (form.isSwitch)
    return [name, ...(form.no === undefined ? [] : [`--no-${name.slice(2)}`])].map((each) => `\`${each}\``).join(', ')
  return `\`${escaped(`${name} ${form.value}`)}\``
}

const escaped = (text) => text.replaceAll('|', '\\|')

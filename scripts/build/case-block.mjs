// The fields of a Case in docs/cli.md, between two marker lines.
import { caseSchema, flagForms } from '@scrim/core'
import { withBlock } from './marked-block.mjs'

/** The page with the fields filled in; an error when the markers are missing. */
export function withCaseFields(page) {
  const rows = Object.entries(caseSchema.shape).map(
    ([field, schema]) => `| \`${field}\` | ${flagOf(field, schema)} | ${escaped(schema.description)} |`,
  )
  return withBlock(page, 'case', ['| field | flag | meaning |', '|---|---|---|', ...rows].join('\n'))
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

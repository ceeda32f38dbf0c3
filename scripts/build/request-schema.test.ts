import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { caseSchema, checkSchema, parseRequest, requestSchema, z } from '@scrim/core'
import { expect, it } from 'vitest'
// @ts-expect-error: a script without types
import { withCaseFields } from './case-block.mjs'

const docs = join(import.meta.dirname, '../../docs')

it.each([
  ['case', caseSchema],
  ['request', requestSchema],
  ['outputs-check', checkSchema],
] as const)('the published schema of %s is the one that is checked; else run npm run docs', (name, schema) => {
  const published = JSON.parse(readFileSync(join(docs, `schema/${name}.schema.json`), 'utf8'))
  expect(published).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))))
})

it('the fields of a Case stand in the documentation; else run npm run docs', () => {
  const page = readFileSync(join(docs, 'cli.md'), 'utf8')
  expect(withCaseFields(page)).toBe(page)
})

it('the requests in the documentation are some', () => {
  const page = readFileSync(join(docs, 'outputs.md'), 'utf8')
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text))
  expect(examples.length).toBeGreaterThan(0)
  for (const example of examples) expect(() => parseRequest('outputs.md', example)).not.toThrow()
})

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measures, parsePolicy, policySchema, z } from '@scrim/core'
import { expect, it } from 'vitest'

const docs = join(import.meta.dirname, '../../docs')

it('the published schema of a policy is the one that is checked; else run npm run docs', () => {
  const published = JSON.parse(readFileSync(join(docs, 'schema/policy.schema.json'), 'utf8'))
  expect(published).toEqual(JSON.parse(JSON.stringify(z.toJSONSchema(policySchema))))
})

it('the policy in the documentation is one', () => {
  const page = readFileSync(join(docs, 'check.md'), 'utf8')
  const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => JSON.parse(text))
  expect(examples).toHaveLength(1)
  for (const example of examples) expect(parsePolicy('check.md', example, measures)).toEqual(example)
})

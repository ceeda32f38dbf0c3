import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pagesNow } from './study-membership.mjs'

it('docs/study-membership.md and docs/method.md say what the results say; else run node scripts/build/study-membership.mjs', async () => {
  const pages: readonly (readonly [string, string])[] = await pagesNow()
  expect(pages).toHaveLength(2)
  for (const [file, text] of pages) expect(readFileSync(file, 'utf8'), file).toBe(text)
})

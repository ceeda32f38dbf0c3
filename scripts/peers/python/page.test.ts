import { expect, it } from 'vitest'
import { isPageFresh } from './page.mjs'

it('docs/beside-python.md and its picture show the results that are kept; else run npm run peers:python -- page', () => {
  expect(isPageFresh()).toBe(true)
})

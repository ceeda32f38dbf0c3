import { kAnonymity, type Result, release, tableOf } from '@scrim/core'
import { expect, it } from 'vitest'
import { assessmentText } from './assessment.js'
import { hasFailed } from './findings.js'

it('shows a failed measure with its reason beside the others', async () => {
  const people = tableOf('people', { sex: ['f', 'f', 'm', 'm'] })
  const subject = release({ original: people, released: people, keys: ['sex'] })
  const good = await kAnonymity(subject, { k: 2 })
  const bad: Result = { ...good, status: 'failed', reason: 'it broke', value: null, original: null, releases: [] }
  const text = assessmentText(subject, [bad, good], 100)
  expect(text).toContain('The measure does not call the risk high.')
  expect(text).toMatch(/^ELEVATED {2}k-anonymity +0\.0 % +0\.0 %/m)
  expect(text).toContain('Failed (please report this):\n  - k-anonymity: it broke\n')
  expect([bad, good].map(hasFailed)).toEqual([true, false])
})

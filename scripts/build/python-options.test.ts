import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { caseSchema } from '@scrim/core'
import { expect, it } from 'vitest'

/** A field of the Case is a keyword argument in Python, with its type in `CaseOptions`; said here, because the tests of Python run later. */
it('every field of a Case is an option in Python', () => {
  const source = readFileSync(join(resolve(import.meta.dirname, '../..'), 'python/src/scrim/options.py'), 'utf8')
  const declared = /class CaseOptions.*?\n\n\n/s.exec(source)?.[0] ?? ''
  const options = [...declared.matchAll(/^ {4}(\w+): /gm)].map(([, name]) => name)
  const fields = Object.keys(caseSchema.shape).filter((field) => field !== 'original' && field !== 'released')
  expect(options).toEqual(fields.map((field) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)))
})

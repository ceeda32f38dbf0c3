import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as core from './index.js'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const page = read('../../../docs/library.md')
const [forEverybody] = read('./index.ts').replaceAll(/'.*'/g, '').split('// For the faces of scrim')

/** Measures, synthesizers and anonymisers have pages of their own. */
const listed: ReadonlySet<unknown> = new Set([...core.measures, ...core.synthesizers, ...core.anonymisers])

it('everything that is exported for everybody is on its page', () => {
  const missing = Object.entries(core)
    .filter(([name, value]) => new RegExp(`\\b${name}\\b`).test(forEverybody) && !listed.has(value))
    .map(([name]) => name)
    .filter((name) => !new RegExp(`\`[^\`]*\\b${name}\\b[^\`]*\``).test(page))
  expect(missing).toEqual([])
})

/** `subgroup-utility` is made of all other measures of utility, so that only the list has it. */
it('every measure, synthesizer and anonymiser is exported', () => {
  const exported: ReadonlySet<unknown> = new Set(Object.values(core))
  const all = [...core.measures, ...core.synthesizers, ...core.anonymisers]
  expect(all.filter((member) => !exported.has(member)).map(({ id }) => id)).toEqual(['subgroup-utility'])
})

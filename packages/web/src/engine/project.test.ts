import { expect, it } from 'vitest'
import { infoOf, readSource } from './project.js'
import type { SourceFile } from './protocol.js'
import { suggestions } from './suggest.js'

const rows = Array.from({ length: 40 }, (_, k) => `${k + 1},${k % 2 === 0 ? 'f' : 'm'},${20 + (k % 9)},${k % 3}`)
const people: SourceFile = {
  id: '1',
  name: 'people.csv',
  content: new Blob([['id,sex,age,ill', ...rows, ''].join('\n')]),
}

it('reads a file once, and anew where its types are declared otherwise', async () => {
  const read = await readSource(people, {})
  expect(read.table.rows).toBe(40)
  expect(read.sha256).toMatch(/^[0-9a-f]{64}$/)
  expect(await readSource(people, {})).toBe(read)
  const declared = await readSource(people, { ill: { kind: 'categorical' } })
  expect(declared.table.columns.find(({ name }) => name === 'ill')?.kind).toBe('categorical')
})

it('says what a table is like before anything is computed', async () => {
  const info = infoOf((await readSource(people, {})).table)
  expect(info.rows).toBe(40)
  expect(info.columns.map(({ name }) => name)).toEqual(['id', 'sex', 'age', 'ill'])
})

it('suggests roles, each with its reason', async () => {
  const suggested = await suggestions(people, {})
  expect(suggested.find(({ column }) => column === 'sex')?.role).toBe('key')
  for (const { reason } of suggested) expect(reason).not.toBe('')
})

it('says once how many people a key makes unique', async () => {
  const unnamed: SourceFile = {
    ...people,
    id: '2',
    content: new Blob([['v1,v2', ...Array.from({ length: 40 }, (_, k) => `${k % 5},${k % 8}`), ''].join('\n')]),
  }
  const [byUse] = await suggestions(unnamed, {})
  expect(byUse.reason).toMatch(/makes .* of people unique/)
  expect(byUse.added).toBeNull()
  expect((await suggestions(people, {})).find(({ column }) => column === 'sex')?.added).not.toBeNull()
})

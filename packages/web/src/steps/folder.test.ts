import { expect, it } from 'vitest'
import { droppedFolder, pickedFolder } from './folder.js'

const picked = (path: string) => Object.assign(new File([], path.split('/').at(-1) ?? ''), { webkitRelativePath: path })

it('names the files of a picked folder by their place in it', () => {
  const folder = pickedFolder([picked('outputs/a.csv'), picked('outputs/tables/b.csv')])
  expect(folder?.name).toBe('outputs')
  expect(folder?.files.map(({ path }) => path)).toEqual(['a.csv', 'tables/b.csv'])
  expect(pickedFolder([])).toBeNull()
})

const entryOf = (name: string, inner?: object[]) => ({
  name,
  isDirectory: inner !== undefined,
  file: (done: (file: File) => void) => done(new File([], name)),
  /** A browser gives one part, then nothing. */
  createReader: () => {
    const parts = [inner ?? [], []]
    return { readEntries: (done: (entries: object[]) => void) => done(parts.shift() ?? []) }
  },
})
const dropped = (...entries: object[]) =>
  ({ items: entries.map((entry) => ({ webkitGetAsEntry: () => entry })) }) as unknown as DataTransfer

it('finds the files of a dropped folder, at any depth', async () => {
  const folder = await droppedFolder(
    dropped(entryOf('notes.txt'), entryOf('outputs', [entryOf('a.csv'), entryOf('tables', [entryOf('b.csv')])])),
  )
  expect(folder?.files.map(({ path }) => path)).toEqual(['a.csv', 'tables/b.csv'])
  expect(await droppedFolder(dropped(entryOf('a.csv')))).toBeNull()
})

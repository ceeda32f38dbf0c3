import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { workplace } from '../testing/run.js'
import { makeFolder } from './folder.js'

describe('makeFolder', () => {
  it('makes the folders on the way, and leaves those that are there', () => {
    const { folder } = workplace()
    makeFolder(join(folder, 'a', 'b', 'c'), 0o700)
    makeFolder(join(folder, 'a', 'b'))
    expect(existsSync(join(folder, 'a', 'b', 'c'))).toBe(true)
    if (process.platform !== 'win32') expect(statSync(join(folder, 'a', 'b')).mode & 0o777).toBe(0o700)
  })

  it('says so where nothing can be made', () => {
    const { folder } = workplace({ file: '' })
    expect(() => makeFolder(join(folder, 'file', 'a', 'b'))).toThrow(/ENOTDIR|ENOENT/)
  })

  it.skipIf(!existsSync('/proc/self'))('does not try for ever in a file system that makes no folders', () => {
    expect(() => makeFolder('/proc/nope/scrim/written')).toThrow(/ENOENT|EACCES|EROFS/)
  })
})

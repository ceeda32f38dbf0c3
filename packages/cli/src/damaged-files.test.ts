import { gzipSync } from 'node:zlib'
import { UserError } from '@scrim/core'
import { afterAll, expect, it } from 'vitest'
import { damagedFile, wholeFiles } from '../../core/src/testing/files/damaged-files.js'
import { tableReader } from './files/reader.js'
import { workplace } from './testing/run.js'

/** `npm run validate` tries 10,000 of them, with the limits that users have. */
const FILES = Number(process.env.SCRIM_DAMAGED_FILES ?? 500)
/** For a hang alone: what starts a thread anew takes long on a machine with other work. */
const MOST_SECONDS = 60
/** That one file may add to what the process has: all of these files are small. */
const MOST_MEGABYTES = 1500
/** Packed as a whole, so that a checksum covers every cell: what is read of a damaged one is what was written. */
const CHECKSUMMED = /\.gz$|^people(-bzip2|-xz)?\.rds$/

/** Words of programs, not of people. */
const INTERNALS =
  /undefined|is not a function|not iterable|NaN\b|\bnull\b|typed array|outside the bounds|out of bounds|DataView|RangeError|TypeError|field_\d|\bat .*:\d+/i

const reader = tableReader(FILES > 500 ? {} : { seconds: 5 })
afterAll(reader.close)

it('whole files are read', async () => {
  for (const { rows, ...file } of wholeFiles()) expect((await reader.read(file)).rows, file.name).toBe(rows)
})

it(`${FILES} damaged files: each a table or a sentence, none hangs, crashes or tells internals`, {
  timeout: 3_600_000,
}, async () => {
  for (let index = 0; index < FILES; index++) {
    const file = damagedFile(index)
    const start = performance.now()
    const before = process.memoryUsage.rss()
    let said = ''
    try {
      const { columns } = await reader.read(file)
      if (isStillPacked(file)) expect(columns, `${file.name} ${index}`).toEqual((await whole(file.name)).columns)
    } catch (error) {
      if (!(error instanceof UserError)) throw new Error(`${file.name} ${index}: ${String(error)}`)
      said = error.problems.join('\n')
    }
    expect((performance.now() - start) / 1000, `${file.name} ${index}`).toBeLessThan(MOST_SECONDS)
    expect((process.memoryUsage.rss() - before) / 1e6, `${file.name} ${index}`).toBeLessThan(MOST_MEGABYTES)
    // What is quoted is the file's own text.
    expect(said.replaceAll(/"[^"]*"/g, ''), `${file.name} ${index}`).not.toMatch(INTERNALS)
  }
})

/** The first bytes say that it is packed; without them it is another file. */
function isStillPacked({ name, bytes }: { name: string; bytes: Uint8Array }): boolean {
  const first = wholeFiles().find((file) => file.name === name)
  return CHECKSUMMED.test(name) && first?.bytes.subarray(0, 3).every((byte, at) => byte === bytes[at]) === true
}

async function whole(name: string) {
  const file = wholeFiles().find((one) => one.name === name)
  if (file === undefined) throw new Error(`there is no ${name}`)
  return reader.read(file)
}

it('a reader that goes round in circles is stopped', async () => {
  const slow = tableReader({ seconds: 0 })
  const [parquet] = wholeFiles().filter(({ name }) => name === 'a.parquet')
  await expect(slow.read({ ...parquet, bytes: parquet.bytes })).rejects.toThrow(
    /^a\.parquet: cannot be read: it took more than 0 s/,
  )
  await slow.close()
})

it('a reader that takes too much memory is stopped, also where that is not on the heap', async () => {
  const zeros = gzipSync(new Uint8Array(2 ** 24))
  const members = 15
  const bytes = new Uint8Array(members * zeros.length)
  for (let k = 0; k < members; k++) bytes.set(zeros, k * zeros.length)
  const small = tableReader({ megabytes: 30 })
  await expect(small.read({ name: 'a.arrow.gz', bytes })).rejects.toThrow(
    /^a\.arrow\.gz: cannot be read: it takes too much memory/,
  )
  await small.close()
})

it('a Parquet file goes through the command line', async () => {
  const files = Object.fromEntries(wholeFiles().map(({ name, bytes }) => [name, bytes]))
  const { code, out } = await workplace(files).run('measure k-anonymity a.csv a.parquet --keys sex,age')
  expect([code, out.includes('a.parquet')]).toEqual([0, true])
})

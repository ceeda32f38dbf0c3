import { gzipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { fixture } from '../../testing/files/seen.js'
import { toParquet } from '../parquet/write-parquet.js'
import { readTable } from '../read.js'

const bytes = (text: string) => new TextEncoder().encode(text)

describe('what one file may take', () => {
  it('is one limit for every reader', async () => {
    const people = { sex: Array.from({ length: 500 }, () => 'f'), age: Array.from({ length: 500 }, (_, k) => k % 90) }
    const csv = `sex,age\n${people.sex.map((sex, k) => `${sex},${people.age[k]}\n`).join('')}`
    const files = {
      'a.csv': bytes(csv),
      'a.csv.gz': gzipSync(bytes(csv)),
      'a.jsonl': bytes(people.sex.map((sex, k) => JSON.stringify({ sex, age: people.age[k] })).join('\n')),
      'a.parquet': toParquet(tableOf('a', people)),
      'people-xz.rds': fixture('people-xz.rds'),
      'people-bzip2.rds': fixture('people-bzip2.rds'),
      'excel.xlsx': fixture('excel.xlsx'),
      'sas.sas7bdat': fixture('sas.sas7bdat'),
    }
    for (const [name, content] of Object.entries(files)) {
      await expect(readTable(name, content, { maxSize: 900 }), name).rejects.toThrow(/--max-size 8GB$/)
      await expect(readTable(name, content, { maxSize: 1e6 }), name).resolves.toBeDefined()
    }
  })

  it('counts cells, in whatever file they hardly take room', async () => {
    // Records that have no column in common: a cell for each pair of them.
    const records = Array.from({ length: 20_000 }, (_, k) => `{"a${k}":1}`).join('\n')
    await expect(readTable('a.jsonl', bytes(records))).rejects.toThrow(
      /^a.jsonl: 20000 rows of \d+ columns take more than 2 GB in memory; if it should be so large, allow it with --max-size/,
    )
    const blank = bytes(
      `${Array.from({ length: 100 }, (_, k) => `a${k}`).join()}\n${`${','.repeat(99)}\n`.repeat(100)}`,
    )
    await expect(readTable('a.csv', blank, { maxSize: 50_000 })).rejects.toThrow(/^a.csv: 101 rows of 100 columns take/)
  })

  it.each(['damaged.arrows', 'damaged.parquet'])('%s ends in the library too', { timeout: 20_000 }, async (name) => {
    await expect(readTable(name, fixture(name))).rejects.toThrow(`${name}: cannot be read as `)
  })
})

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stream } from '../../random/stream.js'
import { valueAt } from '../../table/column.js'
import { columnOf, type Table } from '../../table/table.js'
import { packRoss, packRuns, type SasColumn, sas7bdat } from '../../testing/files/sas7bdat.js'
import { expectSeen, fixture } from '../../testing/files/seen.js'
import { readContents, readTable } from '../read.js'
import { unpackRoss, unpackRuns } from './compression.js'
import { ibmDouble } from './ibm-double.js'

const cells = (table: Table, column: string) =>
  Array.from({ length: table.rows }, (_, row) => valueAt(columnOf(table, column), row))

const COLUMNS: readonly SasColumn[] = [
  { name: 'id', values: Array.from({ length: 70 }, (_, row) => row + 1) },
  {
    name: 'income',
    label: 'Income of 2020',
    values: Array.from({ length: 70 }, (_, row) => (row % 9 === 0 ? Number.NaN : row / 3)),
  },
  { name: 'town', values: Array.from({ length: 70 }, (_, row) => ['Wien', 'Zürich', '', '@@@@@@@@'][row % 4]) },
  { name: 'born', format: 'DATE', values: Array.from({ length: 70 }, (_, row) => 3653 + row) },
]

describe.each([4, 8] as const)('data sets with words of %i bytes', (word) => {
  describe.each([true, false])('little end first: %s', (little) => {
    it.each(['none', 'runs', 'ross'] as const)('compression: %s', async (compression) => {
      const table = await readTable('people.sas7bdat', sas7bdat(COLUMNS, { word, little, compression }))
      expect(table.rows).toBe(70)
      expect(cells(table, 'id')).toEqual(COLUMNS[0].values)
      expect(cells(table, 'income')).toEqual(COLUMNS[1].values.map((value) => (Number.isNaN(value) ? null : value)))
      expect(columnOf(table, 'income').codebook?.label).toBe('Income of 2020')
      expect(cells(table, 'town')).toEqual(COLUMNS[2].values.map((value) => (value === '' ? null : value)))
      expect(cells(table, 'born').slice(0, 2)).toEqual(['1970-01-01', '1970-01-02'])
    })
  })
})

/** `npm run validate` asks R; see `scripts/validation/r-files.mjs`. */
it.skipIf(process.env.SCRIM_R_FILES === undefined)(
  'the haven of R reads every layout as it was meant',
  { timeout: 120_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'scrim-sas-'))
    for (const word of [4, 8] as const)
      for (const little of [true, false])
        for (const compression of ['none', 'runs', 'ross'] as const)
          writeFileSync(
            join(folder, `${word}-${little}-${compression}`),
            sas7bdat(COLUMNS, { word, little, compression }),
          )
    const tell =
      'for (f in list.files(".")) { d <- haven::read_sas(f); cat(f, nrow(d), sum(d$id), sum(d$income, na.rm = TRUE), sum(is.na(d$income)), paste(unique(d$town), collapse = "|"), format(d$born[70]), attr(d$income, "label"), "\\n") }'
    const said = execFileSync('Rscript', ['-e', tell], { cwd: folder, encoding: 'utf8' }).trim().split('\n')
    rmSync(folder, { recursive: true })
    expect(said.length).toBe(12)
    for (const line of said)
      expect(line.replace(/^\S+ /, '').trim()).toBe('70 2485 721 8 Wien|Zürich||@@@@@@@@ 1970-03-11 Income of 2020')
  },
)

describe('packed rows', () => {
  it('by hand: each command of runs', () => {
    const unpacked = (packed: number[], length: number) => {
      const row = new Uint8Array(length)
      unpackRuns(Uint8Array.from(packed), row)
      return [...row]
    }
    expect(unpacked([0x81, 7, 8, 0xc1, 9, 0xd0, 0xe1, 0xf2], 2 + 4 + 2 + 3 + 4)).toEqual([
      7, 8, 9, 9, 9, 9, 0x40, 0x40, 0x20, 0x20, 0x20, 0, 0, 0, 0,
    ])
    expect(unpacked([0x60, 3], 20)).toEqual(new Array(20).fill(0x20))
    expect(unpacked([0x41, 2, 5], 276)).toEqual(new Array(276).fill(5))
    expect(unpacked([0x70, 0, 0x50, 1], 35).slice(16, 18)).toEqual([0, 0x40])
    const long = Array.from({ length: 100 }, (_, k) => k)
    expect(unpacked([0x24, ...long], 100)).toEqual(long)
    expect(unpacked([0x00, 36, ...long], 100)).toEqual(long)
    expect(() => unpacked([0x81, 7], 2)).toThrow('cut short')
    expect(() => unpacked([0xf0], 1)).toThrow('too long')
    expect(() => unpacked([0x30], 1)).toThrow('nothing that is known')
  })

  it('by hand: Ross', () => {
    const row = new Uint8Array(19)
    // a, b, c, then those again, a run of four, a run of nine more.
    unpackRoss(Uint8Array.from([0b00011100, 0, 97, 98, 99, 0x30, 0, 0x01, 120, 0x06, 121]), row)
    expect(new TextDecoder().decode(row)).toBe('abcabcxxxxyyyyyyyyy')
    expect(() => unpackRoss(Uint8Array.from([0x80, 0, 0x30, 0]), row)).toThrow('too far')
  })

  it('whatever is packed comes back', () => {
    for (let index = 0; index < 60; index++) {
      const random = stream(1, 'packed rows', index)
      const row = Uint8Array.from(
        { length: 1 + random.below(600) },
        () => [0, 0, 0, 32, 32, 64, 7, 8, 9][random.below(9)],
      )
      if (index % 2 === 0) row.copyWithin(Math.floor(row.length / 2), 0)
      if (index % 3 === 0) row.fill(index, Math.floor(row.length / 3))
      const [runs, ross] = [new Uint8Array(row.length), new Uint8Array(row.length)]
      unpackRuns(packRuns(row), runs)
      unpackRoss(packRoss(row), ross)
      expect([runs, ross]).toEqual([row, row])
    }
  })
})

describe('files of R, as R sees them', () => {
  it.each(['sas-v5.xpt', 'sas-v8.xpt', 'sas.sas7bdat'])('%s', async (name) => {
    const table = await readTable(name, fixture(name))
    expectSeen(table, name.startsWith('sas-v5') ? 'sas-v5' : 'sas')
    if (name === 'sas-v8.xpt') expect(columnOf(table, 'income_of_last_year').codebook?.label).toBe('Income, in euro')
  })

  it('no rows', async () => {
    expect((await readTable('a.xpt', fixture('sas-empty.xpt'))).rows).toBe(0)
  })

  it('kinds of missing', async () => {
    const table = await readTable('a.xpt', fixture('sas-tagged.xpt'))
    expect(cells(table, 'x')).toEqual([1, null, null, null])
  })
})

describe('transport files', () => {
  it('numbers of IBM mainframes', () => {
    expect(ibmDouble(Uint8Array.from([0x41, 0x10, 0, 0, 0, 0, 0, 0]), 0, 8)).toBe(1)
    expect(ibmDouble(Uint8Array.from([0xc1, 0x20]), 0, 2)).toBe(-2)
    expect(ibmDouble(Uint8Array.from([0x42, 0x64]), 0, 2)).toBe(100)
    expect(ibmDouble(Uint8Array.from([0x40, 0x19, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a]), 0, 8)).toBeCloseTo(0.1, 16)
  })

  it('several data sets: one is chosen', async () => {
    const one = fixture('sas-v5.xpt')
    const other = one.slice(240)
    other.set(new TextEncoder().encode('OTHERS  '), 168)
    const both = Uint8Array.from([...one, ...other])
    await expect(readContents('a.xpt', both)).rejects.toThrow('a.xpt: holds several data sets: PEOPLE, OTHERS; choose')
    expectSeen(await readTable('a.xpt', both, { object: ['OTHERS'] }), 'sas-v5')
  })

  it('cut short', async () => {
    const bytes = fixture('sas-v5.xpt')
    await expect(readTable('a.xpt', bytes.subarray(0, 1000))).rejects.toThrow('cut short')
    await expect(readTable('a.xpt', bytes.subarray(0, 560))).rejects.toThrow('cannot be read as a SAS transport file')
  })
})

describe('damaged data sets', () => {
  const whole = sas7bdat(COLUMNS, { word: 8, little: true, compression: 'runs' })

  it('a lost page is seen', async () => {
    await expect(readTable('a.sas7bdat', whole.subarray(0, whole.length - 4096))).rejects.toThrow('cut short')
  })

  it('rows that are deleted are not taken for others', async () => {
    const bytes = whole.slice()
    bytes[1024 + 32] |= 0x80
    await expect(readTable('a.sas7bdat', bytes)).rejects.toThrow('records that were deleted')
  })
})

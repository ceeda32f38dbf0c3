import { describe, expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { memorisation } from '../risk/distance/memorisation.js'
import { memorisationTail } from '../risk/distance/memorisation-tail.js'
import { categorical, numeric, stackColumns } from '../table/column.js'
import { release } from '../table/release.js'
import { selectRows, type Table, table } from '../table/table.js'
import { seenThrough, throughView } from '../testing/through-view.js'
import { relatedColumns } from './related-columns.js'

/** Three columns that depend on each other, and two of noise. */
function people(name: string, rows: number, { noise = true } = {}): Table {
  const random = stream(4, name)
  const each = <T>(value: () => T) => Array.from({ length: rows }, value)
  const x = each(() => random.uniform())
  return table(name, [
    numeric('x', x),
    numeric(
      'y',
      x.map((value) => value + random.uniform() / 10),
    ),
    categorical(
      'z',
      x.map((value) => 'abcd'[Math.floor(4 * value)]),
      { levels: ['a', 'b', 'c', 'd'] },
    ),
    ...(noise
      ? [
          categorical(
            'ward',
            each(() => 'abcdef'[random.below(6)]),
            { levels: [...'abcdef'] },
          ),
          numeric(
            'ticket',
            each(() => random.below(1000)),
          ),
        ]
      : []),
  ])
}

const ROWS = 200
const original = people('original', ROWS)
const honest = people('honest', ROWS)
const first = (of: Table, count: number) =>
  selectRows(
    of,
    Int32Array.from({ length: count }, (_, row) => row),
  )
/** The first of the originals among honest records, their noise drawn anew. */
function copies(count: number): Table {
  const noise = people('noise', count).columns
  const copied = first(original, count).columns.map((column, j) => (j < 3 ? column : noise[j]))
  return table(
    'copies',
    copied.map((column, j) => stackColumns([column, first(honest, ROWS - count).columns[j]])),
  )
}

describe('columns that are related', () => {
  it('are looked at alone when others tell nothing, and give back copies that noise hides', async () => {
    const hidden = release({ original, released: copies(40) })
    const found = (await memorisationTail(hidden)).releases[0]
    const related = await throughView(relatedColumns, memorisationTail, hidden)
    const equal = related?.looks?.find(({ what }) => what === 'equal records alone')
    expect(found.leakage?.value).toBeLessThan(0.05)
    expect(equal?.leakage?.value).toBeCloseTo(0.2, 1)
    expect(equal?.leakage?.p).toBeLessThan(1e-6)
  })

  it('are not alarming when the release is of other people', async () => {
    const related = await throughView(relatedColumns, memorisation, release({ original, released: honest }))
    expect(related?.leakage?.p).toBeGreaterThan(0.05)
  })

  it('are all columns when each tells something', async () => {
    const plain = release({
      original: people('original', ROWS, { noise: false }),
      released: people('honest', ROWS, { noise: false }),
    })
    expect(await seenThrough(relatedColumns, plain)).toBeUndefined()
  })

  it('are none when every column is drawn for itself', async () => {
    const random = stream(5, 'independent')
    const independent = table(
      'independent',
      original.columns.map(
        (column) =>
          selectRows(
            table('', [column]),
            Int32Array.from({ length: ROWS }, () => random.below(ROWS)),
          ).columns[0],
      ),
    )
    expect(await seenThrough(relatedColumns, release({ original, released: independent }))).toBeUndefined()
  })
})

import { describe, expect, it } from 'vitest'
import { permutation } from '../random/sampling.js'
import { stream } from '../random/stream.js'
import { memorisationTail } from '../risk/distance/memorisation-tail.js'
import { independentMarginals } from '../synthesizers/independent.js'
import { categorical, numeric, stackColumns } from '../table/column.js'
import { release } from '../table/release.js'
import { selectRows, type Table, table } from '../table/table.js'
import { throughView } from '../testing/through-view.js'
import { realLooking } from './real-looking.js'

/** Three numbers that depend on each other, so that independent ones are seen to be made up. */
function people(name: string, rows: number): Table {
  const random = stream(4, name)
  const x = Array.from({ length: rows }, () => random.uniform())
  const near = () => x.map((value) => value + random.uniform() / 10)
  return table(name, [numeric('x', x), numeric('y', near()), numeric('z', near())])
}

const stacked = (...tables: readonly Table[]) =>
  table(
    'release',
    tables[0].columns.map((_, k) => stackColumns(tables.map(({ columns }) => columns[k]))),
  )

const original = people('original', 200)
const honest = people('honest', 200)
const noise = [1, 2, 3].map((seed) => independentMarginals(original, { seed }))
const through = (of: Table, released: Table) =>
  throughView(realLooking, memorisationTail, release({ original: of, released }))

describe('records that look real', () => {
  it('are asked alone when the release can be told from the original, and give its copies back', async () => {
    const among = await through(original, stacked(original, ...noise))
    expect(among?.leakage?.value).toBeCloseTo(1, 9)
    expect(among?.people).toBeLessThanOrEqual(original.rows)
  })

  it('are not alarming when they are other people', async () => {
    const among = await through(original, stacked(honest, ...noise))
    expect(among?.leakage?.p).toBeGreaterThan(0.05)
    expect(among?.leakage?.value).toBeGreaterThan(-0.5)
  })

  it('are all records when the files look alike', async () => {
    expect(await through(original, honest)).toBeUndefined()
    expect(await through(original, original)).toBeUndefined()
  })

  it('are all records where only names tell files apart, which a few people share', async () => {
    const named = (name: string) => {
      const random = stream(5, name)
      return table(name, [
        categorical(
          'name',
          Array.from({ length: 400 }, () => `n${random.below(200)}`),
        ),
        categorical(
          'sex',
          Array.from({ length: 400 }, () => (random.uniform() < 0.5 ? 'f' : 'm')),
        ),
      ])
    }
    expect(await through(named('a'), named('b'))).toBeUndefined()
  })

  it('are the same in any order of rows and columns', async () => {
    const shuffled = (of: Table) =>
      table(of.name, selectRows(of, permutation(stream(4, 'order'), of.rows)).columns.toReversed())
    const padded = stacked(honest, ...noise)
    const [turned, plain] = [await through(shuffled(original), shuffled(padded)), await through(original, padded)]
    expect(turned?.effect?.value).toBeCloseTo(plain?.effect?.value ?? Number.NaN, 9)
  })

  it('are too few to ask when nothing looks real', async () => {
    const far = table(
      'far',
      original.columns.map((column) => numeric(column.name, Array(200).fill(9))),
    )
    expect(await through(original, far)).toBeUndefined()
  })
})

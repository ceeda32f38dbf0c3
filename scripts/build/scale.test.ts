import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { costPicture, keptRows, measuredCosts, onMachines, withCosts } from './scale.mjs'

const docs = join(import.meta.dirname, '../../docs')

it('docs/scale.md and its picture show the times that are kept; else run node scripts/build/scale.mjs', () => {
  const page = readFileSync(join(docs, 'scale.md'), 'utf8')
  expect(withCosts(page, keptRows())).toBe(page)
  expect(readFileSync(join(docs, 'img/cost-by-size.svg'), 'utf8')).toBe(costPicture(keptRows()))
})

const rows = {
  'counts, then sample, 100,000 x 6, Spark': { processor: 2, others: 5, megabytes: 100, othersMegabytes: 900 },
  '  counts, 100,000 x 6, Spark': { processor: 1, others: 3, clock: 9 },
  'counts, then sample, 1,000,000 x 6, Spark': { processor: 4, others: 30, megabytes: 100 },
  '  counts, 1,000,000 x 6, Spark': { processor: 2, others: 10 },
  'quick, 1,000,000 x 12, Spark': { processor: 20, others: 40, megabytes: 300 },
  '  before the first measure, 1,000,000, Spark': { processor: 4, others: 40 },
}

it('a task costs what all processes spend on it', () => {
  expect(measuredCosts(rows, 1e5, 'Spark')).toMatchObject({ counts: 4, sample: 3, quick: undefined })
  expect(measuredCosts(rows, 1e6, 'Spark')).toMatchObject({
    counts: 12,
    sample: 22,
    quick: 60,
    before: 44,
    measures: 16,
  })
})

it('machines share counts beyond what they take at least, and measures, but not the reading', () => {
  expect(onMachines(rows, 'Spark', 4)).toEqual({
    counts: { size: 1e6, seconds: 4 + 8 / 4 },
    quick: { size: 1e6, seconds: 44 + 16 / 4 },
  })
  expect(onMachines(rows, 'DuckDB', 4)).toEqual({ counts: undefined, quick: undefined })
})

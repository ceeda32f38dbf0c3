import { expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { valueAt } from '../table/column.js'
import { columnOf, type Table, tableOf } from '../table/table.js'
import { independent, independentMarginals } from './independent.js'

const values = (of: Table, name: string) =>
  Array.from({ length: of.rows }, (_, row) => valueAt(columnOf(of, name), row))

const twins = tableOf('twins', {
  x: Array.from({ length: 4000 }, (_, row) => (row % 5 === 0 ? null : row % 2)),
  y: Array.from({ length: 4000 }, (_, row) => (row % 5 === 0 ? null : row % 2 === 0 ? 'even' : 'odd')),
})

it('keeps each marginal, missing values included', () => {
  const x = values(independentMarginals(twins, { seed: 1 }), 'x')
  expect(x.filter((value) => value === null).length / 4000).toBeCloseTo(0.2, 1)
  expect(x.filter((value) => value === 1).length / 4000).toBeCloseTo(0.4, 1)
  expect(new Set(x)).toEqual(new Set([null, 0, 1]))
})

it('destroys the relation between the columns', () => {
  const release = independentMarginals(twins, { seed: 1 })
  const [x, y] = [values(release, 'x'), values(release, 'y')]
  const complete = x.map((_, row) => row).filter((row) => x[row] !== null && y[row] !== null)
  const agreeing = complete.filter((row) => (x[row] === 1) === (y[row] === 'odd'))
  expect(agreeing.length / complete.length).toBeGreaterThan(0.46)
  expect(agreeing.length / complete.length).toBeLessThan(0.54)
})

it('draws as many records as asked for', () => {
  expect(independentMarginals(twins, { rows: 7, seed: 1 }).rows).toBe(7)
  expect(independentMarginals(twins, { seed: 1 }).rows).toBe(4000)
})

it('gives the same values for the same seed, whatever the order of the columns', () => {
  const turned = { ...twins, columns: [...twins.columns].reverse() }
  for (const name of ['x', 'y']) {
    expect(values(independentMarginals(turned, { seed: 5 }), name)).toEqual(
      values(independentMarginals(twins, { seed: 5 }), name),
    )
  }
  expect(values(independentMarginals(twins, { seed: 6 }), 'x')).not.toEqual(
    values(independentMarginals(twins, { seed: 5 }), 'x'),
  )
})

it('is a synthesizer like any other', () => {
  const fitted = independent.fit(twins)
  expect(fitted.sample(7, (purpose) => stream(5, `independent-marginals/${purpose}`))).toEqual(
    independentMarginals(twins, { rows: 7, seed: 5 }),
  )
  expect(fitted.describe()).toMatchObject({ variables: [{ variable: 'x' }, { variable: 'y' }] })
})

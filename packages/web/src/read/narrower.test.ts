import { expect, it } from 'vitest'
import { narrower } from './narrower.js'

it('takes width from the frame, or from each panel, but leaves enough to see', () => {
  expect(narrower({ width: 420, mark: 'bar' }, 100)).toEqual({ width: 320, mark: 'bar' })
  expect(narrower({ width: 420 }, 400)).toEqual({ width: 110 })
  expect(narrower({ vconcat: [{ width: 280 }, { height: 20 }] }, 80)).toEqual({
    vconcat: [{ width: 200 }, { height: 20 }],
  })
})

it('puts panels below each other, and leaves alone what has no width of its own', () => {
  expect(narrower({ facet: { field: 'file' }, columns: 3 }, 10)).toEqual({ facet: { field: 'file' }, columns: 1 })
  expect(narrower({ width: { step: 20 } }, 10)).toBeNull()
})

it('makes the squares of a matrix smaller, without numbers where these would not fit', () => {
  const squares = { mark: { type: 'rect' }, encoding: { x: { field: 'column', sort: ['a', 'b', 'c', 'd'] } } }
  const matrix = { width: { step: 36 }, height: { step: 36 }, layer: [squares, { mark: { type: 'text' } }] }
  expect(narrower(matrix, 16)).toEqual({ ...matrix, width: { step: 32 }, height: { step: 32 } })
  expect(narrower(matrix, 50)).toEqual({ width: { step: 23 }, height: { step: 23 }, layer: [squares] })
  expect(narrower(matrix, 1000)).toMatchObject({ width: { step: 12 } })
})

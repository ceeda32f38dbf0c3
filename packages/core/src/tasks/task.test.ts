import { describe, expect, it } from 'vitest'
import { cut, inline, type Task } from './task.js'

const square: Task<{ plus: number }, number, number> = { name: 'square', run: ({ plus }, item) => item * item + plus }

describe('inline', () => {
  it('runs items in order and tells how far it is', async () => {
    const seen: string[] = []
    const progress = (done: number, total: number) => seen.push(`${done}/${total}`)
    expect(await inline.map(square, { plus: 1 }, [3, 2], { progress })).toEqual([10, 5])
    expect(seen).toEqual(['1/2', '2/2'])
  })

  it('stops when cancelled', async () => {
    await expect(inline.map(square, { plus: 0 }, [1], { signal: { aborted: true } })).rejects.toThrow('cancelled')
  })
})

it('cuts work into runs that cover it', () => {
  expect(cut(10, 3)).toEqual([
    { from: 0, to: 3 },
    { from: 3, to: 6 },
    { from: 6, to: 10 },
  ])
  expect(cut(2, 5)).toHaveLength(2)
  expect(cut(0, 4)).toEqual([])
})

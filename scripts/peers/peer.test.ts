import { afterEach, expect, it, vi } from 'vitest'
import { hold } from './peer.mjs'

afterEach(() => {
  vi.restoreAllMocks()
  process.exitCode = 0
})

function heldTo(figures: object[], options: object) {
  const lines: string[] = []
  vi.spyOn(console, 'log').mockImplementation((line) => lines.push(line))
  hold(figures, { tolerance: 1e-6, floor: 1e-3, ...options })
  return { lines, isKept: process.exitCode !== 1 }
}

it('takes figures within the tolerance as equal, and no others', () => {
  expect(heldTo([{ name: 'a', ours: 1, theirs: 1 + 1e-9 }], {}).isKept).toBe(true)
  expect(heldTo([{ name: 'a', ours: 1, theirs: 1.1 }], {}).isKept).toBe(false)
})

it('shows what is meant to differ, with its reason', () => {
  const { lines, isKept } = heldTo([{ name: 'a', ours: 1, theirs: 2 }], { reasons: { a: 'no seed there' } })
  expect(lines[0]).toBe('differ a: 1 beside 2 (no seed there)')
  expect(isKept).toBe(true)
})

it('misses a figure that scrim does not give, unless only some are compared', () => {
  expect(heldTo([{ name: 'a', theirs: 2 }], {}).isKept).toBe(false)
  process.exitCode = 0
  expect(heldTo([{ name: 'a', theirs: 2 }], { isPartial: true }).isKept).toBe(true)
})

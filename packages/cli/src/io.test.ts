import { expect, it } from 'vitest'
import { showsColor } from './io.js'

it.each([
  [{}, true, true],
  [{}, false, false],
  [{ NO_COLOR: '1' }, true, false],
  [{ FORCE_COLOR: '1' }, false, true],
  [{ FORCE_COLOR: '0' }, true, false],
  [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
])('with %j, on a terminal %s: colours %s', (environment, isTerminal, expected) => {
  expect(showsColor(environment, isTerminal)).toBe(expected)
})

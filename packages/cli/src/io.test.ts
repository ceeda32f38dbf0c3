import { expect, it } from 'vitest'
import { showsColor, widthOf } from './io.js'

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

it.each([
  [60, {}, 60],
  [undefined, { COLUMNS: '60' }, 60],
  [132, { COLUMNS: '60' }, 132],
  [undefined, { COLUMNS: '-5' }, 40],
  [undefined, {}, 120],
])('on a terminal of %s columns and with %j lines have %i', (terminal, environment, expected) => {
  expect(widthOf(terminal, environment)).toBe(expected)
})

import { expect, it } from 'vitest'
import { tableOf } from '../../table/table.js'
import { ages, check, incomes, regions, sexes } from '../../testing/scenes/checked-people.js'

it('refuses a saturated model as the table that it is', () => {
  const terms = [
    { var: 'sex' },
    { var: 'region' },
    { var: 'old' },
    { interaction: ['sex', 'region'] },
    { interaction: ['sex', 'old'] },
    { interaction: ['region', 'old'] },
    { interaction: ['sex', 'region', 'old'] },
  ]
  const model = { id: 'm', kind: 'regression', family: 'linear', response: 'income', terms }
  const data = tableOf('people.csv', {
    sex: sexes,
    region: regions,
    income: incomes,
    old: ages.map((age) => (age >= 79 ? 'yes' : 'no')),
  })
  const found = check([model], {}, data)
  expect(found.verdict).toBe('refuse')
  expect(found.outputs[0].findings.find(({ rule }) => rule === 'saturated')?.sentence).toMatch(
    /a coefficient for every cell of sex x region x old, so it is that table; \d+ of its 12 cells are below 10 records/,
  )
  const main = check([{ ...model, terms: terms.slice(0, 2) }], {}, data)
  expect(main.verdict).toBe('release')
})

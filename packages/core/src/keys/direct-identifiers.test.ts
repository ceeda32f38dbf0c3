import { describe, expect, it } from 'vitest'
import { tableOf } from '../table/table.js'
import { describeReference, referenceTable } from '../testing/reference.js'
import { plantedIdentifiers, plantedTable } from '../testing/scenes/planted-identifiers.js'
import { isCardNumber, isIban, isImei, NATIONAL_IDS } from './checksums.js'
import { directIdentifiers } from './direct-identifiers.js'

it('finds every kind that was planted, and nothing else', async () => {
  const found = directIdentifiers(await plantedTable())
  expect(Object.fromEntries(found.map(({ column, kind }) => [column, kind]))).toEqual(plantedIdentifiers.kinds)
})

it('says on what it rests and what to do', () => {
  const people = Array.from({ length: 30 }, (_, k) => `p${k}@example.org`)
  expect(directIdentifiers(tableOf('t', { contact: people }))).toEqual([
    {
      column: 'contact',
      kind: 'email',
      reason: '100 % of its values look like e-mail addresses',
      advice: 'remove it',
    },
  ])
})

it('does not take different numbers of few people for identifiers', () => {
  const income = Array.from({ length: 40 }, (_, k) => 20_000 + 137 * k * k)
  expect(directIdentifiers(tableOf('t', { income, half: income.map((value) => value / 2) }))).toEqual([])
})

it('does not take the years of a series, degrees or a household for identifiers', () => {
  const rows = Array.from({ length: 60 }, (_, k) => k)
  const table = tableOf('t', {
    year: rows.map((k) => 1950 + k),
    position: rows.map((k) => -93.270123 - k / 1000),
    hh_id: rows.map((k) => Math.floor(k / 2)),
  })
  expect(directIdentifiers(table)).toEqual([])
})

it('has nothing to say about columns without values', () => {
  expect(directIdentifiers(tableOf('t', { email: [null, null], name: ['x', 'x'] }))).toEqual([])
})

describe('check digits', () => {
  it.each(['DE89 3704 0044 0532 0130 00', 'GB82WEST12345698765432', 'FR1420041010050500013M02606'])(
    'IBAN %s',
    (iban) => {
      expect(isIban(iban)).toBe(true)
      expect(isIban(iban.replace(/.$/, (last) => (last === '1' ? '2' : '1')))).toBe(false)
    },
  )

  it('cards and telephones', () => {
    expect(['4111 1111 1111 1111', '378282246310005', '5555555555554444'].every(isCardNumber)).toBe(true)
    expect(isCardNumber('4111111111111112')).toBe(false)
    expect([isImei('490154203237518'), isImei('490154203237519'), isImei('378282246310005')]).toEqual([
      true,
      false,
      false,
    ])
  })

  it.each([
    ['Spain', '12345678Z', '12345678A'],
    ['Poland', '44051401359', '44051401358'],
    ['France', '255081416802538', '255081416802539'],
    ['Belgium', '85.07.30-033.28', '85.07.30-033.29'],
    ['Switzerland', '756.9217.0769.85', '756.9217.0769.84'],
    ['Austria', '1237 010180', '1238 010180'],
    ['Sweden', '811228-9874', '811228-9875'],
    ['Finland', '131052-308T', '131052-308U'],
    ['Brazil', '529.982.247-25', '529.982.247-26'],
    ['the Netherlands', '111222333', '111222334'],
    ['the United Kingdom', 'AB 12 34 56 C', 'BG 12 34 56 C'],
    ['Italy', 'RSSMRA85T10A562S', 'RSSMRA85Z10A562S'],
    ['the United States', '078-05-1120', '666-05-1120'],
    ['Norway', '01010750160', '01010750161'],
  ])('%s', (country, right, wrong) => {
    expect([NATIONAL_IDS[country](right), NATIONAL_IDS[country](wrong)]).toEqual([true, false])
  })
})

describeReference('on public files', () => {
  it.each(['data/sd2011/sd2011.csv', 'data/adult/adults_train.csv', 'data/census2k/census2k-trn.csv'])(
    '%s raises no alarm',
    async (file) => {
      expect(directIdentifiers(await referenceTable(file))).toEqual([])
    },
  )
})

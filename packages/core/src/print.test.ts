import { expect, it } from 'vitest'
import {
  count,
  expected,
  fixed,
  grouped,
  inUnit,
  percent,
  precise,
  pText,
  sampleText,
  significant,
  timeLeftText,
} from './print.js'

it('shares are percent in print, and no 0 has a sign', () => {
  expect([percent(0.1234), percent(-0.0004), percent(-0.04, 0), percent(1, 0)]).toEqual([
    '12.3 %',
    '0.0 %',
    '-4 %',
    '100 %',
  ])
  expect([inUnit(0.5, 'share'), inUnit(-0.5, 'difference'), inUnit(0.5, 'AUC')]).toEqual(['50.0 %', '-50.0 %', '0.5'])
})

it('numbers have as many digits as they need', () => {
  expect([
    inUnit(1234.5, 'count'),
    inUnit(2.34567, 'bits'),
    inUnit(2.34567, 'score'),
    inUnit(12345.6, 'score'),
  ]).toEqual(['1,235', '2.3 bits', '2.35', '12,346'])
  expect([fixed(2, 2), grouped(1_234_567), significant(0.0012345), significant(1234, 2)]).toEqual([
    '2.00',
    '1,234,567',
    0.00123,
    1200,
  ])
})

it('counts have their noun, small expectations a tenth, samples one digit', () => {
  expect([count(1, 'record'), count(0, 'record'), count(2, 'person', 'people')]).toEqual([
    '1 record',
    '0 records',
    '2 people',
  ])
  expect([expected(0.24), expected(3), expected(1234.4)]).toEqual(['0.2', '3', '1,234'])
  expect([sampleText(0.124), sampleText(0.0012), sampleText(0)]).toEqual(['12 %', '0.1 %', '0 %'])
})

it('a p value below a thousandth says no more', () => {
  expect([pText(0.0009), pText(0.0123), pText(0.0123, 2)]).toEqual(['<0.001', '0.012', '0.01'])
})

it('keeps zeros among significant digits', () => {
  expect(precise(0.1, 3)).toBe('0.100')
  expect(precise(1234, 2)).toBe('1.2e+3')
})

it('says how long it will take, once enough was done to tell', () => {
  expect(timeLeftText(0.5, 2)).toBe('')
  expect(timeLeftText(0, 60)).toBe('')
  expect(timeLeftText(0.25, 10)).toBe('about 30 s left')
  expect(timeLeftText(0.1, 60)).toBe('about 9 min left')
})

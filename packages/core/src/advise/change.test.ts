import { describe, expect, it } from 'vitest'
import { type Change, planText, stepsOf, withChange } from './change.js'

const change = (method: string, slot: string, what: string, options: Change['options']): Change => ({
  method,
  slot,
  what,
  options,
  first: true,
})

const age = change('recode', 'recode age', 'age in 2 classes', { groups: { age: 'fixed:0|40|90' } })
const region = change('recode', 'recode region', 'region merged', { merge: { region: { other: ['a', 'b'] } } })
const noise = change('noise', 'noise', 'noise of 10 %', { variables: ['income'], noise: 10 })
const more = change('noise', 'noise', 'noise of 30 %', { variables: ['income'], noise: 30 })
const leaves = change('cart', 'minbucket', 'minbucket 50', { minbucket: 50 })
const smooth = change('cart', 'smoothing', 'smoothed', { smoothing: { income: 'density' } })

describe('a plan', () => {
  it('is one step per method: a synthesis first, then what moves values, then what coarsens them', () => {
    expect(stepsOf([age, noise, smooth, region, leaves])).toEqual([
      { command: 'synthesize', method: 'cart', options: { smoothing: { income: 'density' }, minbucket: 50 } },
      { command: 'anonymise', method: 'noise', options: { variables: ['income'], noise: 10 } },
      {
        command: 'anonymise',
        method: 'recode',
        options: { groups: { age: 'fixed:0|40|90' }, merge: { region: { other: ['a', 'b'] } } },
      },
    ])
  })

  it('has one dose of each cure', () => {
    expect(planText(withChange([noise, age], more))).toBe('age in 2 classes; noise of 30 %')
    expect(planText([])).toBe('as it is')
  })
})

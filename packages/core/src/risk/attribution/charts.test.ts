import { describe, expect, it } from 'vitest'
import { nonFinitePath } from '../../json.js'
import type { AnyMeasure } from '../../measure.js'
import { dcap } from '../../peers/risk/attribution/dcap.js'
import { disco } from '../../peers/risk/attribution/disco.js'
import { repu } from '../../peers/risk/attribution/repu.js'
import { tcap } from '../../peers/risk/attribution/tcap.js'
import { weap } from '../../peers/risk/attribution/weap.js'
import type { release } from '../../table/release.js'
import { example, keyAndTarget } from '../../testing/scenes/example.js'
import { keySweep } from './key-sweep.js'
import { tcapSynthetic } from './tcap-synthetic.js'

const family: readonly AnyMeasure[] = [dcap, tcap, weap, disco, repu, tcapSynthetic, keySweep]

async function chartsOf(measure: AnyMeasure, of: ReturnType<typeof release>, options: object = {}) {
  const { releases, original } = await measure.run(of, options)
  const [{ details, value, interval, name, sentence }] = releases
  if (details === null) throw new Error(sentence)
  const beside = original?.details ? { value: original.value, interval: null, details: original.details } : null
  return {
    sentence,
    charts: measure.charts({ value, interval, details }, { name, original: beside, targets: [] }),
  }
}

describe.each(family.map((measure) => [measure.id, measure] as const))('%s', (_, measure) => {
  it.each([
    ['the worked example', example()],
    ['a holdout', example({ holdout: true })],
    ['no overlap', keyAndTarget({ k: ['A'], t: ['1'] }, { k: ['B'], t: ['1'] })],
    ['one record', keyAndTarget({ k: ['A'], t: ['1'] }, { k: ['A'], t: ['1'] })],
  ])('draws and tells %s with finite numbers only', async (_name, of) => {
    const { charts, sentence } = await chartsOf(measure, of)
    expect(new Set(charts.map((chart) => chart.name)).size).toBe(charts.length)
    for (const { spec } of charts) expect(nonFinitePath(spec)).toBeUndefined()
    expect(sentence).not.toMatch(/NaN|undefined|null/)
  })
})

it.each([
  [dcap, { definition: 'riskutility' }],
  [tcap, { definition: 'riskutility', matching: 'gower' }],
  [weap, { definition: 'riskutility' }],
  [disco, { definition: 'riskutility-certain', matching: 'gower' }],
  [repu, { definition: 'riskutility' }],
] as const)('the other definition draws too', async (measure, options) => {
  const any: AnyMeasure = measure
  const { charts } = await chartsOf(any, example({ holdout: true }), options)
  for (const { spec } of charts) expect(nonFinitePath(spec)).toBeUndefined()
})

import { describe, expect, it } from 'vitest'
import { disco } from '../../peers/risk/attribution/disco.js'
import { repu } from '../../peers/risk/attribution/repu.js'
import { mean } from '../../stats/sums.js'
import { release } from '../../table/release.js'
import { reference, referenceTable } from '../../testing/reference.js'
import { synthesizeSets } from '../synthesizer.js'
import { cartSynthesizer } from './synthesizers.js'

const KEYS = ['sex', 'age', 'region', 'placesize']

/** What the paper's Table A.3 and the minbucket study of its authors have for five variables of SD2011. */
describe.skipIf(reference() === undefined)('SD2011: sex, age, region and place tell about depression', () => {
  const risks = async (minbucket: number) => {
    const all = await referenceTable('golden', 'sd2011', 'original.csv')
    const { sets } = await synthesizeSets(cartSynthesizer, all, {
      seed: 1,
      sets: 3,
      options: { minbucket, visitSequence: [...KEYS, 'depress'] },
    })
    const found = await Promise.all(
      sets.map(async (released) => {
        const of = release({ original: all, released, keys: KEYS, target: 'depress' })
        return [(await repu(of)).value ?? 0, (await disco(of)).value ?? 0]
      }),
    )
    return {
      repu: 100 * (mean(found.map(([value]) => value)) ?? 0),
      disco: 100 * (mean(found.map(([, value]) => value)) ?? 0),
    }
  }

  it.each([
    [1, 16.0, 32.0],
    [5, 14.1, 9.3],
    [20, 13.2, 6.0],
    [100, 12.8, 5.2],
    [200, 11.6, 4.7],
  ])('minbucket %d: repU near %d, DiSCO near %d', async (minbucket, repuNear, discoNear) => {
    const found = await risks(minbucket)
    expect(Math.abs(found.repu - repuNear)).toBeLessThan(1)
    expect(Math.abs(found.disco - discoNear)).toBeLessThan(1.2)
  })
})

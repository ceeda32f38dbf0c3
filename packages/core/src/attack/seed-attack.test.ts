import { expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { cellTable, ORIGINAL_CELLS } from '../study/buyer-beware-published.js'
import { cartSynthesizer } from '../synthesizers/cart.js'
import { synthesize } from '../synthesizers/synthesizer.js'
import { candidateSet } from './candidates.js'
import { codeRecords, variablesOf } from './records.js'
import { seedAttack } from './seed-attack.js'

it('a published seed tells which world it was', async () => {
  const original = cellTable('original', ORIGINAL_CELLS)
  const variables = variablesOf(['var1', 'var2', 'var3', 'var4'], [original])
  const source = { variables, original: codeRecords(variables, original), holdout: null, list: null }
  const candidates = candidateSet(source, 999, {}, stream(1, 'candidates'))
  const given = { variables, original, row: 999, candidates, synthesizer: cartSynthesizer }
  for (const seed of [1, 2, 3, 4]) {
    const released = await synthesize(cartSynthesizer, original, { seed })
    // Worlds that nobody drew the record in may coincide; most are excluded.
    const { reproducing } = await seedAttack({ ...given, released, seed })
    expect(reproducing).toContain(15)
    expect(reproducing.length).toBeLessThan(5)
    expect((await seedAttack({ ...given, released, seed: seed + 100 })).reproducing).toEqual([])
  }
})

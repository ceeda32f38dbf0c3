import { expect, it } from 'vitest'
import { stream } from '../random/stream.js'
import { cartSynthesizer } from '../synthesizers/sequential/synthesizers.js'
import { synthesize, synthesizeSets } from '../synthesizers/synthesizer.js'
import { cellTable, ORIGINAL_CELLS } from '../testing/scenes/unique-record.js'
import { attack } from './game.js'
import { codeRecords, variablesOf } from './generator/records.js'
import { seedAttack } from './seed-attack.js'
import { candidateSet } from './target/candidates.js'

it('a published seed tells which world it was', async () => {
  const original = cellTable('original', ORIGINAL_CELLS)
  const variables = variablesOf(['var1', 'var2', 'var3', 'var4'], [original])
  const source = { variables, original: codeRecords(variables, original), holdout: null, list: null }
  const candidates = candidateSet(source, 999, {}, stream(1, 'candidates'))
  const given = { variables, original, row: 999, candidates, synthesizer: cartSynthesizer }
  for (const seed of [1, 2, 3, 4]) {
    const released = await synthesize(cartSynthesizer, original, { seed })
    // Worlds that nobody drew the record in may coincide; most are excluded.
    const { reproducing } = await seedAttack({ ...given, released: [released], seed })
    expect(reproducing).toContain(15)
    expect(reproducing.length).toBeLessThan(5)
    expect((await seedAttack({ ...given, released: [released], seed: seed + 100 })).reproducing).toEqual([])
  }
})

it('is part of an attack, for a release of several sets, and asks for what it needs', async () => {
  const original = cellTable('original', ORIGINAL_CELLS)
  const { sets } = await synthesizeSets(cartSynthesizer, original, { seed: 5, sets: 2 })
  const given = { original, released: sets, record: 'last' as const }
  const found = await attack({ ...given, publishedSeed: 5 })
  expect(found.seedAttack?.reproducing).toEqual([15])
  expect((await attack({ ...given, publishedSeed: 6 })).seedAttack?.reproducing).toEqual([])
  expect((await attack(given)).seedAttack).toBeNull()
  await expect(attack({ original, record: 'last', publishedSeed: 5 })).rejects.toThrow('a release that is given')
  await expect(attack({ ...given, record: 'all', publishedSeed: 5 })).rejects.toThrow('about one record')
})

import { describe, expect, it } from 'vitest'
import { UserError } from '../../errors.js'
import { stream } from '../../random/stream.js'
import { release } from '../../table/release.js'
import { selectRows, tableOf } from '../../table/table.js'
import { people } from '../../testing/scenes/people.js'
import { editRules } from './edit-rules.js'
import { learntRules } from './learnt-rules.js'

const original = tableOf('original', {
  age: [10, 40, 50, 60, 12, 30, null, 70],
  marital: ['SINGLE', 'MARRIED', 'MARRIED', 'SINGLE', 'MARRIED', 'SINGLE', 'MARRIED', 'SINGLE'],
})
const released = tableOf('released', {
  age: [10, 12, 14, 60],
  marital: ['MARRIED', 'MARRIED', 'SINGLE', null],
})
const rules = { name: 'rules.txt', text: 'children: age < 15 => marital = "SINGLE"\nage <= 50' }

describe('edit rules', () => {
  it('are counted in both files', async () => {
    const { releases } = await editRules(release({ original, released, rules }), { resamples: 0 })
    const { details, value, sentence, controls } = releases[0]
    // Two married children and one of sixty; of the originals one child and two old people.
    expect(value).toBe(3 / 4)
    expect(details).toMatchObject({ broken: 3, records: 4, originalBroken: 3, originalRecords: 8 })
    const [first] = details?.rules ?? []
    expect(first).toMatchObject({
      rule: 'children',
      original: { broken: 1, applies: 2, unknown: 1, share: 1 / 8 },
      release: { broken: 2, applies: 3, unknown: 0, share: 1 / 2 },
    })
    expect(controls?.honest?.value).toBe(3 / 8)
    expect(sentence).toBe('3 released records (75.0 %) break at least one of 2 rules; 3 originals (37.5 %) do')
  })

  it('are asked for, and their mistakes told before the run', async () => {
    const bare = await editRules(release({ original, released }))
    expect(bare).toMatchObject({
      status: 'not applicable',
      reason: { code: 'needs', needs: ['rules'] },
    })
    expect(() => release({ original, released, rules: { name: 'r', text: 'height > 3' } })).toThrow(UserError)
  })

  it('do not ask about columns that the release lacks', () => {
    const part = tableOf('part', { age: [1, 2] })
    expect(() => release({ original, released: part, rules })).toThrow('rules.txt, line 1: unknown column "marital"')
  })
})

describe('learnt rules', () => {
  const rows = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, k) => from + k)
  const everybody = people(800, stream(4, 'people'))
  const sample = selectRows(everybody, rows(0, 400))

  it('are broken by honest people as often as folds of the original say', async () => {
    const fresh = selectRows(everybody, rows(400, 800))
    const { releases } = await learntRules(release({ original: sample, released: fresh }), { resamples: 0 })
    expect(releases[0].utility?.test?.p).toBeGreaterThan(0.05)
    expect(releases[0].value).toBeLessThan(0.2)
  })

  it('are broken by impossible people', async () => {
    const mixed = selectRows(everybody, rows(400, 800))
    const odd = {
      ...mixed,
      columns: mixed.columns.map((column) =>
        column.name === 'income' && column.kind === 'numeric'
          ? { ...column, values: column.values.map((value, row) => (row % 2 === 0 ? -value : value)) }
          : column,
      ),
    }
    const { releases } = await learntRules(release({ original: sample, released: odd }), { resamples: 0 })
    expect(releases[0].value).toBeGreaterThan(0.45)
    expect(releases[0].utility?.test?.p).toBeLessThan(1e-6)
    expect(releases[0].details?.brokenRules[0].rule).toMatch(/^income >= /)
  })
})

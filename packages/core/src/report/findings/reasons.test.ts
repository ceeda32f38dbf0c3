import { describe, expect, it } from 'vitest'
import { NEEDS, type Reason, reasonSchema } from '../../reason.js'
import { byReason, jsonText, NEED_TEXT, reasonText, settlingText } from './reasons.js'

const REASONS: readonly (readonly [Reason, string])[] = [
  [{ code: 'needs', needs: ['keys', 'target'] }, 'needs key variables and a target'],
  [{ code: 'no-outsiders' }, 'there is no holdout to compare with'],
  [
    { code: 'used-holdout', nearer: 0.912, expected: 0.5 },
    'the holdout seems to have been used for the release: 91 % of its records are nearer to a released record than to each other, 50 % would be by chance; comparisons with it prove nothing',
  ],
  [
    { code: 'nothing-matches', role: 'key', column: 'sex', original: 'o', released: 'r' },
    'the key "sex" has no value in common in o and r, so that no record can match',
  ],
  [
    { code: 'incomplete', file: 'o', complete: 10, records: 40 },
    'only 10 of 40 records of o are complete (25.0 %); below half of them nothing is said',
  ],
  [{ code: 'no-fair-control' }, 'there is no fair control'],
  [{ code: 'unknown-ceiling' }, 'what the original itself would give is not known'],
  [
    { code: 'no-scale' },
    'on these data even the original itself could not be told apart from what other people give away',
  ],
  [{ code: 'no-length' }, 'on these data the two ends of its scale coincide'],
  [{ code: 'too-few' }, 'there are too few records: even the original itself would not be detected'],
  [
    { code: 'nothing-to-tell', atMost: 0.031 },
    'even the original itself would tell no more than 3.1 % of people apart',
  ],
  [{ code: 'nothing-compared' }, 'nothing could be compared'],
  [
    { code: 'unexplained-columns', file: 'release.csv', columns: ['remark'] },
    'what remark of release.csv holds cannot be tested: texts that nothing in the original explains',
  ],
  [
    { code: 'columns-left-out', columns: ['age', 'income'] },
    'most columns were left out, since their types do not fit: age, income',
  ],
  [
    { code: 'sample', records: 1e5, of: 1e7 },
    'only 100,000 of 10,000,000 records were looked at, and a copy is found only where both it and its person are among them',
  ],
  [{ code: 'not-run', measure: 'attribution' }, 'attribution was not run'],
  [{ code: 'not-asked' }, 'nobody asked for it'],
  [{ code: 'no-decider' }, 'no measure decides it'],
  [{ code: 'failed', message: 'out of memory' }, 'out of memory'],
  [{ code: 'data', text: 'the target is constant' }, 'the target is constant'],
]

describe('a reason', () => {
  it.each(REASONS)('%j has words', (reason, text) => {
    expect(reasonText(reason)).toBe(text)
  })

  it('has words for every code', () => {
    const codes = reasonSchema.options.map(({ shape }) => shape.code.value)
    expect(REASONS.map(([{ code }]) => code)).toEqual(codes)
    expect(Object.keys(NEED_TEXT)).toEqual([...NEEDS])
  })

  it.each(REASONS)('%j is written with its words, and read again', (reason, text) => {
    const { reason: read } = JSON.parse(jsonText({ reason }))
    expect(reasonSchema.parse(read)).toEqual({ ...reason, text })
  })

  it('gets its words from its code, whatever a file says', () => {
    expect(reasonText({ code: 'too-few', text: 'all is well' })).toBe(
      'there are too few records: even the original itself would not be detected',
    )
  })
})

it('only reasons get words', () => {
  const plain = { reason: 'agreed', code: 'x', other: { code: 'needs', needs: [] } }
  expect(JSON.parse(jsonText(plain))).toEqual(plain)
})

it('what would settle a question has words', () => {
  expect(settlingText({ code: 'outsiders', people: 1200 })).toBe('about 1,200 people outside the release')
  expect(settlingText({ code: 'records', records: 1 })).toBe('about 1 record')
  expect(settlingText({ code: 'explain-columns', file: 'release.csv', columns: ['remark'] })).toBe(
    'leave remark out of the release, or say that the texts are made up: answer release.csv:remark=different',
  )
  expect(JSON.parse(jsonText({ settles: { code: 'holdout' } })).settles.text).toMatch(/^a holdout: people/)
})

it('what has the same reason stands together', () => {
  const [keys, few]: Reason[] = [{ code: 'needs', needs: ['keys'] }, { code: 'too-few' }]
  const items = [
    { id: 'a', reason: keys },
    { id: 'b', reason: few },
    { id: 'c', reason: { ...keys } },
  ]
  const grouped = byReason(items, ({ reason }) => reason)
  expect(grouped.map((group) => group.items.map(({ id }) => id))).toEqual([['a', 'c'], ['b']])
  expect(grouped[0].reason).toBe('needs key variables')
})

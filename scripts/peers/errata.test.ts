import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Case, type Cell, disclosure, individualRisk, openCase, tableOf } from '@scrim/core'
import { expect, it } from 'vitest'

/** The right numbers of docs/errata.md that no script of peers counts again, by hand and by scrim. */
const page = readFileSync(join(import.meta.dirname, '../../docs/errata.md'), 'utf8')
const line = (beginning: string) => page.split('\n').find((one) => one.includes(beginning)) ?? ''

function releaseOf(
  original: Record<string, readonly Cell[]>,
  released: Record<string, readonly Cell[]>,
  roles: Partial<Case>,
) {
  const tables = { original: tableOf('original', original), released: tableOf('released', released) }
  return openCase({ type: 'synthetic', ...roles }, tables).release
}

const KEYS = ['a', 'b', 'c', 'd', 'e', 'f']

it('DiSCO of a numeric target: five of six people are shown with their target', async () => {
  const release = releaseOf(
    { k: KEYS, t: [1, 2, 3, 10, 11, 12] },
    { k: KEYS, t: [1, 2, 3, 10, 11, 11] },
    { keys: ['k'], target: ['t'] },
  )
  expect((await disclosure(release)).value).toBeCloseTo(5 / 6, 12)
  expect(line('the same by hand: six keys')).toContain('| 16.67 | 83.33 |')
})

it('DiSCO of a numeric key: all five are released as they are', async () => {
  const t = ['p', 'q', 'p', 'q', 'p']
  const release = releaseOf(
    { k: [1, 2, 3, 10, 11], t },
    { k: [1, 2, 3, 10, 11, 12], t: [...t, 'q'] },
    { keys: ['k'], target: ['t'] },
  )
  expect((await disclosure(release)).value).toBe(1)
  expect(line('a numeric key 1, 2, 3, 10, 11')).toContain('| 60 | 100 |')
})

it('a unique key that is not released is not in the release', async () => {
  const t = ['p', 'q', 'p']
  const release = releaseOf({ k: ['a', 'b', 'b'], t }, { k: ['b', 'b', 'b'], t }, { keys: ['k'], target: ['t'] })
  const { details } = (await disclosure(release)).releases[0]
  expect(details?.identity.UiOiS).toBe(0)
  expect(line('identity of one key')).toContain('| 33.33 | 0 |')
})

it.each([
  [40, 100, '0.010151'],
  [200, 250, '0.004004'],
])(
  'individual risk of %i in the sample and %i in the population is the series of the negative binomial',
  async (f, F, printed) => {
    const p = f / F
    let probability = p ** f
    let risk = 0
    for (let j = f; j < 40 * f; j++) {
      risk += probability / j
      probability *= (j / (j - f + 1)) * (1 - p)
    }
    const file = { k: new Array<string>(f).fill('a'), w: new Array<number>(f).fill(F / f) }
    const found = await individualRisk(releaseOf(file, file, { keys: ['k'], weight: 'w' }))
    expect(found.original?.value).toBeCloseTo(risk, 12)
    expect(risk.toFixed(6)).toBe(printed)
    expect(page).toContain(`| ${printed} |`)
  },
)

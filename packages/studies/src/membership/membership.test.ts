import { type Synthesizer, selectRows, type Table, z } from '@scrim/core'
import { expect, it } from 'vitest'
import { demoPeople } from '../demo.js'
import { ATTACKED, membershipDesign } from './design.js'
import { studyMembership } from './membership.js'
import type { PlayedSetting } from './play.js'

const tiny = membershipDesign({
  seed: 1,
  quick: true,
  n: 40,
  releases: 1,
  people: 1,
  shadows: 10,
  tests: 10,
  queries: 10,
  trees: 5,
  bootstrap: 10,
})
const data = [{ name: 'demo', people: demoPeople(60, 1).original }]

const copies: Synthesizer = {
  id: 'copies',
  title: 'The original itself',
  options: z.object({}),
  fit: (original: Table) => ({
    sample: (rows) =>
      selectRows(
        original,
        Array.from({ length: rows }, (_, k) => k % original.rows),
      ),
    describe: () => ({}),
  }),
}

it('plays both games on every generator, a copy of the original among them, and can go on', async () => {
  const played: PlayedSetting[] = []
  const found = await studyMembership(tiny, data, [{ name: 'copies', synthesizer: copies }], {
    played: (setting) => played.push(setting),
  })
  expect(played).toHaveLength(2 * (ATTACKED.length + 1))
  const figure = (name: string) => {
    const one = found.figures.find((table) => table.name === name)
    if (one === undefined) throw new Error(`no table ${name}`)
    return one.rows
  }
  expect(found.figures.map(({ name }) => name)).toEqual([
    'summary',
    'release-game',
    'leave-one-out-game',
    'differences',
    'epsilon',
    'times',
  ])
  expect(figure('leave-one-out-game')).toHaveLength(2 * 10 * (ATTACKED.length + 1))
  expect(figure('release-game')).toHaveLength((2 * 7 + 1) * (ATTACKED.length + 1))
  expect(new Set(figure('epsilon').map((row) => row[3]))).toEqual(new Set([10, 1, 0.1]))

  // Whoever is the most isolated is released as they are, or not at all: everything that looks at distances is sure.
  const ofCopies = figure('leave-one-out-game').filter((row) => row[1] === 'copies' && row[2] === 'most isolated')
  const aucs = Object.fromEntries(ofCopies.map((row) => [row[3], row[4]]))
  expect(aucs).toMatchObject({ 'shared information': 1, memorisation: 1, 'nearest record': 1, 'DOMIAS, neighbours': 1 })

  // What was played is not played again, and gives the same tables.
  const again = await studyMembership(tiny, data, [{ name: 'copies', synthesizer: copies }], {
    before: played.slice(1),
    played: (setting) => expect([setting.generator, setting.game]).toEqual([played[0].generator, played[0].game]),
  })
  const withoutTimes = (figures: typeof found.figures) => figures.filter(({ name }) => name !== 'times')
  expect(withoutTimes(again.figures)).toEqual(withoutTimes(found.figures))
})

it('says which settings could not be played, and plays no shadow models where none are asked for', async () => {
  const design = membershipDesign({ ...tiny, shadows: 0 })
  const small = [{ name: 'small', people: selectRows(data[0].people, [0, 1, 2]) }]
  const found = await studyMembership(design, small)
  const failed = found.figures.find(({ name }) => name === 'not-played')?.rows ?? []
  expect(failed).toHaveLength(ATTACKED.length)
  expect(failed[0].slice(2)).toEqual(['release', `${small[0].people.name} has 3 records, and the study needs 40`])
})

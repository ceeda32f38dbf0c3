import { describe, expect, it } from 'vitest'
import { byLevel } from './assess/judge.js'
import { assessCase } from './assess/run.js'
import { throughViews } from './assess/through-views.js'
import { openCase } from './case/open-case.js'
import { PROTECTIONS, type Protection, TRICKS, type Trick } from './evidence/tricks.js'
import type { AnyMeasure, ReleaseFinding } from './measure.js'
import { measures } from './measures.js'
import { type Stream, stream } from './random/stream.js'
import { cartSynthesizer } from './synthesizers/sequential/synthesizers.js'
import { synthesize } from './synthesizers/synthesizer.js'
import { categorical, numeric, stackColumns } from './table/column.js'
import { release } from './table/release.js'
import { selectRows, type Table, table } from './table/table.js'
import { protections, type Scene, tricks } from './testing/scenes/tricks.js'

/**
 * Releases made to fool the measures: no trick may make a release that leaks look better, and no protection make it look
 * worse. Every measure that gives evidence goes through it, those that decide through the views of `assess`; one that can be fooled
 * says so in its declaration.
 */
const REGIONS = ['north', 'south', 'west', 'east', 'centre', 'coast']

function people(name: string, rows: number, random: Stream): Table {
  const draw = <T>(make: () => T) => Array.from({ length: rows }, make)
  const age = draw(() => 20 + 5 * random.below(12))
  return table(name, [
    categorical(
      'sex',
      draw(() => 'fm'[random.below(2)]),
      { levels: ['f', 'm'] },
    ),
    numeric('age', age),
    categorical(
      'region',
      draw(() => (random.below(12) === 0 ? null : REGIONS[random.below(6)])),
      { levels: REGIONS },
    ),
    numeric(
      'income',
      age.map((years) => Math.round((20 + years) * (50 + 100 * random.uniform()))),
    ),
    categorical(
      'ill',
      age.map((years) => (random.below(100) < years ? 'yes' : 'no')),
      { levels: ['no', 'yes'] },
    ),
  ])
}

const PEOPLE = 120
const original = people('original', PEOPLE, stream(3, 'original'))
const fresh = people('fresh', PEOPLE, stream(3, 'fresh'))
const first = (of: Table, rows: number) =>
  selectRows(
    of,
    Int32Array.from({ length: rows }, (_, row) => row),
  )
const copied = first(original, 72)
const scene: Scene = {
  original,
  released: table(
    'released',
    copied.columns.map((column, k) => stackColumns([column, first(fresh, PEOPLE - 72).columns[k]])),
  ),
  holdout: people('holdout', PEOPLE, stream(3, 'holdout')),
  keys: ['sex', 'age', 'region'],
  target: 'ill',
}

interface Strength {
  readonly at: number
  readonly se: number
}

/** How much a measure sees, in whichever of its looks sees most: leakage where it can be told, else the effect. */
function strength(finding: ReleaseFinding): Strength | null {
  const { leakage, effect, notAssessed, value, looks = [], views = [] } = finding
  const headline = notAssessed === undefined && effect !== undefined ? [{ leakage, effect }] : []
  const seen = value === null ? [] : [...headline, ...looks]
  const undone = views.flatMap((one) => strength(one.finding) ?? [])
  return [...seen.map(sizeOf), ...undone].toSorted((a, b) => b.at - a.at)[0] ?? null
}

function sizeOf({ leakage, effect }: Pick<Required<ReleaseFinding>, 'leakage' | 'effect'>): Strength {
  return leakage === null ? { at: effect.value, se: effect.se ?? 0 } : { at: leakage.value, se: leakage.se ?? 0 }
}

const evidence = measures.filter(
  ({ role, scope, about, profile }) =>
    (role === 'decides' || role === 'supports') && scope === 'pair' && about !== 'generator' && profile !== 'full',
)
const find = async (measure: AnyMeasure, of: Scene) => {
  const paired = measure.needs.includes('paired rows')
  const built = release({ ...of, ...(paired ? { type: 'perturbed' } : {}) })
  const { releases } = await throughViews(await measure.run(built), measure, built, {}, {})
  return releases[0] === undefined ? null : strength(releases[0])
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}

/** Invariances of what a file says; the others change the release itself. */
const SAME: readonly Trick[] = ['shuffle rows', 'shuffle columns', 'rename levels', 'reflect numbers', 'add a constant']
const STANDARD_ERRORS = 2

describe.each(evidence.map((one) => [one.id, one] as const))('%s', (_, measure) => {
  const asItIs = once(() => find(measure, scene))

  it.each(Object.keys(TRICKS) as Trick[])('stands up to: %s, or says why not', async (trick) => {
    const before = await asItIs()
    if (before === null) return
    const after = await find(measure, tricks[trick](scene))
    const slack = measure.stochastic ? STANDARD_ERRORS * before.se + 0.02 : SAME.includes(trick) ? 1e-9 : before.se
    const lower = after === null || after.at < before.at - slack
    const higher = SAME.includes(trick) && after !== null && after.at > before.at + slack
    const found = after === null ? 'says nothing any more' : `${before.at.toFixed(4)} becomes ${after.at.toFixed(4)}`
    expect((lower || higher) === (measure.fooledBy?.[trick] !== undefined), found).toBe(true)
  })

  it.each(Object.keys(PROTECTIONS) as Protection[])('is not alarmed by: %s', async (protection) => {
    const before = await asItIs()
    const after = await find(measure, protections[protection](scene))
    if (before === null || after === null) return
    expect(after.at, `${before.at.toFixed(4)} becomes ${after.at.toFixed(4)}`).toBeLessThanOrEqual(
      before.at + STANDARD_ERRORS * before.se + 1e-9,
    )
  })
})

describe('names of levels', () => {
  const few = { rf: { trees: 20 } }
  const forests: readonly [string, object][] = [
    ['rapid', { hyper: few, bootstrap: 0, permutations: 0 }],
    ['rapid-importance', { hyper: few }],
    ['rapid-threshold', { hyper: few }],
    ['rf-proximity', { trees: 20 }],
    ['mia', { trees: 20 }],
  ]
  it.each(forests)('change not a bit of what the forest of %s finds', async (id, options) => {
    const measure = measures.find((one) => one.id === id)
    const value = async (of: Scene) => (await measure?.run(release(of), options))?.releases[0]?.value
    const before = await value(scene)
    expect(before).toEqual(expect.any(Number))
    expect(await value(tricks['rename levels'](scene))).toBe(before)
  })
})

describe('the answer', () => {
  const answer = async (of: Omit<Scene, 'holdout'> & Partial<Scene>) => {
    const { original, released, holdout, keys, target } = of
    const opened = openCase(
      { keys: [...keys], target, profile: 'quick', matchLevels: true },
      { original, released, holdout },
    )
    return (await assessCase(opened)).assessment.releases[0].verdict
  }
  const asItIs = once(() => answer(scene))

  it.each(Object.keys(TRICKS) as Trick[])('does not get better by: %s', async (trick) => {
    const [before, after] = [await asItIs(), await answer(tricks[trick](scene))]
    expect(before.level).toBe('HIGH')
    expect(byLevel(after, before), `${before.level} becomes ${after.level}`).toBeLessThanOrEqual(0)
  })

  it('does not get better when the levels of the release alone are written in capitals', async () => {
    const released = table(
      'released',
      scene.released.columns.map((column) =>
        column.kind === 'categorical'
          ? { ...column, levels: column.levels.map((level) => level.toUpperCase()) }
          : column,
      ),
    )
    expect((await answer({ ...scene, released })).level).toBe('HIGH')
  })

  it('of a synthesis by trees does not get better by any of them without people outside either', async () => {
    const grown = people('original', 300, stream(5, 'original'))
    const released = await synthesize(cartSynthesizer, grown, { seed: 5, options: { minbucket: 1 } })
    for (const [trick, played] of Object.entries(tricks)) {
      const { holdout: _, ...alone } = played({ ...scene, original: grown, released, holdout: grown })
      expect([trick, (await answer(alone)).level]).toEqual([trick, 'HIGH'])
    }
  })
})

import { describe, expect, it } from 'vitest'
import type { CaseInput } from '../case/case.js'
import { openCase } from '../case/open-case.js'
import { withCounts } from '../case/with-counts.js'
import type { Result } from '../measure.js'
import { measures } from '../measures.js'
import { singlingOut } from '../peers/risk/article29/singling-out.js'
import { stream } from '../random/stream.js'
import { storedInMemory } from '../stored/stored-table.js'
import { columnOf, selectRows, type Table, table, tableOf } from '../table/table.js'
import { assess } from './assess.js'
import { conclude } from './assessment.js'
import { withScans } from './with-scans.js'

/** Levels, whole numbers with ties, decimals, dates, missing values, and people of whom some are equal. */
function people(name: string, rows: number, seed: number): Table {
  const random = stream(seed, 'people')
  const each = Array.from({ length: rows }, () => [2, 40, 9, 11, 1000].map((values) => random.below(values)))
  const { columns } = tableOf(name, {
    sex: each.map(([sex]) => (sex === 0 ? 'männlich' : 'weiblich')),
    age: each.map(([, age, , isMissing]) => (isMissing === 0 ? null : 20 + age)),
    region: each.map(([, , region]) => (region === 8 ? null : `${name[0]}${region}`.slice(region < 7 ? 1 : 0))),
    income: each.map(([, age, , , more]) => age * 100 + (more < 500 ? 0 : more / 7)),
  })
  const values = Float64Array.from(each, ([, age, , day]) => -365 * age - day)
  return table(name, [...columns, { kind: 'date', name: 'born', unit: 'day', values }])
}

const original = people('original', 900, 1)
const holdout = people('holdout', 300, 3)
const others = people('released', 1200, 2)
const everybody = Int32Array.from({ length: 900 }, (_, row) => row)
/** Every third person of the original, some of them often. */
const repeated = {
  ...selectRows(
    original,
    Int32Array.from({ length: 2000 }, (_, row) => (row * row * 3) % 900),
  ),
  name: 'released',
}
const SAID: CaseInput = { type: 'synthetic', matchLevels: false, options: { 'singling-out': { sample: 200 } } }
const OPTIONS = { sample: 200 }

async function scanned(ours: Table, theirs: Table, outside: Table | undefined, said: CaseInput, most = 1e6) {
  const sampled = async (data: Table) => {
    const stored = storedInMemory(data)
    return { stored, table: await stored.sample(150, 1) }
  }
  const tables = {
    original: await sampled(ours),
    released: [await sampled(theirs)],
    holdout: outside && (await sampled(outside)),
  }
  const files = { original: tables.original.table, released: tables.released[0].table, holdout: tables.holdout?.table }
  const opened = openCase(said, files)
  return (await withScans(await withCounts(opened, tables, 1000), tables, ['singling-out'], most)).release
}

describe('predicates put to all records of tables that were sampled', () => {
  it.each([
    ['other people', others],
    ['people repeated', repeated],
    ['the original', { ...selectRows(original, everybody), name: 'released' }],
  ])('find what they find in memory, in %s', async (_, released) => {
    const release = await scanned(original, released, holdout, SAID)
    expect(release.notes[0].internal).toContain('predicates were put to all 900 original and')
    const [inMemory] = (await singlingOut(openCase(SAID, { original, released, holdout }).release, OPTIONS)).releases
    const [found] = (await singlingOut(release, OPTIONS)).releases
    const withoutPeople = { people: 0, drivers: [], shareOfPeople: null }
    const comparable = ({ looks, ...finding }: typeof found) => ({
      ...finding,
      ...withoutPeople,
      looks: looks?.map((look) => ({ ...look, ...withoutPeople })),
    })
    expect(found.status).toBe('ok')
    expect(found).not.toHaveProperty('sample')
    expect(found.details?.attacks.map(({ mode }) => mode)).toEqual(['multivariate', 'univariate'])
    expect(comparable(found)).toEqual(comparable(inMemory))
  })

  it.each([
    ['without a holdout', undefined, {}, 1e6, 'without a holdout nothing rests on it'],
    ['of few records', holdout, { sample: 5000 }, 1e6, 'files of so few records are drawn from in an order of all'],
    ['by another definition', holdout, { definition: 'anonymeter' }, 1e6, 'asked for with options that no scan has'],
    ['where more records are drawn than fit', holdout, { sample: 200 }, 100, 'more than 100 records'],
  ])('are put to the sample alone %s, with a note', async (_, outside, options, most, why) => {
    const said = { ...SAID, options: { 'singling-out': options } }
    const { notes } = await scanned(original, others, outside, said, most)
    expect(notes[0].internal).toContain(why)
    expect(notes[0].internal).toContain('only the sample is looked at')
  })

  it.each([
    ['of all records can be LOW', 1e6, 'LOW'],
    ['of the sample is never LOW', 10, 'INCONCLUSIVE'],
  ])('have a threat: what they find %s', async (_, most, level) => {
    const large = [people('original', 6000, 4), people('released', 6000, 5), people('holdout', 3000, 6)] as const
    const said = { ...SAID, options: { 'singling-out': { sample: 5000 } } }
    const release = await scanned(...large, said, most)
    const results: Result[] = []
    for await (const result of assess(release, { measures: ['singling-out'], options: said.options }))
      results.push(result)
    const [{ threats }] = conclude(release, results, measures).releases
    expect(threats.find(({ threat }) => threat === 'singling-out')?.level).toBe(level)
  })
})

describe('predicates made from drawn records', () => {
  const findingOf = async (released: Table, first = original) =>
    (await singlingOut(openCase(SAID, { original: first, released, holdout }).release, OPTIONS)).releases[0]

  it('are the same however records are ordered, and however often they are repeated', async () => {
    const backwards = (data: Table) => ({ ...selectRows(data, everybody.toReversed()), name: data.name })
    const rows = selectRows(others, everybody)
    const first = await findingOf(rows)
    const { columns } = first.details?.attacks[0] ?? { columns: [] }
    expect(columns.map(({ predicates }) => predicates)).not.toContain(0)
    const again = await findingOf(backwards(rows), backwards(original))
    const twice = await findingOf(selectRows(others, Int32Array.from([...everybody, ...everybody])))
    const told = ({ value, details }: typeof first) => [
      value,
      details?.attacks.map(({ main, control, naive, matches }) => [main.successes, control?.successes, naive, matches]),
    ]
    expect(told(again)).toEqual(told(first))
    expect(told(twice)).toEqual(told(first))
  })

  it('hold for one record alone among all: of a copy they single out everybody they find', async () => {
    const { details, value, leakage, warnings } = await findingOf({
      ...selectRows(original, everybody),
      name: 'released',
    })
    expect(value).toBe(1)
    expect(leakage?.value).toBeCloseTo(1, 12)
    expect(details?.records).toEqual({ original: 900, holdout: 300, released: 200 })
    expect(details?.leftOut).toEqual({ original: 0, holdout: 0, released: 700 })
    expect(warnings).toContain('predicates were made from a sample of 200 released records')
  })

  it('single out as many as those made from all, but for chance', async () => {
    const ofAll = (await singlingOut(openCase(SAID, { original, released: repeated, holdout }).release)).releases[0]
    const ofSome = await findingOf(repeated)
    expect(ofSome.effect?.value).toBeGreaterThan(ofAll.effect?.lower ?? 1)
    expect(ofSome.effect?.value).toBeLessThan(ofAll.effect?.upper ?? 0)
    expect(columnOf(repeated, 'born').kind).toBe('date')
  })
})

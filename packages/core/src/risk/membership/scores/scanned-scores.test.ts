import { describe, expect, it } from 'vitest'
import { assess } from '../../../assess/assess.js'
import { conclude } from '../../../assess/assessment.js'
import type { CaseInput } from '../../../case/case.js'
import { openCase } from '../../../case/open-case.js'
import type { AnyMeasure, Result } from '../../../measure.js'
import { measures } from '../../../measures.js'
import { stream } from '../../../random/stream.js'
import { repeats } from '../../../testing/long.js'
import { comparable, type Files, people, repeated, sampledCase } from '../../../testing/sampled-case.js'
import { membershipAudit } from '../membership-audit.js'
import { valueReuse } from '../value-reuse.js'

const IDS = ['membership-audit', 'value-reuse']
const QUICK = { attacks: ['shared values', 'closeness', 'log-ratio'], permutations: 199 } as const
const SAID: CaseInput = { type: 'synthetic', matchLevels: false, options: { 'membership-audit': QUICK } }

const original = people('original', 900, 1)
const holdout = people('holdout', 500, 3)
const others = people('released', 700, 2)
const inParts = (rows: number) => [rows >> 3, rows >> 1, (rows >> 1) + 1, rows]

interface Asked {
  readonly options?: object
  readonly ends?: (rows: number) => readonly number[]
  readonly of?: readonly AnyMeasure[]
  readonly more?: CaseInput
}

async function agrees(
  files: Files,
  { options = QUICK, ends = inParts, of = [membershipAudit, valueReuse], more = {} }: Asked = {},
) {
  const said = { ...SAID, ...more, options: { 'membership-audit': { ...options } } }
  const { release } = await sampledCase(said, files, IDS, { ends })
  const whole = openCase(said, files).release
  for (const measure of of) {
    const chosen = measure.id === 'membership-audit' ? options : {}
    const found = await measure.run(release, chosen)
    expect(found.releases[0]).toMatchObject({ status: 'ok' })
    expect(found.releases[0]).not.toHaveProperty('sample')
    expect(comparable(found)).toEqual(comparable(await measure.run(whole, chosen)))
  }
}

describe('membership of samples', () => {
  it.each([
    ['other people', others],
    ['records that are repeated', repeated(others, 900, 3)],
    ['all of the original', original],
  ])('is that of all records to the last bit where the release is %s', async (_, released) => {
    await agrees({ original, holdout, released: [released] })
  })

  it.each([
    ['of several releases, and some people', { ...QUICK, sample: 100 }],
    ['by coarse columns, in which many are equal', { ...QUICK, variables: ['sex', 'region', 'country'] }],
    ['by one column', { ...QUICK, variables: ['late'] }],
    ['by distance alone', { ...QUICK, attacks: ['closeness'] }],
  ])('is so %s', async (_, options) => {
    await agrees({ original, holdout: repeated(holdout, 600, 2), released: [others, original] }, { options })
  })

  it.each(Array.from({ length: repeats(6, 40) }, (_, seed) => seed))(
    'is so of any files and columns (%i)',
    async (seed) => {
      const random = stream(seed, 'files')
      const file = (name: string, fewest: number) => {
        const data = people(name, fewest + random.below(300), random.below(1000))
        return random.below(2) === 0 ? data : repeated(data, data.rows + random.below(data.rows), 1)
      }
      const files = { original: file('original', 40), holdout: file('holdout', 2), released: [file('released', 1)] }
      const variables = files.original.columns.map(({ name }) => name).filter(() => random.below(2) === 0)
      const options = { ...QUICK, sample: 100 + random.below(200), ...(variables.length === 0 ? {} : { variables }) }
      await agrees(files, { options, ends: (rows) => [random.below(rows + 1), rows, rows], of: [membershipAudit] })
    },
  )

  it('is so of records that have weights', async () => {
    await agrees({ original, holdout, released: [others] }, { more: { weight: 'height' } })
  })

  it('is so of files that are large, unless told what to try', async () => {
    const files = { original: people('original', 4500, 1), holdout: people('holdout', 2500, 3), released: [others] }
    await agrees(files, { options: {}, ends: (rows) => [rows >> 1, rows] })
  })

  it.each([
    ['a sample of other people', others, {}, 'LOW'],
    ['the original', original, {}, 'HIGH'],
    ['a sample of other people, looked at in part', others, { most: 10 }, 'INCONCLUSIVE'],
  ] as const)('has a threat: %s', async (_, released, how, level) => {
    const { release } = await sampledCase(SAID, { original, holdout, released: [released] }, IDS, how)
    const results: Result[] = []
    for await (const result of assess(release, { measures: IDS, options: SAID.options })) results.push(result)
    const [{ threats }] = conclude(release, results, measures).releases
    expect(threats.find(({ threat }) => threat === 'membership')?.level).toBe(level)
  })

  it.each([
    ['a forest tells members', {}, { ...QUICK, attacks: ['classifier'] }, 'with options that no scan has'],
    ['files are small', {}, {}, 'with options that no scan has'],
    ['columns have weights', {}, { ...QUICK, weights: { age: 2 } }, 'with options that no scan has'],
    ['it is known who lives together', { household: 'late' }, QUICK, 'people of one household are looked at together'],
    ['numbers are grouped', { keys: ['age'], group: { age: '4' } }, QUICK, '"age" is compared otherwise'],
  ] as const)('looks at the sample alone where %s, and says so', async (_, more, options, why) => {
    const said: CaseInput = { ...SAID, ...more, options: { 'membership-audit': options } }
    const { release } = await sampledCase(said, { original, holdout, released: [others] }, IDS)
    expect(release.notes.map(({ internal }) => internal).join()).toContain(why)
    const [finding] = (await membershipAudit.run(release, options)).releases
    expect(finding.sample).toEqual({ records: 150, of: 700 })
  })

  it('leaves a column with too many values to the sample', async () => {
    const { release } = await sampledCase(SAID, { original, holdout, released: [others] }, IDS, { most: 500 })
    const found = await valueReuse(release)
    const [{ details, sample, warnings }] = found.releases
    expect(sample).toEqual({ records: 150, of: 700 })
    expect(warnings).toEqual(['not counted in all records, so that only the sample is looked at: height'])
    const inSample = (await valueReuse({ ...release })).releases[0].details
    const inAll = (await valueReuse(openCase(SAID, { original, holdout, released: [others] }).release)).releases[0]
      .details
    const of = (name: string, columns = details?.columns) => columns?.find(({ column }) => column === name)
    expect(of('height')).toEqual(of('height', inSample?.columns))
    expect(of('income')).toEqual(of('income', inAll?.columns))
    expect(of('income')).not.toEqual(of('income', inSample?.columns))
  })

  it('says nothing of a scan where there is no holdout', async () => {
    const { release } = await sampledCase(SAID, { original, released: [others] }, IDS)
    expect(release.notes.map(({ internal }) => internal).join()).not.toContain('membership-audit')
  })
})

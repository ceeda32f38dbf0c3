import { beforeAll, describe, expect, it } from 'vitest'
import type { Result } from '../measure.js'
import { memorisation } from '../risk/distance/memorisation.js'
import { kAnonymity } from '../risk/frequency/k-anonymity.js'
import { release } from '../table/release.js'
import { tableOf } from '../table/table.js'
import { assess } from './assess.js'
import { type Assessment, conclude } from './assessment.js'
import { baselineOf, parseAssessment, parseBaseline, type Standing, standingOf } from './standing.js'

const people = { sex: ['f', 'm', 'f', 'm'], age: [20, 30, 20, 40] }
const registry = [kAnonymity, memorisation]
const subject = release({
  original: tableOf('original', people),
  released: [tableOf('copy', people), tableOf('same', { sex: ['f', 'f', 'f', 'f'], age: [20, 20, 20, 20] })],
  keys: ['sex', 'age'],
})

let results: Result[]
let assessment: Assessment

beforeAll(async () => {
  results = []
  for await (const result of assess(subject, { registry, options: { 'k-anonymity': { k: 2 } } })) results.push(result)
  assessment = conclude(subject, results, registry)
})

const kOf = ({ releases }: Standing) =>
  releases.map(({ measures }) => measures.find(({ measure }) => measure === 'k-anonymity')?.value)

describe('a standing', () => {
  it('has the level, the threats and the values of each release', () => {
    const standing = standingOf(assessment, results)
    expect(standing.releases.map(({ name }) => name)).toEqual(['copy', 'same'])
    expect(standing).toMatchObject({ original: { name: 'original', records: 4 }, keys: ['sex', 'age'], seed: 1 })
    expect(kOf(standing)).toEqual([0.5, 0])
    for (const [k, { level, threats }] of standing.releases.entries()) {
      expect(level).toBe(assessment.releases[k].verdict.level)
      expect(threats.map(({ threat, leakage }) => [threat, leakage])).toEqual(
        assessment.releases[k].threats.map(({ threat, leakage }) => [threat, leakage]),
      )
    }
    const [bulk] = standing.releases[0].threats.filter(({ threat }) => threat === 'memorisation')
    const [asked] = assessment.releases[0].threats.filter(({ threat }) => threat === 'memorisation')
    expect(bulk.upper).toBe(asked.interval?.upper ?? null)
  })

  it('says why a measure has no value', async () => {
    const bare = release({ original: tableOf('original', people), released: tableOf('copy', people) })
    const found: Result[] = []
    for await (const result of assess(bare, { registry: [kAnonymity] })) found.push(result)
    for (const known of [found, undefined])
      expect(standingOf(conclude(bare, found, [kAnonymity]), known).releases[0].measures).toMatchObject([
        { measure: 'k-anonymity', target: null, value: null, reason: { code: 'needs', needs: ['keys'] } },
      ])
  })

  it('without results knows the facts that the answer holds', () => {
    expect(kOf(standingOf(assessment))).toEqual([0.5, 0])
    expect(standingOf(assessment).releases[0].measures.map(({ measure }) => measure)).toEqual(['k-anonymity'])
  })

  it('comes back from a file as a baseline, without reasons', () => {
    const written = JSON.parse(JSON.stringify(baselineOf(standingOf(assessment, results))))
    const back = parseBaseline('baseline.json', written)
    expect(back).toEqual(written)
    expect(kOf(back)).toEqual([0.5, 0])
    const reasons = ({ releases }: Standing) =>
      releases.flatMap(({ threats }) => threats.flatMap(({ reason }) => reason ?? []))
    expect(reasons(standingOf(assessment, results))).not.toEqual([])
    expect(reasons(back)).toEqual([])
  })
})

describe('an assessment in a file', () => {
  it('is a baseline too, with or without the results behind it', () => {
    const alone = JSON.parse(JSON.stringify(assessment))
    expect(parseBaseline('result.json', alone)).toEqual(standingOf(assessment))
    const saved = JSON.parse(JSON.stringify({ ...assessment, scrim: '0.1.0', results, files: [] }))
    expect(parseBaseline('result.json', saved)).toEqual(standingOf(assessment, results))
    expect(standingOf(parseAssessment('result.json', saved), parseAssessment('result.json', saved).results)).toEqual(
      standingOf(assessment, results),
    )
  })

  it('that is none is refused with the first field that is wrong', () => {
    expect(() => parseAssessment('x.json', { ...assessment, releases: [{ name: 1 }] })).toThrow(
      /^x\.json is not an assessment that scrim wrote: releases\[0\]\.name: /,
    )
    expect(() => parseBaseline('x.json', [])).toThrow('x.json is not a baseline or an assessment that scrim wrote')
    expect(() => parseBaseline('x.json', { kind: 'scrim baseline', schemaVersion: 2 })).toThrow(
      /^x\.json is not a baseline that scrim wrote: schemaVersion: /,
    )
    expect(() => parseAssessment('x.json', standingOf(assessment))).toThrow(
      'x.json is a baseline; expected an assessment, which holds more',
    )
  })
})

import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { type Finding, measure, type Subject } from '../../measure.js'
import { count, percent } from '../../print.js'
import { median } from '../../stats/quantile.js'
import type { Part } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type Frequencies, frequencies, incompleteRows, type MissingOptions, missingOptions } from './frequencies.js'

/**
 * k-anonymity: every record shares its key with at least k - 1 others (Samarati and Sweeney 1998; Sweeney 2002).
 * With f(i) the number of records that have the key of record i, the file's k is min f(i) and a record violates k when
 * f(i) < k. The headline is the share of violating records; k itself is in the details.
 * Blind to the sensitive values (l-diversity) and, for synthetic data, to whether the records are anybody's.
 */
const DEFAULT_K = 5

const options = z.object({
  k: z.number().int().min(1).default(DEFAULT_K).describe('smallest class size that is acceptable'),
  ...missingOptions,
})

export const kAnonymity = measure({
  id: 'k-anonymity',
  version: 1,
  title: 'k-anonymity',
  summary: 'share of records whose key is shared by fewer than k records',
  family: 'frequency',
  threat: 'identity',
  role: 'structure',
  orientation: 'risk',
  scope: 'file',
  needs: ['keys'],
  unit: 'share',
  blindTo: "the sensitive values, and whether a synthetic record is anybody's",
  options,
  compute,
  citations: ['sweeney2002'],
  records: {
    classSize: { riskier: 'lower', meaning: 'records of the file with the same key' },
    weightedClassSize: { riskier: 'lower', meaning: 'sum of the weights of the records with the same key' },
  },
  thresholds: {
    literature: [
      {
        value: DEFAULT_K,
        meaning: 'k of at least 5 is usual for public files, 3 for scientific use',
        source: 'Hundepool et al. 2012; El Emam 2013',
      },
    ],
  },
  sentence: ({ details }) =>
    `k = ${details.k}; ${count(details.violating, 'record')} (${percent(details.violatingShare)}) ${details.violating === 1 ? 'shares its' : 'share their'} key with fewer than ${details.threshold}, ${count(details.uniques, 'record')} with nobody`,
  charts: ({ details }, { name, original }) => [
    barChart(
      {
        name: 'class-sizes',
        title: `Records by size of their class: ${name}`,
        x: 'records with the same key',
        y: 'share of records',
      },
      [...(original === null ? [] : sizeBars(original.details, 'original')), ...sizeBars(details, 'release')],
    ),
    barChart(
      {
        name: 'key-attribution',
        title: `Unique records if one key were dropped: ${name}`,
        x: 'key left out',
        y: 'unique records',
      },
      [
        { label: '(none)', value: details.uniques },
        ...details.withoutKey.map(({ key, uniques }) => ({ label: key, value: uniques })),
      ],
    ),
  ],
})

function compute({ release, part }: Subject, chosen: z.output<typeof options>): Finding<Details> {
  const own = frequencies(release, part, release.keys, chosen)
  const figures = summarise(own, chosen.k)
  const details: Details = {
    ...figures,
    threshold: chosen.k,
    satisfied: figures.k >= chosen.k,
    missingPolicy: own.policy,
    dropped: own.dropped,
    weightedViolating: own.hasWeights ? countBelow(own.weighted, chosen.k) : null,
    underPolicies: underPolicies(release, part, chosen),
    withoutKey: release.keys.map((key) => ({
      key,
      ...kAndUniques(
        frequencies(
          release,
          part,
          release.keys.filter((name) => name !== key),
          chosen,
        ),
      ),
    })),
  }
  const warnings =
    own.dropped > 0 ? [`${own.dropped} records with a missing key were dropped, which hides their risk`] : []
  return {
    value: details.violatingShare,
    interval: null,
    details,
    warnings,
    records: () => ({ classSize: own.f, weightedClassSize: own.weighted }),
  }
}

type Summary = {
  readonly k: number
  readonly records: number
  readonly classes: number | null
  readonly uniques: number
  readonly uniqueShare: number
  readonly violating: number
  readonly violatingShare: number
  readonly meanClassSize: number | null
  readonly medianClassSize: number | null
  /** Records by the size of their class, sizes ascending. */
  readonly sizes: readonly { readonly size: number; readonly records: number }[]
}

type Details = Summary & {
  readonly threshold: number
  readonly satisfied: boolean
  readonly missingPolicy: string
  readonly dropped: number
  readonly weightedViolating: number | null
  readonly underPolicies: Readonly<Record<string, { readonly k: number; readonly uniques: number }>> | null
  readonly withoutKey: readonly { readonly key: string; readonly k: number; readonly uniques: number }[]
}

function summarise(own: Frequencies, k: number): Summary {
  const bySize = new Map<number, number>()
  for (const size of own.f) if (!Number.isNaN(size)) bySize.set(size, (bySize.get(size) ?? 0) + 1)
  const sizes = [...bySize].sort(([a], [b]) => a - b).map(([size, records]) => ({ size, records }))
  const violating = countBelow(own.f, k)
  const { k: smallest, uniques } = kAndUniques(own)
  return {
    k: smallest,
    records: own.n,
    classes: own.classes?.count ?? null,
    uniques,
    uniqueShare: uniques / own.n,
    violating,
    violatingShare: violating / own.n,
    meanClassSize: own.classes === null ? null : own.n / own.classes.count,
    medianClassSize: own.classes === null ? null : median(Float64Array.from(own.classes.sizes)),
    sizes,
  }
}

function kAndUniques({ f }: Frequencies): { k: number; uniques: number } {
  let k = Number.POSITIVE_INFINITY
  let uniques = 0
  for (const size of f) {
    if (size < k) k = size
    if (size === 1) uniques++
  }
  return { k, uniques }
}

function countBelow(sizes: Float64Array, k: number): number {
  let below = 0
  for (const size of sizes) if (size < k) below++
  return below
}

/** k and uniques under all three readings of missing keys, when there are any: the choice matters and should be seen. */
function underPolicies(release: Release, part: Part, chosen: MissingOptions): Details['underPolicies'] {
  const { flags, count: incomplete } = incompleteRows(release, part, release.keys)
  if (incomplete === 0) return null
  const policies =
    incomplete === flags.length ? (['category', 'wildcard'] as const) : (['drop', 'category', 'wildcard'] as const)
  return Object.fromEntries(
    policies.map((missing) => [missing, kAndUniques(frequencies(release, part, release.keys, { ...chosen, missing }))]),
  )
}

const LAST_SIZE_SHOWN = 9

function sizeBars(details: Details, series: 'original' | 'release') {
  const shown = Array.from({ length: LAST_SIZE_SHOWN + 1 }, (_, k) => ({
    label: k < LAST_SIZE_SHOWN ? String(k + 1) : `${k + 1}+`,
    records: 0,
  }))
  for (const { size, records } of details.sizes) shown[Math.min(Math.floor(size), shown.length) - 1].records += records
  return shown.map(({ label, records }, k) => ({
    label,
    value: records / details.records,
    series,
    alarm: series === 'release' && k + 1 < details.threshold,
  }))
}

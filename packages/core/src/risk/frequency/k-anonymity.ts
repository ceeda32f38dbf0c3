import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { measure, type Subject } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { count, percent } from '../../print.js'
import { median } from '../../stats/quantile.js'
import type { Part } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import {
  CLASS_SIZE,
  countWhere,
  droppedWarning,
  FILE_STRUCTURE,
  type Frequencies,
  frequencies,
  incompleteRows,
  type MissingOptions,
  missingOptions,
} from './counts/frequencies.js'
import { sizeBars } from './counts/sizes.js'

/**
 * k-anonymity: every record shares its key with at least k - 1 others (Samarati and Sweeney 1998; Sweeney 2002).
 * With f(i) the number of records that have the key of record i, the file's k is min f(i) and a record violates k when
 * f(i) < k. The headline is the share of violating records; k itself is in the details.
 * Blind to the sensitive values (l-diversity) and, for synthetic data, to whether the records are anybody's.
 */
const DEFAULT_K = 5

const options = z.object({
  k: whole(DEFAULT_K, { min: 1 }).describe('smallest class size that is acceptable'),
  ...missingOptions,
})

export const kAnonymity = measure({
  ...FILE_STRUCTURE,
  id: 'k-anonymity',
  title: 'k-anonymity',
  summary: 'share of records whose key is shared by fewer than k records',
  blindTo: "the sensitive values, and whether a synthetic record is anybody's",
  isOfCounts: () => true,
  options,
  compute,
  citations: ['sweeney2002'],
  records: {
    classSize: CLASS_SIZE,
    weightedClassSize: { riskier: 'lower', meaning: 'sum of the weights of the records with the same key' },
  },
  literature: [
    {
      value: DEFAULT_K,
      meaning: 'k of at least 5 is usual for public files, 3 for scientific use',
      source: 'Hundepool et al. 2012; El Emam 2013',
    },
  ],
  sentence: ({ details }) =>
    `k = ${details.k}; ${count(details.violating, 'record')} (${percent(details.violatingShare)}) ${details.violating === 1 ? 'shares its' : 'share their'} key with fewer than ${details.threshold}, ${count(details.uniques, 'record')} with nobody`,
  tables: ({ details }) => [
    findingTable('classes', 'Records by size of their class', details.sizes, [
      [column.number('class size'), ({ size }) => size],
      [column.count('records'), ({ records }) => records],
    ]),
  ],
  charts: ({ details }, { name, original }) => [
    barChart(
      {
        name: 'class-sizes',
        title: `Records by size of their class: ${name}`,
        x: 'records with the same key',
        y: 'share of records',
      },
      sizeBars(details, original?.details, details.threshold, ({ sizes }) =>
        sizes.map(({ size, records }) => [size, records]),
      ),
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

function compute({ release, part }: Subject, chosen: z.output<typeof options>) {
  const own = frequencies(release, part, release.keys, chosen)
  const { k, uniques } = kAndUniques(own)
  const isTooSmall = (size: number) => size < chosen.k
  const violating = countWhere(own.f, isTooSmall, own.times)
  return {
    value: violating / own.n,
    interval: null,
    details: {
      k,
      records: own.n,
      classes: own.classes?.count ?? null,
      uniques,
      uniqueShare: uniques / own.n,
      violating,
      violatingShare: violating / own.n,
      meanClassSize: own.classes === null ? null : own.n / own.classes.count,
      medianClassSize: own.classes === null ? null : median(Float64Array.from(own.classes.sizes)),
      sizes: recordsBySize(own),
      threshold: chosen.k,
      satisfied: k >= chosen.k,
      missingPolicy: own.policy,
      dropped: own.dropped,
      weightedViolating: own.hasWeights ? countWhere(own.weighted, isTooSmall, own.times) : null,
      underPolicies: underPolicies(release, part, chosen),
      withoutKey: release.keys.map((key) => {
        const others = release.keys.filter((name) => name !== key)
        return { key, ...kAndUniques(frequencies(release, part, others, chosen)) }
      }),
    },
    warnings: droppedWarning(own.dropped),
    records: () => ({ classSize: own.f, weightedClassSize: own.weighted }),
  }
}

/** Records by the size of their class, sizes ascending. */
function recordsBySize({ f, times }: Frequencies) {
  const bySize = new Map<number, number>()
  for (let row = 0; row < f.length; row++)
    if (!Number.isNaN(f[row])) bySize.set(f[row], (bySize.get(f[row]) ?? 0) + (times?.[row] ?? 1))
  return [...bySize].sort(([a], [b]) => a - b).map(([size, records]) => ({ size, records }))
}

function kAndUniques({ f }: Frequencies) {
  const k = f.reduce((least, size) => (Number.isNaN(size) ? least : Math.min(least, size)), Number.POSITIVE_INFINITY)
  return { k, uniques: countWhere(f, (size) => size === 1) }
}

/** k and uniques under all three readings of missing keys, when there are any: the choice matters and should be seen. */
function underPolicies(release: Release, part: Part, chosen: MissingOptions) {
  const flags = incompleteRows(release, part, release.keys)
  if (!flags.includes(1)) return null
  const policies = flags.includes(0) ? (['drop', 'category', 'wildcard'] as const) : (['category', 'wildcard'] as const)
  return Object.fromEntries(
    policies.map((missing) => [missing, kAndUniques(frequencies(release, part, release.keys, { ...chosen, missing }))]),
  )
}

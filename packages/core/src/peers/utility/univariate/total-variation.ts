import type { Pair } from '../../../utility/pair.js'
import { distancesOf } from '../../../utility/univariate/category-distance.js'
import { type LevelPair, MISSING_LABEL } from '../../../utility/univariate/columns/columns.js'
import { totalVariation as own, TOTAL_VARIATION } from '../../../utility/univariate/total-variation.js'
import { withUtilityDefinitions } from '../../definition.js'
import { codedFor, MOSTLYAI_QA } from '../tables/report-classes.js'

export const totalVariation = withUtilityDefinitions(own, {
  'mostlyai-qa': {
    software: 'mostlyai-qa',
    version: '1.10.11',
    differs:
      'original and holdout together are compared with, numbers at ten of their quantiles, ten levels and the rest; 1 less this is its univariate accuracy',
    ...distancesOf(TOTAL_VARIATION, levelsOfMostlyaiQa),
  },
})

function levelsOfMostlyaiQa(pair: Pair): LevelPair[] {
  const { columns, originals } = codedFor(MOSTLYAI_QA, pair)
  return columns.map(({ name, codes, labels }) => {
    const [first, second] = [codes.subarray(0, originals), codes.subarray(originals)].map((file) => {
      const counts = new Float64Array(labels.length + 1)
      for (const code of file) counts[code + 1]++
      return counts
    })
    const kept = [...first.keys()].filter((place) => first[place] + second[place] > 0)
    return {
      name,
      labels: kept.map((place) => (place === 0 ? MISSING_LABEL : labels[place - 1])),
      original: Float64Array.from(kept, (place) => first[place]),
      released: Float64Array.from(kept, (place) => second[place]),
      n1: originals,
      n2: pair.released.rows,
    }
  })
}

import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { percent } from '../../print.js'
import type { Pair } from '../pair.js'
import { type UtilityFinding, utilityMeasure, utilityOptions } from '../utility-measure.js'
import { logisticPmse, type Pmse } from './propensity-statistics.js'

const options = z.object({ ...utilityOptions })

export const pmse = utilityMeasure({
  id: 'pmse',
  version: 1,
  title: 'Propensity score mean squared error',
  summary: 'how well a model tells released records from original ones',
  orientation: 'distance',
  scale: 'joint',
  nothing: 'independent',
  mostRows: 5000,
  subsampleSize: 'release',
  needs: [],
  unit: 'score',
  range: [0, 0.25],
  blindTo: 'what the propensity model cannot express',
  options,
  statistic: (pair) => fit(pair).pmse,
  compute: (pair): UtilityFinding<{ readonly df: number }> => {
    const found = fit(pair)
    const c = pair.released.rows / (pair.original.rows + pair.released.rows)
    const expected = (found.df * c * (1 - c) ** 2) / (pair.original.rows + pair.released.rows)
    return {
      value: found.pmse,
      interval: null,
      test: { p: found.twoSamplePValue, what: `X² of the propensity model, ${found.df} df` },
      expected: {
        value: expected,
        power: 1,
        cv: Math.sqrt(2 / found.df),
        what: 'a release drawn from a correct model',
      },
      details: { df: found.df },
    }
  },
  thresholds: { literature: [] },
  sentence: ({ value }) => `a model tells released from original records with pMSE ${percent(value ?? 0)}`,
  charts: ({ value }, { name }) => [
    barChart({ name: 'pmse', title: name, x: '', y: 'pMSE' }, [{ label: 'this release', value: value ?? 0 }]),
  ],
})

function fit({ original, released, variables }: Pair): Pmse {
  return logisticPmse(original, released, { variables, order: 1 })
}

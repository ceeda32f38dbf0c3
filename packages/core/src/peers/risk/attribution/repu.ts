import type { Subject } from '../../../measure.js'
import { flag } from '../../../option-kinds.js'
import { count, percent } from '../../../print.js'
import { theOriginal } from '../../../risk/attribution/figures/gains.js'
import { independentColumns } from '../../../risk/attribution/figures/replicated.js'
import { compareRecords, type Options, repu as own, uniquesFinding } from '../../../risk/attribution/repu.js'
import { wilson } from '../../../stats/intervals.js'
import { RISKUTILITY, withDefinitions } from '../../definition.js'

const options = {
  uniquesOnly: flag(true).describe(
    'riskutility only; false: released records that equal any original record (identical match share)',
  ),
}

/**
 * riskutility's repu is something else: the share of released records that equal, on all variables, a record that is unique
 * in the original; a released record counts as often as it occurs.
 */
export const repu = withDefinitions(
  own,
  {
    riskutility: {
      ...RISKUTILITY,
      differs: 'share of the release, all variables',
      compute: (subject: Subject, chosen: Options & { readonly uniquesOnly: boolean }) => {
        const { variables, missing, uniquesOnly } = chosen
        const compared = compareRecords(subject, variables ?? subject.release.variables, missing !== 'category')
        const { holdout: _outsiders, people: _people, ...finding } = uniquesFinding(compared)
        const { identical, UiO } = finding.details
        const { count: copies, share } = uniquesOnly ? identical.toUnique : identical.toAny
        return {
          ...finding,
          value: share,
          interval: wilson(copies, compared.cells.ns),
          controls: {
            nothing: independentColumns(
              compared,
              (q) => !uniquesOnly || compared.cells.dClassCount[q] === 1,
              (p) => p,
            ),
            everything: theOriginal(uniquesOnly ? UiO : 1),
          },
          notAssessed:
            'how many released records equal an original one depends on how many originals there are to equal',
        }
      },
      sentence: ({ details: { identical, variables } }) =>
        `${count(identical.toUnique.count, 'released record')} (${percent(identical.toUnique.share)}) ${identical.toUnique.count === 1 ? 'equals' : 'equal'} a unique original record on ${count(variables.length, 'variable')}`,
    },
  },
  { name: 'synthpop', what: 'unique in both, on the keys, share of the original', options },
)

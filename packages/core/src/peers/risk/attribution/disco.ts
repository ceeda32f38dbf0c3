import { count, percent } from '../../../print.js'
import { type Attack, attackOn } from '../../../risk/attribution/counts/attack.js'
import { countReleased, discoFigures, disco as own } from '../../../risk/attribution/disco.js'
import { dealtAtRandom, theOriginal } from '../../../risk/attribution/figures/gains.js'
import { wilson } from '../../../stats/intervals.js'
import { type Definition, RISKUTILITY, withDefinitions } from '../../definition.js'
import { RISKUTILITY_UNGROUPED, riskutilityWording } from './riskutility.js'

export const disco = withDefinitions(
  own,
  { 'riskutility-potential': countOf('potential'), 'riskutility-certain': countOf('certain') },
  { name: 'synthpop', what: 'share of original records' },
)

/** riskutility gives the name to two counts of released records that meet an original. */
function countOf(which: 'potential' | 'certain') {
  return {
    ...RISKUTILITY,
    differs: `share of released records that meet an original${which === 'certain' ? ' whose key has one value' : ''}`,
    compute: (subject, chosen) => {
      const attack = attackOn(subject, chosen, RISKUTILITY_UNGROUPED)
      const { details, warnings, records } = discoFigures(attack)
      const { count: hits, share, ratio, chance } = details.released[which]
      return {
        value: share,
        interval: wilson(hits, attack.cells.ns),
        ...ends(attack, chance, which),
        details: { ...details, riskutility: riskutilityWording(ratio) },
        warnings: [
          ...warnings,
          "riskutility's baseline is the chance that one random pair agrees; compare with the exact chance beside it",
        ],
        records,
      }
    },
    sentence: ({ details: { released } }) =>
      `${count(released[which].count, 'released record')} (${percent(released[which].share)}) have the keys and target of an original${which === 'certain' ? ' whose key has one value' : ''}`,
  } satisfies Definition<typeof own.options, RiskutilityDetails>
}

type RiskutilityDetails = ReturnType<typeof discoFigures>['details'] & {
  readonly riskutility: ReturnType<typeof riskutilityWording>
}

/** A count of released records grows with the number of originals there are to meet, so it has no fair control. */
function ends(attack: Attack, chance: number | null, which: 'potential' | 'certain') {
  const copied = countReleased(attack, attack.itself().cells)
  return {
    controls: {
      ...(chance === null ? {} : { nothing: dealtAtRandom(chance / attack.cells.ns, null) }),
      everything: theOriginal(copied[which].share),
    },
    notAssessed: 'how many released records meet an original depends on how many originals there are to meet',
  }
}

import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { evidenceOf } from '../../evidence/looks.js'
import { measure, type Subject } from '../../measure.js'
import { percent } from '../../print.js'
import { wilsonWithVariance } from '../../stats/intervals.js'
import {
  ATTACK_SCORES,
  ATTRIBUTE_ATTACK,
  type Attack,
  attackOn,
  attackOptions,
  intruderSteps,
  isRightForSure,
  preparationOptions,
} from './counts/attack.js'
import { type Cells, marginAgreement, perRecord } from './counts/cells.js'
import { baselinesAt } from './figures/baselines.js'
import { type Chance, chanceOfDisco } from './figures/chance.js'
import {
  BY_DISTANCE,
  claimGains,
  dealtAtRandom,
  effectivePeople,
  lookAtOthers,
  lookAtOutsidersShare,
  meanGain,
  ONE_CLASS,
  theOriginal,
} from './figures/gains.js'
import { marginalShare } from './figures/holdout.js'
import { changeOfClaims, varianceOverFiles } from './figures/variance-over-files.js'

/**
 * DiSCO, disclosive in synthetic and correct in the original (Raab, Nowok and Dibben 2024): the share of original records
 * whose keys show one single target value in the release, and that value is theirs.
 *   DiSCO = (1/N_d) sum over q, t of d_tq [s_tq = s_q > 0]
 * It counts chance and facts about the population too (a constant target raises it), so its exact chance level and what
 * could be claimed without the release (b1 to b3) stand beside it; the effect is what remains beyond b3, and with a holdout
 * beyond what the release says about other people. Blind to values given away with less than certainty; `attribution` has
 * the curve.
 * Beside it stand two counts of released records, `potential`, whose keys and target occur in the original, and `certain`,
 * whose keys moreover have one target value there. Neither bounds DiSCO. Their chance is that of meeting any of the
 * originals with the same keys: sum over q of s_q sum over t of (s_t / N_s) [d_tq > 0].
 */
const options = z.object({ ...attackOptions, ...preparationOptions })

export const disco = measure({
  ...ATTRIBUTE_ATTACK,
  id: 'disco',
  title: 'Disclosive in synthetic, correct in original (DiSCO)',
  summary: 'share of people whose keys show one target value in the release, and it is theirs',
  blindTo: 'values given away with less than certainty',
  isOfCounts: () => true,
  options,
  compute,
  citations: ['raab2024'],
  records: {
    disclosed: ATTACK_SCORES.disclosed,
    oneValueShown: ATTACK_SCORES.oneValueShown,
    found: { riskier: 'higher', meaning: '1: the key is in the release' },
  },
  literature: [
    { value: 0.05, meaning: 'DiSCO below 5 % is often called low', source: 'riskutility vignette' },
    { value: 1.5, meaning: 'ratio to the baseline above which risk is elevated', source: 'riskutility' },
  ],
  sentence: ({ details: { DiSCO, chance, baselines, Dorig } }) =>
    `${percent(DiSCO)} of people have keys that show one value in the release, and theirs (chance ${percent(chance.expected)}${baselines === null ? '' : `, beyond one key ${percent(baselines.b2.excess)}`}, in the original ${percent(Dorig)})`,
  charts: ({ details }, { name }) => [
    barChart({ name: 'steps', title: `The intruder's steps: ${name}`, x: '', y: 'share of original records' }, [
      { label: 'key found (iS)', value: details.iS },
      { label: 'one value (DiS)', value: details.DiS },
      { label: 'right (DiSCO)', value: details.DiSCO },
      { label: 'by chance', value: details.chance.expected, series: 'original' },
      { label: 'original (Dorig)', value: details.Dorig, series: 'original' },
    ]),
    barChart(
      {
        name: 'released',
        title: `Released records that meet an original: ${name}`,
        grey: 'by chance',
        x: '',
        y: 'released records',
      },
      (['potential', 'certain'] as const).flatMap((label) => {
        const { count, chance } = details.released[label]
        return [
          { label, value: count },
          { label, value: chance, series: 'original' as const },
        ]
      }),
    ),
  ],
})

function compute(subject: Subject, chosen: z.output<typeof options>) {
  const attack = attackOn(subject, chosen)
  const { cells, exact, release } = attack
  const { details, records, warnings } = discoFigures(attack)
  const { DiSCO, chance } = details
  const gains = exact ? claimGains(release, cells) : null
  const right = Float64Array.from(cells.d, (_, cell) => Number(isRightForSure(attack, cell)))
  const overFiles = exact ? varianceOverFiles(cells, right, changeOfClaims(cells)) : 0
  return {
    value: DiSCO,
    /** Over people and releases; where records are found by a distance, over people alone. */
    interval: wilsonWithVariance(DiSCO, overFiles, effectivePeople(release, 'original', cells.n)),
    ...evidence(attack, DiSCO, chance, gains, details.marginal?.holdout ?? null),
    ...(gains === null ? {} : { added: () => attack.toRows(perRecord(cells, (cell) => gains[cell])) }),
    details,
    warnings,
    records,
  }
}

/** Everything that is counted, whichever count is the headline. */
export function discoFigures(attack: Attack) {
  const { cells, matches, exact, release, outsiders } = attack
  const steps = intruderSteps(attack)
  const { nd } = cells
  const DiSCO = steps.right / nd
  const outside = outsiders === null ? null : intruderSteps(outsiders).right / outsiders.cells.nd
  return {
    details: {
      matching: attack.matching,
      /** Shares of original records: found; one value shown; and it is right; and the key is homogeneous in the original too. */
      iS: steps.matched / nd,
      DiS: steps.shown / nd,
      DiSCO,
      DiSDiO: steps.known / nd,
      /** The same for the original with itself. */
      Dorig: steps.homogeneous / nd,
      chance: chanceOfDisco(DiSCO, cells, attack.near),
      baselines: exact ? baselinesAt(release, cells) : null,
      marginal:
        outsiders === null || outside === null ? null : marginalShare(DiSCO, cells.n, outside, outsiders.cells.n),
      released: countReleased(attack),
      dropped: attack.dropped,
      targetGrouping: cells.target.grouping,
    },
    warnings: attack.warnings,
    records: () => ({
      found: attack.toRows(perRecord(cells, (cell) => Number(matches.records[cells.classOf[cell]] > 0))),
      oneValueShown: attack.toRows(perRecord(cells, (cell) => matches.homogeneous[cells.classOf[cell]])),
      disclosed: attack.toRows(perRecord(cells, (cell) => Number(isRightForSure(attack, cell)))),
    }),
  }
}

/** Against everybody else's records, and against people outside the release where there are any. */
function evidence(attack: Attack, DiSCO: number, chance: Chance, gains: Float64Array | null, outside: number | null) {
  const { release, cells, outsiders } = attack
  const itself = attack.itself()
  const ends = {
    nothing: dealtAtRandom(chance.expected, chance.sd),
    everything: theOriginal(intruderSteps(itself).right / itself.cells.nd),
  }
  const ceiling = meanGain(itself.cells, claimGains(release, itself.cells))
  const others = gains === null ? [] : lookAtOthers(DiSCO, meanGain(cells, gains), ceiling, ends)
  const looks =
    outsiders === null || outside === null
      ? []
      : [lookAtOutsidersShare(release, DiSCO, cells, outside, outsiders.cells, ends)]
  return evidenceOf([...others, ...looks], ends, gains === null ? BY_DISTANCE : ONE_CLASS)
}

/** Released records that meet an original; `cells` may be those of the original against itself. */
export function countReleased({ exact, reversed, ...attack }: Attack, cells: Cells = attack.cells) {
  const { s, sLevel, sClass, classOf, level, ns } = cells
  const inOriginal = reversed(cells)
  const count = { keyMatches: 0, potential: 0, certain: 0, potentialByChance: 0, certainByChance: 0, originals: 0 }
  for (let cell = 0; cell < s.length; cell++) {
    const q = classOf[cell]
    const byChance = (sClass[q] * sLevel[level[cell]]) / ns
    if (inOriginal.records[q] > 0) count.keyMatches += s[cell]
    if (inOriginal.agreeing[cell] === 0) continue
    count.potential += s[cell]
    count.potentialByChance += byChance
    if (inOriginal.homogeneous[q] === 0) continue
    count.certain += s[cell]
    count.certainByChance += byChance
    if (s[cell] > 0) count.originals += cells.dCount[cell]
  }
  const baseline = count.keyMatches * marginAgreement(cells)
  const compared = (hits: number, chance: number) => ({
    count: hits,
    share: hits / ns,
    /** How many chance would give, exactly, and the ratio to it; null for matching by distance or without any. */
    chance: exact ? chance : null,
    chanceRatio: exact && chance > 0 ? hits / chance : null,
    /** riskutility's baseline (one random pair agrees), and the ratio to it. */
    baseline,
    ratio: baseline > 0 ? hits / baseline : null,
  })
  return {
    keyMatches: count.keyMatches,
    potential: compared(count.potential, count.potentialByChance),
    certain: compared(count.certain, count.certainByChance),
    /** Original records with a homogeneous key whose key and target are in the release; null for matching by distance. */
    originalsDisclosed: exact ? { count: count.originals, share: count.originals / cells.n } : null,
  }
}

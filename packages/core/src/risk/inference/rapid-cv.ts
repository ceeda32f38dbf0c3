import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { evidenceOf } from '../../evidence/looks.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { whole } from '../../option-kinds.js'
import { fixed, percent } from '../../print.js'
import { tInterval, within } from '../../stats/intervals.js'
import { generatorProblems } from '../../synthesizers/synthesizers.js'
import { attackRelease } from './attack/attack.js'
import { attackOptions, attackProblems } from './attack/attackers.js'
import { evaluationOptions, flagsOf, RAPID, tauProblems } from './rates/evaluation.js'
import { inSample } from './refits/cross-fitting.js'
import { compared, crossValidation, lookAtFolds } from './refits/cross-validation.js'
import { rapidFoldTables } from './tables.js'

/**
 * RAPID of a way of making releases: the original is cut into folds, the synthesizer that made the release makes one of all
 * folds but one, and the attacker is scored on the people in it and on those left out (riskutility's cross-validation has the
 * latter only; see `cross-validation.ts`). The headline is the rate of the people in the data, the fair control that of the
 * people left out, the effect their difference over folds with a t interval.
 *
 * It evaluates the generator, not the released file: that enters only as one more rate to compare with. Blind to single
 * records, and to what the maker chose after looking at the data.
 */
const { bootstrap: _bootstrap, permutations: _permutations, interval: _interval, ...scoring } = evaluationOptions

const options = z.object({
  folds: whole(5, { min: 2 }).describe('number of folds, stratified by the target'),
  ...attackOptions,
  ...scoring,
})

export type Options = z.output<typeof options>

export const rapidCv = measure({
  id: 'rapid-cv',
  version: 2,
  title: 'RAPID of the generator, cross-validated',
  summary:
    'share of people whose target is inferred confidently from releases made like this one, in the data or left out',
  ...RAPID,
  role: 'supports',
  about: 'generator',
  profile: 'full',
  needs: ['keys', 'target', 'generator'],
  unit: 'share',
  varies: ['people'],
  blindTo: 'the released file itself, and single records',
  options,
  check: (release, chosen) => [
    ...attackProblems(release, chosen),
    ...tauProblems(chosen),
    ...generatorProblems(release.generator),
  ],
  compute,
  literature: [{ value: 0.15, meaning: 'high above 15 % of people left out, as RAPID itself', source: 'riskutility' }],
  sentence: ({ details }) =>
    `releases made like this one tell the target of ${percent(details.members)} of the people in the data confidently and of ${percent(details.mean)} of people left out, ${percent(details.chance)} by chance; being in the data adds ${points(details.gap.mean)}`,
  tables: ({ details }) => rapidFoldTables(details),
  charts: ({ details }, { name }) => [
    barChart(
      {
        name: 'folds',
        title: `At risk by fold: ${name}`,
        grey: 'people in the data',
        blue: 'people left out',
        x: '',
        y: 'share at risk',
      },
      details.folds.flatMap(({ fold, rate, members }) => [
        { label: `fold ${fold}`, value: members, series: 'original' as const },
        { label: `fold ${fold}`, value: rate, series: 'release' as const },
      ]),
      [{ value: details.chance, label: 'by chance' }],
    ),
    barChart({ name: 'comparison', title: `Who is at risk: ${name}`, x: '', y: 'share at risk' }, [
      { label: 'not in the data', value: details.mean },
      { label: 'in the data', value: details.inSample.rate },
      { label: 'this release', value: details.released.rate },
      { label: 'by chance', value: details.chance },
    ]),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context) {
  const { release, target } = subject
  if (release.generator === null) throw new NotApplicable({ code: 'needs', needs: ['generator'] })
  const settings = { ...chosen, interval: 'wilson', bootstrap: 0, permutations: 0 } as const
  const { scene, attacks } = await attackRelease(subject, settings, context)
  const people = attacks[0].members.rows.length
  if (people < chosen.folds) throw new NotApplicable(`${people} people cannot be cut into ${chosen.folds} folds`)
  const cross = await crossValidation(release, release.generator, target, settings, context)
  const rates = attacks.map(({ members }) => flagsOf(members, settings).rate)
  const worst = attacks.find(({ attacker }) => attacker === cross.attacker) ?? attacks[0]
  const itself = flagsOf(await inSample(scene, worst), settings)
  const rest = {
    nothing: { value: cross.chance, se: null, what: 'true targets dealt out at random' },
    everything: { value: itself.rate, se: null, what: 'trained on the original itself' },
  }
  return {
    value: cross.members,
    interval: within(tInterval(cross.folds.map(({ members }) => members)), 0, 1),
    ...evidenceOf(lookAtFolds(cross, people, rest), rest, 'only one fold has people with a target'),
    details: {
      ...cross,
      threshold: cross.target === 'classes' ? chosen.tau : chosen.epsilon,
      /** The released file, scored on the original. */
      released: compared(Math.max(...rates), cross.mean),
    },
    warnings: scene.warnings,
  }
}

function points(difference: number): string {
  return `${fixed(100 * difference, 1)} points`
}

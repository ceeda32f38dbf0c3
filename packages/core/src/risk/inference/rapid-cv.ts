import { z } from 'zod'
import { barChart } from '../../chart/chart.js'
import { NotApplicable } from '../../errors.js'
import { type Context, type Finding, measure, type Subject, type Verdict } from '../../measure.js'
import { parseOptions } from '../../options.js'
import { percent } from '../../print.js'
import { synthesizers } from '../../synthesizers/synthesizers.js'
import { remember } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { type AttackOptions, attackOptions, attacks, setScene } from './attack.js'
import { type CrossValidatedRapid, compared, crossValidateRapid } from './cross-validation.js'
import { type EvaluationOptions, evaluationOptions, flagsOf } from './evaluation.js'

/**
 * RAPID of people who are not in the data: the original is cut into folds, a built-in synthesizer makes a release of all
 * folds but one, and the attacker is scored on the one left out (riskutility's cross-validation, with what people in the
 * data suffer from the same releases beside it; see `cross-validation.ts`).
 *
 * It evaluates a way of making releases, not the released file: that enters only as one more rate to compare with, on
 * records it was made from. If it was made in another way, the gap between the two mixes the methods.
 */
const { bootstrap: _bootstrap, permutations: _permutations, interval: _interval, ...scoring } = evaluationOptions

const options = z.object({
  synthesizer: z
    .enum(synthesizers.map(({ id }) => id))
    .default('cart')
    .describe('how releases are made: cart (sequential trees) or independent (marginals only)'),
  synthesizerOptions: z
    .record(z.string(), z.unknown())
    .default({})
    .describe('options of the synthesizer: {"minbucket": 20}'),
  folds: z.number().int().min(2).default(5).describe('number of folds, stratified by the target'),
  ...attackOptions,
  ...scoring,
})

type Options = z.output<typeof options>

type Details = CrossValidatedRapid & {
  readonly threshold: number
  /** The released file, scored on the original. */
  readonly released: { readonly rate: number; readonly gap: number }
}

export const rapidCv = measure({
  id: 'rapid-cv',
  version: 1,
  title: 'RAPID of people who are not in the data',
  summary: 'share of people whose target is inferred confidently from releases that were made without them',
  family: 'inference',
  threat: 'attribute',
  orientation: 'risk',
  scope: 'pair',
  needs: ['keys', 'target'],
  stochastic: true,
  options,
  compute,
  thresholds: {
    literature: [{ value: 0.15, meaning: 'high above 15 %, as RAPID itself', source: 'riskutility' }],
  },
  sentence: ({ details }) =>
    `a release made without them tells the target of ${percent(details.mean)} of people confidently, ${percent(details.chance)} by chance; being in the data adds ${points(details.gap.mean)}`,
  charts: ({ details }, { name }) => [
    barChart(
      { name: 'folds', title: `In the data (grey) and not in it (blue): ${name}`, x: '', y: 'share at risk' },
      details.folds.flatMap(({ fold, rate, members }) => [
        { label: `fold ${fold}`, value: members, series: 'original' as const },
        { label: `fold ${fold}`, value: rate, series: 'release' as const },
      ]),
      [{ value: details.chance, label: 'by chance' }],
    ),
    barChart({ name: 'comparison', title: `Who is at risk: ${name}`, x: '', y: 'share at risk' }, [
      { label: 'not in the data', value: details.mean },
      { label: 'in the data', value: details.inSample.rate },
      { label: 'the release', value: details.released.rate },
      { label: 'by chance', value: details.chance },
    ]),
  ],
})

async function compute(subject: Subject, chosen: Options, context: Context): Promise<Finding<Details>> {
  const { release, part, target } = subject
  const settings = { ...chosen, interval: 'wilson', bootstrap: 0, permutations: 0 } as const
  const scene = setScene(release, part, target, settings, context)
  if (scene.shares.includes(1)) throw new NotApplicable('the target is constant in the original')
  const people = scene.people('original').rows.length
  if (people < chosen.folds) throw new NotApplicable(`${people} people cannot be cut into ${chosen.folds} folds`)
  const found = await crossValidation(release, target, settings, context)
  const rates = (await attacks(release, part, target, settings, context)).map(({ members }) =>
    flagsOf(members, settings),
  )
  return {
    value: found.mean,
    interval: found.interval,
    reference: { value: found.chance, what: 'by chance' },
    verdict: verdictOf(found.gap),
    details: {
      ...found,
      threshold: found.target === 'classes' ? chosen.tau : chosen.epsilon,
      released: compared(Math.max(...rates.map(({ rate }) => rate)), found.mean),
    },
    warnings: scene.warnings,
  }
}

/** The same for every released file, so it is computed once. */
function crossValidation(
  release: Release,
  target: string,
  chosen: AttackOptions & EvaluationOptions & Pick<Options, 'synthesizer' | 'synthesizerOptions' | 'folds'>,
  context: Context,
): Promise<CrossValidatedRapid> {
  const synthesizer = synthesizers.find(({ id }) => id === chosen.synthesizer) ?? synthesizers[0]
  parseOptions('rapid-cv: synthesizerOptions', synthesizer.options, chosen.synthesizerOptions)
  return remember(release, `rapid-cv ${JSON.stringify([target, chosen, context.seed])}`, () =>
    crossValidateRapid(
      release.original,
      synthesizer,
      {
        variables: release.variables,
        keys: [...release.keys, ...release.numericKeys],
        target,
        weight: release.weight ?? undefined,
        folds: chosen.folds,
        synthesizerOptions: chosen.synthesizerOptions,
        options: chosen,
      },
      context,
    ),
  )
}

/** On what being in the data adds: what is inferred of outsiders as well is knowledge about the population. */
function verdictOf({ mean: gap, interval }: CrossValidatedRapid['gap']): Verdict {
  if (interval === null || interval.lower <= 0)
    return { level: 'LOW', because: `being in the data adds nothing that folds can show (${points(gap)})` }
  const level = gap < 0.05 ? 'LOW' : gap < 0.15 ? 'MODERATE' : 'HIGH'
  return { level, because: `being in the data adds ${points(gap)} (moderate from 5, high from 15)` }
}

function points(difference: number): string {
  return `${(100 * difference).toFixed(1)} points`
}

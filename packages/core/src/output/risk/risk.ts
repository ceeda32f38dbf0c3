import { z } from 'zod'
import { NotApplicable } from '../../errors.js'
import type { Context } from '../../measure.js'
import { choice, flag, real, whole } from '../../option-kinds.js'
import { parseOptions } from '../../options.js'
import type { Table } from '../../table/table.js'
import type { Output, OutputRequest } from '../description/description.js'
import type { Recomputed } from '../description/value.js'
import { type Prepared, SCALES } from '../embedding/aims/aims.js'
import { type Fidelity, fidelityOf } from '../embedding/aims/fidelity.js'
import { type EmbedJob, type EmbedState, embed, embedOptions } from '../embedding/embed.js'
import { simulatedRecords } from '../embedding/from-outputs.js'
import { type CodedTable, selectRecords } from '../embedding/records/coded-records.js'
import { aimsOf, countUp, errorsByOutput, knowledgeWith, recomputeTask, type Setup, setUp } from '../embedding/setup.js'
import { type Matching, matchingOf } from './attribution.js'
import { type OutputGame, outputGame } from './game.js'
import type { MarginalRisk } from './marginal.js'
import { type PlannedScenario, scenariosOf } from './scenario.js'
import { consensusTask, type ScoringShared, scoreTask } from './scoring.js'
import { DESIGNS, FEWEST_RECORDS, type Split, splitsOf } from './splits.js'
import { type ScoredSplit, successDifferences, type TargetRisk, targetRisk } from './target-risk.js'
import { type Trajectory, trajectoryOf } from './trajectory.js'

/**
 * What outputs reveal about the people in the data: data sets are made that reproduce the printed numbers, from these and public
 * knowledge alone, and attacked; the same with outputs of a part of the records, so that people outside can be attacked too. What the
 * members suffer more than the others is the marginal risk of the outputs. Several data sets of the same outputs show what the outputs
 * leave open, and what all of them say is what the outputs give away. After Elliot, Little and Allmendinger (evolutionary algorithms
 * for output disclosure risk); what is done otherwise, and why, is in docs/output-risk.md.
 */
export const outputRiskOptions = z.object({
  targets: z
    .array(z.string())
    .optional()
    .describe('variables to be found out; default: responses, else every category'),
  keys: z.array(z.string()).optional().describe('variables that an attacker knows; default: all others that are used'),
  keySizes: z.array(z.int().min(1)).min(1).default([3, 4, 5, 6]).describe('sizes of sets of keys'),
  mostSets: whole(200, { min: 1 }).describe('most sets of keys; of more, as many are drawn'),
  tau: real(1, { above: 0, max: 1 }).describe('share of a class that must agree before an attacker believes it'),
  design: choice(DESIGNS, 'repeated').describe('how people outside are had'),
  splits: whole(10, { min: 1 }).describe('random splits'),
  folds: whole(2, { min: 2 }).describe('folds of kfold'),
  depth: whole(1, { min: 1, max: 3 }).describe('foldfold: 1 adds quarters, 2 eighths too'),
  replicates: whole(10, { min: 1 }).describe('embedded data sets of all records'),
  splitReplicates: whole(1, { min: 1 }).describe('embedded data sets of each part'),
  scale: choice(SCALES, 'joint').describe('what differences are divided by in the search'),
  margin: real(0.02, { above: 0 }).describe('marginal risk that does not matter'),
  high: real(0.05, { above: 0 }).describe('marginal risk that is high'),
  trajectory: whole(3, { min: 0 }).describe('runs of hill (or ea) that are followed; 0 for none'),
  contributions: flag(true).describe('whether each of several outputs is also taken alone and left out'),
  contributionSplits: whole(4, { min: 2 }).describe('splits behind the contribution of each output'),
  gameRecords: whole(1000, { min: 0 }).describe('records of the strongest attacker; 0 for none'),
  ...embedOptions.shape,
})

type OutputRiskOptions = z.output<typeof outputRiskOptions>

export type OutputRiskInput = z.input<typeof outputRiskOptions> & {
  /** People who are not in the data. */
  readonly holdout?: Table | undefined
  /** Outputs that are public already: part of what is known. */
  readonly released?: readonly Output[] | undefined
  /** Gets how far the search is. */
  readonly watch?: ((now: EmbedProgress) => void) | undefined
  /** True when time is up: searches end as they are. */
  readonly isTimeUp?: (() => boolean) | undefined
  /** Where searches were left, and are kept. */
  readonly kept?: KeptSearches | undefined
  /** Gets the first embedded data of all records: simulated people who give the same outputs. */
  readonly embedded?: ((records: Table) => void) | undefined
}

/** Searches by what they are for. Taken up again they give the same bits. */
export interface KeptSearches {
  read(what: string): readonly EmbedState[] | undefined
  /** After each round. */
  write(what: string, states: readonly EmbedState[]): void
}

export interface EmbedProgress {
  readonly what: string
  readonly done: number
  readonly total: number
  /** Means over the searches. */
  readonly mae: number
  readonly fidelity: number
}

export type OutputRisk = {
  readonly records: number
  readonly holdout: number
  readonly seed: number
  readonly options: OutputRiskOptions
  readonly knowledge: 'none' | 'marginals' | 'tables'
  readonly outputs: readonly Fidelity[]
  /** Whether every printed number is reproduced in every embedded set. */
  readonly isEmbedded: boolean
  /** What must stand beside the figures where it is not. */
  readonly label: string | null
  readonly runs: readonly Run[]
  readonly targets: readonly TargetRisk[]
  readonly contributions: readonly Contribution[]
  readonly cumulativeExcess: number | null
  readonly trajectory: Trajectory | null
  readonly games: readonly OutputGame[]
  readonly binned: Matching['binned']
  readonly notes: readonly string[]
}

type Run = {
  readonly replicate: number
  readonly ended: string
  readonly steps: number
  readonly mae: number
  /** With non-dominated sorting: errors by output, of data sets of which none is better in all. */
  readonly front?: readonly Readonly<Record<string, number>>[]
  readonly history: readonly { readonly steps: number; readonly error: number; readonly mae: number }[]
}

/** What an output does alone, and what the others do without it: marginal risk in success of the riskiest target. */
type Contribution = {
  readonly output: string
  readonly alone: MarginalRisk
  readonly without: MarginalRisk | null
}

const NOT_EMBEDDED = 'lower bound, output not fully embedded'

export async function outputRisk(
  request: OutputRequest,
  data: Table,
  { holdout, released = [], watch, isTimeUp, kept, embedded, ...given }: OutputRiskInput,
  context: Context,
): Promise<OutputRisk> {
  const options = parseOptions('output risk', outputRiskOptions, given)
  const setup = setUp(request, data, holdout, released)
  const { whole, rows } = setup
  const scenarios = scenariosOf(request.outputs, whole.variables, options, context.random)
  const splits = plannedSplits(setup, options, context)
  const study: Study = { request, setup, options, context, scenarios, watch, isTimeUp, kept, numbers: new Map() }
  await computeAll(study, [countUp(rows), ...splits.map(({ members }) => members)])

  const states = await embedAll(
    study,
    'all records',
    setup.outputs,
    Array.from({ length: options.replicates }, () => countUp(rows)),
  )
  embedded?.(simulatedRecords({ ...whole, codes: states[0].codes, rows }))
  const baselines = await embedAll(
    study,
    'knowledge',
    [],
    Array.from({ length: options.replicates }, () => countUp(rows)),
  )
  const outputs = await fidelityOf(
    whole.variables,
    request.outputs,
    numbersOf(study, countUp(rows)),
    states.map(({ codes }) => codes),
    context.tasks,
  )
  const scored = await scoreSplits(study, 'splits', setup.outputs, splits)
  const consensus = await scoreAll(study, states)
  const knownBefore = await scoreAll(study, baselines)
  const isEmbedded = outputs.every((output) => output.fidelity === 1) && scored.every(({ reproduced }) => reproduced)
  const targets = scenarios.map((scenario, k) =>
    targetRisk({
      setup,
      options,
      scenario,
      at: k,
      consensus: consensus[k],
      baseline: knownBefore[k],
      splits: scored,
      isEmbedded,
      matching: matchingOf(whole),
    }),
  )
  const contributions = await contributionsOf(study, splits)
  return {
    records: rows,
    holdout: setup.table.rows - rows,
    seed: context.seed,
    options,
    knowledge: Array.isArray(request.knowledge) ? 'tables' : request.knowledge,
    outputs,
    isEmbedded,
    label: isEmbedded ? null : NOT_EMBEDDED,
    runs: states.map((state, replicate) => ({
      replicate,
      ended: state.ended ?? 'limit',
      steps: state.steps,
      mae: state.closeness.mae,
      history: state.history,
      ...(state.front === undefined
        ? {}
        : {
            front: state.front.map((errors) =>
              errorsByOutput(errors, [...setup.outputs, ...setup.released], numbersOf(study, countUp(rows))),
            ),
          }),
    })),
    targets,
    contributions: contributions.each,
    cumulativeExcess: contributions.excess,
    trajectory: await trajectory(study),
    games: games(study),
    binned: matchingOf(whole).binned,
    notes: notesOf(study),
  }
}

interface Study {
  readonly request: OutputRequest
  readonly setup: Setup
  readonly options: OutputRiskOptions
  readonly context: Context
  readonly scenarios: readonly PlannedScenario[]
  readonly watch: OutputRiskInput['watch']
  readonly isTimeUp: OutputRiskInput['isTimeUp']
  readonly kept: OutputRiskInput['kept']
  /** Outputs, then released ones, by the records they were computed from. */
  readonly numbers: Map<string, readonly Recomputed[]>
}

function plannedSplits({ rows, table }: Setup, options: OutputRiskOptions, { random }: Context): Split[] {
  if (options.design === 'holdout') {
    if (table.rows === rows) throw new NotApplicable('the design holdout needs people who are not in the data')
    const outsiders = countUp(table.rows).slice(rows)
    return [{ split: 0, members: countUp(rows), outsiders }]
  }
  const splits = splitsOf(rows, options, random)
  const fewest = splits.reduce(
    (least, { members, outsiders }) => Math.min(least, members.length, outsiders.length),
    rows,
  )
  if (fewest < FEWEST_RECORDS)
    throw new NotApplicable(
      `${fewest} records on a side are too few to tell members from others (at least ${FEWEST_RECORDS}); rules only`,
    )
  return splits
}

/** Records by name: a split has one set of members. */
function nameOf(rows: Int32Array): string {
  let hash = 0
  for (let k = 0; k < rows.length; k++) hash = (Math.imul(hash, 31) + rows[k] + 1) | 0
  return `${rows.length} ${hash}`
}

async function computeAll({ setup, numbers, context }: Study, parts: readonly Int32Array[]): Promise<void> {
  const wanted = [...new Map(parts.map((rows) => [nameOf(rows), rows])).entries()]
  const outputs = [...setup.outputs, ...setup.released].map(({ output }) => output)
  const found = await context.tasks.map(
    recomputeTask,
    { table: setup.table, outputs },
    wanted.map(([, rows]) => rows),
    { signal: context.signal },
  )
  wanted.forEach(([name], k) => {
    numbers.set(name, found[k])
  })
}

function numbersOf({ numbers }: Study, rows: Int32Array): readonly Recomputed[] {
  const values = numbers.get(nameOf(rows))
  if (values === undefined) throw new Error('outputs were not computed on these records')
  return values
}

/** Embedded data of some outputs, and always of what was released, computed from each of these sets of records. */
async function embedAll(
  study: Study,
  what: string,
  outputs: readonly Prepared[],
  parts: readonly Int32Array[],
  {
    engine = study.options.engine,
    snapshots = false,
  }: { engine?: OutputRiskOptions['engine']; snapshots?: boolean } = {},
): Promise<EmbedState[]> {
  const { setup, options, context } = study
  const released = setup.outputs.length
  const jobs = parts.map((rows, k): EmbedJob => {
    const numbers = numbersOf(study, rows)
    const chosen = [...outputs, ...setup.released]
    const values = chosen.map((output) => {
      const at = setup.outputs.indexOf(output)
      return numbers[at < 0 ? released + setup.released.indexOf(output) : at]
    })
    const aims = aimsOf(chosen, values, options.scale)
    return {
      rows: rows.length,
      aims,
      knowledge: engine === 'direct' ? knowledgeWith(setup, aims, rows.length) : setup.knowledge,
      seed: context.seed,
      run: `output/${what}/${k}`,
      snapshots,
    }
  })
  const shared = { variables: setup.whole.variables, options: { ...options, engine } }
  return embed(shared, jobs, {
    tasks: context.tasks,
    signal: context.signal,
    isTimeUp: study.isTimeUp,
    states: study.kept?.read(what),
    watch(states) {
      study.kept?.write(what, states)
      const done = states.filter(({ ended }) => ended !== null).length
      context.progress(done, jobs.length)
      const average = (pick: (state: EmbedState) => number) =>
        states.reduce((sum, state) => sum + pick(state), 0) / states.length
      study.watch?.({
        what,
        done,
        total: jobs.length,
        mae: average(({ closeness }) => closeness.mae),
        fidelity: average(({ closeness }) => closeness.fidelity),
      })
    },
  })
}

function scoringShared({ setup, options, scenarios, context }: Study): ScoringShared {
  return {
    variables: setup.whole.variables,
    real: setup.whole.codes,
    matching: matchingOf(setup.whole),
    scenarios,
    tau: options.tau,
    seed: context.seed,
  }
}

async function scoreSplits(
  study: Study,
  what: string,
  outputs: readonly Prepared[],
  splits: readonly Split[],
): Promise<ScoredSplit[]> {
  const { options, context } = study
  const parts = splits.flatMap((split) => Array.from({ length: options.splitReplicates }, () => split))
  const states = await embedAll(
    study,
    what,
    outputs,
    parts.map(({ members }) => members),
  )
  const items = parts.map(({ members, outsiders }, k) => ({ embedded: states[k].codes, members, outsiders }))
  const scores = await context.tasks.map(scoreTask, scoringShared(study), items, { signal: context.signal })
  return parts.map((split, k) => ({
    ...split,
    scores: scores[k],
    reproduced: states[k].ended === 'reproduced',
    mae: states[k].closeness.mae,
  }))
}

/** By scenario, one consensus per set of keys. */
async function scoreAll(study: Study, states: readonly EmbedState[]) {
  const { scenarios, context, setup } = study
  const { whole, rows } = setup
  const data: CodedTable = selectRecords(whole, countUp(rows))
  const items = scenarios.flatMap(({ sets }, scenario) => sets.map((_, set) => ({ scenario, set })))
  const shared = { ...scoringShared(study), real: data.codes, embedded: states.map(({ codes }) => codes) }
  const consensus = await context.tasks.map(consensusTask, shared, items, { signal: context.signal })
  return scenarios.map((_, scenario) => consensus.filter((_one, k) => items[k].scenario === scenario))
}

async function contributionsOf(
  study: Study,
  splits: readonly Split[],
): Promise<{ each: readonly Contribution[]; excess: number | null }> {
  const { setup, options } = study
  if (!options.contributions || setup.outputs.length < 2 || splits.length === 0) return { each: [], excess: null }
  const few = splits.filter(({ split }) => split < options.contributionSplits)
  const worst = async (what: string, outputs: readonly Prepared[]): Promise<MarginalRisk> => {
    const scored = await scoreSplits(study, what, outputs, few)
    const all = study.scenarios.map((_, k) => successDifferences(scored, k))
    return all.reduce((a, b) => ((b.value ?? 0) > (a.value ?? 0) ? b : a))
  }
  const together = await worst('together', setup.outputs)
  const each: Contribution[] = []
  for (const output of setup.outputs) {
    const others = setup.outputs.filter((other) => other !== output)
    each.push({
      output: output.output.id,
      alone: await worst(`only ${output.output.id}`, [output]),
      without: await worst(`without ${output.output.id}`, others),
    })
  }
  const largest = Math.max(...each.map(({ alone }) => alone.value ?? 0))
  return { each, excess: (together.value ?? 0) - largest }
}

const FULL_RUNS = 'trajectory'

/** Followed from start data to the end, by `ea` if that is the engine, else by `hill`: `direct` starts near the end. */
async function trajectory(study: Study): Promise<Trajectory | null> {
  const { setup, options, context, scenarios } = study
  if (options.trajectory === 0) return null
  const parts = Array.from({ length: options.trajectory }, () => countUp(setup.rows))
  const engine = options.engine === 'ea' ? 'ea' : 'hill'
  const states = await embedAll(study, FULL_RUNS, setup.outputs, parts, { engine, snapshots: true })
  const scenario = { ...scenarios[0], sets: [scenarios[0].keys] }
  const snapshots = states.flatMap((state, run) => state.snapshots.map((snapshot) => ({ ...snapshot, run })))
  const members = countUp(setup.rows)
  const scores = await context.tasks.map(
    scoreTask,
    { ...scoringShared(study), scenarios: [scenario] },
    snapshots.map(({ codes }) => ({ embedded: codes, members, outsiders: new Int32Array() })),
    { signal: context.signal },
  )
  const points = snapshots.map(({ run, mae }, k) => {
    const [{ kept, attributed }] = scores[k][0].members.scores
    return { run, mae, risk: kept === 0 ? 0 : attributed / kept }
  })
  return trajectoryOf(points, context.random('trajectory'))
}

function games(study: Study): OutputGame[] {
  const { setup, options, scenarios, context } = study
  if (options.gameRecords === 0) return []
  const data = selectRecords(setup.whole, countUp(setup.rows))
  const numbers = numbersOf(study, countUp(setup.rows)).slice(0, setup.outputs.length)
  const aims = aimsOf(setup.outputs, numbers, 'print', 'exact')
  return scenarios.map(({ target }, k) =>
    outputGame(data, aims, target, options.gameRecords, context.random('game', k)),
  )
}

function notesOf(study: Study): string[] {
  const { setup, scenarios, options } = study
  const names = setup.whole.variables.map(({ name }) => name)
  const sampled = scenarios.flatMap(({ target, possible, sets }) =>
    possible > sets.length ? [`${sets.length} of ${possible} sets of keys were attacked for ${names[target]}`] : [],
  )
  const lost = new Set<string>()
  for (const parts of study.numbers.values())
    for (const { dropped, flags } of parts) {
      for (const { element, reason } of dropped) lost.add(`${element}: ${reason}`)
      for (const flag of flags) lost.add(flag)
    }
  const folds = options.design === 'kfold' && options.folds === 2 ? ['no interval from two folds'] : []
  return [...setup.outputs.flatMap(({ left }) => left), ...sampled, ...folds, ...lost]
}

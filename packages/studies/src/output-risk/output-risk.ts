import {
  type AbortSignalLike,
  type Chart,
  type Context,
  fixed,
  inline,
  mean,
  type OutputRequest,
  type OutputRisk,
  type OutputRiskInput,
  outputRisk,
  outputRiskCharts,
  requestSchema,
  selectRows,
  standardDeviation,
  stream,
  type Table,
  type TaskRunner,
} from '@scrim/core'
import { compare } from '../buyer-beware/part.js'
import type { Check, Comparison } from '../comparison.js'
import { simulateCensus } from './census.js'
import { PUBLISHED_DIFFERENCES, PUBLISHED_ERRORS, PUBLISHED_LINE, PUBLISHED_TCAP } from './published.js'

/**
 * The three experiments of Elliot, Little and Allmendinger on census-like records, with their evolutionary algorithm: outputs of all
 * records, of two halves, and of two halves of a half; and besides what they leave open: random halves again and again with an
 * interval. Their census file is not public, so that numbers are beside theirs and not equal to them.
 */
export interface OutputRiskDesign {
  readonly seed: number
  readonly n: number
  /** Runs of the evolutionary algorithm on all records. */
  readonly runs: number
  readonly generations: number
  readonly phase: number
  /** Random halves, embedded directly. */
  readonly splits: number
  /** Most changes that direct embedding tries. */
  readonly proposals: number
}

const FULL = { n: 50_357, runs: 10, generations: 2000, phase: 250, splits: 10, proposals: 2_000_000 }
const QUICK = { n: 4000, runs: 2, generations: 400, phase: 50, splits: 4, proposals: 200_000 }

export function outputRiskDesign(asked: {
  seed: number
  quick?: boolean
  n?: number | undefined
  runs?: number | undefined
}): OutputRiskDesign {
  const base = asked.quick ? QUICK : FULL
  return { seed: asked.seed, ...base, n: asked.n ?? base.n, runs: asked.runs ?? base.runs }
}

export interface OutputRiskStudy {
  readonly design: OutputRiskDesign
  readonly tables: readonly { readonly name: string; readonly title: string; readonly rows: readonly Comparison[] }[]
  readonly figures: readonly {
    readonly name: string
    readonly title: string
    readonly header: readonly string[]
    readonly rows: readonly (readonly (string | number | null)[])[]
  }[]
  readonly checks: readonly Check[]
  readonly charts: readonly Chart[]
}

export interface OutputRiskHow {
  readonly tasks?: TaskRunner
  readonly signal?: AbortSignalLike
  readonly progress?: (done: number, total: number, what: string) => void
}

/** The logistic model of the paper: 23 coefficients, printed with four decimals. */
export const CENSUS_REQUEST: OutputRequest = requestSchema.parse({
  outputs: [
    {
      id: 'tenure',
      kind: 'regression',
      family: 'logistic',
      response: 'TENURE',
      event: '1',
      decimals: 4,
      terms: [
        { var: 'AGE', as: 'numeric' },
        { var: 'AREAP', as: 'factor', reference: '57' },
        { var: 'ETHGROUP', as: 'factor', reference: '1' },
        { var: 'LTILL', as: 'factor', reference: '1' },
        { var: 'MSTATUS', as: 'factor', reference: '1' },
        { var: 'SEX', as: 'factor', reference: '1' },
      ],
    },
  ],
})

export async function studyOutputRisk(design: OutputRiskDesign, run: OutputRiskHow = {}): Promise<OutputRiskStudy> {
  const data = simulateCensus({ n: design.n, seed: design.seed })
  const half = selectRows(
    data,
    Int32Array.from({ length: Math.floor(design.n / 2) }, (_, row) => row),
  )
  const evolved: OutputRiskInput = {
    engine: 'ea',
    scale: 'raw',
    generations: design.generations,
    phase: design.phase,
    gameRecords: 0,
    trajectory: 0,
  }
  const steps: readonly [string, Table, OutputRiskInput][] = [
    ['all records', data, { ...evolved, design: 'none', replicates: design.runs, trajectory: 1, gameRecords: 1000 }],
    ['two halves', data, { ...evolved, design: 'kfold', replicates: 1 }],
    ['two halves of a half', half, { ...evolved, design: 'kfold', replicates: 1 }],
    [
      'random halves',
      data,
      {
        design: 'repeated',
        splits: design.splits,
        proposals: design.proposals,
        replicates: 3,
        trajectory: 0,
        gameRecords: 0,
      },
    ],
  ]
  const found: OutputRisk[] = []
  for (const [k, [what, of, options]] of steps.entries()) {
    run.progress?.(k, steps.length, what)
    const context: Context = {
      seed: design.seed,
      random: (purpose, index) => stream(design.seed, `study/output-risk/${what}/${purpose}`, index),
      progress: () => {},
      signal: run.signal,
      tasks: run.tasks ?? inline,
    }
    found.push(await outputRisk(CENSUS_REQUEST, of, options, context))
  }
  const [whole, halves, quarters, repeated] = found
  return {
    design,
    tables: [
      errorTable(whole, halves, quarters),
      riskTable(whole),
      differenceTable(halves, quarters),
      lineTable(whole),
    ],
    figures: [coefficientFigure(whole), splitFigure(repeated), marginalFigure(repeated, whole)],
    checks: checksOf(whole, halves, repeated),
    charts: [
      ...outputRiskCharts(whole),
      ...outputRiskCharts(repeated).filter(({ name }) => /^(members|key|groups)/.test(name)),
    ],
  }
}

function errorTable(whole: OutputRisk, halves: OutputRisk, quarters: OutputRisk) {
  const row = (setting: string, errors: readonly number[], published: number) =>
    compare(
      setting,
      'MAE x 1000',
      errors.map((mae) => 1000 * mae),
      1000 * published,
      null,
    )
  const ofFolds = ({ targets }: OutputRisk) => targets[0].splits.map(({ mae }) => mae)
  return {
    name: 'errors',
    title: 'Mean absolute difference of the coefficients (Tables 2 to 4)',
    rows: [
      row(
        'all records',
        whole.runs.map(({ mae }) => mae),
        PUBLISHED_ERRORS.whole,
      ),
      row('two halves', ofFolds(halves), PUBLISHED_ERRORS.halves),
      row('two halves of a half', ofFolds(quarters), PUBLISHED_ERRORS.quarters),
    ],
  }
}

function riskTable({ targets }: OutputRisk) {
  const [{ embedded, fullKeys }] = targets
  const row = (setting: string, figure: string, value: number | null, published: number) =>
    compare(setting, figure, value === null ? [] : [value], published, null)
  return {
    name: 'tcap',
    title: 'TCAP of data that reproduce the model of all records',
    rows: [
      row('3 to 6 keys', 'mean over sets that define it', embedded.undefined, PUBLISHED_TCAP.sets),
      row('3 to 6 keys', 'others as 0', embedded.undefinedOrZero, PUBLISHED_TCAP.sets),
      row('6 keys', 'records that occur', fullKeys.undefined, PUBLISHED_TCAP.six),
    ],
  }
}

function differences({ targets }: OutputRisk): number[] {
  return targets[0].splits.map(({ undefined: [members, outsiders] }) => (members ?? 0) - (outsiders ?? 0))
}

function differenceTable(halves: OutputRisk, quarters: OutputRisk) {
  const rows = (what: string, risk: OutputRisk, published: readonly number[]) => {
    const own = differences(risk)
    return [
      ...own.map((value, k) => compare(`${what} ${k + 1}`, 'members less others', [value], published[k], null)),
      compare(what, 'mean', own, mean(published) ?? 0, null),
    ]
  }
  return {
    name: 'folds',
    title: 'TCAP of members less that of others (Table 5)',
    rows: [
      ...rows('half', halves, PUBLISHED_DIFFERENCES.halves),
      ...rows('half of a half', quarters, PUBLISHED_DIFFERENCES.quarters),
    ],
  }
}

function lineTable({ trajectory }: OutputRisk) {
  const line = trajectory?.line
  const row = (figure: string, value: number | undefined, published: number) =>
    compare('TCAP against MAE', figure, value === undefined ? [] : [value], published, null)
  return {
    name: 'trajectory',
    title: 'Risk while the error falls (6 keys, others as 0)',
    rows: [
      row('at an error of 0', line?.intercept, PUBLISHED_LINE.intercept),
      row('slope', line?.slope, PUBLISHED_LINE.slope),
      row('correlation', line?.correlation, PUBLISHED_LINE.correlation),
    ],
  }
}

/** What an error without scale hides: a small coefficient that is off by much of its standard error. */
function coefficientFigure({ outputs }: OutputRisk) {
  const [{ elements }] = outputs
  return {
    name: 'coefficients',
    title: 'Coefficients of the embedded data, mean over runs; the last column is the difference in standard errors',
    header: ['term', 'model', 'embedded', 'difference', 'in se'],
    rows: elements.map(({ element, published, mean: own, standardError }) => {
      const off = (own ?? 0) - published
      return [element, fixed(published, 4), fixed(own ?? 0, 4), fixed(off, 5), fixed(off / (standardError ?? 1), 3)]
    }),
  }
}

function splitFigure({ targets }: OutputRisk) {
  const bySplit = targets[0].splits
  return {
    name: 'random-halves',
    title: 'Random halves, embedded directly, both directions of each',
    header: ['split', 'success O', 'success H', 'TCAP O', 'TCAP H', 'difference', '6 keys O', '6 keys H'],
    rows: bySplit.map(({ split, success, undefined: tcap, fullKeys }) => [
      split + 1,
      success[0],
      success[1],
      tcap[0],
      tcap[1],
      (tcap[0] ?? 0) - (tcap[1] ?? 0),
      fullKeys[0],
      fullKeys[1],
    ]),
  }
}

function marginalFigure({ targets }: OutputRisk, whole: OutputRisk) {
  const [{ success, tcapUndefined, tcapZero, verdict, gain, agreed }] = targets
  const row = (what: string, { value, interval, population }: typeof success) => [
    what,
    value,
    interval?.lower ?? null,
    interval?.upper ?? null,
    population?.lower ?? null,
    population?.upper ?? null,
  ]
  const [game] = whole.games
  return {
    name: 'marginal-risk',
    title: `Marginal risk over random halves: ${verdict}. Success gains ${fixed(gain.success, 4)} by the output; all embedded sets agree about ${fixed(agreed.share, 4)} of people${game === undefined ? '' : `; for somebody who knows all but one record the printed digits exclude the other value of ${fixed(game.excluded, 3)} of people`}`,
    header: ['figure', 'mean', 'lower', 'upper', 'new people: lower', 'upper'],
    rows: [row('success', success), row('TCAP', tcapUndefined), row('TCAP, others 0', tcapZero)],
  }
}

function checksOf(whole: OutputRisk, halves: OutputRisk, repeated: OutputRisk): Check[] {
  const spread = standardDeviation(differences(repeated)) ?? 0
  const [{ success, splits }] = repeated.targets
  return [
    {
      what: 'the evolutionary algorithm is at least as near as published on all records',
      holds: whole.runs.every(({ mae }) => mae <= PUBLISHED_ERRORS.whole),
    },
    {
      what: 'direct embedding reproduces all four printed decimals of every random half',
      holds: splits.every(({ reproduced }) => reproduced),
    },
    {
      what: 'risk rises as the error falls',
      holds: (whole.trajectory?.line?.slope ?? 0) < 0,
    },
    {
      what: 'the published differences between folds lie within three standard deviations of random halves',
      holds: PUBLISHED_DIFFERENCES.halves.every((value) => Math.abs(value) <= 3 * Math.max(spread, 1e-9)),
    },
    {
      what: 'two folds alone give no interval, random halves do',
      holds: halves.targets[0].success.interval === null && success.interval !== null,
    },
    {
      what: 'the marginal risk of the model is below 0.02',
      holds: (success.interval?.upper ?? 1) < 0.02,
    },
  ]
}

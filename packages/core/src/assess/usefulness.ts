import { z } from 'zod'
import type { AnyMeasure, ReleaseFinding, Result } from '../measure.js'
import { count, fixed, percent, UNITS } from '../print.js'
import { largestFirst } from '../stats/sorted.js'
import { mean } from '../stats/sums.js'
import type { ClassedColumn } from '../table/numbers-in-classes.js'
import type { CoarserColumn } from '../utility/scale/coarser.js'
import { RATIO_TO_AIM_FOR } from '../utility/tables/tables.js'
import { firstNames } from './sentences.js'

/**
 * How useful a release is, from all measures of utility that ran. Places between what keeps nothing (0) and an honest sample
 * (1), cut off at both ends, are averaged over the measures of relations and over those of single columns:
 *   U = min(relations, columns)
 * A release is as useful as its weaker side, and closeness beyond an honest sample earns nothing. Only the default measures
 * of the two scores count; the others are listed. Risk never enters, and utility never enters a verdict on risk.
 */
const USEFULNESS = ['FAITHFUL', 'USABLE', 'LIMITED', 'POOR', 'NOT ASSESSED'] as const
export type UsefulnessLevel = (typeof USEFULNESS)[number]

/** From this U on: another sample of the same population lies between 0.78 and 0.96 in the validation study. */
const FROM = { FAITHFUL: 0.75, USABLE: 0.5, LIMITED: 0.25 } as const

const sample = z.object({ measure: z.string(), fraction: z.number() })

const utilityFinding = z.object({
  measure: z.string(),
  title: z.string(),
  target: z.string().nullable(),
  scale: z.enum(['joint', 'marginal']).nullable().describe('the score it belongs to; null: shown, not averaged'),
  value: z.number().nullable(),
  unit: z.enum(UNITS),
  orientation: z.enum(['utility', 'distance', 'risk']),
  honest: z.number().nullable().describe('what an honest sample of the same size gives'),
  nothing: z.number().nullable().describe('what a file gives that keeps nothing'),
  place: z.number().nullable().describe('0: keeps nothing; 1: an honest sample; not cut off'),
  ratio: z.number().nullable().describe('value over honest, for distances'),
  sample: z.number().nullable().describe('share of the original in a random subsample that is as far off'),
  p: z.number().nullable().describe('of being two samples of one population'),
  sentence: z.string(),
})

export const utilitySchema = z.object({
  level: z.enum(USEFULNESS),
  score: z.number().nullable().describe('U, the smaller of relations and columns'),
  relations: z.number().nullable().describe('mean place of the measures of relations, each cut off at 0 and 1'),
  columns: z.number().nullable().describe('the same for measures of single columns'),
  incomplete: z.array(z.string()).describe('measures of the two scores that failed'),
  samples: z
    .object({ smallest: sample, largest: sample })
    .nullable()
    .describe('subsamples of the original that are as far off, over the measures of the two scores'),
  worstColumns: z.array(z.object({ name: z.string(), ratio: z.number() })).describe('S_pMSE of their one-way tables'),
  worstPairs: z
    .array(z.object({ variables: z.array(z.string()), ratio: z.number(), adjustedP: z.number() }))
    .describe('S_pMSE of their two-way tables'),
  coarser: z
    .array(z.object({ column: z.string(), original: z.number().int(), released: z.number().int() }))
    .default([])
    .describe(
      'columns that were rounded or recoded, with how many values they had and have: the score counts what that loses',
    ),
  onCoarserScale: z
    .object({
      columns: z.array(z.string()).describe('coarser columns in which the original could be brought to the same scale'),
      score: z.number(),
    })
    .nullable()
    .default(null)
    .describe('U beside an original that is as coarse in these columns: what is lost besides detail'),
  inClasses: z
    .array(z.object({ column: z.string(), original: z.number().int(), released: z.number().int() }))
    .default([])
    .describe(
      'numbers of the original that were compared in the classes of the release, with how many values there were and are: the score does not count what that loses',
    ),
  sentence: z.string(),
  measures: z.array(utilityFinding),
})

export type UtilityAssessment = z.output<typeof utilitySchema>
export type UtilityRow = UtilityAssessment['measures'][number]

export interface FoundMeasure {
  readonly result: Result
  readonly measure: AnyMeasure
}

/** What a score cannot say of the columns. */
interface AboutColumns {
  readonly coarser?: readonly CoarserColumn[]
  readonly onCoarserScale?: UtilityAssessment['onCoarserScale']
  readonly inClasses?: readonly ClassedColumn[]
  /** Columns of the original that the release lacks, or has with another type. */
  readonly notCompared?: readonly string[]
}

/** Null when no measure of utility ran. */
export function usefulnessOf(
  index: number,
  results: readonly FoundMeasure[],
  { coarser = [], onCoarserScale = null, inClasses = [], notCompared = [] }: AboutColumns = {},
): UtilityAssessment | null {
  const own = results.filter(({ measure }) => measure.role === 'utility')
  if (own.length === 0) return null
  const rows = own.flatMap(({ measure, result }) => rowsOf(measure, result, index))
  const { relations, columns, score } = utilityScore(rows)
  const level = levelFor(score)
  const incomplete = own
    .filter(({ measure, result }) => measure.profile !== 'full' && result.status === 'failed')
    .map(({ measure }) => measure.id)
  const samples = samplesOf(rows)
  const worst = worstOf(index, results)
  const sentence = [
    sentenceOf(level, relations, columns),
    uncoveredText(level, rows, worst.worstColumns),
    coarserText(coarser, onCoarserScale),
    inClassesText(inClasses),
    notCompared.length === 0 ? '' : `; not compared: ${firstNames(notCompared)}`,
  ].join('')
  return {
    level,
    score,
    relations,
    columns,
    incomplete,
    samples,
    ...worst,
    coarser: [...coarser],
    onCoarserScale,
    inClasses: [...inClasses],
    sentence,
    measures: rows,
  }
}

function rowsOf({ id, title, unit, orientation }: AnyMeasure, { releases }: Result, index: number): UtilityRow[] {
  const release = releases[index]
  if (release === undefined) return []
  return (release.targets ?? [release])
    .filter(({ status }) => status === 'ok')
    .map(({ target, value, sentence, controls = {}, utility }: ReleaseFinding) => ({
      measure: id,
      title,
      target,
      scale: utility?.scale ?? null,
      value,
      unit,
      orientation,
      honest: controls.honest?.value ?? null,
      nothing: controls.nothing?.value ?? null,
      place: utility?.place ?? null,
      ratio: utility?.ratio ?? null,
      sample: utility?.equivalent?.fraction ?? null,
      p: utility?.test?.p ?? null,
      sentence,
    }))
}

/** A place on one of the two scores. */
export type Placed = Pick<UtilityRow, 'measure' | 'scale' | 'place'>

export function utilityScore(rows: readonly Placed[]): Pick<UtilityAssessment, 'relations' | 'columns' | 'score'> {
  const relations = scoreOf(rows, 'joint')
  const columns = scoreOf(rows, 'marginal')
  const scores = [relations, columns].flatMap((score) => score ?? [])
  return { relations, columns, score: scores.length === 0 ? null : Math.min(...scores) }
}

/** Measures count equally, however many targets they have. */
function scoreOf(rows: readonly Placed[], scale: 'joint' | 'marginal'): number | null {
  const counted = rows.filter((row) => row.scale === scale)
  const ids = [...new Set(counted.map(({ measure }) => measure))]
  return mean(
    ids.flatMap((id) => {
      const places = counted.flatMap(({ measure, place }) => (measure === id && place !== null ? [clamp(place)] : []))
      return mean(places) ?? []
    }),
  )
}

const clamp = (place: number) => Math.min(1, Math.max(0, place))

function levelFor(score: number | null): UsefulnessLevel {
  if (score === null) return 'NOT ASSESSED'
  if (score >= FROM.FAITHFUL) return 'FAITHFUL'
  if (score >= FROM.USABLE) return 'USABLE'
  return score >= FROM.LIMITED ? 'LIMITED' : 'POOR'
}

function samplesOf(rows: readonly UtilityRow[]): UtilityAssessment['samples'] {
  const known = rows
    .flatMap(({ measure, scale, sample: fraction }) =>
      scale === null || fraction === null ? [] : [{ measure, fraction }],
    )
    .sort((a, b) => a.fraction - b.fraction)
  return known.length === 0 ? null : { smallest: known[0], largest: known[known.length - 1] }
}

const SHOWN = 3

/** From the cross-tables, where they ran. */
function worstOf(
  index: number,
  results: readonly FoundMeasure[],
): Pick<UtilityAssessment, 'worstColumns' | 'worstPairs'> {
  const details = results.find(({ measure }) => measure.id === 'tables')?.result.releases[index]?.details as
    | CrossTablesFound
    | null
    | undefined
  if (details === undefined || details === null) return { worstColumns: [], worstPairs: [] }
  return {
    worstColumns: largestFirst(
      details.variables.flatMap(({ name, oneWay }) => (oneWay === null ? [] : [{ name, ratio: oneWay }])),
      ({ ratio }) => ratio,
    ).slice(0, SHOWN),
    worstPairs: details.tables
      .filter(({ variables }) => variables.length > 1)
      .slice(0, SHOWN)
      .map(({ variables, utility, adjustedP }) => ({
        variables: [...variables],
        ratio: utility.S_pMSE ?? 0,
        adjustedP,
      })),
  }
}

interface CrossTablesFound {
  readonly variables: readonly { readonly name: string; readonly oneWay: number | null }[]
  readonly tables: readonly {
    readonly variables: readonly string[]
    readonly utility: { readonly S_pMSE: number | null }
    readonly adjustedP: number
  }[]
}

const WORDS: Readonly<Record<UsefulnessLevel, string>> = {
  FAITHFUL: 'close to what an honest sample of the same size would give',
  USABLE: 'keeps more than half of what an honest sample of the same size would keep',
  LIMITED: 'keeps less than half of what an honest sample of the same size would keep',
  POOR: 'keeps little: analyses of it would mislead',
  'NOT ASSESSED': 'no measure could place it between an honest sample and a file that keeps nothing',
}

function sentenceOf(level: UsefulnessLevel, relations: number | null, columns: number | null): string {
  if (relations === null || columns === null) return WORDS[level]
  const weaker = relations < columns ? 'relations between columns' : 'single columns'
  return Math.abs(relations - columns) < 0.1 ? WORDS[level] : `${WORDS[level]}; the weaker side is ${weaker}`
}

/** What was made coarser on purpose looks like what went wrong, and is told apart. */
function coarserText(coarser: readonly CoarserColumn[], onScale: UtilityAssessment['onCoarserScale']): string {
  if (coarser.length === 0) return ''
  const each = coarser.map(lossText)
  const besides =
    onScale === null
      ? ''
      : `; beside an original as coarse in ${onScale.columns.join(', ')} it is ${percent(onScale.score, 0)}`
  return `; coarser: ${each.join(', ')}, and the detail that is lost is counted${besides}`
}

function inClassesText(inClasses: readonly ClassedColumn[]): string {
  return inClasses.length === 0
    ? ''
    : `; compared in the classes of the release: ${inClasses.map(lossText).join(', ')}, and the detail that is lost is not counted`
}

function lossText({ column, original, released }: CoarserColumn): string {
  return `${column} (${original} values, now ${released})`
}

/** A p that no number of measures explains. */
const SURELY_DIFFERENT = 0.001

/**
 * A mean may be good though something in it is not. A good word therefore says which measures tell the release from another
 * sample, and which columns are farther off than anybody aims for.
 */
function uncoveredText(
  level: UsefulnessLevel,
  rows: readonly UtilityRow[],
  worstColumns: UtilityAssessment['worstColumns'],
): string {
  if (level !== 'FAITHFUL' && level !== 'USABLE') return ''
  const tested = new Set(rows.flatMap(({ measure, p }) => (p === null ? [] : [measure])))
  const different = new Set(rows.flatMap(({ measure, p }) => (p !== null && p < SURELY_DIFFERENT ? [measure] : [])))
  const far = worstColumns.filter(({ ratio }) => ratio >= RATIO_TO_AIM_FOR)
  const parts = [
    ...(different.size === 0
      ? []
      : [
          `${different.size} of ${count(tested.size, 'test')} ${different.size === 1 ? 'tells' : 'tell'} it apart from another sample at p < ${SURELY_DIFFERENT} (${[...different].join(', ')})`,
        ]),
    ...far.map(({ name, ratio }) => `column ${name} is ${fixed(ratio, 1)} times as far off as chance`),
  ]
  return parts.length === 0 ? '' : `; but ${parts.join(', ')}`
}

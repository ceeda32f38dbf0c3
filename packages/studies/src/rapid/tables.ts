import { mean, median, quantiles, standardDeviation } from '@scrim/core'
import { besideKnown, type Check, type Comparison, type Known } from '../comparison.js'
import {
  ATTRIBUTION_KEYS,
  type Attribution,
  DISEASE,
  FOREST,
  INCOME,
  INCOME_KEYS,
  KEYS,
  type Outcome,
  STRONG,
  sameKeys,
  TAUS,
  withoutKey,
} from './attacks.js'
import {
  ACCURACY_TOLERANCE,
  ATTACKER_SPREAD,
  ATTACKER_TOLERANCES,
  ATTACKERS,
  COEFFICIENTS,
  CONTINUOUS,
  CONTINUOUS_TOLERANCE,
  DEPENDENCY,
  LEAVE_ONE_OUT_TOLERANCE,
  LEVEL_RATE_TOLERANCE,
  LEVEL_RATES,
  rateTolerance,
  SINGLE_KEYS,
  SLACK,
  singleKeyTolerance,
  THRESHOLD_CURVES,
  THRESHOLDS,
  type Tolerance,
  toleranceFor,
} from './published.js'
import type { RapidStudyDesign } from './rapid.js'

export interface StudyTable {
  readonly name: 'dependency' | 'thresholds' | 'attackers' | 'keys' | 'attribution' | 'continuous'
  readonly title: string
  readonly rows: readonly Comparison[]
}

export function studyTables(findings: Found): StudyTable[] {
  return [
    dependencyTable(findings),
    thresholdTable(findings),
    attackerTable(findings),
    keyTable(findings),
    attributionTable(findings),
    continuousTable(findings),
  ].filter(({ rows }) => rows.length > 0)
}

export function studyChecks(findings: Found): Check[] {
  return [...curveChecks(findings), ...attackerChecks(findings), ...attributionChecks(findings)]
}

export interface Found {
  readonly design: RapidStudyDesign
  readonly outcomes: readonly Outcome[]
}

interface Setting {
  readonly kappa?: number
  readonly keys?: readonly string[]
  readonly attacker?: string
  readonly target?: string
}

/** The outcomes of one setting, of as many files as its table wants. */
function outcomesOf({ design, outcomes }: Found, table: keyof RapidStudyDesign['files'], setting: Setting): Outcome[] {
  const { kappa = STRONG, keys = KEYS, attacker = FOREST, target = DISEASE } = setting
  return outcomes.filter(
    ({ job }) =>
      job.kappa === kappa &&
      job.attacker === attacker &&
      job.target === target &&
      sameKeys(job.keys, keys) &&
      job.file <= design.files[table],
  )
}

/** How a strength is written in tables. */
export function atKappa(kappa: number): string {
  return `kappa ${kappa}`
}

/** A figure of some outcomes beside what is known; none without outcomes. */
function compare(
  setting: string,
  figure: string,
  values: readonly number[],
  known: Known,
  tolerance: Tolerance | null,
): Comparison[] {
  const observed = figure.startsWith('median') ? median(values) : mean(values)
  if (observed === null) return []
  const allowed = tolerance === null ? null : toleranceFor(tolerance, values.length)
  const found = { setting, figure, files: values.length, observed, sd: standardDeviation(values) }
  return [besideKnown(found, known, allowed)]
}

const ratesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ rate }) => rate)
const accuraciesOf = (outcomes: readonly Outcome[]) => outcomes.map(({ accuracy }) => accuracy)

export function dependencyTable(findings: Found): StudyTable {
  const rows = DEPENDENCY.flatMap(({ kappa, rapid, accuracy }) => {
    if (!findings.design.kappas.includes(kappa)) return []
    const outcomes = outcomesOf(findings, 'dependency', { kappa })
    return [
      ...compare(atKappa(kappa), 'RAPID', ratesOf(outcomes), rapid, rateTolerance(kappa)),
      ...compare(atKappa(kappa), 'accuracy', accuraciesOf(outcomes), accuracy, ACCURACY_TOLERANCE),
    ]
  })
  return { name: 'dependency', title: 'Strength of the relations (Figure 5a): forest, tau 0.3', rows }
}

/** The mean curve over files at one kappa, by `TAUS`; empty without files. */
export function meanCurve(findings: Found, kappa: number): number[] {
  if (!findings.design.kappas.includes(kappa)) return []
  const outcomes = outcomesOf(findings, 'dependency', { kappa })
  return outcomes.length === 0 ? [] : TAUS.map((_, k) => mean(outcomes.map(({ curve }) => curve[k])) ?? 0)
}

/** Mean and standard deviation over files of the curve at one kappa, by `TAUS`; empty without files. */
export function curveSpread(findings: Found, kappa: number): { readonly mean: number; readonly sd: number }[] {
  const outcomes = findings.design.kappas.includes(kappa) ? outcomesOf(findings, 'dependency', { kappa }) : []
  if (outcomes.length === 0) return []
  return TAUS.map((_, k) => {
    const rates = outcomes.map(({ curve }) => curve[k])
    return { mean: mean(rates) ?? 0, sd: standardDeviation(rates) ?? 0 }
  })
}

/** RAPID of every file, by setting: what boxes are drawn of. */
export function ratesBySetting(findings: Found): {
  readonly kappas: readonly FileRates[]
  readonly attackers: readonly FileRates[]
} {
  const some = (rates: readonly FileRates[]) => rates.filter(({ values }) => values.length > 0)
  return {
    kappas: some(
      findings.design.kappas.map((kappa) => ({
        label: String(kappa),
        values: ratesOf(outcomesOf(findings, 'dependency', { kappa })),
      })),
    ),
    attackers: some(
      ATTACKERS.map(({ attacker }) => ({
        label: attacker,
        values: ratesOf(outcomesOf(findings, 'attackers', { attacker })),
      })),
    ),
  }
}

interface FileRates {
  readonly label: string
  readonly values: readonly number[]
}

/** Mean, standard deviation and quartiles over files, of each box. */
export function spreadFigures(findings: Found): FigureTable[] {
  const { kappas, attackers } = ratesBySetting(findings)
  const rows = [
    ...kappas.map(({ label, values }) => ({ setting: `kappa ${label}, ${FOREST}`, values })),
    ...attackers.map(({ label, values }) => ({ setting: `kappa ${STRONG}, ${label}`, values })),
  ]
  if (rows.length === 0) return []
  return [
    {
      name: 'spread',
      title: 'RAPID over files: mean, standard deviation and quartiles',
      header: ['setting', 'files', 'mean', 'sd', 'least', 'q1', 'median', 'q3', 'largest'],
      rows: rows.map(({ setting, values }) => [
        setting,
        values.length,
        mean(values),
        standardDeviation(values),
        ...(quantiles(Float64Array.from(values), [0, 0.25, 0.5, 0.75, 1]) ?? []),
      ]),
    },
  ]
}

export interface FigureTable {
  readonly name: string
  readonly title: string
  readonly header: readonly string[]
  readonly rows: readonly (readonly (string | number | null)[])[]
}

function thresholdTable(findings: Found): StudyTable {
  const rows = THRESHOLD_CURVES.flatMap(({ kappa, rates }) => {
    if (!findings.design.kappas.includes(kappa)) return []
    const outcomes = outcomesOf(findings, 'dependency', { kappa })
    return THRESHOLDS.flatMap((tau, k) => {
      const values = outcomes.map(({ curve }) => curve[TAUS.indexOf(tau)])
      return compare(`${atKappa(kappa)}, tau ${tau}`, 'RAPID', values, rates[k], thresholdTolerance(kappa, tau, values))
    })
  })
  return { name: 'thresholds', title: 'Threshold (Figure 5b): forest', rows }
}

const USUAL_TAU = 0.3

/** Tolerances are known for tau 0.3; elsewhere files may differ more, so three joint standard errors of these files. */
function thresholdTolerance(kappa: number, tau: number, values: readonly number[]): Tolerance {
  const known = rateTolerance(kappa)
  if (tau === USUAL_TAU) return known
  const own = SLACK + 3 * (standardDeviation(values) ?? 0) * Math.sqrt(1 / known.forFiles + 1 / known.overFiles)
  return { ...known, value: Math.max(known.value, own) }
}

export function attackerTable(findings: Found): StudyTable {
  const rows = ATTACKERS.flatMap(({ attacker, rapid, accuracy }) => {
    const outcomes = outcomesOf(findings, 'attackers', { attacker })
    return [
      ...compare(attacker, 'RAPID', ratesOf(outcomes), rapid, ATTACKER_TOLERANCES.rapid),
      ...compare(attacker, 'accuracy', accuraciesOf(outcomes), accuracy, ATTACKER_TOLERANCES.accuracy),
    ]
  })
  return { name: 'attackers', title: 'Attackers (Table 1): kappa 10, tau 0.3', rows }
}

export function keyTable(findings: Found): StudyTable {
  const rows = SINGLE_KEYS.flatMap(({ key, alone, without }) => [
    ...compare(
      `${key} alone`,
      'RAPID',
      ratesOf(outcomesOf(findings, 'keys', { keys: [key] })),
      alone,
      singleKeyTolerance(key),
    ),
    ...compare(
      `without ${key}`,
      'RAPID',
      ratesOf(outcomesOf(findings, 'keys', { keys: withoutKey(key) })),
      without,
      LEAVE_ONE_OUT_TOLERANCE,
    ),
  ])
  return { name: 'keys', title: 'One key alone, and all but one: forest, kappa 10, tau 0.3', rows }
}

function attributionsOf(findings: Found): readonly Attribution[] {
  const outcomes = outcomesOf(findings, 'attribution', { keys: ATTRIBUTION_KEYS })
  return outcomes.flatMap(({ attribution }) => attribution ?? [])
}

export function attributionTable(findings: Found): StudyTable {
  const all = attributionsOf(findings)
  const rows = [
    ...LEVEL_RATES.flatMap(({ level, rate }) =>
      compare(
        level,
        'RAPID',
        all.map(({ rates }) => rates[level]),
        { apart: rate },
        LEVEL_RATE_TOLERANCE,
      ),
    ),
    ...COEFFICIENTS.flatMap(({ level, ...known }) => {
      const values = all.map(({ coefficients }) => coefficients[level])
      return [
        ...compare(level, 'mean coefficient', values, { apart: known.mean }, null),
        ...compare(level, 'median coefficient', values, { apart: known.median }, null),
      ]
    }),
  ]
  return { name: 'attribution', title: 'Who is at risk (Figure 6): keys gender, age, education; kappa 10', rows }
}

export function continuousTable(findings: Found): StudyTable {
  const rows = CONTINUOUS.flatMap(({ kappa, rapid, chance, constant }) => {
    const outcomes = outcomesOf(findings, 'continuous', { kappa, keys: INCOME_KEYS, target: INCOME })
    const row = (figure: string, value: (outcome: Outcome) => number, apart: number) =>
      compare(atKappa(kappa), figure, outcomes.map(value), { apart }, CONTINUOUS_TOLERANCE)
    return [
      ...row('RAPID', ({ rate }) => rate, rapid),
      ...row('chance', (outcome) => outcome.chance, chance),
      ...row('constant', (outcome) => outcome.constant, constant),
    ]
  })
  return { name: 'continuous', title: 'Income from all others: forest, symmetric error below 10 %', rows }
}

/** Second differences may be off by this much, if they are means over enough files. */
const BEND = 0.005
const LEAST_FILES_TO_BEND = 10

function curveChecks(findings: Found): Check[] {
  const { kappas } = findings.design
  const increasing = [0, 1, 2, 5, 10, 50].flatMap((kappa) =>
    kappas.includes(kappa) ? (mean(ratesOf(outcomesOf(findings, 'dependency', { kappa }))) ?? []) : [],
  )
  const bent = (kappa: number) => outcomesOf(findings, 'dependency', { kappa }).length >= LEAST_FILES_TO_BEND
  const bends = (kappa: number) => {
    const curve = meanCurve(findings, kappa)
    return curve.slice(2).map((_, k) => curve[k] - 2 * curve[k + 1] + curve[k + 2])
  }
  const at = (kappa: number, tau: number) => meanCurve(findings, kappa)[TAUS.indexOf(tau)]
  const has = (kappa: number) => meanCurve(findings, kappa).length > 0
  return [
    ...(increasing.length < 2
      ? []
      : [
          {
            what: 'RAPID increases with kappa',
            holds: increasing.every((rate, k) => k === 0 || rate > increasing[k - 1]),
          },
        ]),
    ...(has(0) ? [{ what: 'kappa 0: RAPID below 0.08 at tau 0.6', holds: at(0, 0.6) < 0.08 }] : []),
    ...(has(0) && bent(0)
      ? [{ what: 'kappa 0: the curve over tau is convex', holds: bends(0).every((bend) => bend > -BEND) }]
      : []),
    ...(has(50) ? [{ what: 'kappa 50: RAPID above 0.84 at tau 0.7', holds: at(50, 0.7) > 0.84 }] : []),
    ...[10, 20, 50]
      .filter((kappa) => has(kappa) && bent(kappa))
      .map((kappa) => ({
        what: `kappa ${kappa}: the curve over tau is concave`,
        holds: bends(kappa).every((bend) => bend < BEND),
      })),
  ]
}

function attackerChecks(findings: Found): Check[] {
  const byAttacker = ATTACKERS.map(({ attacker }) => ({
    attacker,
    outcomes: outcomesOf(findings, 'attackers', { attacker }),
  }))
  if (byAttacker.some(({ outcomes }) => outcomes.length === 0)) return []
  const accuracy = (attacker: string) =>
    mean(byAttacker.flatMap((one) => (one.attacker === attacker ? accuraciesOf(one.outcomes) : []))) ?? 0
  const { least, most, leastFiles } = ATTACKER_SPREAD
  return [
    {
      what: 'the forest is the most accurate attacker',
      holds: ATTACKERS.every(({ attacker }) => accuracy(attacker) <= accuracy(FOREST)),
    },
    ...byAttacker.flatMap(({ attacker, outcomes }) => {
      if (outcomes.length < leastFiles) return []
      const sd = standardDeviation(ratesOf(outcomes)) ?? 0
      return [
        { what: `${attacker}: sd of RAPID over files between ${least} and ${most}`, holds: sd >= least && sd <= most },
      ]
    }),
  ]
}

function attributionChecks(findings: Found): Check[] {
  const all = attributionsOf(findings)
  if (all.length === 0) return []
  const middle = (level: string) => median(all.map(({ coefficients }) => coefficients[level])) ?? 0
  return [
    { what: 'median coefficients: middle age < young < old', holds: middle('middle') < 0 && middle('old') > 0 },
    {
      what: 'median coefficients: low < medium < high education',
      holds: middle('medium') > 0 && middle('high') > middle('medium'),
    },
  ]
}

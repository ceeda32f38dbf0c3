import { columnOf, fitLogistic, mean, openCase, rapid, stream, type Table, valueAt } from '@scrim/core'
import { ATTACKERS, COEFFICIENTS, LEVEL_RATES, SINGLE_KEYS } from './published.js'
import type { RapidStudyDesign, StudyHow, StudyPair } from './rapid.js'

/** The attacks of the study: which there are, and what comes of one. */
export const KEYS = ['gender', 'age', 'education', 'income', 'health_score']
export const ATTRIBUTION_KEYS = ['gender', 'age', 'education']
export const DISEASE = 'disease_status'
export const INCOME = 'income'
export const INCOME_KEYS = [...KEYS.filter((key) => key !== INCOME), DISEASE]
export const STRONG = 10
export const FOREST = 'rf'

interface Job {
  readonly kappa: number
  readonly file: number
  readonly keys: readonly string[]
  readonly target: string
  readonly attacker: string
}

/** Every attack once, file after file. */
export function jobsOf({ kappas, continuousKappas, files }: RapidStudyDesign): Job[] {
  const make = (kappa: number, count: number, keys: readonly string[], attacker = FOREST, target = DISEASE) =>
    Array.from({ length: count }, (_, k): Job => ({ kappa, file: k + 1, keys, target, attacker }))
  const jobs = [
    ...kappas.flatMap((kappa) => make(kappa, files.dependency, KEYS)),
    ...ATTACKERS.flatMap(({ attacker }) => make(STRONG, files.attackers, KEYS, attacker)),
    ...SINGLE_KEYS.flatMap(({ key }) => [
      ...make(STRONG, files.keys, [key]),
      ...make(STRONG, files.keys, withoutKey(key)),
    ]),
    ...make(STRONG, files.attribution, ATTRIBUTION_KEYS),
    ...continuousKappas.flatMap((kappa) => make(kappa, files.continuous, INCOME_KEYS, FOREST, INCOME)),
  ]
  const once = new Map(jobs.map((job) => [JSON.stringify(job), job]))
  return [...once.values()].sort((a, b) => a.kappa - b.kappa || a.file - b.file)
}

export function withoutKey(key: string): readonly string[] {
  return KEYS.filter((other) => other !== key)
}

export interface Outcome {
  readonly job: Job
  readonly rate: number
  /** By threshold of `TAUS`; classes only. */
  readonly curve: readonly number[]
  readonly accuracy: number
  readonly chance: number
  /** What the constant reaches that covers most released values; numbers only. */
  readonly constant: number
  readonly attribution: Attribution | null
}

export interface Attribution {
  readonly rates: Readonly<Record<string, number>>
  readonly coefficients: Readonly<Record<string, number>>
}

export const TAUS = Array.from({ length: 19 }, (_, k) => (k + 1) / 20)
/**
 * The published forest cuts between any two values; at 256 quantiles one key alone would tell clearly less. It cuts levels in
 * the order of their codes.
 */
const PUBLISHED_FOREST = { maxBins: 65_535, categorical: 'order' }

export async function attackFile(
  job: Job,
  { original, released }: StudyPair,
  { seed, trees }: RapidStudyDesign,
  { tasks, signal }: StudyHow,
): Promise<Outcome> {
  const { keys, target, attacker } = job
  const { releases } = await rapid(
    openCase({ keys, target, type: 'synthetic' }, { original, released }).release,
    {
      attackers: [attacker],
      hyper: { [FOREST]: { trees, ...PUBLISHED_FOREST } },
      interval: 'wilson',
      bootstrap: 0,
      permutations: 0,
    },
    {
      seed: fileSeed(seed, job.kappa, job.file),
      records: true,
      ...(tasks === undefined ? {} : { tasks }),
      ...(signal === undefined ? {} : { signal }),
    },
  )
  const [{ value, details, records, sentence }] = releases
  if (value === null || details === null) throw new Error(`${attacker} on ${original.name}: ${sentence}`)
  const isClasses = details.target === 'classes'
  const rateAt = new Map(details.curve.map(({ threshold, rate }) => [threshold, rate]))
  return {
    job,
    rate: value,
    curve: isClasses ? TAUS.map((tau) => rateAt.get(tau) ?? 0) : [],
    accuracy: details.attackers[0].performance.accuracy ?? 0,
    chance: details.chance.expected,
    constant: isClasses ? 0 : details.floor,
    attribution: sameKeys(keys, ATTRIBUTION_KEYS) ? attributionOf(original, records?.atRisk ?? []) : null,
  }
}

/** Ages as in Figure 6: up to 35, up to 55, above. */
function ageClass(age: number): string {
  return age <= 35 ? 'young' : age <= 55 ? 'middle' : 'old'
}

/** At risk by level, and by logistic regression with female, young and low education as references. */
function attributionOf(original: Table, atRisk: ArrayLike<number>): Attribution {
  const [gender, age, education] = ATTRIBUTION_KEYS.map((name) => columnOf(original, name))
  const rows = Array.from({ length: original.rows }, (_, row) => row).filter((row) => !Number.isNaN(atRisk[row]))
  const levels = rows.map((row) => [
    String(valueAt(gender, row)),
    ageClass(Number(valueAt(age, row))),
    String(valueAt(education, row)),
  ])
  const y = Float64Array.from(rows, (row) => atRisk[row])
  const rateOf = (level: string) => mean(y.filter((_, k) => level === 'overall' || levels[k].includes(level))) ?? 0
  const terms = COEFFICIENTS.map(({ level }) => level)
  const columns = terms.map((level) => Float64Array.from(levels, (own) => (own.includes(level) ? 1 : 0)))
  const { coefficients } = fitLogistic(columns, y)
  return {
    rates: Object.fromEntries(LEVEL_RATES.map(({ level }) => [level, rateOf(level)])),
    coefficients: Object.fromEntries(terms.map((level, k) => [level, coefficients[k + 1]])),
  }
}

/** Every file has its own random numbers, whatever else is in the study. */
export function fileSeed(seed: number, kappa: number, file: number): number {
  return stream(seed, `study/rapid/kappa ${kappa}`, file).uint32()
}

export function sameKeys(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, k) => key === b[k])
}

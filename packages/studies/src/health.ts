import {
  categorical,
  drawNormal,
  drawTruncatedNormal,
  math,
  mean,
  numeric,
  type Stream,
  standardDeviation,
  stream,
  type Table,
  table,
  UserError,
} from '@scrim/core'

export interface HealthOptions {
  /** Number of records, at least 2. */
  readonly n: number
  /** Strength of the relations, 0 for none: signal to noise, and the slope of the disease model. */
  readonly kappa: number
  readonly seed: number
  /** The paper's text (default) and the code behind its figures differ in the age distribution. */
  readonly age?: AgeVariant | undefined
  /** Numbers of the model in place of the published ones. */
  readonly parameters?: Partial<HealthParameters> | undefined
}

/** The coefficients of appendix A, under the names of what they lead from and to; s: status, a: age, e: education, t: income. */
export const HEALTH_PARAMETERS = {
  educationS: 0.8,
  educationA: -0.4,
  educationLow: -0.3,
  educationHigh: 0.7,
  incomeLevel: 10,
  incomeS: 0.5,
  incomeA: 0.3,
  incomeE: 0.25,
  healthS: 0.6,
  healthA: -0.5,
  healthE: 0.2,
  healthT: 0.2,
  diabetic: -1.5,
  diabeticA: 0.8,
  diabeticT: -0.3,
  diabeticE: -0.2,
  hypertensive: -1.3,
  hypertensiveA: 1,
  hypertensiveT: -0.2,
  hypertensiveE: -0.1,
  maleS: 0.3,
  maleA: -0.2,
  maleE: 0.2,
} as const

export type HealthParameters = Readonly<Record<keyof typeof HEALTH_PARAMETERS, number>>

const MEAN_AGE = 45
const AGES = { text: { sd: 12, lower: 18, upper: 85 }, figures: { sd: 15, lower: 18, upper: 90 } } as const

export type AgeVariant = keyof typeof AGES
export const AGE_VARIANTS = Object.keys(AGES) as readonly AgeVariant[]

/** About the memory that a process has. */
const MOST_RECORDS = 100_000_000
const EDUCATION = ['low', 'medium', 'high'] as const
const DISEASE = ['healthy', 'diabetic', 'hypertensive'] as const

/**
 * Microdata about health as simulated in the RAPID paper (appendix A): age and an unreleased socio-economic status s
 * drive education, income, a health score, a disease and gender, the more the larger kappa. With
 * w = sqrt(kappa / (1 + kappa)), v = sqrt(1 / (1 + kappa)), a = standardised age, e = education (0, 1, 2),
 * t = standardised log income and all noise N(0, 1):
 *
 *   education     cut of w (0.8 s - 0.4 a) + v noise at -0.3 and 0.7
 *   log income    10 + w (0.5 s + 0.3 a + 0.25 e) + v noise
 *   health score  100 logistic(w (0.6 s - 0.5 a + 0.2 e + 0.2 t) + v noise)
 *   disease       log odds to healthy: diabetic -1.5 + kappa (0.8 a - 0.3 t - 0.2 e), hypertensive -1.3 + kappa (a - 0.2 t - 0.1 e)
 *   male          logistic(w (0.3 s - 0.2 a + 0.2 e))
 *
 * Standardised means over the generated sample, with the n - 1 standard deviation.
 */
export function simulateHealth(options: HealthOptions): Table {
  const { n, kappa, seed } = options
  checkHealthOptions(n, kappa)
  const { sd, lower, upper } = AGES[options.age ?? 'text']
  const b = { ...HEALTH_PARAMETERS, ...options.parameters }
  const w = Math.sqrt(kappa / (1 + kappa))
  const v = Math.sqrt(1 / (1 + kappa))
  const draw = (variable: string, value: (random: Stream, record: number) => number) => {
    const random = stream(seed, `simulate-health/${variable}`)
    return Float64Array.from({ length: n }, (_, record) => value(random, record))
  }

  const age = draw('age', (random) => drawTruncatedNormal(random, MEAN_AGE, sd, lower, upper))
  const a = standardise(age)
  const s = draw('status', (random) => drawNormal(random))
  const e = draw('education', (random, i) =>
    educationCode(w * (b.educationS * s[i] + b.educationA * a[i]) + v * drawNormal(random), b),
  )
  const logIncome = draw(
    'income',
    (random, i) =>
      b.incomeLevel + w * (b.incomeS * s[i] + b.incomeA * a[i] + b.incomeE * e[i]) + v * drawNormal(random),
  )
  const t = standardise(logIncome)
  const health = draw(
    'health',
    (random, i) =>
      100 *
      logistic(
        w * (b.healthS * s[i] + b.healthA * a[i] + b.healthE * e[i] + b.healthT * t[i]) + v * drawNormal(random),
      ),
  )
  const disease = draw('disease', (random, i) => {
    const diabetic = b.diabetic + kappa * (b.diabeticA * a[i] + b.diabeticT * t[i] + b.diabeticE * e[i])
    const hypertensive =
      b.hypertensive + kappa * (b.hypertensiveA * a[i] + b.hypertensiveT * t[i] + b.hypertensiveE * e[i])
    return drawFromLogOdds([0, diabetic, hypertensive], random)
  })
  const male = draw('gender', (random, i) =>
    random.uniform() < logistic(w * (b.maleS * s[i] + b.maleA * a[i] + b.maleE * e[i])) ? 1 : 0,
  )

  const labels = (codes: Float64Array, levels: readonly string[]) => Array.from(codes, (code) => levels[code])
  return table(`health (n = ${n}, kappa = ${kappa})`, [
    categorical('gender', labels(male, ['female', 'male']), { levels: ['female', 'male'] }),
    numeric('age', age),
    categorical('education', labels(e, EDUCATION), { levels: EDUCATION, ordered: true }),
    numeric('income', logIncome.map(math.exp)),
    numeric('health_score', health),
    categorical('disease_status', labels(disease, DISEASE), { levels: DISEASE }),
  ])
}

function checkHealthOptions(n: number, kappa: number): void {
  const problems: string[] = []
  if (!Number.isInteger(n) || n < 2 || n > MOST_RECORDS)
    problems.push(`n must be a whole number from 2 to ${MOST_RECORDS}, but it is ${n}`)
  if (!(kappa >= 0 && kappa < Number.POSITIVE_INFINITY)) problems.push(`kappa must be 0 or larger, but it is ${kappa}`)
  if (problems.length > 0) throw new UserError(problems)
}

function educationCode(latent: number, { educationLow, educationHigh }: HealthParameters): number {
  return latent < educationLow ? 0 : latent < educationHigh ? 1 : 2
}

/** One multinomial draw; the largest is subtracted because the odds themselves overflow for large kappa. */
function drawFromLogOdds(logOdds: readonly number[], random: Stream): number {
  const largest = Math.max(...logOdds)
  const odds = logOdds.map((each) => math.exp(each - largest))
  let left = random.uniform() * odds.reduce((total, each) => total + each, 0)
  let category = 0
  while (category < odds.length - 1 && left >= odds[category]) left -= odds[category++]
  return category
}

function logistic(x: number): number {
  return 1 / (1 + math.exp(-x))
}

function standardise(values: Float64Array): Float64Array {
  const centre = mean(values) ?? 0
  const sd = standardDeviation(values) ?? 1
  return values.map((value) => (value - centre) / sd)
}

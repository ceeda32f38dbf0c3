// Where did scrim differ from riskutility 0.2.0, sdcMicro 5.8.2 and synthpop 1.9-3 in the live comparison, and does it still? Every row of
// differs.csv (golden/r-live of the reference data) is run again by the definition of the other software: it agrees now, lies in the range of all
// assignments that cost the same, differs for a reason that is named here, or cannot be run, because its data or settings were not kept.
// A row that differs without a reason is a failure. node scripts/validation/live-comparison.mjs [--rows]; part of `npm run validate`.
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { measures, openCase, readTable } from '@scrim/core'

const reference = process.env.SCRIM_REFERENCE ?? resolve(import.meta.dirname, '../../../shared/reference')
const folder = join(reference, 'golden/r-live')
if (!existsSync(folder)) {
  console.log('reference data not found (SCRIM_REFERENCE): nothing was compared')
  process.exit(0)
}

const tables = new Map()
const releases = new Map()

async function tableCalled(name) {
  if (!tables.has(name)) tables.set(name, await readTable(`${name}.rds`, readFileSync(join(folder, `${name}.rds`))))
  return tables.get(name)
}

async function releaseOf(name, made, roles = {}) {
  const key = JSON.stringify([name, made, roles])
  if (!releases.has(key)) {
    const files = { original: await tableCalled(name), released: [await tableCalled(`${name}_${made}`)] }
    releases.set(key, openCase(roles, files).release)
  }
  return releases.get(key)
}

const found = new Map()

/** What a measure finds, once for all rows that ask. */
async function finding(id, files, options) {
  const key = JSON.stringify([id, files, options])
  if (!found.has(key)) {
    const measure = measures.find((one) => one.id === id)
    const quick = measure.role === 'utility' ? { resamples: 0 } : {}
    found.set(key, (await measure(await releaseOf(...files), { ...quick, ...options })).releases[0])
  }
  return found.get(key)
}

/** Linked by these keys, found as those that give scrim's earlier figures again (lk1, lk3); those of other files were not kept. */
const KEYS = {
  lk1: { keys: ['race', 'smoke', 'ui'], numericKeys: ['age', 'lwt'], type: 'perturbed' },
  lk3: { numericKeys: ['rm', 'age', 'lstat', 'medv'], type: 'perturbed' },
  lk4: { keys: ['gender', 'ageGroup', 'educGroup'], numericKeys: ['age'], type: 'perturbed' },
}

const TIES =
  'splits that improve a tree equally are told apart by the last bits of their sums: the first column is taken here, in rpart whichever was rounded up'
const MISSING_IN_TREES = 'missing numbers are the median with a mark here, 0 with a mark in synthpop'
const ALIASED = 'riskutility divides by all coefficients, also those that cannot be estimated'
const ROUNDED_TIES =
  'distances that are equal are told apart by rounding in riskutility; here whoever is equally near is named equally often'
const ENDS_EARLY = 'iterations go on until they have converged here'
const NOT_KEPT = 'its settings were not kept'

const logit = { missing: 'drop', order: 1 }
const cart = { model: 'cart', permutations: 1 }

/** pMSE and its relatives as riskutility calls them: the percentage counts both halves there. */
function propensityFigure({ details }, name) {
  const { ratio, expected } = details.nulls.conditional
  const figures = {
    pMSE: details.pmse,
    pMSE_ratio: ratio,
    S_pMSE: details.df === null ? null : (details.pmse - expected) / (expected * Math.sqrt(2 / details.df)),
    SPECKS: details.specks,
    PO50: details.model === 'cart' ? details.po50 : 50 + details.po50,
    U: details.u,
  }
  return figures[name]
}

/** By family: what scrim gives now, and why it may differ. A row that gives nothing could not be run. */
const FAMILIES = {
  'pmse-ru': async (data, rest) => {
    const name = rest.at(-1)
    if (rest[0] === 'specks')
      return { value: (await finding('specks', data, { model: 'cart', missing: 'drop' })).value }
    if (rest[0] === 'cart')
      return {
        value: propensityFigure(await finding('pmse', data, { ...cart, cp: 1e-8, missing: 'drop' }), name),
        why: TIES,
      }
    const options = { ...logit, order: rest[1] === 'order1' ? 2 : 1 }
    return { value: propensityFigure(await finding('pmse', data, options), name) }
  },
  'pmse-ru na.rm=FALSE': async (data) => ({
    value: propensityFigure(await finding('pmse', data, { order: 1, missing: 'indicator' }), 'pMSE_ratio'),
    why: ALIASED,
  }),
  'utility.gen': async (data, [, name]) => ({
    value: propensityFigure(await finding('pmse', data, cart), name),
    why: data[0] === 'bwt' ? TIES : MISSING_IN_TREES,
  }),
  chisq_utility: async (data, [columns, name]) => {
    const { details } = await finding('cross-table', data, { variables: columns.split('*') })
    return { value: details.riskutility[name] }
  },
  chisq_gof: async (data, [name, figure]) => {
    const { details } = await finding('chisq-gof', data, { simulations: 0 })
    const { riskutility } = details.columns.find((column) => column.name === name)
    return { value: figure === 'V' ? riskutility.cramersV : riskutility.statistic }
  },
  mmd: async (data, rest) => {
    const kernel = rest[0].replace('_', ' ')
    const { value, details } = await finding('mmd', data, { definition: 'riskutility', columns: 'numbers', kernel })
    return { value: rest[1] === 'sigma' ? details.sigma : value }
  },
  energy: async (data) => ({
    value: (await finding('energy-distance', data, { definition: 'riskutility', columns: 'numbers' })).details.across,
  }),
  copula: async (data) => ({
    value: (await finding('copula-fidelity', data, { definition: 'riskutility' })).value,
    why: 'a rank on a point of the grid is counted there here; riskutility counts it there or one further, by rounding',
  }),
  tail: async (data, [tails]) => ({
    value: (await finding('tail-fidelity', data, { definition: 'riskutility', tails })).value,
  }),
  contingency: async (data) => ({
    value: (await finding('contingency-fidelity', data, { definition: 'riskutility' })).value,
  }),
  'ci-prox': async (data) => ({ value: (await finding('ci-proximity', data, { definition: 'riskutility' })).value }),
  'hard-restricted': async (data, [name]) => FAMILIES[name === 'tv' ? 'contingency' : 'ci-prox'](data),
  mahal: async (data) => ({
    value: (await finding('mahalanobis', data, {})).value,
    why: 'a date counts as a number here',
  }),
  gower: async ([name, made]) => ({
    value: (await finding('gower', [name, made, { type: 'perturbed' }], {})).value,
    why: 'categories are equal or not here; there their codes are subtracted, which depends on the order of the levels',
  }),
  dRisk: async ([name, made], [, k]) => ({
    value: (await finding('drisk', [name, made, { type: 'perturbed' }], { definition: 'sdcmicro', k: Number(k) }))
      .value,
  }),
  'link-independent': (data, rest) => linked(data, rest, 'independent'),
  'link-transport': (data, rest) => linked(data, rest, 'transport'),
  'link-one-to-one': (data, rest) => linked(data, rest, 'one-to-one'),
  'reg-fit': coefficients,
}

const METHODS = { deterministic: 'deterministic', ranks: 'ranks', predictive: 'predictive' }

async function linked([name], [called], matching) {
  const roles = KEYS[name]
  if (roles === undefined || METHODS[called] === undefined) return {}
  const options = { method: METHODS[called], matching, definition: 'riskutility' }
  const { value, details } = await finding('record-linkage', [name, 'p', roles], options)
  return { value, range: details.matched?.range ?? null, why: matching === 'transport' ? ENDS_EARLY : ROUNDED_TIES }
}

async function coefficients(data, [formula, figure, side]) {
  const options = { formula: formula.replaceAll('+', ' + ').replace('~', ' ~ '), intercept: true }
  const { details } = await finding('regression-fidelity', data, options)
  const of = { b: 'estimate', se: 'standardError', p: 'p' }[figure]
  const values = details.coefficients.map((one) => one[side === 'orig' ? 'original' : 'release']?.[of])
  return { value: values.reduce((sum, one) => sum + one, 0) / values.length }
}

/** Ten digits were printed, of iterations that end at 1e-6 of their own. */
const CLOSE = 1e-6
const isClose = (a, b) => Math.abs(a - b) <= CLOSE * Math.max(Math.abs(a), Math.abs(b), 1e-9) + 1e-9

async function outcomeOf({ family, id, peer }) {
  const [, name, made, rest] = /^([a-z0-9]+?)(?:_([a-z]))?(?: (.*))?$/.exec(id) ?? []
  if (name === undefined || FAMILIES[family] === undefined) return { state: 'not run', why: NOT_KEPT }
  const isThere = existsSync(join(folder, `${name}.rds`)) && existsSync(join(folder, `${name}_${made ?? 'p'}.rds`))
  if (!isThere) return { state: 'not run', why: 'its data were not kept' }
  const { value, range = null, why } = await FAMILIES[family]([name, made], (rest ?? '').split(' '))
  if (value === undefined || value === null) return { state: 'not run', why: why ?? NOT_KEPT }
  if (isClose(value, peer)) return { state: 'agrees', value }
  if (range !== null && peer >= range.least - 1e-9 && peer <= range.most + 1e-9)
    return { state: 'in the range', value, why: 'assignments that cost the same' }
  return why === undefined ? { state: 'DIFFERS', value } : { state: 'differs', value, why }
}

const rows = readFileSync(join(folder, 'differs.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => /^"([^"]*)","([^"]*)",(\d+),([^,]*)/.exec(line))
  .map(([, family, id, , peer]) => ({ family, id, peer: Number(peer) }))

const outcomes = []
for (const row of rows) {
  const outcome = await outcomeOf(row).catch((error) => ({ state: 'DIFFERS', why: error.message }))
  outcomes.push({ ...row, ...outcome })
  if (process.argv.includes('--rows') || outcome.state === 'DIFFERS')
    console.log([row.family, row.id, row.peer, outcome.value ?? '-', outcome.state, outcome.why ?? ''].join(' | '))
}

const STATES = ['agrees', 'in the range', 'differs', 'not run', 'DIFFERS']
console.log(`\n| family | rows | ${STATES.slice(0, 4).join(' | ')} | why |\n|---|---|---|---|---|---|---|`)
for (const family of new Set(rows.map((row) => row.family))) {
  const own = outcomes.filter((outcome) => outcome.family === family)
  const counts = STATES.slice(0, 4).map((state) => own.filter((outcome) => outcome.state === state).length || '')
  const why = [...new Set(own.flatMap((outcome) => outcome.why ?? []))].join('; ')
  console.log(`| ${[family, own.length, ...counts, why].join(' | ')} |`)
}
const unexplained = outcomes.filter(({ state }) => state === 'DIFFERS')
console.log(
  `\n${STATES.map((state) => `${outcomes.filter((one) => one.state === state).length} ${state}`).join(', ')} of ${rows.length}`,
)
process.exitCode = unexplained.length > 0 ? 1 : 0

// The same data and the same definition in SDMetrics, mostlyai-qa and scrim: equal, or a few lines of NumPy (settle.py) say which is wrong.
// anonymeter draws its attacks at random, so its risks are held to their own intervals.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  associations,
  contingencyFidelity,
  dcap,
  dcr,
  inference,
  ks,
  linkability,
  openCase,
  singlingOut,
  toCsv,
  totalVariation,
} from '@scrim/core'
import { hold, inScratchFolder, linesBy } from '../peer.mjs'
import { releaseOf, samples } from './releases.mjs'

/** Few, since what is compared is equal for few as for many. */
const PEOPLE = 400
const ATTACKS = 300
const RELEASE = 'CART, leaves of 1'
const less = { resamples: 0 }

/** @param python the interpreter that has the tools */
export async function compareDefinitions(python) {
  const people = await samples(PEOPLE)
  const { original, holdout, roles } = people
  const released = await releaseOf(RELEASE, people)
  await inScratchFolder(async (folder) => {
    const files = Object.entries({
      'original.csv': toCsv(original),
      'released.csv': toCsv(released),
      'holdout.csv': toCsv(holdout),
      'roles.json': JSON.stringify(roles),
    }).map(([name, text]) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    })
    const figuresOf = (script, ...args) =>
      new Map(linesBy(python, `python/${script}`, ...files, ...args).map(([name, value]) => [name, Number(value)]))
    const { keys, target } = roles
    const { release } = openCase({ keys, target, type: 'synthetic' }, { original, released, holdout })
    const ours = await oursOf(release)
    const theirs = new Map([
      ...figuresOf('run_sdmetrics.py', 'definitions,distances,attribution,rows'),
      ...figuresOf('run_mostlyai_qa.py'),
    ])
    const settled = figuresOf('settle.py')
    console.log(`${PEOPLE} people each, ${RELEASE}\n\nscrim beside SDMetrics and mostlyai-qa`)
    hold(besideNames([...ours.keys()], ours, theirs), TOLERANCE)
    console.log('\nscrim beside a few lines of NumPy')
    hold(besideNames([...ours.keys()], ours, settled), { ...TOLERANCE, tolerances: {} })
    console.log('\nSDMetrics and mostlyai-qa beside the same lines')
    hold(besideNames([...settled.keys()], theirs, settled), TOLERANCE)
    console.log('\nanonymeter: risk and interval, and what scrim gives')
    await compareAttacks(release, roles, figuresOf('run_anonymeter.py', String(ATTACKS)))
  })
}

/** mostlyai-qa rounds each accuracy to five digits, and their mean to seven. */
const TOLERANCE = {
  tolerance: 1e-9,
  floor: 0.01,
  tolerances: Object.fromEntries(['univariate', 'bivariate', 'trivariate'].map((kind) => [`accuracy ${kind}`, 1e-5])),
}

function besideNames(names, ours, theirs) {
  const kind = (name) => name.split(' ')[0]
  return names.map((name) => ({
    group: kind(name),
    name,
    ours: ours.get(name),
    theirs: theirs.get(name) ?? Number.NaN,
  }))
}

/** What scrim gives for each name that the tools print. */
async function oursOf(release) {
  const ours = new Map()
  const details = async (measure, options) => (await measure(release, { ...less, ...options })).releases[0].details
  for (const { name, value } of (await details(ks)).columns) ours.set(`KSComplement ${name}`, 1 - value)
  for (const { name, value } of (await details(totalVariation, { missing: 'drop' })).columns)
    ours.set(`TVComplement ${name}`, 1 - value)
  const place = (name) => release.variables.indexOf(name)
  const named = (a, b) => (place(a) < place(b) ? `${a}:${b}` : `${b}:${a}`)
  const correlated = (await details(associations, { method: 'pearson' })).pairs
  for (const { a, b, kind, value } of correlated)
    if (kind === 'correlation') ours.set(`CorrelationSimilarity ${named(a, b)}`, 1 - value / 2)
  for (const { variables, distance } of (await details(contingencyFidelity, { definition: 'sdmetrics' })).pairs)
    if (!ours.has(`CorrelationSimilarity ${named(...variables)}`))
      ours.set(`ContingencySimilarity ${named(...variables)}`, 1 - distance)
  const { sdmetrics } = (await dcr(release, { definition: 'sdmetrics' })).releases[0].details
  ours.set('closer to training', sdmetrics.closerToTraining)
  ours.set('DCROverfittingProtection', sdmetrics.score)
  ours.set('median DCR', sdmetrics.medianToTraining)
  const cap = (await dcap(release)).releases[0].details
  ours.set('CategoricalCAP', 1 - cap.mean)
  ours.set('CategoricalZeroCAP', 1 - cap.DCAPd)
  const asMostlyaiQa = { ...less, definition: 'mostlyai-qa' }
  ours.set('accuracy univariate', 1 - (await totalVariation(release, asMostlyaiQa)).value)
  ours.set('accuracy bivariate', 1 - (await contingencyFidelity(release, asMostlyaiQa)).value)
  ours.set('accuracy trivariate', 1 - (await contingencyFidelity(release, { ...asMostlyaiQa, ways: 3 })).value)
  return ours
}

/**
 * Both attack people drawn at random, so risks agree when their intervals meet. anonymeter divides the successes of univariate predicates
 * by the number that was asked for, however few it could make (docs/errata.md); here by those that were made.
 */
async function compareAttacks(release, { linked: [columnsA, columnsB] }, theirs) {
  const singledOut = (options) => async () => {
    const { details } = (await singlingOut(release, { definition: 'anonymeter', ...options })).releases[0]
    const { main, comparison } = details.attacks[0]
    return { main, residual: { value: comparison.residual, interval: comparison.interval } }
  }
  const attacked = (measure, options) => async () => (await measure(release, options)).releases[0].details
  const attacks = {
    univariate: singledOut({ mode: 'univariate' }),
    multivariate: singledOut({ mode: 'multivariate', nColumns: 4, attacks: ATTACKS }),
    linkability: attacked(linkability, { columnsA, columnsB }),
    inference: attacked(inference, {}),
  }
  const percent = (share) => `${(100 * share).toFixed(1)} %`
  const span = (lower, upper) => `(${percent(lower)} to ${percent(upper)})`
  for (const [name, run] of Object.entries(attacks)) {
    const { residual, main } = await run()
    const [risk, lower, upper] = ['risk', 'lower', 'upper'].map((part) => theirs.get(`${name} ${part}`))
    const { interval } = residual
    const isEqual = interval.lower <= upper && lower <= interval.upper
    const [word, why] = isEqual ? ['equal '] : name === 'univariate' ? ['differ', ' (docs/errata.md)'] : ['DIFFER']
    console.log(
      `${word} ${name}: ${percent(residual.value)} ${span(interval.lower, interval.upper)} of ${main.attacks} attacks beside ${percent(risk)} ${span(lower, upper)} of ${theirs.get(`${name} attacks`)}${why ?? ''}`,
    )
    if (word === 'DIFFER') process.exitCode = 1
  }
}

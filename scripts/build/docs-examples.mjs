// The example on which the page of a measure shows it, and the pictures of that. Made from what it is handed, so that
// `npm run docs` draws with what was built and the tests with the sources.
import { independentMarginals, openCase, perturb } from '@scrim/core'

const roles = { keys: ['gender', 'age', 'education'], target: 'disease_status' }

const RULES = `
adults: age != "15 to 19" | education = "low"
the well educated earn: education = "high" => income >= 20000
never disease_status = "diabetic" & health_score > 70
`

/** Where the usual options show nothing of what the measure can draw. */
const OPTIONS = { 'tcap-synthetic': { sweep: { min: 1, max: 3 } } }

/** Each measure with the release that has what it needs, and the pictures of its finding there with their file names. */
export function exampleOf({ original, holdout }) {
  const released = independentMarginals(original, { seed: 1 })
  const synthetic = { ...roles, type: 'synthetic' }
  const files = { original, released }
  const examples = {
    synthetic: openCase(synthetic, files).release,
    holdout: openCase(synthetic, { ...files, holdout }).release,
    rules: openCase(synthetic, { ...files, rules: { name: 'rules.txt', text: RULES } }).release,
    // Some records are those of people: an attack by a model finds somebody.
    close: openCase(synthetic, { original, released: perturb(original, { share: 0.2, seed: 1 }) }).release,
    generator: openCase({ ...synthetic, synthesizer: 'cart' }, files).release,
    household: neighbours(original),
    numbered: openCase(synthetic, {
      original: numbered(original, 0),
      released: numbered(released, Math.round(original.rows * 0.9)),
    }).release,
    fine: openCase(synthetic, {
      original: toTheCent(original),
      released: perturb(toTheCent(original), { share: 0.3, seed: 1 }),
    }).release,
    perturbed: openCase(
      { ...roles, numericKeys: ['income', 'health_score'], type: 'perturbed' },
      { original, released: perturb(original, { share: 0.1, seed: 1 }) },
    ).release,
  }
  const withHoles = openCase(synthetic, { original: holed(original, 7), released: holed(released, 19) }).release
  const chosen = ({ id, needs }) => {
    if (id === 'missingness') return withHoles
    if (id === 'shared-identifiers') return examples.numbered
    if (id === 'value-reuse') return examples.fine
    if (id.startsWith('rapid') && !needs.includes('generator')) return examples.close
    if (needs.includes('household')) return examples.household
    if (needs.includes('paired rows')) return examples.perturbed
    if (needs.includes('rules')) return examples.rules
    if (needs.includes('generator')) return examples.generator
    return needs.includes('holdout') ? examples.holdout : examples.synthetic
  }
  return async (measure) => {
    const { releases, original: own } = await measure.run(chosen(measure), OPTIONS[measure.id])
    const [finding] = releases
    const about = { name: 'example', original: own, targets: [] }
    const charts = finding.details === null ? [] : measure.charts(finding, about)
    const drawn = charts.filter(({ isBlank }) => isBlank !== true)
    return drawn.map((chart) => ({ file: `${measure.id}-${chart.name}.svg`, chart }))
  }
}

/** The example with a number for each person, from a sequence that is the same everywhere. */
function numbered(of, from) {
  const number = (k) => (k * 7_368_787 + ((k * k) % 9973) * 104_729) % 900_000_011
  const values = Float64Array.from({ length: of.rows }, (_, row) => number(from + row + 1))
  return { ...of, columns: [...of.columns, { kind: 'numeric', name: 'person_id', values }] }
}

/** The example with incomes to the cent. */
function toTheCent(of) {
  const cents = (value, row) => value + ((row * 37) % 100) / 100
  return {
    ...of,
    columns: of.columns.map((column) =>
      column.name === 'income' ? { ...column, values: column.values.map(cents) } : column,
    ),
  }
}

/** The example without some incomes and health scores, one in `every` and one in three times as many. */
function holed(of, every) {
  const without = (values, step) => values.map((value, row) => (row % step === 0 ? Number.NaN : value))
  const steps = { income: every, health_score: 3 * every }
  return {
    ...of,
    columns: of.columns.map((column) =>
      column.name in steps ? { ...column, values: without(column.values, steps[column.name]) } : column,
    ),
  }
}

/** The example in households of one to four neighbours. */
function neighbours(of) {
  const household = {
    kind: 'numeric',
    name: 'household',
    // Ten people live in four households.
    values: Float64Array.from(
      { length: of.rows },
      (_, row) => 4 * Math.floor(row / 10) + [0, 1, 1, 2, 2, 2, 3, 3, 3, 3][row % 10],
    ),
  }
  const people = { ...of, columns: [...of.columns, household] }
  const said = { keys: roles.keys, household: 'household', type: 'perturbed' }
  return openCase(said, { original: people, released: people }).release
}

// Attacks and distances beside anonymeter, SDMetrics and mostlyai-qa, one thread each, on a synthesis of Adult by trees with leaves of one record.
// The notes have what each found: the same, within the intervals of attacks on people drawn at random.
import { dcr, inference, linkability, openCase, singlingOut } from '@scrim/core'
import { releaseOf, samples } from '../scripts/peers/python/releases.mjs'
import { computed, count, saveCsv, sized } from './harness.mjs'

const PEOPLE = sized(10_000)
const ATTACKS = sized(2_000)
/** SDMetrics puts all pairs of records into data frames. */
const FEWER = sized(2_000)
const SECRET = 'marital'

const percent = (share) => `${(100 * share).toFixed(1)} %`

/** @param found the figure of a release's result that the tool prints too */
function row({ name, people, measure, options = () => ({}), found, tool, job, size }) {
  return {
    name: `${name}, Adult ${count(people)} + holdout`,
    repeats: 3,
    warm: 1,
    async prepare() {
      const files = await samples(people)
      const { original, holdout } = files
      const released = await releaseOf('CART, leaves of 1', files)
      const { release } = openCase({ target: SECRET, type: 'synthetic' }, { original, released, holdout })
      const paths = [original, released, holdout].map((file, k) => saveCsv(file, `python-${k}.csv`))
      return {
        async run() {
          const result = await measure.run({ ...release }, options(release.variables))
          computed(result)
          return [`scrim finds ${percent(found(result.releases[0]))}`]
        },
        peer: {
          name: tool,
          job: [job, ...paths, size],
          note: ([value, lower, upper]) =>
            `${tool} finds ${percent(value)}${lower === undefined ? '' : ` (${percent(lower)} to ${percent(upper)})`}`,
        },
      }
    },
  }
}

const attack = { people: PEOPLE, tool: 'anonymeter', size: ATTACKS, found: ({ details }) => details.residual.value }

export const pythonRows = [
  row({
    ...attack,
    name: `${count(ATTACKS)} singled out by four columns`,
    measure: singlingOut,
    options: () => ({ mode: 'multivariate', nColumns: 4, attacks: ATTACKS, definition: 'anonymeter' }),
    found: ({ details }) => details.attacks[0].comparison.residual,
    job: 'multivariate',
  }),
  row({
    ...attack,
    name: `${count(ATTACKS)} linked`,
    measure: linkability,
    options: (names) => {
      const half = Math.floor(names.length / 2)
      return { columnsA: names.slice(0, half), columnsB: names.slice(half), attacks: ATTACKS }
    },
    job: 'linkability',
  }),
  row({
    ...attack,
    name: `secrets of ${count(ATTACKS)}`,
    measure: inference,
    options: () => ({ attacks: ATTACKS }),
    job: 'inference',
  }),
  row({
    name: 'DCR as SDMetrics has it',
    people: FEWER,
    measure: dcr,
    options: () => ({ definition: 'sdmetrics' }),
    found: ({ value }) => value,
    tool: 'SDMetrics',
    job: 'sdmetrics',
    size: FEWER,
  }),
  row({
    name: 'DCR with its test',
    people: PEOPLE,
    measure: dcr,
    found: ({ value }) => value,
    tool: 'mostlyai-qa (another space)',
    job: 'mostlyai-qa',
    size: PEOPLE,
  }),
]

// Attacks and distances beside anonymeter, SDMetrics and mostlyai-qa, one thread each, on a synthesis of Adult by trees with leaves of one record.
// The notes have what each found, the same within the intervals of attacks on people drawn at random, and what scrim takes when columns
// are coded and the original has been attacked as if it were the release: a control that the tools do not have, and about half of the work.
import { dcr, inference, linkability, openCase, singlingOut } from '@scrim/core'
import { releaseOf, samples } from '../scripts/peers/python/releases.mjs'
import { Absent, computed, count, saveCsv, sized } from './harness.mjs'
import { median } from './results.mjs'

const PEOPLE = sized(10_000)
const ATTACKS = sized(2_000)
/** SDMetrics puts all pairs of records into data frames. */
const FEWER = sized(2_000)
const SECRET = 'marital'

/** Processor time, the median of several. */
async function secondsOf(run) {
  const seconds = []
  for (let k = 0; k < 5; k++) {
    const before = process.cpuUsage()
    await run()
    const { user, system } = process.cpuUsage(before)
    seconds.push((user + system) / 1e6)
  }
  return median(seconds)
}

const percent = (share) => `${(100 * share).toFixed(1)} %`

/** @param found the figure of a release's result that the tool prints too */
function row({ name, people, measure, options = () => ({}), found, tool, job, size }) {
  return {
    name: `${name}, Adult ${count(people)} + holdout`,
    repeats: 5,
    // V8 compiles on other threads while it runs, which counts: a peer is compiled after its first run.
    warm: 5,
    async prepare() {
      const files = await samples(people)
      const { data, original, holdout } = files
      if (data !== 'Adult') throw new Absent('data/adult is not here (SCRIM_REFERENCE)')
      const released = await releaseOf('CART, leaves of 1', files)
      const { release } = openCase({ target: SECRET, type: 'synthetic' }, { original, released, holdout })
      const chosen = options(release.variables)
      await measure.run(release, chosen)
      const alone = await secondsOf(() => measure.run(release, chosen))
      const paths = [original, released, holdout].map((file, k) => saveCsv(file, `python-${k}.csv`))
      return {
        async run() {
          const result = await measure.run({ ...release }, chosen)
          computed(result)
          return [
            `scrim finds ${percent(found(result.releases[0]))}; ${alone.toFixed(3)} s of processor time without coding and its control`,
          ]
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

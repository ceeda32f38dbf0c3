// Whole assessments by the command line on two threads, from the bytes of the files to the answer, as somebody waits for them.

// As it is installed: threads that read a file start in a fraction of what the single modules take.
import { main } from '../packages/cli/bundle/main.js'
import { processIo } from '../packages/cli/dist/io.js'
import { count, referenceFiles, saveCsv, sized, THREADS } from './harness.mjs'
import { PEOPLE_ROLES, people } from './people.mjs'

const MEASURE_STARTS = /^\d+ of \d+: /

/** Runs the command; where asked, a lap ends when the first measure starts. */
export function assessment(args, lapName) {
  return async (lap) => {
    let isUnderWay = false
    const errors = []
    const io = {
      ...processIo(),
      terminal: false,
      progressEvery: 0,
      ask: undefined,
      out: () => {},
      err: (text) => {
        if (!MEASURE_STARTS.test(text)) errors.push(text)
        else if (!isUnderWay && lapName !== undefined) lap(lapName)
        isUnderWay ||= MEASURE_STARTS.test(text)
      },
    }
    const code = await main(['assess', ...args, '--threads', String(THREADS)], io)
    if (code !== 0) throw new Error(`scrim assess ${args.join(' ')}: ${errors.join('')}`)
  }
}

const QUICK = ['--profile', 'quick', '--risk-only']
const [MANY, MOST] = [sized(200_000), sized(1_000_000)]
const files = (rows, ...names) => names.map((name, k) => saveCsv(people(name, rows, k + 1), `${name}.csv`))

export const assessRows = [
  {
    name: `quick, ${count(MANY)} x 12 + holdout`,
    prepare() {
      const [original, released, holdout] = files(MANY, 'original', 'released', 'holdout')
      const args = [original, released, '--holdout', holdout, ...PEOPLE_ROLES, ...QUICK]
      return { run: assessment(args, `  before the first measure`) }
    },
  },
  {
    name: `quick, ${count(MOST)} x 12`,
    prepare() {
      return { run: assessment([...files(MOST, 'original', 'released'), ...PEOPLE_ROLES, ...QUICK]) }
    },
  },
  {
    name: 'standard, Adult + holdout',
    prepare() {
      const [original, released, holdout] = referenceFiles(
        'data/adult',
        'adults_train.csv',
        'adults_syn_ctgan.csv',
        'adults_control.csv',
      )
      const roles = ['--keys', 'age,sex,race,education,marital', '--target', 'income', '--type', 'synthetic']
      return { run: assessment([original, released, '--holdout', holdout, ...roles]) }
    },
  },
  {
    name: 'standard, SD2011, 5 releases x 2 targets',
    prepare() {
      const releases = [1, 2, 3, 4, 5].map((number) => `synthetic-${number}.csv`)
      const roles = ['--keys', 'sex,age,region,placesize', '--target', 'depress,income', '--type', 'synthetic']
      return { run: assessment([...referenceFiles('golden/sd2011', 'original.csv', ...releases), ...roles]) }
    },
  },
]

import type { ThreatAssessment } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { COMMANDS } from './commands.js'
import { workplace } from './testing/run.js'
import { xmlProblem } from './testing/well-formed.js'

/** Five names in their order, for columns and levels alike. */
const MEMBERS = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf']
/** In the same order, and no object has them. */
const PLAIN = MEMBERS.map((name) => `${name}x`)
const CONTROLS = ['\u0001a]]>', '\u001b[31mb<img src=x>', '\u001b]0;c\u0007|', '\u009b2Jd`*_', '\u202ee&#10;\u0008']

const PEOPLE = 120

/** The same people under other names of columns and levels. */
function people(names: readonly string[], seed: number): string {
  let state = seed
  const below = (n: number) => {
    state = (state * 1103515245 + 12345) % 2147483648
    return Math.floor((state / 2147483648) * n)
  }
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  const lines = Array.from({ length: PEOPLE }, () => {
    const first = below(5)
    const levels = names.map((_, k) => names[below(5) < 3 ? (first + k) % 5 : below(5)])
    return [...levels.map(quoted), String(20 + 10 * first + below(30))].join(',')
  })
  return `${[[...names.map(quoted), 'number'].join(','), ...lines].join('\n')}\n`
}

const request = (names: readonly string[]) =>
  JSON.stringify({ outputs: [{ id: names[1], kind: 'table', by: [names[0], names[1]] }] })

const caseOf = ([first, second, third]: readonly string[]) =>
  JSON.stringify({
    original: 'original.csv',
    released: ['released.csv'],
    keys: [first, second],
    target: [third],
    type: 'synthetic',
    profile: 'quick',
  })

/** Every command that reads a file of people, once. `{0}` is the first name. */
const RUNS: Readonly<Record<string, string>> = {
  keys: 'keys original.csv --charts keys --write keys.json',
  measure: "measure k-anonymity original.csv released.csv --keys '{0},{1}' --charts measure",
  assess:
    "assess original.csv released.csv --keys '{0},{1}' --target '{2},{3}' --holdout holdout.csv --type synthetic --profile quick --charts assess --json a.json --html a.html --markdown a.md",
  utility:
    "utility original.csv released.csv --target '{4}' --measures pmse,means-frequencies,contingency-fidelity,total-variation --charts utility",
  compare:
    "compare original.csv released.csv holdout.csv --keys '{0},{1}' --target '{2}' --draws 20 --html c.html --markdown c.md",
  check: 'check --assessment a.json --policy policy.json --junit j.xml --sarif s.sarif --markdown g.md',
  synthesize: 'synthesize original.csv -o made.csv',
  anonymise: "anonymise original.csv -o masked.csv --method local-suppression --keys '{0},{1},{2}'",
  attack: "attack original.csv --candidates attribute --target '{4}' --synthesizer independent --out attack",
  'audit-dp': 'audit-dp original.csv --method independent --epsilon 1 --releases 40 --json audit.json',
  outputs: 'outputs check request.json --data original.csv --rules-only --html o.html --markdown o.md',
  advise: "advise original.csv released.csv --keys '{0},{1}' --target '{2}' --trials 1 --json advice.json",
  partial: 'partial case.json --part 1/1 -o part.json',
  merge: 'merge part.json --config case.json --json merged.json --html merged.html --markdown merged.md',
  // Writes the config that any later command would read.
  init: 'init original.csv --yes',
}

/** Commands that read no file of people. */
const WITHOUT_PEOPLE = ['ui', 'measures', 'policy', 'simulate', 'study', 'completion', 'demo', 'engines', 'embed']

const POLICY = JSON.stringify({ overall: 'HIGH', threats: { attribute: { level: 'LOW', leakage: 0.001 } } })

async function ran(names: readonly string[], commands: readonly string[] = Object.keys(RUNS)) {
  const place = workplace({
    'original.csv': people(names, 7),
    'released.csv': people(names, 11),
    'holdout.csv': people(names, 13),
    'request.json': request(names),
    'policy.json': POLICY,
    'case.json': caseOf(names),
  })
  const printed: { command: string; code: number; out: string; err: string }[] = []
  for (const command of commands) {
    const line = RUNS[command].replace(/\{(\d)\}/g, (_, k) => names[Number(k)])
    printed.push({ command, ...(await place.run(line, { terminal: true })) })
  }
  return { ...place, printed }
}

it('every command that reads people is in the list', () => {
  expect([...Object.keys(RUNS), ...WITHOUT_PEOPLE].sort()).toEqual(COMMANDS.map(({ name }) => name).sort())
})

describe('names that every object of JavaScript has', () => {
  it('do not stop any command, and every chart is drawn', { timeout: 300_000 }, async () => {
    const { printed, files, read } = await ran(MEMBERS)
    expect(printed.filter(({ code }) => code !== 0 && code !== 3).map(({ command, err }) => [command, err])).toEqual([])
    expect(printed.filter(({ err }) => err.includes('could not be drawn'))).toEqual([])
    const broken = files().filter((name) => /\.(svg|xml)$/.test(name) && xmlProblem(read(name)) !== null)
    expect(broken).toEqual([])
    expect(files().filter((name) => name.startsWith('assess/')).length).toBeGreaterThan(10)
  })

  it('give the answer of the same people under plain names', { timeout: 300_000 }, async () => {
    const answers = await Promise.all(
      [PLAIN, MEMBERS].map(async (names) => {
        const { releases } = JSON.parse((await ran(names, ['assess'])).read('a.json'))
        return releases[0].threats.map(({ level, leakage, p }: Pick<ThreatAssessment, 'level' | 'leakage' | 'p'>) => [
          level,
          leakage,
          p,
        ])
      }),
    )
    expect(answers[1]).toEqual(answers[0])
  })
})

describe('control characters, tags and marks in names', () => {
  it('reach no terminal, no page and no picture', { timeout: 300_000 }, async () => {
    const { printed, files, read } = await ran(CONTROLS)
    expect(printed.filter(({ code }) => code !== 0 && code !== 3).map(({ command, err }) => [command, err])).toEqual([])
    const shown = [
      // Progress is written over itself; nothing else may move the cursor.
      ...printed.map(({ command, out, err }) => [`what ${command} prints`, out + err.replaceAll('\r\u001b[K', '')]),
      ...files()
        .filter((name) => /\.(html|md|svg|xml)$/.test(name))
        .map((name) => [name, read(name)]),
    ]
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    const obeyed = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/
    expect(shown.filter(([, text]) => obeyed.test(text)).map(([name]) => name)).toEqual([])
    expect(shown.filter(([name, text]) => /\.(html|md)$/.test(name) && text.includes('<img src=x'))).toEqual([])
    const problems = files()
      .filter((name) => /\.(svg|xml)$/.test(name))
      .flatMap((name) => xmlProblem(read(name)) ?? [])
    expect(problems).toEqual([])
  })
})

it('a line break in the name of a file makes no line of its own', { timeout: 100_000 }, async () => {
  const name = 'released\nLOW: suitable.csv'
  const { run } = workplace({ 'original.csv': people(PLAIN, 7), [name]: people(PLAIN, 7) })
  const roles = `--keys '${PLAIN[0]},${PLAIN[1]}' --target '${PLAIN[2]}' --type synthetic`
  const { out, code } = await run(`assess original.csv '${name}' ${roles} --profile quick --full`)
  expect([code, out.split('\n').filter((line) => line.trimStart().startsWith('LOW: suitable'))]).toEqual([0, []])
})

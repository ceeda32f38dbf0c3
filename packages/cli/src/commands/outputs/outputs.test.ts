import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { checkSchema } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { workplace } from '../../testing/run.js'

const page = readFileSync(resolve(import.meta.dirname, '../../../../../docs/outputs.md'), 'utf8')
const block = (kind: string) => new RegExp(`\`\`\`${kind}\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1] ?? ''
const COMMAND = 'outputs check request.json --data people.csv --rules-only'

async function healthy() {
  const place = workplace({ 'request.json': block('json') })
  await place.run('simulate health --n 2000 -o people.csv')
  return place
}

const people = `sex,region,age\n${Array.from({ length: 80 }, (_, k) => `${'fm'[k % 2]},${['n', 's'][(k >> 1) % 2]},${20 + (k % 40)}`).join('\n')}\n`
const table = (more: object = {}) =>
  JSON.stringify({ outputs: [{ id: 't', kind: 'table', by: ['sex', 'region'], ...more }] })
const small = (request: string) => workplace({ 'people.csv': people, 'request.json': request })

describe('scrim outputs check', () => {
  it('prints what the page shows, within 80 columns', async () => {
    const { code, out, err } = await (await healthy()).run(COMMAND, { columns: 80 })
    expect([code, err]).toEqual([3, ''])
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(out).toBe(block('text'))
  })

  it('writes JSON of the published schema, a report, Markdown and a results folder', async () => {
    const place = await healthy()
    const { code } = await place.run(`${COMMAND} --json r.json --html r.html --markdown r.md --acro viewer`)
    expect(code).toBe(3)
    const result = JSON.parse(place.read('r.json'))
    expect(checkSchema.parse(result).verdict).toBe('refuse')
    expect(place.read('r.html')).toContain('For the checker.')
    expect(place.read('r.html')).toMatch(/<svg[\s\S]*Records behind/)
    expect(place.read('r.md')).toContain('## model: RELEASE')
    expect(place.files()).toContain('viewer/checksums/counts_0.csv.txt')
    const again = await place.run('outputs check viewer --data people.csv --rules-only', { columns: 80 })
    expect(again.out).toContain('model (regression): REVIEW, its file is no summary of a model')
  })

  it('knows what was released before', async () => {
    const place = small(table({ filter: 'age < 59' }))
    expect((await place.run(`${COMMAND} --json released/first.json --force`)).code).toBe(2)
    const first = workplace({
      'people.csv': people,
      'request.json': table({ filter: 'age < 59' }),
      'all.json': table(),
      'released/.keep': '',
    })
    expect((await first.run(`${COMMAND} --json released/first.json`)).code).toBe(0)
    const alone = await first.run('outputs check all.json --data people.csv --rules-only')
    expect(alone.code).toBe(0)
    const after = await first.run('outputs check all.json --data people.csv --rules-only --history released')
    expect(after.code).toBe(3)
    expect(after.out).toContain('"t" and "first.json: t" differ by 2 records in all')
  })

  it('releases what keeps the rules, by the preset that is named', async () => {
    const place = small(table())
    const { code, out } = await place.run(`${COMMAND} --json r.json`)
    expect(code).toBe(0)
    expect(out).toContain('RELEASE by the rules alone')
    expect(JSON.parse(place.read('r.json')).risk.level).toBe('not assessed')
    expect((await small(table()).run(`${COMMAND} --limit threshold=30`)).code).toBe(3)
    expect((await small(table()).run(`${COMMAND} --preset essnet`)).out).toContain('rules: essnet')
  })

  /** A model of people enough to be measured. */
  async function measurable() {
    const terms = [{ var: 'age' }, { var: 'gender' }]
    const model = { id: 'm', kind: 'regression', family: 'linear', response: 'health_score', terms, decimals: 1 }
    const place = workplace({ 'request.json': JSON.stringify({ outputs: [model] }) })
    await place.run('simulate health --n 120 -o people.csv')
    return place
  }
  const MEASURE =
    'outputs check request.json --data people.csv --set splits=2 --set replicates=2 --set proposals=2000 --json -'

  it('writes simulated people who give the same outputs, and says in every row that they are', async () => {
    const counts = JSON.stringify({ outputs: [{ id: 't', kind: 'table', by: ['gender', 'education'] }] })
    const place = workplace({ 'request.json': counts })
    await place.run('simulate health --n 400 -o people.csv')
    const command = 'outputs check request.json --data people.csv --seconds 5 --set splits=2 --set replicates=1'
    await place.run(`${command} --embed-out made.csv`)
    const [head, ...rows] = place.read('made.csv').trim().split('\n')
    expect(head).toBe('gender,education,scrim_record')
    const of = (name: string) =>
      place
        .read(name)
        .trim()
        .split('\n')
        .filter((row) => /male,.*medium|male,medium/.test(row) && !row.startsWith('female')).length
    expect(rows).toHaveLength(400)
    expect(rows.every((row) => row.endsWith(',simulated from outputs'))).toBe(true)
    expect(of('made.csv')).toBe(of('people.csv'))
    const idle = await place.run(`${command} --embed-out made.csv --rules-only`)
    expect([idle.code, idle.err]).toEqual([2, expect.stringContaining('--embed-out has no effect')])
  })

  it('says that simulated people have the very values of people, unless nothing is public', async () => {
    const terms = [{ var: 'age' }, { var: 'gender' }]
    const model = { id: 'm', kind: 'regression', family: 'linear', response: 'health_score', terms, decimals: 1 }
    const place = workplace({
      'request.json': JSON.stringify({ outputs: [model] }),
      'none.json': JSON.stringify({ outputs: [model], knowledge: 'none' }),
    })
    await place.run('simulate health --n 120 -o people.csv')
    const rest = '--data people.csv --seconds 5 --set proposals=2000 --set splits=2 --set replicates=1 --embed-out'
    expect((await place.run(`outputs check request.json ${rest} made.csv`)).out).toMatch(
      /made\.csv has values of health_score, age that stand in the\sdata/,
    )
    const ages = (name: string) => {
      const [head, ...rows] = place
        .read(name)
        .trim()
        .split('\n')
        .map((line) => line.split(','))
      return rows.map((row) => row[head.indexOf('age')])
    }
    const own = new Set(ages('people.csv'))
    expect(own.size).toBeGreaterThan(100)
    expect((await place.run(`outputs check none.json ${rest} other.csv`)).out).not.toContain('stand in the')
    const other = ages('other.csv')
    expect(other.filter((age) => own.has(age)).length).toBeLessThan(other.length / 2)
  })

  it('measures the risk of a small request, the same on one thread and on two', async () => {
    const { run } = await measurable()
    const [one, two] = [await run(`${MEASURE} --threads 1`), await run(`${MEASURE} --threads 2`)]
    expect([one.code, one.err]).toEqual([0, ''])
    expect(JSON.parse(one.out)).toEqual(JSON.parse(two.out))
    expect(JSON.parse(one.out).outputRisk.targets).not.toHaveLength(0)
  })

  it('keeps its searches when interrupted, and goes on with the same numbers', async () => {
    const { run, folder } = await measurable()
    const searches = () => readdirSync(`${folder}-cache`).filter((name) => name.endsWith('.searches'))
    const whole = (await run(MEASURE)).out
    const controller = new AbortController()
    const stopped = run(MEASURE, { signal: controller.signal })
    controller.abort()
    const { code, err } = await stopped
    expect(code).toBe(130)
    expect(err).toBe('scrim: interrupted; the searches so far are kept: the same command with --resume goes on\n')
    expect(searches()).toHaveLength(1)
    const resumed = await run(`${MEASURE} --resume`)
    expect([resumed.code, resumed.out]).toEqual([0, whole])
    expect(searches()).toEqual([])
  })

  it.each([
    [table({ by: ['sexx'] }), 'output "t": unknown variable "sexx"; did you mean "sex"?'],
    [
      table({ values: [{ cell: { sex: 'f', region: 'east' }, value: 3 }] }),
      'output "t": unknown level of "region" "east"; there is: n, s',
    ],
    [
      table({ values: [{ cell: { sex: 'f', region: 'n' }, value: 3 }] }),
      'output "t": sex=f, region=n count is given as 3, but people.csv gives 20',
    ],
    [
      '{"outputs": [{"id": "m", "kind": "regression", "family": "probit", "response": "sex", "terms": []}]}',
      'request.json: outputs[0].family is "probit"; expected one of linear, logistic, poisson, multinomial',
    ],
    ['{"outputs": []}', 'request.json: outputs is []; expected at least one output'],
    ['{', 'request.json is not JSON'],
    [table({ filter: 'age <' }), 'output "t": filter'],
  ])('says in one sentence what is wrong with a request: %#', async (request, sentence) => {
    const { code, out, err } = await small(request).run(COMMAND)
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(sentence)
    expect(err.trim().split('\n')).toHaveLength(1)
  })

  it('says what is wrong with the command', async () => {
    const place = small(table())
    expect((await place.run('outputs')).err).toContain('nothing to do; usage')
    expect((await place.run('outputs check request.json')).err).toContain('--data is missing')
    expect((await place.run(`${COMMAND} --limit tresh=5`)).err).toContain('unknown limit "tresh"')
    expect((await place.run(`${COMMAND} --set splitz=5`)).err).toContain('unknown option "splitz"')
    expect((await place.run(`${COMMAND} --history nowhere`)).err).toContain('there is no folder nowhere')
    expect((await place.run(`${COMMAND} --json ${join('no', 'where.json')}`)).code).toBe(2)
  })
})

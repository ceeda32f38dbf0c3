import { toCsv } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { expect, it } from 'vitest'
import { PEOPLE, workplace } from '../../testing/run.js'

const HEALTH = { 'health.csv': toCsv(simulateHealth({ n: 200, kappa: 10, seed: 1 })) }

it('writes a synthesis and says how it was made', async () => {
  const { run, read, files } = workplace(HEALTH)
  const { code, out, err } = await run('synthesize health.csv -o made.csv --seed 4711')
  expect([code, err]).toEqual([0, ''])
  const lines = read('made.csv').trimEnd().split('\n')
  expect(lines[0]).toBe('gender,age,education,income,health_score,disease_status')
  expect(lines).toHaveLength(201)
  expect(files()).toEqual(['health.csv', 'made.csv'])
  expect(out).toContain('Sequential trees: 1 synthesis of 200 records from health.csv, written to made.csv')
  expect(out).toMatch(/gender +sample of all values +0 +200 +- +-/)
  expect(out).toMatch(/age +regression tree +1 +200 +\d+ +\d+ to \d+/)
  expect(out).toMatch(/disease_status +classification tree +5 +200 +\d+ +\d+ to \d+/)
  expect(out).toContain('Seed 4711')
  expect(read('made.csv')).not.toContain('4711')
})

it('numbers several syntheses, of as many records as asked for', async () => {
  const { run, read, files } = workplace(HEALTH)
  const { code } = await run('synthesize health.csv -o made.csv --m 3 --n 10 --seed 1 --report how.json')
  expect(code).toBe(0)
  expect(files()).toEqual(['health.csv', 'how.json', 'made-1.csv', 'made-2.csv', 'made-3.csv'])
  expect(read('made-2.csv').trimEnd().split('\n')).toHaveLength(11)
  expect(read('made-1.csv')).not.toBe(read('made-2.csv'))
  expect(JSON.parse(read('how.json'))).toMatchObject({
    original: 'health.csv',
    method: 'cart',
    rows: 10,
    seed: 1,
    files: ['made-1.csv', 'made-2.csv', 'made-3.csv'],
  })
})

it('gives the same file for the same seed on any number of threads, and another without one', async () => {
  const { run } = workplace(HEALTH)
  const made = async (flags: string) => (await run(`synthesize health.csv -o - ${flags}`)).out
  expect(await made('--seed 1 --threads 1')).toBe(await made('--seed 1 --threads 2'))
  expect(await made('')).not.toBe(await made(''))
})

it.each([
  'ctree',
  'parametric',
  'rf',
  'bag',
  'catall',
  'catall-dirichlet',
  'ipf',
  'gaussian-copula',
  'independent',
  'bootstrap-noise',
])('knows the method %s', async (method) => {
  const { run, read } = workplace(HEALTH)
  const { code, err } = await run(`synthesize health.csv -o made.csv --method ${method}`)
  expect([code, err]).toEqual([0, ''])
  expect(read('made.csv').trimEnd().split('\n')).toHaveLength(201)
})

it('splits the records by strata and says so', async () => {
  const { run, read } = workplace(HEALTH)
  const { code, out } = await run(`synthesize health.csv -o made.csv --set 'strata=["gender"]'`)
  expect(code).toBe(0)
  expect(read('made.csv').trimEnd().split('\n')).toHaveLength(201)
  expect(out).toMatch(/gender = female +age +regression tree/)
  const { err } = await run(`synthesize health.csv -o made.csv --set 'strata=["age"]'`)
  expect(err).toContain('strata: 6 variables need at least 70 records in a stratum')
})

it('says how many numbers are those of one record', async () => {
  const { run, read } = workplace({
    'few.csv': 'sex,income\nf,10\nf,10\nm,20\nm,20\n',
    'levels.csv': 'sex\nf\nm\n',
    ...HEALTH,
  })
  const { out } = await run('synthesize health.csv -o made.csv --seed 1')
  expect(out).toMatch(/Support leak: \d+\.\d % of the released numbers/)
  expect((await run('synthesize few.csv -o made.csv --method independent')).out).toContain('Support leak: 0.0 %')
  expect((await run('synthesize levels.csv -o made.csv')).out).toContain('No numbers are released')
  await run('synthesize few.csv -o made.csv --method independent --report how.json')
  expect(JSON.parse(read('how.json')).supportLeak).toEqual({ share: 0, variables: [{ variable: 'income', share: 0 }] })
})

it('says what noise on counts protects', async () => {
  const { run } = workplace(HEALTH)
  const { code, out } = await run(
    'synthesize health.csv -o made.csv --method catall --set noise=laplace --set epsilon=0.5',
  )
  expect(code).toBe(0)
  expect(out.replace(/\s+/g, ' ')).toContain(
    'are private (epsilon 0.5 for each synthesis, neighbours add-remove, sensitivity 1)',
  )
})

it('takes options of the method', async () => {
  const { run } = workplace(HEALTH)
  const { out } = await run(
    `synthesize health.csv -o made.csv --set minbucket=50 --set method.income=normrank --set smoothing=density --set 'rules.disease_status={"when":"age>60","value":"healthy"}'`,
  )
  expect(out).toMatch(/income +normal regression of ranks, smoothed \(density\)/)
  expect(out).toMatch(/break the rule "age>60"/)
})

it('runs a command of your own, with another seed for each synthesis', async () => {
  const script = `
    const [, , input, output, n, seed] = process.argv
    const fs = require('node:fs')
    const [header, ...rows] = fs.readFileSync(input, 'utf8').trim().split('\\n')
    fs.appendFileSync('seeds.txt', seed + '\\n')
    fs.writeFileSync(output, [header, ...rows.slice(0, Number(n))].join('\\n') + '\\n')
  `
  const { run, read } = workplace({ ...PEOPLE, 'mine.cjs': script })
  const command = `synthesize original.csv -o made.csv --m 2 --n 3 --seed 5 --method 'command:node mine.cjs {in} {out} {n} {seed}'`
  const { code, out, err } = await run(command)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('External command: 2 syntheses of 3 records')
  expect(read('made-1.csv')).toBe('sex,age,income,weight\nf,30,low,1.5\nf,30,low,2\nf,40,high,1\n')
  const seeds = read('seeds.txt').trim().split('\n')
  expect(new Set(seeds).size).toBe(2)
  await run(command)
  expect(read('seeds.txt').trim().split('\n')).toEqual([...seeds, ...seeds])
})

it('lists methods and options', async () => {
  const { run } = workplace()
  const { code, out } = await run('synthesize --list')
  expect(code).toBe(0)
  expect(out).toMatch(/bootstrap-noise +Bootstrap with noise/)
  expect(out).toMatch(/minbucket +5 +fewest donors in a leaf/)
  expect((await run('synthesize --list --method independent')).out).toContain('independent has no options.')
})

it('takes files that are there already', async () => {
  const { run, read } = workplace({
    ...PEOPLE,
    'sets/set-10.csv': 'income,sex\nhigh,m\n',
    'sets/set-9.csv': 'income,sex\nlow,f\n',
  })
  const { code } = await run('synthesize original.csv -o made.csv --m 2 --n 1 --method folder:sets')
  expect(code).toBe(0)
  expect([read('made-1.csv'), read('made-2.csv')]).toEqual(['sex,income\nf,low\n', 'sex,income\nm,high\n'])
})

it.each([
  ['synthesize', 'no file given; usage: scrim synthesize ORIGINAL'],
  ['synthesize original.csv', '-o is missing'],
  ['synthesize original.csv released.csv -o x.csv', 'unexpected argument "released.csv"'],
  ['synthesize original.csv -o x.csv --method carts', 'unknown synthesizer "carts"; did you mean "cart"?'],
  ['synthesize original.csv -o x.csv --m 0', '--m must be at least 1, but it is 0'],
  ['synthesize original.csv -o x.csv --n 0', '--n must be at least 1, but it is 0'],
  ['synthesize original.csv -o - --m 2', '-o - takes one synthesis'],
  [
    'synthesize original.csv -o x.csv --set minbuckets=3',
    'cart: unknown option "minbuckets"; did you mean "minbucket"?',
  ],
  [
    'synthesize original.csv -o x.csv --set minbucket=0',
    'cart: option "minbucket" must be a whole number of at least 1, found 0',
  ],
  ['synthesize original.csv -o x.csv --set method.sex=norm', 'method of "sex": norm makes numbers'],
  [
    'synthesize original.csv -o x.csv --set method.sex=keep --n 3',
    '"sex" is kept as in the original, so there must be 8 records',
  ],
  ['synthesize original.csv -o ./original.csv', 'it is read as an input of this command'],
  ['synthesize original.csv -o nowhere/x.csv', 'cannot write nowhere/x.csv'],
  ["synthesize original.csv -o x.csv --method 'command:true'", 'has no {out}'],
  ["synthesize original.csv -o x.csv --method 'command:true {out} {what}'", 'has no placeholder {what}'],
  ["synthesize original.csv -o x.csv --method 'command:true {out}'", 'ended without writing {out}'],
  ["synthesize original.csv -o x.csv --method 'command:no-such-program {out}'", 'the command ended with code 127'],
  ['synthesize original.csv -o x.csv --method folder:nowhere', 'there is no folder nowhere'],
  ['synthesize original.csv -o x.csv --method folder:.', 'original.csv has 8 records, and 9 are needed'],
])('%s is a mistake', async (command, message) => {
  const more = command.endsWith('folder:.') ? ' --n 9' : ''
  const { run } = workplace(PEOPLE)
  const { code, err, out } = await run(command + more)
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(message)
})

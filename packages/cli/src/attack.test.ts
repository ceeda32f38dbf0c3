import { expect, it } from 'vitest'
import { workplace } from './testing/run.js'

const CELLS = [69, 60, 79, 62, 68, 64, 60, 75, 74, 63, 54, 69, 77, 59, 66, 1]
const SECOND = [66, 53, 71, 51, 63, 77, 68, 91, 84, 66, 54, 59, 77, 52, 68, 0]

function cells(counts: readonly number[]): string {
  const lines = counts.flatMap((n, cell) =>
    Array.from({ length: n }, () => [...cell.toString(2).padStart(4, '0')].join(',')),
  )
  return `a,b,c,d\n${lines.join('\n')}\n`
}

const FILES = { 'original.csv': cells(CELLS), 'two.csv': cells(SECOND) }
const NUMBERS = '--types a=numeric,b=numeric,c=numeric,d=numeric'

it('tells what a release says about a record', async () => {
  const { run } = workplace(FILES)
  const { code, out, err } = await run(`attack original.csv --released two.csv --record last ${NUMBERS}`)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('The attacker knows every other record, the synthesizer cart and its options.')
  expect(out).toMatch(/1000 +1111 +1 +16 +0\.0625 +0\.0240/)
  expect(out).toMatch(/0111 +0\.0625 +0\.0800/)
  expect(out).toContain('Verdict: none.')
})

it('prints one JSON document, without a seed', async () => {
  const { run } = workplace(FILES)
  const { out } = await run(`attack original.csv --released two.csv --record 1000 --json ${NUMBERS}`)
  const report = JSON.parse(out)
  expect(report).toMatchObject({ private: true, engine: 'exact', verdict: 'none', worst: 1000 })
  expect(report.targets[0].worlds[15]).toMatchObject({ label: '1111', prior: 0.0625 })
  expect(report.targets[0].worlds[15].posterior).toBeCloseTo(0.023959, 6)
  expect(out).not.toContain('seed')
})

it('sweeps over all records and writes what it found', async () => {
  const { run, files, read } = workplace(FILES)
  const { code, out } = await run(`attack original.csv --record all --out found ${NUMBERS}`)
  expect(code).toBe(0)
  expect(out).toMatch(/Verdict: certain\. Record 1000/)
  expect(files()).toEqual([
    'found',
    'found/attack.json',
    'found/copies.svg',
    'found/posterior.svg',
    'found/ranking.svg',
    'found/records.csv',
    'found/sweep.svg',
    'found/worlds.svg',
    'original.csv',
    'two.csv',
  ])
  expect(read('found/records.csv').split('\n')).toHaveLength(18)
})

it('tells what is wrong', async () => {
  const { run } = workplace(FILES)
  const say = async (command: string) => (await run(command)).err
  expect(await say('attack')).toContain('no file given')
  expect(await say('attack original.csv two.csv')).toContain('named by --released')
  expect(await say('attack original.csv --engine exakt')).toContain('did you mean "exact"?')
  expect(await say('attack original.csv --synthesizer kart')).toContain('did you mean "cart"?')
  expect(await say('attack original.csv --record 0')).toContain('counts from 1')
  expect(await say('attack original.csv --record 1001')).toContain('there is no record 1001')
  expect(await say('attack original.csv --set minbuckets=3')).toContain('did you mean "minbucket"?')
})

it('repeats the paper', async () => {
  const { run, files } = workplace()
  const { code, out, err } = await run('study buyer-beware --quick --out found')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('Copies of the unique record per synthesis')
  expect(out).toMatch(/\d+ of \d+ means within tolerance, 4 of 4 checks hold/)
  expect(files()).toContain('found/worlds.svg')
  expect((await run('study buyer-beware --trees 3')).err).toContain('the study buyer-beware has no --trees')
}, 60_000)

import { expect, it } from 'vitest'
import { isLong } from '../../../../core/src/testing/long.js'
import { workplace } from '../../testing/run.js'

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

it('tries a seed that got out on every candidate; the released file has none', async () => {
  const { run, read } = workplace(FILES)
  await run(`synthesize original.csv -o synthetic.csv --seed 735124 ${NUMBERS}`)
  expect(read('synthetic.csv')).not.toMatch(/seed|735124/)
  const attackBy = (seed: number) =>
    run(`attack original.csv --released synthetic.csv --record last --seed-attack ${seed} ${NUMBERS}`)
  expect((await attackBy(735124)).out).toMatch(/With the seed, \d+ of 16 candidates reproduce .*1111 \(the truth\)/s)
  expect((await attackBy(735125)).out).toContain('With the seed, 0 of 16 candidates')
})

it('takes candidates and their prior from files', async () => {
  const { run } = workplace({
    ...FILES,
    'candidates.csv': 'a,b,c,d\n1,1,1,1\n0,1,1,1\n0,0,0,0\n',
    'prior.csv': 'weight\n2\n1\n1\n',
    'twice.csv': 'a,b,c,d\n1,1,1,1\n1,1,1,1\n',
  })
  const game = `attack original.csv --released two.csv --record last ${NUMBERS}`
  const { out, err } = await run(`${game} --candidates candidates.csv --prior prior.csv --json`)
  expect(err).toBe('')
  const { candidateKind, worlds } = JSON.parse(out).targets[0]
  expect(candidateKind).toBe('list')
  // p(c) is proportional to prior x (1 + 1/n_c)^s_c, and to the prior alone for 1111, which did not occur.
  const weights = [2, (1 + 1 / 75) ** 91, (1 + 1 / 69) ** 66]
  const total = weights[0] + weights[1] + weights[2]
  worlds.forEach((world: { prior: number; posterior: number }, k: number) => {
    expect(world.prior).toBe([0.5, 0.25, 0.25][k])
    expect(world.posterior).toBeCloseTo(weights[k] / total, 9)
  })
  expect((await run(`${game} --candidates twice.csv`)).err).toContain('a record twice: 1111')
  expect((await run(`${game} --prior prior.csv`)).err).toContain('3 weights for 16 candidates')
  expect((await run(`${game} --prior popular`)).err).toContain('unknown prior "popular"')
})

it('reports the other prior, the Bayes factor, exact values, and who rests on a screen', async () => {
  const { run } = workplace(FILES)
  const { out } = await run(`attack original.csv --released two.csv --record last ${NUMBERS}`)
  expect(out).toMatch(/Under the prior by frequency it goes from 0\.0 % to 0\.0 %/)
  expect(out).toMatch(/log Bayes factor of the truth, which needs neither prior,\s+is -1\.00 on average/)
  expect(out).toContain('0.0 % of the released numbers are the exact value of one single original record')
  const json = await run(`attack original.csv --record all --refine some --releases 20 --json ${NUMBERS}`)
  const { screen, targets, notes } = JSON.parse(json.out)
  expect(screen.exact + screen.records).toBe(1000)
  expect(targets.map((one: { likelihoods: string }) => one.likelihoods)).toContain('engine')
  if (screen.records > 0) expect(notes.join()).toContain('rest on the screen')
})

it('plays sets that went through sdc, and the sets and programs of others', async () => {
  const { run } = workplace({
    ...FILES,
    'four.csv': cells([73, 56, 71, 68, 54, 66, 61, 81, 73, 68, 51, 71, 83, 57, 64, 3]),
    ...Object.fromEntries(
      [1, 2].flatMap((world) =>
        [1, 2, 3].map((set) => [
          `made/world=${world}/set=${set}.csv`,
          cells(CELLS.map((n, cell) => (cell === 15 ? world - 1 : cell === 14 ? n + 2 - world : n))),
        ]),
      ),
    ),
  })
  const game = `attack original.csv --record last --candidates attribute --target d ${NUMBERS}`
  const removed = await run(`${game} --postprocess remove=replicated --releases 3 --simulations 5`)
  expect(removed.out).toContain('the synthesizer cart, then sdc')
  expect(removed.out).toContain('Engine dm')
  expect((await run(`${game} --postprocess remove=none --engine exact`)).err).toContain('use dm')
  const made = await run(`${game} --released four.csv --worlds made`)
  expect([made.code, made.err]).toEqual([0, ''])
  expect(made.out).toMatch(/1111 +0\.5000 +0\.9\d+ +the truth/)
  expect((await run(`${game} --released four.csv --worlds none`)).err).toContain('neither world=1 nor world=1110')
  const copying = await run(`${game} --released four.csv --synthesizer 'command:cp {in} {out}' --simulations 2`)
  expect([copying.code, copying.err]).toEqual([0, ''])
  expect(copying.out).toContain('the synthesizer command')
  expect(copying.out).toMatch(/1111 +0\.5000 +0\.9\d+ +the truth/)
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

it.skipIf(!isLong)('repeats the paper', async () => {
  const { run, files } = workplace()
  const { code, out, err } = await run('study buyer-beware --quick --out found')
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('Copies of the unique record per synthesis')
  expect(out).toMatch(/(\d+) of \1 means within tolerance, (\d+) of \2 checks hold/)
  expect(files()).toContain('found/worlds.svg')
})

it('has the options of its study only', async () => {
  expect((await workplace().run('study buyer-beware --trees 3')).err).toContain('the study buyer-beware has no --trees')
})

import { toCsv } from '@scrim/core'
import { simulateHealth } from '@scrim/studies'
import { expect, it } from 'vitest'
import { workplace } from '../../testing/run.js'

const TINY = '--quick --n 100 --trees 5 --threads 1'

it('runs the simulations and writes tables, charts and results', async () => {
  const { run, read, files } = workplace()
  const { code, out, err } = await run(`study rapid ${TINY} --files 1 --out found`)
  expect([code, err]).toEqual([0, ''])
  expect(out).toContain('Attackers (Table 1): kappa 10, tau 0.3')
  expect(out).toMatch(/setting +figure +files +observed +sd +published +difference +tolerance +within/)
  expect(out).toMatch(/\d+ of \d+ means within tolerance, \d+ of \d+ checks hold\. Seed 1\. Written to found/)
  const tables = ['dependency', 'thresholds', 'attackers', 'keys', 'attribution', 'continuous']
  const spread = ['spread', 'attacker-spread', 'threshold-band']
  const charts = [...tables.filter((name) => name !== 'keys'), 'keys-alone', 'keys-without', 'coefficients', ...spread]
  expect(files()).toEqual(
    [
      'found',
      ...[...tables, 'spread'].map((name) => `found/${name}.csv`),
      ...charts.map((name) => `found/${name}.svg`),
      'found/study.json',
    ].sort(),
  )
  expect(read('found/attackers.csv').split('\n')[0]).toBe(
    'setting,figure,files,observed,sd,published,apart,difference,tolerance,within',
  )
  expect(JSON.parse(read('found/study.json'))).toMatchObject({ study: 'rapid', design: { seed: 1, n: 100, trees: 5 } })
})

it('takes originals and releases from a folder', async () => {
  const file = (seed: number) => toCsv(simulateHealth({ n: 80, kappa: 0, seed }))
  const { run } = workplace({
    'given/kappa-0-file-1-original.csv': file(1),
    'given/kappa-0-file-1-released.csv': file(2),
    'given/kappa-0-file-2-original.csv': file(3),
    'empty/readme.txt': '',
  })
  const { code, out } = await run(`study rapid ${TINY} --files 3 --released-dir given`)
  expect(code).toBe(0)
  expect(out).toMatch(/kappa 0 +RAPID +1 /)
  expect(out).not.toContain('Table 1')
  const nothing = await run(`study rapid ${TINY} --released-dir empty`)
  expect([nothing.code, nothing.err]).toEqual([2, 'scrim: empty has no files of the settings of this study\n'])
})

it('sets membership attacks beside each other, on files and generators of your own too', async () => {
  const people = toCsv(simulateHealth({ n: 50, kappa: 10, seed: 1 }))
  const { run, read, files } = workplace({ 'people.csv': people })
  const command = `study membership --quick --n 25 --files 1 --shadows 0 --threads 1 --data people.csv --method 'command:cp {in} {out}' --out found`
  const { code, out } = await run(command)
  expect(code).toBe(0)
  expect(out).toContain('people  command:cp {in} {out}')
  expect(read('found/release-game.csv').split('\n')[0]).toBe(
    'data,generator,who,attack,auc,lower,upper,tpr at fpr 0.1 %,tpr at fpr 1 %',
  )
  expect(files()).toContain('found/release-game-people.svg')
  // Members are released as they are: only those who have a twin outside are in doubt.
  expect(read('found/release-game.csv')).toMatch(/people,command:cp \{in\} \{out\},everybody,nearest record,1,/)
}, 60_000)

it.each([
  ['study membership --adult nowhere.csv', 'there is no file nowhere.csv'],
  ['study membership --shadows 3', '--shadows must be 0 or at least 10, but it is 3'],
  ['study membership --method cart', '--method takes command:"...", found "cart"'],
  ['study membership --trees 5', 'the study membership has no --trees'],
  ['study', 'which study? usage: scrim study rapid'],
  ['study rapids', 'unknown study "rapids"; did you mean "rapid"?'],
  ['study rapid more', 'unexpected argument "more"'],
  ['study rapid --files 0', '--files must be at least 1, but it is 0'],
  ['study rapid --released-dir nowhere', 'there is no folder nowhere'],
])('%s is a mistake', async (command, message) => {
  const { code, err } = await workplace().run(command)
  expect(code).toBe(2)
  expect(err).toContain(message)
})

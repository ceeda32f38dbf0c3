import type { Result } from '@scrim/core'
import { expect, it } from 'vitest'
import { isLong } from '../../../../core/src/testing/long.js'
import { workplace } from '../../testing/run.js'

it('shows three releases to a custodian, writes everything into one folder, and agrees with scrim assess', async () => {
  const { run, files, read } = workplace()
  // The 2000 people that everybody gets take twice as long: `npm run validate` asks for them.
  const { code, out, err } = await run(isLong ? 'demo --seed 2' : 'demo --n 300 --seed 2', { columns: 80 })
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^HIGH: perturbed\.csv$/m)
  // Of 300 people it is not certain that nothing leaks.
  expect(out).toMatch(isLong ? /^LOW: independent\.csv$/m : /^(LOW|MODERATE): independent\.csv$/m)
  expect(out).toMatch(/^threat +perturbed +cart +independent$/m)
  expect(out).toMatch(/^identity +HIGH /m)
  expect(out).toMatch(/(HIGH|MODERATE) \d+ %/)
  expect(out).not.toMatch(/(LOW|INCONCLUSIVE) (\d|none|-)/)
  const lines = out.split('\n').filter((line) => !line.startsWith('  scrim assess'))
  expect(lines.length).toBeLessThanOrEqual(48)
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  const written = files()
  expect(written.filter((name) => !name.startsWith('scrim-demo'))).toEqual([])
  for (const name of [
    'original.csv',
    'holdout.csv',
    'perturbed.csv',
    'cart.csv',
    'independent.csv',
    'perturbed.json',
    'perturbed.html',
    'report.md',
  ]) {
    expect(written).toContain(`scrim-demo/${name}`)
  }
  const pictures = [...read('scrim-demo/report.md').matchAll(/!\[.*?\]\((.*?)\)/g)].map(
    ([, file]) => `scrim-demo/${file}`,
  )
  expect(pictures.length).toBeGreaterThan(1)
  expect(written).toEqual(expect.arrayContaining(pictures))

  const command = /^ {2}scrim (assess .*)$/m.exec(out)?.[1] ?? ''
  await run(`${command} --seed 2 --measures attribution,memorisation,rapid,pmse --json again.json`)
  const again = JSON.parse(read('again.json')) as { results: Result[] }
  const first = (JSON.parse(read('scrim-demo/cart.json')) as { results: Result[] }).results
  expect(again.results).toHaveLength(4)
  for (const { measure, value } of again.results)
    expect(value, measure).toBe(first.find((one) => one.measure === measure)?.value)
})

it('needs enough people to show something', async () => {
  const { code, err } = await workplace().run('demo --n 50')
  expect([code, err]).toEqual([2, 'scrim: --n must be at least 100, but it is 50\n'])
})

import type { Result } from '@scrim/core'
import { expect, it } from 'vitest'
import { workplace } from './testing/run.js'

it('shows two releases to a custodian and writes everything into one folder', async () => {
  const { run, files, read } = workplace()
  const { code, out, err } = await run('demo')
  expect([code, err]).toEqual([0, ''])
  expect(out).toMatch(/^measure +perturbed +verdict +independent +verdict +compare with +what it counts$/m)
  expect(out).toMatch(/^k-anonymity .* HIGH/m)
  const written = files()
  expect(written.filter((name) => !name.startsWith('scrim-demo'))).toEqual([])
  for (const name of [
    'original.csv',
    'holdout.csv',
    'perturbed.csv',
    'independent.csv',
    'perturbed.json',
    'report.md',
  ]) {
    expect(written).toContain(`scrim-demo/${name}`)
  }
  const pictures = [...read('scrim-demo/report.md').matchAll(/!\[.*?\]\((.*?)\)/g)].map(
    ([, file]) => `scrim-demo/${file}`,
  )
  expect(pictures.length).toBeGreaterThan(1)
  expect(written).toEqual(expect.arrayContaining(pictures))
})

it('gives the numbers that scrim assess gives for its files', async () => {
  const { run, read } = workplace()
  const { out } = await run('demo --out d --seed 2')
  const command = /^ {2}scrim (assess .*)$/m.exec(out)?.[1] ?? ''
  await run(`${command} --seed 2 --json again.json`)
  const again = JSON.parse(read('again.json')) as { results: Result[] }
  expect(again.results.map(({ measure, value }) => [measure, value])).toEqual(
    (JSON.parse(read('d/perturbed.json')) as Result[]).map(({ measure, value }) => [measure, value]),
  )
})

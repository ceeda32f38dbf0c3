import { expect, it } from 'vitest'
import { workplace } from '../../testing/run.js'

it('writes the microdata of the RAPID paper', async () => {
  const { run, read, files } = workplace()
  const { code, out, err } = await run('simulate health --n 50 --kappa 10 -o health.csv --seed 4')
  expect([code, out, err]).toEqual([0, '', ''])
  const lines = read('health.csv').trimEnd().split('\n')
  expect(lines[0]).toBe('gender,age,education,income,health_score,disease_status')
  expect(lines).toHaveLength(51)
  expect(files()).toEqual(['health.csv'])
})

it('writes the same file for the same seed, and another for another seed or age variant', async () => {
  const { run } = workplace()
  const file = async (flags: string) => (await run(`simulate health --n 20 --kappa 1 -o - ${flags}`)).out
  expect(await file('--seed 1')).toBe(await file(''))
  expect(await file('--seed 2')).not.toBe(await file(''))
  expect(await file('--age figures')).not.toBe(await file(''))
})

it('writes census-like records, of which the model of the paper can be asked for', async () => {
  const { run, read } = workplace()
  expect((await run('simulate census --n 30 -o census.csv')).code).toBe(0)
  const lines = read('census.csv').trimEnd().split('\n')
  expect(lines[0]).toBe('AGE,AREAP,ETHGROUP,LTILL,MSTATUS,SEX,TENURE')
  expect(lines).toHaveLength(31)
  const { code, err } = await run('simulate census --kappa 3 -o other.csv')
  expect([code, err]).toEqual([2, expect.stringContaining('--kappa is for health')])
})

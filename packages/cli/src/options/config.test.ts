import type { Result } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from '../testing/run.js'

const withConfig = (config: object, name = 'scrim.json') => workplace({ ...PEOPLE, [name]: JSON.stringify(config) })
const json = (out: string) => JSON.parse(out) as Result

describe('scrim.json', () => {
  it('says what the flags would say', async () => {
    const { run } = withConfig({
      keys: ['sex', 'age'],
      target: 'income',
      seed: 5,
      options: { 'k-anonymity': { k: 2 } },
    })
    const { code, out, err } = await run('measure k-anonymity original.csv released.csv --json')
    expect([code, err]).toEqual([0, ''])
    expect(json(out)).toMatchObject({ value: 0.375, seed: 5, options: { k: 2 } })
  })

  it('gives way to flags', async () => {
    const { run } = withConfig({ keys: 'sex,age', seed: 5, options: { 'k-anonymity': { k: 2 } } })
    const { out } = await run('measure k-anonymity original.csv released.csv --keys sex --seed 6 --set k=4 --json')
    expect(json(out)).toMatchObject({ seed: 6, options: { k: 4 }, releases: [{ details: { classes: 2 } }] })
  })

  it('may name the fields as the flags do, with types, groups and codes as text or values', async () => {
    const texts = {
      keys: 'sex,age',
      'missing-tokens': ['f'],
      types: 'age=numeric',
      group: 'age=fixed:0|35|99',
      codes: 'age=40',
    }
    const values = {
      keys: ['sex', 'age'],
      missingTokens: 'f',
      types: { age: { kind: 'numeric' } },
      group: { age: 'fixed:0|35|99' },
      codes: { age: [40] },
    }
    const run = async (config: object) =>
      (await withConfig(config).run('measure k-anonymity original.csv released.csv --json')).out
    expect(json(await run(texts)).status).toBe('ok')
    expect(await run(texts)).toBe(await run(values))
  })

  it('is announced on a terminal only, and replaced by --config', async () => {
    const { run } = workplace({
      ...PEOPLE,
      'scrim.json': '{"keys": ["sex", "age"]}',
      'sub/other.json': '{"keys": ["sex"], "charts": "charts"}',
    })
    const command = 'measure k-anonymity original.csv released.csv --csv'
    expect((await run(command)).err).toBe('')
    expect((await run(command, { terminal: true })).err).toContain('scrim: using scrim.json\n')
    expect((await run(`${command} --config sub/other.json`)).out).toContain(',classes,2\n')
  })

  it('has paths relative to itself', async () => {
    const { run, files } = workplace({
      ...PEOPLE,
      'sub/c.json': '{"keys": ["sex"], "holdout": "../other.csv", "charts": "pictures"}',
    })
    expect((await run('measure k-anonymity original.csv released.csv --config sub/c.json')).code).toBe(0)
    expect(files()).toContain('sub/pictures/k-anonymity-class-sizes.svg')
  })
})

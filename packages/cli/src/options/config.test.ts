import { createHash } from 'node:crypto'
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
    expect([code, err]).toEqual([0, 'scrim: using scrim.json\n'])
    expect(json(out)).toMatchObject({ value: 0.375, seed: 5, options: { k: 2 } })
  })

  it('stands in the report with its hash, so that the command can be repeated; levels are named by no one', async () => {
    const place = withConfig({
      keys: ['sex', 'age'],
      target: 'income',
      types: { sex: { kind: 'ordered', levels: ['m', 'f'] } },
    })
    const { code } = await place.run('assess original.csv released.csv --profile quick --html report.html')
    expect(code).toBe(0)
    const report = place.read('report.html')
    const sha256 = createHash('sha256').update(place.read('scrim.json')).digest('hex')
    expect(report).toContain('<dt>from scrim.json</dt><dd>keys sex, age; target income; and types</dd>')
    expect(report.replace(/<\/?(?:code|span)[^>]*>/g, '')).toContain(`<dt>SHA-256 of scrim.json</dt><dd>${sha256}</dd>`)
    const plain = workplace(PEOPLE)
    await plain.run(
      'assess original.csv released.csv --keys sex,age --target income --profile quick --html report.html',
    )
    expect(plain.read('report.html')).not.toContain('from scrim.json')
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

  it('is announced once wherever it is used, and replaced by --config', async () => {
    const { run } = workplace({
      ...PEOPLE,
      'scrim.json': '{"keys": ["sex", "age"]}',
      'sub/other.json': '{"keys": ["sex"], "charts": "charts"}',
    })
    const command = 'measure k-anonymity original.csv released.csv --csv'
    expect((await run(command)).err).toBe('scrim: using scrim.json\n')
    const { out, err } = await run(`${command} --config sub/other.json`)
    expect([out, err]).toEqual([expect.stringContaining(',classes,2\n'), 'scrim: using sub/other.json\n'])
    expect((await run('measures')).err).toBe('')
  })

  it('has paths relative to itself', async () => {
    const { run, files } = workplace({
      ...PEOPLE,
      'sub/c.json': '{"keys": ["sex"], "holdout": "../other.csv", "charts": "pictures"}',
    })
    expect((await run('measure k-anonymity original.csv released.csv --config sub/c.json')).code).toBe(0)
    expect(files()).toContain('sub/pictures/k-anonymity-class-sizes.svg')
  })

  it.each(['assess', 'measure k-anonymity', 'check --policy policy.json'])(
    'runs no command of its own: %s',
    async (command) => {
      const { run, files } = workplace({
        ...PEOPLE,
        'policy.json': '{"rules": [{"measure": "k-anonymity", "max": 1}]}',
        'scrim.json': JSON.stringify({ keys: 'sex,age', synthesizer: 'command:touch planted && cp {in} {out}' }),
      })
      const { code, err } = await run(`${command} original.csv released.csv`)
      expect([code, err]).toEqual([
        2,
        'scrim: using scrim.json\nscrim: scrim.json names a command to run, "command:touch planted && cp {in} {out}"; nothing was run: give it with --synthesizer, or allow it with --allow-commands\n',
      ])
      expect(files()).not.toContain('planted')
    },
  )

  it('may name a command that is allowed, or replaced by a flag', async () => {
    const { run } = withConfig({ keys: 'sex,age', synthesizer: 'command:cp {in} {out}' })
    const measure = 'measure k-anonymity original.csv released.csv --csv'
    expect((await run(`${measure} --allow-commands`)).code).toBe(0)
    expect((await run(`${measure} --synthesizer cart`)).code).toBe(0)
    expect((await run(`${measure} --synthesizer 'command:cp {in} {out}'`)).code).toBe(0)
  })
})

import { toCsv } from '@scrim/core'
import { demoFiles } from '@scrim/studies'
import { beforeAll, describe, expect, it } from 'vitest'
import { workplace } from '../../testing/run.js'

let files: Record<string, string> = {}
beforeAll(async () => {
  const { original, cart } = await demoFiles(150, 1)
  const config = {
    original: 'original.csv',
    released: 'cart.csv',
    keys: 'gender,age',
    target: 'disease_status',
    measures: 'k-anonymity,attribution,memorisation,ks',
  }
  files = { 'original.csv': toCsv(original), 'cart.csv': toCsv(cart), 'scrim.json': JSON.stringify(config) }
})

describe('parts of an assessment', () => {
  it('give the answer of one machine, byte for byte, and are kept when they are whole', async () => {
    const { run, read } = workplace(files)
    expect((await run('assess --json whole.json --threads 1')).code).toBe(0)
    for (const part of [3, 1, 2]) {
      const made = await run(`partial scrim.json --part ${part}/3 -o part${part}.json --threads 1`)
      expect(made.out).toMatch(new RegExp(`^Written to part${part}.json: [a-z-]+(, [a-z-]+)*\\.\n$`))
    }
    const merged = await run('merge part1.json part2.json part3.json --json merged.json --threads 1')
    expect(merged).toMatchObject({ code: 0 })
    expect(read('merged.json')).toBe(read('whole.json'))

    const part = read('part2.json')
    expect((await run('partial --part 2/3 -o part2.json')).out).toBe('part2.json is there already.\n')
    expect(read('part2.json')).toBe(part)
    expect(part).not.toMatch(/addedByRecord|releasedNearest/)

    const lacking = await run('merge part1.json part3.json')
    expect(lacking).toMatchObject({ code: 2, out: '' })
    expect(lacking.err).toContain('part 2 of 3 is missing; make it with scrim partial --part 2/3')
  })

  it('of another config, and what is no part, are refused', async () => {
    const { run } = workplace({
      ...files,
      'other.json': files['scrim.json'].replace('gender,age', 'gender'),
      'no.json': '{}',
    })
    await run('partial scrim.json --part 1/12 -o part.json --threads 1')
    const refused = await run('merge part.json no.json --config other.json')
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toContain('part.json was made of other files, with another config')
    expect(refused.err).toContain('no.json is no part that scrim partial wrote')
  })

  it.each([
    ['partial --part 4/3 -o x.json', 'from 1/5 to 5/5'],
    ['partial --part 0/3 -o x.json', 'from 1/5 to 5/5'],
    ['partial --part 1/3', 'usage: scrim partial'],
    ['partial --part 1/3 -o original.csv', 'it is read as an input'],
    ['merge', 'usage: scrim merge'],
  ])('are refused: %s', async (command, sentence) => {
    const { code, err } = await workplace(files).run(command)
    expect(code).toBe(2)
    expect(err).toContain(sentence)
  })

  it('that were interrupted are not there, and go on', async () => {
    const { run, files: present } = workplace(files)
    const broken = await run('partial --part 1/2 -o part.json --threads 1', { signal: AbortSignal.abort() })
    expect(broken.code).toBe(130)
    expect(present()).not.toContain('part.json')
    expect((await run('partial --part 1/2 -o part.json --resume --threads 1')).code).toBe(0)
    expect(present()).toContain('part.json')
  })
})

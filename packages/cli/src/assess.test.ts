import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { measures, type Result } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from './testing/run.js'

const ALL = 'assess original.csv released.csv --keys sex,age --target income'

interface Assessment {
  readonly files: readonly { role: string; name: string; rows: number; sha256: string }[]
  readonly keys: readonly string[]
  readonly seed: number
  readonly results: readonly Result[]
}

describe('scrim assess', () => {
  it('prints what was found, worst first, and what was not assessed and why', async () => {
    const { code, out, err } = await workplace(PEOPLE).run(ALL)
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('original.csv (8 records) and released.csv; keys sex, age; target income')
    expect(out).toMatch(/^HIGH +k-anonymity +100\.0 % +100\.0 % original +k = 1; /m)
    const levels = [...out.matchAll(/^(HIGH|ELEVATED|MODERATE|INCONCLUSIVE|LOW) /gm)].map(([, level]) => level)
    const order = ['HIGH', 'ELEVATED', 'MODERATE', 'INCONCLUSIVE', 'LOW']
    expect(levels).toEqual([...levels].sort((a, b) => order.indexOf(a) - order.indexOf(b)))
  })

  it('lists a measure whose needs are not met as not assessed, with exit code 0', async () => {
    const { code, out } = await workplace(PEOPLE).run('assess original.csv released.csv --measures k-anonymity')
    expect(code).toBe(0)
    expect(out).toContain('No measure judges the risk.')
    expect(out).toContain('Not assessed:\n  - k-anonymity needs key variables (--keys)')
  })

  it('--json writes every result with the hashes of the files', async () => {
    const { run, read, folder } = workplace(PEOPLE)
    const { code } = await run(`${ALL} --json result.json --seed 3`)
    expect(code).toBe(0)
    const assessment = JSON.parse(read('result.json')) as Assessment
    expect(assessment.results.map((result) => result.measure)).toEqual(measures.map(({ id }) => id))
    expect(assessment).toMatchObject({ keys: ['sex', 'age'], seed: 3 })
    const hash = createHash('sha256')
      .update(readFileSync(join(folder, 'released.csv')))
      .digest('hex')
    expect(assessment.files[1]).toMatchObject({ role: 'release', name: 'released.csv', rows: 8, sha256: hash })
  })

  it('is the same bytes for the same seed', async () => {
    const { run, read } = workplace(PEOPLE)
    await run(`${ALL} --json a.json`)
    await run(`${ALL} --json b.json`)
    expect(read('a.json')).toBe(read('b.json'))
  })

  it('shows each of several releases and their mean', async () => {
    const command =
      'assess original.csv released.csv other.csv --keys sex,age --measures k-anonymity --set k-anonymity.k=2'
    const { out } = await workplace(PEOPLE).run(command)
    expect(out).toMatch(
      /^HIGH +k-anonymity +18\.8 % +50\.0 % original +mean of 2 releases; worst 37\.5 % \(released\.csv\), best 0\.0 %$/m,
    )
    expect(out).toMatch(/^HIGH + released\.csv +37\.5 %/m)
    expect(out).toMatch(/^ELEVATED + other\.csv +0\.0 %/m)
  })

  it('--charts writes the charts of all measures', async () => {
    const { run, files } = workplace(PEOPLE)
    await run(`${ALL} --charts charts`)
    expect(files()).toContain('charts/k-anonymity-class-sizes.svg')
  })

  it('passes remarks on the data on', async () => {
    const { out } = await workplace({ 'o.csv': 'a,b\n1,2\n1,3\n', 'r.csv': 'a,b,c\n1,2,3\n1,4,5\n' }).run(
      'assess o.csv r.csv --keys a',
    )
    expect(out).toMatch(/Notes:\n {2}- r\.csv has columns that o\.csv has not, left out: c/)
  })
})

import { describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from '../testing/run.js'

const DCAP = 'measure dcap original.csv released.csv --keys sex --target income'
const rows = (text: string) => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('--records', () => {
  it('begins with what each column means and which end is riskier', async () => {
    const { run, read } = workplace(PEOPLE)
    await run(`${DCAP} --records r.csv`)
    expect(read('r.csv').split('\n').slice(0, 4)).toEqual([
      '# dcap, one line per record of original.csv; row counts from 1',
      '# cap: share of released records with this key that have the person’s target value; higher is riskier',
      '# matches: released records that match the keys',
      '# others: the same from other people’s records',
    ])
    expect(rows(read('r.csv'))).toHaveLength(9)
  })

  it('--top: the riskiest first; --merge: with the columns of the file', async () => {
    const { run, read } = workplace(PEOPLE)
    await run(`${DCAP} --records r.csv --top 3 --merge`)
    const [header, ...lines] = rows(read('r.csv'))
    expect(header).toBe('row,cap,matches,others,sex,age,income,weight')
    expect(lines.map((line) => Number(line.split(',')[1]))).toEqual([1, 1, 1])
    expect(lines[0]).toMatch(/^1,1,4,.*,f,30,low,1\.5$/)
    await run('measure k-anonymity original.csv released.csv --keys sex,age --records k.csv --top 2')
    expect(
      rows(read('k.csv'))
        .slice(1)
        .map((line) => line.split(',')[1]),
    ).toEqual(['1', '1'])
  })

  it('--top with a number as the target: those whom the model predicts best come first', async () => {
    const people = (surprise: number) =>
      ['x,y', ...Array.from({ length: 30 }, (_, k) => `${k},${2 * k + (k % 2) + (k === 7 ? surprise : 0)}`)].join('\n')
    const { run, read } = workplace({ 'original.csv': people(50), 'released.csv': people(0) })
    const set = `--set 'attackers=["lm"]'`
    await run(`measure rapid original.csv released.csv --keys x --target y ${set} --records r.csv --top 30`)
    expect(read('r.csv')).toContain('# error: error of the prediction, for numbers; lower is riskier\n')
    const [header, ...lines] = rows(read('r.csv'))
    expect(header).toBe('row,error,atRisk,predicted')
    const errors = lines.map((line) => Number(line.split(',')[1]))
    expect(errors).toEqual(errors.toSorted((a, b) => a - b))
    expect(lines.findIndex((line) => line.startsWith('8,'))).toBeGreaterThan(20)
  })

  it('--by: mean scores of groups that are large enough', async () => {
    const many = (name: 'original.csv' | 'released.csv') => {
      const [header, ...lines] = PEOPLE[name].trimEnd().split('\n')
      return [header, ...lines, ...lines].join('\n')
    }
    const { run } = workplace({ 'original.csv': many('original.csv'), 'released.csv': many('released.csv') })
    const { out } = await run(`${DCAP} --by age`)
    expect(out).toContain('Mean scores of released.csv by age')
    expect(out).toMatch(/^30 +6 +/m)
    expect(out).not.toMatch(/^50 +4 +/m)
    expect((await run(`${DCAP} --by agee`)).err).toBe('scrim: --by: original.csv has no column "agee"\n')
  })

  it('is told where a wish has no effect', async () => {
    const { code, err } = await workplace(PEOPLE).run(`${DCAP} --top 3`)
    expect([code, err]).toEqual([2, 'scrim: --top has no effect without --records FILE\n'])
  })
})

it('means of several releases are of one target each', async () => {
  const { run } = workplace(PEOPLE)
  const command = 'measure dcap original.csv released.csv other.csv --keys sex --target income,age'
  expect((await run(command)).out).toMatch(/^mean of 2, worst \S+ +age .*\nmean of 2, worst \S+ +income /m)
  const csv = (await run(`${command} --csv`)).out
  expect(csv).toMatch(/^dcap,mean,,age,value,/m)
  expect(csv).toMatch(/^dcap,mean,,income,value,/m)
  const json = JSON.parse((await run(`${command} --json`)).out) as Record<string, unknown>
  expect(json).toMatchObject({
    schemaVersion: 2,
    title: 'Correct attribution probability (DCAP)',
    threat: 'attribute',
    means: [{ target: 'age', releases: 2 }, { target: 'income' }],
    citations: [{ key: 'taub2018', doi: '10.1007/978-3-319-99771-1_9' }, { key: 'raab2024' }],
  })
})

it('help names allowed values and citations', async () => {
  const { out } = await workplace().run('help dcap')
  expect(out).toContain('("exact" or "gower")')
  expect(out).toContain('doi:10.1007/978-3-319-99771-1_9')
})

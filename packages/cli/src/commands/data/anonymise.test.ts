import { describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from '../../testing/run.js'

const SEED = 123_456_789

describe('scrim anonymise', () => {
  it('marks what a spreadsheet would take for a formula with --safe-csv', async () => {
    const { run, read } = workplace({ 'people.csv': 'sex,age\n=1+1,-30\n=1+1,-30\nm,-40\nm,-40\n' })
    const command = 'anonymise people.csv --method local-suppression --keys sex --set k=2'
    expect((await run(`${command} -o plain.csv`)).code).toBe(0)
    expect((await run(`${command} -o safe.csv --safe-csv`)).code).toBe(0)
    expect(read('plain.csv')).toContain('\n=1+1,-30\n')
    expect(read('safe.csv')).toBe(read('plain.csv').replaceAll('=1+1', "'=1+1"))
  })

  it('masks a file and says what was changed', async () => {
    const { run, read, files } = workplace(PEOPLE)
    const { code, out, err } = await run(
      `anonymise original.csv -o masked.csv --method local-suppression --keys sex,age --seed ${SEED}`,
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('Local suppression of original.csv: 8 records, written to masked.csv')
    expect(out).toMatch(/^column +cells changed +share +now missing$/m)
    expect(out).toMatch(/^sex +\d/m)
    expect(out).toContain(`Seed ${SEED}: keep it to yourself`)
    expect(read('masked.csv').split('\n')).toHaveLength(10)
    expect(read('masked.csv').split('\n')[1]).toBe('f,30,low,1.5')
    expect(files()).toEqual(['masked.csv', 'original.csv', 'other.csv', 'released.csv'])
  })

  it('writes what pram did, matrices included, as JSON; the seed is in no released file', async () => {
    const { run, read } = workplace(PEOPLE)
    const { code, out } = await run(
      `anonymise original.csv -o masked.csv --method pram --keys sex,age --set pd=0.5 --seed ${SEED} --report how.json`,
    )
    expect([code, out]).toEqual([0, ''])
    const report = JSON.parse(read('how.json')) as Record<string, unknown>
    expect(report).toMatchObject({
      original: 'original.csv',
      file: 'masked.csv',
      seed: SEED,
      method: 'pram',
      type: 'perturbed',
      rows: 8,
      removed: 0,
      options: { pd: 0.5, alpha: 0.5 },
      description: { matrix: 'invariant', variables: [{ variable: 'sex', strata: [{ levels: ['f', 'm'] }] }] },
    })
    expect(read('masked.csv')).not.toContain(String(SEED))
    expect(read('masked.csv').split('\n')[0]).toBe('sex,age,income,weight')
  })

  it('gives the same file for the same seed, and another one without a seed', async () => {
    const rows = Array.from({ length: 50 }, (_, k) => k).join('\n')
    const { run } = workplace({ 'x.csv': `x\n${rows}\n` })
    const file = async (flags: string) => (await run(`anonymise x.csv -o - --method noise ${flags}`)).out
    expect(await file('--seed 5')).toBe(await file('--seed 5'))
    expect(await file('')).not.toBe(await file(''))
  })

  it('prepares a synthetic file for release', async () => {
    const { run, read } = workplace(PEOPLE)
    const { code, out } = await run(
      'anonymise original.csv --released released.csv -o safe.csv --method sdc --keys sex,age --set label=SYNTHETIC',
    )
    expect(code).toBe(0)
    // Unique in both files by sex and age: (f, 40), (m, 30) and (f, 50).
    expect(out).toContain('5 records, 3 removed, written to safe.csv')
    expect(read('safe.csv')).toBe(
      'sex,age,income,flag\nf,30,low,SYNTHETIC\nf,30,low,SYNTHETIC\nm,40,high,SYNTHETIC\nm,40,high,SYNTHETIC\nm,40,high,SYNTHETIC\n',
    )
  })

  it('takes dotted options and those of the config file', async () => {
    const { run, read } = workplace({
      ...PEOPLE,
      'scrim.json': '{"options": {"recode": {"merge": {"income": {"any": ["low", "high"]}}}}}',
    })
    await run('anonymise original.csv -o masked.csv --method recode --set groups.age=fixed:0|40|90')
    expect(read('masked.csv').split('\n').slice(1, 4)).toEqual(['f,<40,any,1.5', 'f,<40,any,2', 'f,>=40,any,1'])
  })

  it('lists all methods with their options', async () => {
    const { code, out } = await workplace().run('anonymise --list')
    expect(code).toBe(0)
    expect(out).toContain('Microaggregation (microaggregation)')
    expect(out).toMatch(/^pd +0.8 +least probability/m)
  })

  it('says what is wrong', async () => {
    const { run, files } = workplace(PEOPLE)
    const problem = async (command: string) => {
      const { code, err } = await run(command)
      expect(code).toBe(2)
      return err
    }
    expect(await problem('anonymise')).toContain('no file given')
    expect(await problem('anonymise original.csv --method pram')).toContain('-o is missing')
    expect(await problem('anonymise original.csv -o m.csv')).toContain('--method is missing; there is: recode')
    expect(await problem('anonymise original.csv -o m.csv --method microagregation')).toContain(
      'did you mean "microaggregation"?',
    )
    expect(await problem('anonymise original.csv -o m.csv --method microaggregation --set k=many')).toContain(
      'microaggregation: option "k" must be a whole number of at least 2, found "many"',
    )
    expect(await problem('anonymise original.csv -o m.csv --method pram --keys sexx')).toContain('did you mean "sex"?')
    expect(await problem('anonymise original.csv -o m.csv --method sdc')).toContain(
      'give the synthetic table as the released one',
    )
    expect(
      await problem('anonymise original.csv -o m.csv --method microaggregation --released released.csv'),
    ).toContain('sdc only')
    expect(await problem('anonymise original.csv -o no/m.csv --method microaggregation')).toContain(
      'there is no folder no',
    )
    expect(files()).not.toContain('m.csv')
  })
})

import { describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from '../../testing/run.js'

const WITH_MAIL = {
  ...PEOPLE,
  'mail.csv': `mail,sex,age,income\n${Array.from({ length: 40 }, (_, k) => `p${k}@example.org,${'fm'[k % 2]},${20 + (k % 7)},${['low', 'high'][k % 3 === 0 ? 1 : 0]}`).join('\n')}\n`,
}

describe('scrim keys', () => {
  it('suggests roles, at 80 columns', async () => {
    const { run } = workplace(PEOPLE)
    const { code, out, err } = await run('keys original.csv', { columns: 80 })
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^key\? +sex +sex: others may know it$/m)
    expect(out).toMatch(/^target\? +income +its name refers to money$/m)
    expect(out).toMatch(/^weight\? +weight +named like a sampling weight, and all positive$/m)
    expect(out).toContain('No column looks like a direct identifier.')
    expect(out).toContain('scrim assess original.csv RELEASED --keys sex,age --target income --weight weight')
    const long = out.split('\n').filter((line) => line.length > 80 && !line.startsWith('  scrim '))
    expect(long).toEqual([])
  })

  it('counts what is unique', async () => {
    const { run } = workplace(PEOPLE)
    const { keys, together, largest, minimal } = JSON.parse((await run('keys original.csv --json')).out)
    expect(keys.map((key: { column: string }) => key.column)).toEqual(['sex', 'age'])
    // f30 twice and m40 twice; f40, m30, m50 and f50 are alone.
    expect([together.unique, largest]).toEqual([0.5, 2])
    expect(minimal).toMatchObject([{ columns: ['sex', 'age'], unique: 0.5 }])
  })

  it('writes a config with every guess marked, which assess says until it is confirmed', async () => {
    const { run, read, files } = workplace(WITH_MAIL)
    const { code, out } = await run('keys mail.csv --write scrim.json --charts pictures')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^mail +email +100 % of its values look like e-mail addresses, and its name says so; remove it$/m,
    )
    expect(files()).toEqual(expect.arrayContaining(['pictures/keys-added.svg', 'pictures/keys-sets.svg']))
    const config = JSON.parse(read('scrim.json'))
    expect(config).toMatchObject({ original: 'mail.csv', keys: ['sex', 'age'], target: ['income'] })
    expect(Object.keys(config.guesses)).toEqual(['mail', 'sex', 'age', 'income'])
    const { out: json } = await run('measure k-anonymity mail.csv mail.csv --type synthetic --json')
    expect(JSON.parse(json).warnings[0]).toMatch(/^the roles of sex, age, income were guessed: confirm or change them/)
  })

  it.each([
    ['keys', 'no file given; usage: scrim keys ORIGINAL'],
    ['keys original.csv released.csv', 'unexpected argument "released.csv"'],
    ['keys original.csv --single-out 0', '--single-out must be above 0 and at most 1, but it is 0'],
    ['keys original.csv --largest 0', '--largest must be at least 1, but it is 0'],
    ['keys original.csv --write original.csv', 'it is read as an input'],
    ['keys empty.csv', 'empty.csv has no records'],
  ])('%s is a mistake', async (command, message) => {
    const { run } = workplace({ ...PEOPLE, 'empty.csv': 'a,b\n' })
    const { code, err } = await run(command)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

describe('without keys', () => {
  it('assess says what it would suggest', async () => {
    const { run } = workplace(WITH_MAIL)
    const { out } = await run('assess mail.csv mail.csv --type synthetic --measures memorisation', { columns: 200 })
    expect(out).toContain('for example --keys sex,age --target income: a guess; scrim keys ORIGINAL says why')
  })

  it('so does a measure that needs them', async () => {
    const { run } = workplace(PEOPLE)
    const { code, err } = await run('measure disco original.csv released.csv')
    expect(code).toBe(2)
    expect(err).toContain('; a guess is --keys sex,age --target income\n')
  })
})

describe('scrim init', () => {
  it('takes the suggestions with --yes, and assess runs what it wrote', async () => {
    const { run, read } = workplace(PEOPLE)
    const { code, out } = await run('init original.csv released.csv --yes')
    expect([code, out]).toEqual([
      0,
      'Written to scrim.json. 4 guesses in it are marked under "guesses": confirm or change them, then delete that field.\nNext: scrim assess\n',
    ])
    expect(JSON.parse(read('scrim.json'))).toMatchObject({
      original: 'original.csv',
      released: ['released.csv'],
      keys: ['sex', 'age'],
      target: ['income'],
      weight: 'weight',
    })
    const command = 'measure k-anonymity --json'
    const direct = 'measure k-anonymity original.csv released.csv --json'
    expect((await run(command)).out).toBe((await run(direct)).out)
  })

  it('asks on a terminal; what was answered is no guess', async () => {
    const { run, read } = workplace({ ...PEOPLE, 'sub/x': '' })
    const answer = ['sex,agee', 'sex', '', '-', '-', 'released.csv', 'synthetik', 'synthetic', 'released.csv']
    const { code, err } = await run('init original.csv -o sub/mine.json --types age=categorical', { answer })
    expect(code).toBe(0)
    expect(err).toContain('unknown column "agee"; did you mean "age"?')
    expect(err).toContain('unknown type "synthetik"; did you mean "synthetic"?')
    expect(JSON.parse(read('sub/mine.json'))).toEqual({
      original: '../original.csv',
      released: ['../released.csv'],
      keys: ['sex'],
      target: ['income'],
      type: 'synthetic',
      holdout: '../released.csv',
      types: 'age=categorical',
    })
    const { code: assessed, out } = await run('measure k-anonymity --config sub/mine.json --json')
    expect(out).not.toContain('were guessed')
    expect(assessed).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ releases: [{ name: 'released.csv' }] })
  })

  it.each([
    ['init', 'no file given; usage: scrim init ORIGINAL'],
    ['init original.csv', 'there is no terminal to ask on; --yes takes the suggestions'],
    ['init original.csv --yes -o released.csv', 'cannot write released.csv: it is there already'],
    ['init original.csv nowhere.csv --yes', 'there is no file nowhere.csv'],
  ])('%s is a mistake', async (command, message) => {
    const { run } = workplace(PEOPLE)
    const { code, err } = await run(command)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})

import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { readTable } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { processIo } from '../io.js'
import { PEOPLE, workplace } from '../testing/run.js'
import { writeOutput } from './outputs.js'
import { temporaryName } from './temporary.js'

const MEASURE = 'measure k-anonymity original.csv released.csv --keys sex,age'
const MASK = 'anonymise original.csv --method pram --keys sex --seed 1'

describe('what is written', () => {
  it.each([
    `${MEASURE} --records original.csv`,
    'assess original.csv released.csv --keys sex --measures k-anonymity --json ./original.csv',
    `${MASK} -o original.csv`,
    `${MASK} -o masked.csv --report original.csv`,
    'synthesize original.csv --method independent -o original.csv',
    'synthesize original.csv --method independent -o s.csv --report original.csv',
    `${MASK} -o link.csv`,
    `${MASK} -o hard.csv`,
    `${MASK} -o folder/original.csv`,
    `${MASK} -o original.csv --force`,
    'anonymise released.csv --released original.csv --method sdc -o original.csv',
  ])('never is a file that is read, by any path: %s', async (command) => {
    const { run, read, folder, files } = workplace(PEOPLE)
    symlinkSync('original.csv', join(folder, 'link.csv'))
    linkSync(join(folder, 'original.csv'), join(folder, 'hard.csv'))
    symlinkSync('.', join(folder, 'folder'))
    const before = files()
    const { code, err } = await run(command)
    expect(code).toBe(2)
    expect(err).toContain('it is read as an input of this command')
    expect(read('original.csv')).toBe(PEOPLE['original.csv'])
    expect(files()).toEqual(before)
  })

  it('replaces what scrim wrote, and what somebody else wrote only with --force', async () => {
    const { run, read, folder } = workplace({ ...PEOPLE, 'scores.csv': 'mine' })
    const command = `${MEASURE} --records scores.csv`
    const refused = await run(command)
    expect([refused.code, refused.err, read('scores.csv')]).toEqual([
      2,
      'scrim: cannot write scores.csv: it is there already and scrim did not write it; name another file, or overwrite it with --force\n',
      'mine',
    ])
    expect((await run(`${command} --force`)).code).toBe(0)
    expect(read('scores.csv')).toContain('row')
    expect((await run(command)).code).toBe(0)
    writeFileSync(join(folder, 'scores.csv'), 'changed by hand')
    expect((await run(command)).code).toBe(2)
    expect(read('scores.csv')).toBe('changed by hand')
  })

  it('does not write over foreign files of a folder either', async () => {
    const { run, read } = workplace({ ...PEOPLE, 'charts/mine.svg': '<svg/>', 'demo/original.csv': 'mine' })
    const { code, err } = await run(`${MEASURE} --charts charts`)
    expect([code, err]).toEqual([
      2,
      'scrim: cannot write into charts: it has files that scrim did not write (mine.svg); name another folder, or overwrite with --force\n',
    ])
    expect((await run('demo --out demo')).code).toBe(2)
    expect(read('demo/original.csv')).toBe('mine')
    expect((await run(`${MEASURE} --charts new`)).code).toBe(0)
    expect((await run(`${MEASURE} --charts new`)).code).toBe(0)
  })

  it('leaves the old file whole when writing fails, and nothing else behind', () => {
    const { folder, read, files } = workplace({ 'big.csv': 'mine' })
    function* failing() {
      yield 'new'
      throw new Error('ENOSPC: no space left on device, write')
    }
    expect(() =>
      writeOutput('big.csv', failing(), { ...processIo(), cwd: folder, cache: folder, force: true }),
    ).toThrow('cannot write big.csv: no space left on device')
    expect([read('big.csv'), files()]).toEqual(['mine', ['big.csv']])
  })

  it('is written under a name that nobody can plant a link at, for the owner alone, and gets the mode of the file it replaces', () => {
    const { folder, read, files } = workplace({ 'out.csv': 'old', 'victim.csv': 'mine' })
    chmodSync(join(folder, 'out.csv'), 0o640)
    symlinkSync(join(folder, 'victim.csv'), join(folder, `.out.csv.${process.pid}.part`))
    const seen: { name: string; mode: number }[] = []
    function* content() {
      const [name = ''] = readdirSync(folder).filter((entry) => entry.startsWith('.scrim-'))
      seen.push({ name, mode: statSync(join(folder, name)).mode & 0o777 })
      yield 'new'
    }
    const io = { ...processIo(), cwd: folder, cache: `${folder}-cache`, force: true }
    writeOutput('out.csv', content(), io)
    writeOutput('out.csv', content(), io)
    expect(seen.map(({ mode }) => mode)).toEqual([0o600, 0o600])
    expect(seen[0].name).not.toBe(seen[1].name)
    expect([read('victim.csv'), read('out.csv')]).toEqual(['mine', 'new'])
    expect(statSync(join(folder, 'out.csv')).mode & 0o777).toBe(0o640)
    expect(files().filter((name) => name.startsWith('.scrim-'))).toEqual([])
  })

  it('removes what a killed run left, and nothing of runs that go on', () => {
    const { folder, files } = workplace()
    const { pid: dead } = spawnSync(process.execPath, ['--version'])
    const own = temporaryName()
    const [, machine] = /^\.scrim-\d+-([0-9a-f]{8})-/.exec(own) ?? []
    const left = `.scrim-${dead}-${machine}-0123456789abcdef`
    const elsewhere = `.scrim-${dead}-00000000-0123456789abcdef`
    for (const name of [own, left, elsewhere]) writeFileSync(join(folder, name), 'half')
    writeOutput('out.csv', 'new', { ...processIo(), cwd: folder, cache: `${folder}-cache` })
    expect(files()).toEqual([own, elsewhere, 'out.csv'].sort())
  })

  it.skipIf(!existsSync('/dev/full'))('says in a sentence that a device is full', async () => {
    const { code, err } = await workplace(PEOPLE).run(`${MEASURE} --records /dev/full`)
    expect([code, err]).toEqual([2, 'scrim: cannot write /dev/full: no space left on device\n'])
  })

  it('goes to standard output where it is called -', async () => {
    const { run, files } = workplace(PEOPLE)
    const before = files()
    const records = await run(`${MEASURE} --records -`)
    expect(records.out).toMatch(/^row,/m)
    expect(records.err).toContain('released.csv')
    const report = await run(`${MASK} -o /dev/null --report -`)
    expect(report.out).toContain('cells changed')
    expect((await run(`${MASK} -o -`)).out).toMatch(/^sex,age,income,weight\n/)
    expect((await run('simulate health --n 3 -o -')).out.split('\n')).toHaveLength(5)
    const both = await run(`${MASK} -o - --report -`)
    expect([both.code, both.err]).toEqual([2, 'scrim: only one output can go to standard output (-)\n'])
    expect(files()).toEqual(before)
  })

  it('takes - after a switch that prints anyway', async () => {
    const { run } = workplace(PEOPLE)
    const plain = await run('measure k-anonymity original.csv released.csv --keys sex,age --json')
    expect(await run('measure k-anonymity original.csv released.csv --json - --keys sex,age')).toEqual(plain)
  })

  it('reads standard input where a file is called -', async () => {
    const { run } = workplace(PEOPLE)
    const stdin = PEOPLE['released.csv']
    const fromFile = await run(`${MEASURE} --json`)
    const piped = await run('measure k-anonymity original.csv - --keys sex,age --json', { stdin })
    expect([piped.code, piped.out]).toEqual([0, fromFile.out.replaceAll('released.csv', 'standard input')])
    const twice = await run('measure k-anonymity - - --keys sex,age', { stdin })
    expect([twice.code, twice.err]).toEqual([
      2,
      'scrim: - (standard input) is named for two files, and can be read once only\n',
    ])
    const { out } = await run('anonymise - -o - --method pram --keys sex', { stdin })
    expect(out).toMatch(/^sex,age,income\n/)
  })

  it('is Parquet where the ending says so, and refused where scrim has no such format', async () => {
    const { run, folder } = workplace(PEOPLE)
    expect((await run('synthesise original.csv --method independent --seed 1 -o s.parquet')).code).toBe(0)
    const made = await readTable('s', readFileSync(join(folder, 's.parquet')))
    expect([made.rows, made.columns.map(({ name }) => name)]).toEqual([8, ['sex', 'age', 'income', 'weight']])
    const { code, err } = await run('synthesize original.csv --method independent -o s.xlsx')
    expect([code, err]).toEqual([
      2,
      'scrim: cannot write s.xlsx: tables are written as CSV (.csv), Parquet (.parquet), SPSS (.sav) or Stata (.dta), not as .xlsx\n',
    ])
  })

  it('takes both spellings of a command', async () => {
    const { run } = workplace(PEOPLE)
    expect((await run('anonymize original.csv -o a.csv --method pram --keys sex')).code).toBe(0)
    expect((await run('help synthesise')).out).toMatch(/^usage: scrim synthesize/)
  })
})

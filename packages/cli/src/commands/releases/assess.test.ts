import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { measures, type Result } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from '../../testing/run.js'

const ALL = 'assess original.csv released.csv --keys sex,age --target income'

interface Assessment {
  readonly releases: readonly { verdict: { level: string }; threats: readonly object[] }[]
  readonly files: readonly { role: string; name: string; rows: number; sha256: string }[]
  readonly keys: readonly string[]
  readonly seed: number
  readonly results: readonly Result[]
}

describe('scrim assess', () => {
  it('fits a screen of 60 columns', async () => {
    const { out } = await workplace(PEOPLE).run(ALL, { columns: 60 })
    expect(out.split('\n').filter((line) => line.length > 60)).toEqual([])
    expect(out).toMatch(/threat +verdict +leakage +bounds +people/)
  })

  it('prints the answer first, within 80 columns: verdict, what to do, threats, what was not tested, what next', async () => {
    const { code, out, err } = await workplace(PEOPLE).run(ALL, { columns: 80 })
    expect([code, err]).toEqual([0, ''])
    expect(out.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(out).toContain('original.csv (8 records) and released.csv; keys sex, age; target income')
    expect(out).toMatch(/^(HIGH|MODERATE|INCONCLUSIVE|LOW|NOT ASSESSED): released\.csv$/m)
    expect(out).toMatch(/Not tested:\n/)
    expect(out).toMatch(/^- --holdout FILE: people who were not used to make the release/m)
    expect(out).not.toContain('Every measure')
  })

  it('shows single records to readers inside only, and never in the JSON', async () => {
    const lines = Array.from({ length: 90 }, (_, k) => `${'fm'[k % 2]},${20 + (k % 30)},${k % 7}${k % 5}`)
    const copy = `sex,age,income\n${lines.join('\n')}\n`
    const { run, read } = workplace({ 'original.csv': copy, 'released.csv': copy })
    const quick = `${ALL} --types income=categorical --measures attribution --type synthetic`
    await run(`${quick} --audience internal --top 2 --markdown in.md --json in.json`)
    await run(`${quick} --markdown out.md`)
    expect(read('in.md')).toContain('Internal, not for publication')
    expect(read('in.md')).toMatch(/^\| row \| added \|.*\| sex \| age \| income \|$/m)
    expect(read('in.md').match(/^\| \d+ \| [\d.]+ % \|.*\| [fm] \| \d+ \| \d+ \|$/gm)).toHaveLength(2)
    expect(read('out.md')).not.toMatch(/Internal, not for publication|most exposed|\| row \|/i)
    expect(read('in.json')).not.toMatch(/"(records|addedByRecord)": \{/)
    expect((await run(`${quick} --top 2`)).err).toContain('--top has no effect')
  })

  it('refuses a run that needs more memory than is allowed, before it starts', async () => {
    const { code, out, err } = await workplace(PEOPLE).run(`${ALL} --memory 100MB`)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(
      /^scrim: this run needs about [\d.]+ MB of memory, and 100 MB are allowed: allow more with --memory/,
    )
  })

  it('tells of its progress in plain lines where there is no terminal', async () => {
    const { err } = await workplace(PEOPLE).run(`${ALL} --profile quick`, { progressEvery: 0 })
    expect(err).toMatch(/^\d+ of \d+: memorisation/m)
  })

  it.each([80, 120])(
    '--full: verdict first, leakage in its own column, two lines each, in %i columns',
    async (columns) => {
      const { out } = await workplace(PEOPLE).run(
        `${ALL} --full --measures reidentification,k-anonymity,suda,dcap,pmse`,
        { columns },
      )
      expect(out.split('\n').filter((line) => line.length > columns)).toEqual([])
      const [, table] = out.split('Every measure of released.csv\n\n')
      const [head, rule, ...lines] = table.split('\n\n')[0].split('\n')
      expect(head).toMatch(/^verdict +measure +leakage +value +fair +original( |$)/)
      expect(rule).toMatch(/^[- ]+$/)
      const findings = lines.filter((line) => !line.endsWith(':') || line.startsWith(' '))
      expect(findings.length % 2).toBe(0)
      findings.forEach((line, k) => {
        expect(line).toMatch(k % 2 === 0 ? /^[A-Z]+|^[a-z]+ / : /^ {4}\S/)
      })
      expect(table).toMatch(/^structure +k-anonymity +- +100\.0 % +- +100\.0 %/m)
      expect(table).toMatch(/^INCONCLUSIVE +reidentification +80\.0 % +62\.5 % +12\.5 % +75\.0 %/m)
    },
  )

  it('has nothing to say when no measure can run: exit code 2', async () => {
    const { code, out } = await workplace(PEOPLE).run('assess original.csv released.csv --measures k-anonymity')
    expect(code).toBe(2)
    expect(out).toContain('NOT ASSESSED: released.csv')
    expect(out).toContain('--keys a,b: what an attacker may know')
  })

  it('ends with code 2 where all that ran says nothing, with 0 where it says something', async () => {
    const { run } = workplace(PEOPLE)
    expect((await run(`${ALL} --type synthetic --measures attribution`)).code).toBe(2)
    expect((await run(`${ALL} --type synthetic --measures attribution,k-anonymity`)).code).toBe(0)
  })

  it('runs what the profile says', async () => {
    const { run } = workplace(PEOPLE)
    const ids = async (profile: string) =>
      (JSON.parse((await run(`${ALL} --profile ${profile} --json -`)).out) as Assessment).results.map(
        ({ measure }) => measure,
      )
    const quick = await ids('quick')
    const standard = await ids('standard')
    expect(quick).toEqual(measures.filter(({ role }) => role === 'decides').map(({ id }) => id))
    expect(standard).toEqual(expect.arrayContaining(quick))
    expect(standard.length).toBeLessThan(measures.length)
    const { code, err } = await run(`${ALL} --profile quik`)
    expect([code, err]).toEqual([
      2,
      'scrim: --profile must be "quick", "standard" or "full", found "quik"; did you mean "quick"?\n',
    ])
  })

  it('--json - prints the answer and nothing else', async () => {
    const { out } = await workplace(PEOPLE).run(`${ALL} --profile quick --json -`)
    const found = JSON.parse(out) as Assessment
    expect(found.releases[0].verdict.level).toMatch(/HIGH|MODERATE|INCONCLUSIVE|LOW|NOT ASSESSED/)
    expect(Object.keys(found.releases[0].threats[0])).toEqual(
      expect.arrayContaining(['threat', 'level', 'leakage', 'interval', 'exposure', 'people', 'decidedBy']),
    )
  })

  it('keeps what was finished when interrupted, and goes on with the same numbers', async () => {
    const { run, folder } = workplace(PEOPLE)
    const whole = (await run(`${ALL} --profile quick --json -`)).out
    const controller = new AbortController()
    const stop = run(`${ALL} --profile quick --json -`, { signal: controller.signal })
    controller.abort()
    const { code, err } = await stop
    expect(code).toBe(130)
    expect(err).toMatch(/^scrim: interrupted; \d+ of \d+ measures are kept: the same command with --resume goes on\n$/)
    const resumed = await run(`${ALL} --profile quick --json - --resume`)
    expect([resumed.code, resumed.out]).toEqual([0, whole])
    expect(readdirSync(`${folder}-cache`)).toEqual([])
  })

  it('takes finished measures from the disk instead of running them again', async () => {
    const { run, folder } = workplace(PEOPLE)
    const first = new AbortController()
    const command = `${ALL} --measures memorisation,k-anonymity --json -`
    await run(command, {
      signal: {
        get aborted() {
          return existsSync(`${folder}-cache`)
        },
      } as AbortSignal,
    })
    first.abort()
    const [kept] = readdirSync(`${folder}-cache`)
    const file = join(`${folder}-cache`, kept)
    const line = JSON.parse(readFileSync(file, 'utf8').trim()) as Result
    expect(line.measure).toBe('k-anonymity')
    writeFileSync(file, `${JSON.stringify({ ...line, value: 0.123 })}\n{"measure": "cut sh`)
    const { out } = await run(`${command} --resume`)
    expect((JSON.parse(out) as Assessment).results.map(({ value }) => value)[0]).toBe(0.123)
  })

  it('--json writes every result with the hashes of the files', async () => {
    const { run, read, folder } = workplace(PEOPLE)
    const { code } = await run(`${ALL} --json result.json --seed 3 --profile full`)
    expect(code).toBe(0)
    const assessment = JSON.parse(read('result.json')) as Assessment
    expect(assessment.results.map((result) => result.measure)).toEqual(
      measures.filter(({ about }) => about !== 'generator').map(({ id }) => id),
    )
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

  it('answers for each of several releases, and for all', async () => {
    const { out } = await workplace(PEOPLE).run(
      'assess original.csv released.csv other.csv --keys sex,age --profile quick',
    )
    expect(out).toMatch(/^[A-Z ]+: released\.csv$/m)
    expect(out).toMatch(/^[A-Z ]+: other\.csv$/m)
    expect(out).toMatch(/^2 releases: the worst is /m)
  })

  it('--charts writes the charts of all measures', async () => {
    const { run, files, read } = workplace(PEOPLE)
    await run(`${ALL} --charts charts`)
    expect(files()).toContain('charts/k-anonymity-class-sizes.svg')
    expect(read('charts/k-anonymity-class-sizes.svg')).toMatch(
      /INCONCLUSIVE: identity, leakage 80 % \(by reidentification\)/,
    )
    const overview = read('charts/overview.svg')
    expect(overview).toMatch(/>released\.csv: (HIGH|MODERATE|INCONCLUSIVE|LOW)</)
    expect(overview).toContain('>100 %<')
    const index = read('charts/index.html')
    expect(index.match(/<img/g)).toHaveLength(files().filter((file) => file.endsWith('.svg')).length)
    expect(index.indexOf('overview.svg')).toBeLessThan(index.indexOf('k-anonymity'))
  })

  it('says what it wrote, and at once that a file is the original', async () => {
    const { 'original.csv': original } = PEOPLE
    const { run } = workplace({ ...PEOPLE, 'copy.csv': original })
    const quick = 'copy.csv --keys sex,age --measures k-anonymity --html report.html'
    const { out, err } = await run(`assess original.csv ${quick}`, { terminal: true })
    expect(out).toMatch(/\nWritten: report\.html\.\n$/)
    expect(err).toMatch(/^(\r.*\r)?scrim: copy\.csv is original\.csv itself, byte for byte\n/)
  })

  it('passes remarks on the data on', async () => {
    const { out } = await workplace({ 'o.csv': 'a,b\n1,2\n1,3\n', 'r.csv': 'a,b,c\n1,2,3\n1,4,5\n' }).run(
      'assess o.csv r.csv --keys a',
    )
    expect(out).toMatch(/Notes:\n- r\.csv has columns that o\.csv has not, left out: c/)
  })
})

const ESCAPE = '\u001b'

it('colours verdicts where there are colours, and changes nothing else', async () => {
  const { run } = workplace(PEOPLE)
  const command = `${ALL} --measures attribution`
  const plain = (await run(command)).out
  const { out } = await run(command, { color: true })
  expect(out).not.toBe(plain)
  expect(
    out
      .split(ESCAPE)
      .map((part, k) => (k === 0 ? part : part.replace(/^\[\d+m/, '')))
      .join(''),
  ).toBe(plain)
})

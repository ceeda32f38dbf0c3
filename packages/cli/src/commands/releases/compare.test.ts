import { numeric, stream, table, toCsv } from '@scrim/core'
import { beforeAll, describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from '../../testing/run.js'

function people(seed: number, rows = 60): string {
  const random = stream(seed, 'people')
  const age = Array.from({ length: rows }, () => random.below(3))
  const sex = age.map(() => random.below(2))
  const income = age.map((one) => 100 * one + random.below(90))
  return toCsv(table('people', [numeric('age', age), numeric('sex', sex), numeric('income', income)]))
}

const FILES = { 'o.csv': people(1), 'a.csv': people(1), 'b.csv': people(2) }
const ALL = 'compare o.csv a.csv b.csv --keys age,sex --target income --type synthetic --draws 20'

interface Written {
  readonly candidates: readonly { name: string; level: string; risk: { value: number } }[]
  readonly anchors: readonly { name: string }[]
  readonly files: readonly { role: string; name: string }[]
}

describe('scrim compare', () => {
  let place: ReturnType<typeof workplace>
  let ran: { code: number; out: string; err: string }
  let written: { json: string; html: string; markdown: string }
  beforeAll(async () => {
    place = workplace(FILES)
    ran = await place.run(`${ALL} --json m.json --html m.html --markdown m.md`, { columns: 80 })
    written = { json: place.read('m.json'), html: place.read('m.html'), markdown: place.read('m.md') }
  })

  it('prints one row per candidate within 80 columns, and the anchors', () => {
    expect([ran.code, ran.err]).toEqual([0, ''])
    expect(ran.out.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(ran.out).toMatch(/^a\.csv +HIGH +100 \d+\.\.100 /m)
    expect(ran.out).toMatch(/^b\.csv +\w+ +(\d+|none) 0\.\.\d+ /m)
    expect(ran.out.replaceAll('\n', ' ')).toContain('independent marginals (leakage 0 %, utility 0 %)')
  })

  it('writes the comparison as JSON, HTML without script, and Markdown', () => {
    const { candidates, anchors, files } = JSON.parse(written.json) as Written
    expect(candidates.map(({ name, level }) => [name, level])[0]).toEqual(['a.csv', 'HIGH'])
    expect(candidates[0].risk.value).toBe(1)
    expect(anchors.map(({ name }) => name)).toEqual(expect.arrayContaining(['independent marginals', 'the original']))
    expect(files.map(({ role }) => role)).toEqual(['original', 'release', 'release'])
    expect(written.json).not.toContain('"exposed"')
    expect(written.html).toContain('Which of them may be released')
    expect(written.html).not.toMatch(/<script|(src|href)=/i)
    expect(written.html).not.toContain('Who is exposed most')
    expect(written.markdown).toMatch(/^\| a\.csv \| HIGH \| over \d+ % \|/m)
  })
})

describe('scrim compare, what is wrong', () => {
  it.each([
    ['compare original.csv', /^scrim: no released file given, only original\.csv/],
    ['compare original.csv released.csv --keys sexx', /unknown column "sexx"; did you mean "sex"\?/],
    ['compare original.csv released.csv --draws 3', /^scrim: --draws must be between 20 and 10000, but it is 3\n$/],
    ['compare original.csv released.csv --measures disko', /unknown measure "disko"; did you mean "disco"\?/],
    ['compare original.csv released.csv --svg x.svg', /--svg draws the map of --mode riskutility/],
    ['compare original.csv released.csv --mode riskutilty', /unknown mode "riskutilty"; did you mean "riskutility"\?/],
    ['compare original.csv released.csv --mode riskutility', /needs --keys and one --target/],
    ['assess original.csv released.csv --mode riskutility --html x.html', /has no --html; it has --json/],
  ])('%s', async (command, message) => {
    const place = workplace(PEOPLE)
    const { code, err } = await place.run(command)
    expect([code, err]).toEqual([2, expect.stringMatching(message)])
  })
})

it('--mode riskutility prints the table and the map of that package', async () => {
  const place = workplace(FILES)
  const flags = 'o.csv a.csv b.csv --keys age,sex --target income --mode riskutility'
  const map = await place.run(`compare ${flags} --measures dcap,ims,wasserstein --svg map.svg`, { columns: 80 })
  expect([map.code, map.err]).toEqual([0, ''])
  expect(map.out).toMatch(/^a\.csv +1\.0000 +1\.0000 +1\.0000 +1\.0000 +1\.0000 +\*$/m)
  expect(map.out).toMatch(/^b\.csv +0\.0000 +0\.0000 +0\.0000 +0\.0000 +0\.0000 +\*?$/m)
  expect(place.read('map.svg')).toContain('The map of riskutility')
})

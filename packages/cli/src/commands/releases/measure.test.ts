import type { Result } from '@scrim/core'
import { describe, expect, it } from 'vitest'
import { PEOPLE, workplace } from '../../testing/run.js'

const ONE = 'measure k-anonymity original.csv released.csv --keys sex,age'
const json = (out: string) => JSON.parse(out) as Result

describe('edit rules', () => {
  const RULES = {
    'rules.txt': '# the young are poor\nage <= 40 => income = "low"\nrich men: sex = "m" => income = "high"\n',
  }

  it('come in a file, and are counted in both files', async () => {
    const { code, out } = await workplace({ ...PEOPLE, ...RULES }).run(
      'measure edit-rules original.csv released.csv --rules rules.txt --json',
    )
    expect(code).toBe(0)
    // Released: m,30,low breaks the second, three m,40,high the first. Originals: f,40,high and m,40,high; m,30,low and m,40,low.
    expect(json(out)).toMatchObject({ value: 4 / 8, releases: [{ details: { broken: 4, originalBroken: 4 } }] })
  })

  it('with mistakes end the run with their lines', async () => {
    const { code, err } = await workplace({ ...PEOPLE, 'rules.txt': 'age < 30\nages < 30\nsex = "x"\n' }).run(
      'measure edit-rules original.csv released.csv --rules rules.txt',
    )
    expect(code).toBe(2)
    expect(err).toContain('rules.txt, line 2: unknown column "ages"; did you mean "age"?')
    expect(err).toContain('rules.txt, line 3: unknown level of "sex" "x"')
  })

  it('are asked for by their flag', async () => {
    const { code, err, out } = await workplace(PEOPLE).run('measure edit-rules original.csv released.csv')
    expect(code).toBe(2)
    expect(err + out).toContain('edit-rules needs edit rules: what records must keep (--rules FILE)')
    expect((await workplace(PEOPLE).run('measure edit-rules original.csv released.csv --rules none.txt')).code).toBe(2)
  })
})

describe('the tables of a measure', () => {
  const TABLES =
    'measure disclosure original.csv released.csv --keys sex,age --target income --set oneWay.records=1 --set oneWay.percent=10 --set twoWay.records=0 --set twoWay.percent=10'

  it('fit into 80 columns, with what leaves out each level and pair that a check names', async () => {
    const { code, out } = await workplace(PEOPLE).run(TABLES, { columns: 80 })
    expect(code).toBe(0)
    for (const table of ['ident', 'attrib', 'allCAPs', 'check_1way', 'check_2way', 'exclude'])
      expect(out).toContain(`(${table})`)
    const lines = out.split('\n').filter((line) => !line.startsWith('  --set'))
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80)
    expect(out).toMatch(/^low\|30 +\d+ +age/m)
    expect(out).toContain(`  --set 'disclosure.exclude+={"key":"age","level":"30","target":"low","in":"income"}'\n`)
  })

  it('are in JSON and CSV as they are printed', async () => {
    const place = workplace(PEOPLE)
    const { code } = await place.run(`${TABLES} --tables tables`)
    expect(code).toBe(0)
    expect(place.read('tables/disclosure-check_2way.csv')).toMatch(
      /^target_key_levs,npairs,key,key_target_total,key_total,PctTargetKeyLevel\nlow\|f,3,sex,3,4,0.75\nlow\|30,/,
    )
  })

  it('name options that leave out what they name, for measure and for assess', async () => {
    const place = workplace(PEOPLE)
    const tableIn = (out: string, name: string) =>
      JSON.parse(out).tables.find((table: { name: string }) => table.name === name)?.rows ?? []
    const flagged = tableIn((await place.run(`${TABLES} --json`)).out, 'exclude')
    expect(flagged.length).toBeGreaterThan(3)
    const [, first, second] = flagged
    const names: string[] = [first[0], second[0]]
    const options = ` --set ${first[1]} --set ${second[1]}`
    const left = tableIn((await place.run(`${TABLES}${options} --json`)).out, 'check_2way').map(
      ([pair]: string[]) => pair,
    )
    expect(left.length).toBeGreaterThan(0)
    for (const name of names) expect(left).not.toContain(name)
    const asked = TABLES.replace('measure disclosure', 'assess').replaceAll('--set ', '--set disclosure.')
    await place.run(`${asked}${options} --measures disclosure --audience internal --markdown report.md`)
    const report = place.read('report.md')
    for (const name of names) expect(report).not.toContain(name.replace('|', '&#124;'))
    expect(report).toContain(left[0].replace('|', '&#124;'))
    const all = flagged.map(([, option]: string[]) => `--set ${option}`).join(' ')
    expect(tableIn((await place.run(`${TABLES} ${all} --json`)).out, 'check_2way')).toEqual([])
  })
})

describe('disclosure', () => {
  it('takes every column that is no key for a target where none is named, riskiest first, as multi.disclosure', async () => {
    const place = workplace(PEOPLE)
    const without = json((await place.run('measure disclosure original.csv released.csv --keys sex --json')).out)
    const named = json(
      (await place.run('measure disclosure original.csv released.csv --keys sex --target age,income --json')).out,
    )
    expect(without.releases[0].targets?.map(({ target }) => target).sort()).toEqual(['age', 'income'])
    expect(without.releases).toEqual(named.releases)
    const { code, err } = await place.run('measure disclosure original.csv released.csv')
    expect([code, err]).toEqual([2, expect.stringContaining('disclosure needs key variables')])
  })

  it('is measured against the size of the release', async () => {
    const place = workplace(PEOPLE)
    const asked = 'measure disclosure original.csv released.csv --keys sex,age --target income'
    const { code, out } = await place.run(`${asked} --sizes 2,4,8 --repeats 3 --json --charts pictures`)
    expect(code).toBe(0)
    const attrib = JSON.parse(out).tables.find(({ name }: { name: string }) => name === 'by-size-attrib')
    const DiSCO = attrib.columns.findIndex(({ name }: { name: string }) => name === 'DiSCO')
    expect(attrib.rows.map(([size]: [number]) => size)).toEqual([2, 4, 8])
    expect(attrib.rows[2][DiSCO]).toBe(json((await place.run(`${asked} --json`)).out).value)
    expect(attrib.rows[0][DiSCO]).toBeLessThan(attrib.rows[2][DiSCO])
    expect(place.files()).toContain('pictures/disclosure-by-size-attrib.svg')
    const printed = (
      await place.run('measure disclosure original.csv released.csv --keys sex --sizes 2,4 --repeats 2', {
        columns: 80,
      })
    ).out.split('\n')
    expect(Math.max(...printed.map((line) => line.length))).toBeLessThanOrEqual(80)
    // What is about the keys is said once; where a table is cut, every part names target and size.
    expect(printed.filter((line) => /^records +UiO/.test(line))).toHaveLength(2)
    expect(printed.filter((line) => /^target +records +baseCAPd/.test(line))).toHaveLength(2)
    expect(printed.filter((line) => /^target +records +TCAP/.test(line)).length).toBeGreaterThan(0)
    const wrong = await place.run(`${asked} --sizes 9`)
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining('between 1 and 8')])
  })
})

describe('scrim measure', () => {
  it('prints value and original for people, fractions as percent, and judges nothing', async () => {
    const { code, out, err } = await workplace(PEOPLE).run(`${ONE} --set k=2`)
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(/^original\.csv \(original\) +50\.0 % /m)
    expect(out).toMatch(/^released\.csv +37\.5 % /m)
    expect(out).not.toMatch(/HIGH|MODERATE|LOW/)
    expect(out).toMatch(/^literature, 5: k of at least 5/m)
  })

  it('prints the cuts of the literature as numbers, fractions as percent', async () => {
    const { out } = await workplace(PEOPLE).run('measure linkability original.csv released.csv')
    expect(out).toMatch(/^literature, 10 %: residual risk up to which a release passes \(riskutility\)$/m)
  })

  it('--json - is --json', async () => {
    const { code, out } = await workplace(PEOPLE).run(`${ONE} --json -`)
    expect(code).toBe(0)
    expect(out).toBe((await workplace(PEOPLE).run(`${ONE} --json`)).out)
  })

  it('--json prints one JSON document and nothing else, also on a terminal', async () => {
    const { code, out, err } = await workplace(PEOPLE).run(`${ONE} --json`)
    expect([code, err]).toEqual([0, ''])
    const result = json(out)
    expect(result).toMatchObject({
      measure: 'k-anonymity',
      status: 'ok',
      seed: 1,
      options: { k: 5 },
      releases: [{ name: 'released.csv' }],
    })
    expect(result.value).toBe(1)
    expect(json((await workplace(PEOPLE).run(`${ONE} --json`, { terminal: true })).out)).toEqual(result)
  })

  it('--set takes an option with its measure before it, as assess does', async () => {
    const { run } = workplace(PEOPLE)
    const [long, short] = [await run(`${ONE} --set k-anonymity.k=2 --json`), await run(`${ONE} --set k=2 --json`)]
    expect([long.code, json(long.out).value]).toEqual([0, json(short.out).value])
    expect((await run(`${ONE} --set l-diversity.l=2`)).err).toContain('unknown option "l-diversity"')
  })

  it('--set reads JSON values and reaches inside', async () => {
    const { out } = await workplace(PEOPLE).run(`${ONE} --set k=2 --set missing=drop --json`)
    expect(json(out)).toMatchObject({ value: 0.375, options: { k: 2, missing: 'drop' } })
  })

  it('--csv prints one figure per row', async () => {
    const { code, out } = await workplace(PEOPLE).run(`${ONE} --set k=2 --csv`)
    expect(code).toBe(0)
    const lines = out.trimEnd().split('\n')
    expect(lines[0]).toBe('measure,part,release,target,name,value')
    expect(lines).toContain('k-anonymity,original,original.csv,,value,0.5')
    expect(lines).toContain('k-anonymity,release,released.csv,,value,0.375')
    expect(lines).toContain('k-anonymity,release,released.csv,,leakage,')
    expect(lines).toContain('k-anonymity,release,released.csv,,uniques,3')
    expect(lines.every((line) => line.split(',').length === 6)).toBe(true)
  })

  it('shows several releases and their mean', async () => {
    const { run } = workplace(PEOPLE)
    const { out } = await run('measure k-anonymity original.csv released.csv other.csv --keys sex,age --set k=2')
    expect(out).toMatch(/^released\.csv +37\.5 %/m)
    expect(out).toMatch(/^other\.csv +0\.0 %/m)
    expect(out).toMatch(/^mean of 2, worst released\.csv +18\.8 % /m)
    const csv = await run('measure k-anonymity original.csv released.csv other.csv --keys sex,age --set k=2 --csv')
    expect(csv.out).toContain('k-anonymity,mean,,,value,0.1875\n')
  })

  it('--records writes one row per record, and the scores are nowhere else', async () => {
    const { run, read } = workplace(PEOPLE)
    const { code, out } = await run(`${ONE} --records scores.csv --json`)
    expect(code).toBe(0)
    const lines = read('scores.csv')
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith('#'))
    expect(lines[0]).toBe('row,classSize,weightedClassSize')
    expect(lines).toHaveLength(9)
    expect(lines[1]).toMatch(/^1,2,/)
    expect(out).not.toContain('"records": {')
    expect(json(out)).toEqual(json((await run(`${ONE} --json`)).out))
  })

  it('--records numbers the files of several releases', async () => {
    const { run, files } = workplace(PEOPLE)
    await run('measure k-anonymity original.csv released.csv other.csv --keys sex,age --records scores.csv')
    expect(files()).toEqual(['original.csv', 'other.csv', 'released.csv', 'scores-1.csv', 'scores-2.csv'])
  })

  it('--charts writes SVG', async () => {
    const { run, files, read } = workplace(PEOPLE)
    const { code } = await run(`${ONE} --charts a/charts`)
    expect(code).toBe(0)
    const charts = files().filter((name) => name.endsWith('.svg'))
    expect(charts).toContain('a/charts/k-anonymity-class-sizes.svg')
    for (const name of charts) {
      expect(read(name)).toMatch(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
      expect(read(name).trimEnd()).toMatch(/<\/svg>$/)
      expect(read(name)).not.toMatch(/NaN|undefined/)
    }
  })

  it('writes nothing that was not asked for', async () => {
    const { run, files } = workplace(PEOPLE)
    await run(ONE)
    await run('assess original.csv released.csv --keys sex,age --target income')
    expect(files()).toEqual(Object.keys(PEOPLE).sort())
  })

  it('gives the same result for the same seed', async () => {
    const { run } = workplace(PEOPLE)
    const [first, second] = [await run(`${ONE} --seed 9 --json`), await run(`${ONE} --seed 9 --json`)]
    expect(first.out).toBe(second.out)
    expect(json(first.out).seed).toBe(9)
  })

  it('shows progress on a terminal only', async () => {
    const { run } = workplace(PEOPLE)
    expect((await run(ONE)).err).toBe('')
    expect((await run(ONE, { terminal: true })).err).toContain('reading original.csv')
  })

  it('reads other delimiters, decimal marks, encodings and missing tokens', async () => {
    const semicolon = 'sex;größe\nf;1,5\nm;?\nf;1,5\n'
    const bytes = Uint8Array.from([...semicolon].map((letter) => letter.charCodeAt(0)))
    const { run } = workplace({ 'a.csv': bytes, 'b.csv': bytes })
    const command =
      "measure k-anonymity a.csv b.csv --keys sex,größe --delimiter ';' --decimal , --encoding latin1 --missing-tokens ? --types größe=numeric --set k=2 --json"
    const { code, out } = await run(command)
    expect(code).toBe(0)
    expect(json(out).releases[0].details).toMatchObject({ uniques: 1 })
  })

  it('groups numeric keys', async () => {
    const { out } = await workplace(PEOPLE).run(`${ONE} --group age=fixed:0|35|99 --set k=2 --json`)
    expect(json(out).releases[0].details).toMatchObject({ classes: 4, uniques: 1 })
  })

  it('names files without the folder that they share', async () => {
    const { run } = workplace({ 'd/original.csv': PEOPLE['original.csv'], 'd/released.csv': PEOPLE['released.csv'] })
    const { out } = await run('measure k-anonymity d/original.csv d/released.csv --keys sex,age --json')
    expect(json(out).releases[0].name).toBe('released.csv')
  })

  it('tells several targets apart in print, CSV, records and charts', async () => {
    const { run, files, read } = workplace({
      'o.csv': 'a,s,t\n1,x,p\n1,x,q\n2,y,p\n2,x,p\n',
      'r.csv': 'a,s,t\n1,x,p\n1,x,p\n2,y,p\n2,y,p\n',
    })
    const command = 'measure disclosure o.csv r.csv --keys a --target s,t'
    const { code, out } = await run(`${command} --records scores.csv --charts charts`)
    expect(code).toBe(0)
    expect(out).toMatch(/^r\.csv +s +\d/m)
    expect(out).toMatch(/^r\.csv +t +\d/m)
    const header = (
      read('scores.csv')
        .split('\n')
        .find((line) => !line.startsWith('#')) ?? ''
    ).split(',')
    expect(header[0]).toBe('row')
    expect(header.some((name) => name.startsWith('s.'))).toBe(true)
    expect(header.some((name) => name.startsWith('t.'))).toBe(true)
    expect(files().filter((name) => /-[st]\.svg$/.test(name)).length).toBeGreaterThan(1)
    const csv = (await run(`${command} --csv`)).out
    expect(csv).toMatch(/^disclosure,release,r\.csv,s,value,/m)
    expect(csv).toMatch(/^disclosure,release,r\.csv,t,value,/m)
  })
})

describe('record linkage', () => {
  const FILES = {
    'original.csv': 'id,sex,age,income\na,m,23,1\nb,m,41,2\nc,f,33,3\nd,f,57,4\n',
    'released.csv': 'sex,age,income\nm,24,1\nm,40,2\nf,33,3\nf,56,4\n',
    'register.csv': 'person,gender,years,name\nc,f,33,Clara\na,m,23,Anton\nx,m,90,Xaver\nb,m,41,Bruno\n',
  }
  const LINK =
    'measure record-linkage original.csv released.csv --type perturbed --keys sex --numeric-keys age --identifier id'

  it('links an attacker’s file with its own names of columns', async () => {
    const { code, out } = await workplace(FILES).run(
      `${LINK} --attacker register.csv --attacker-columns person=id,gender=sex,years=age --set method=deterministic --json`,
    )
    expect(code).toBe(0)
    expect(json(out)).toMatchObject({ value: 0.75, releases: [{ details: { people: 4, withoutTruth: 1 } }] })
  })

  it('asks whether the levels of an attacker’s file are ours, and takes the answer', async () => {
    const files = { ...FILES, 'register.csv': FILES['register.csv'].replaceAll(',m,', ',M,').replaceAll(',f,', ',F,') }
    const linked = `${LINK} --attacker register.csv --attacker-columns person=id,gender=sex,years=age --set method=deterministic`
    const asked = await workplace(files).run(linked)
    expect(asked.code).toBe(2)
    expect(asked.err).toContain('"sex" is spelled differently in register.csv than in original.csv')
    const same = await workplace(files).run(`${linked} --match-levels --json`)
    expect(json(same.out)).toMatchObject({ value: 0.75 })
    const apart = await workplace(files).run(`${linked} --no-match-levels --json`)
    const leastCost = (out: string) => JSON.parse(out).releases[0].details.summary.scores[0].lower
    expect(leastCost(same.out)).toBe(0)
    expect(leastCost(apart.out)).toBeGreaterThanOrEqual(0.5)
  })

  it('shows one person with the records that fit best, for internal use', async () => {
    const { code, out } = await workplace(FILES).run(`${LINK} --inspect 2`)
    expect(code).toBe(0)
    expect(out).toContain('For internal use only')
    expect(out).toMatch(/person 2 +m +41/)
    expect(out).toMatch(/2 own +100\.0 %/)
  })

  it('tells what is wrong with the files and flags', async () => {
    const wrong = async (flags: string) => {
      const { code, err } = await workplace(FILES).run(`${LINK} ${flags}`)
      expect(code).toBe(2)
      return err
    }
    expect(await wrong('--inspect 9')).toContain('there is no row 9')
    expect(await wrong('--attacker-columns gender=sex')).toContain('without a file of the attacker')
    expect(await wrong('--attacker register.csv --attacker-columns gender')).toContain('takes theirs=ours')
    expect(await wrong('--attacker register.csv')).toContain('has none of the keys')
    expect(await wrong('--attacker none.csv')).toContain('none.csv')
    const other = 'measure k-anonymity original.csv released.csv --keys sex --inspect 1'
    expect((await workplace(FILES).run(other)).err).toContain('--inspect shows the links of record-linkage')
  })
})

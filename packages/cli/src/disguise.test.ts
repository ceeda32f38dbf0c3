import { describe, expect, it } from 'vitest'
import { workplace } from './testing/run.js'

const ROWS = Array.from({ length: 80 }, (_, k) => ({
  sex: 'FM'[(k * 7 + (k >> 3)) % 2],
  region: ['north', 'south', 'east'][(k * 5 + (k >> 2)) % 3],
  age: 20 + ((k * 13) % 50),
  income: ['low', 'mid', 'high'][(k * 11 + (k >> 4)) % 3],
  hours: (k * k * 29 + k) % 61,
}))

function csv(rows: readonly Record<string, string | number>[]): string {
  return [Object.keys(rows[0]), ...rows.map(Object.values)].map((row) => row.join(',')).join('\n')
}

const QUICK = '--keys sex,region,age --target income --measures attribution'
const place = (released: string, original = csv(ROWS)) => workplace({ 'o.csv': original, 'r.csv': released })
const lower = csv(ROWS.map((row) => ({ ...row, sex: row.sex.toLowerCase() })))

describe('a disguised copy', () => {
  it('is asked about, naming what is spelled differently', async () => {
    const { code, err } = await place(lower).run(`assess o.csv r.csv ${QUICK}`)
    expect([code, err]).toEqual([
      2,
      'scrim: "sex" is spelled differently in r.csv than in o.csv: "f" for "F", "m" for "M" (100 % of its records)\n' +
        'scrim: are these the same values? --match-levels says yes, --no-match-levels says no; for one of them: --answer r.csv:sex=same\n',
    ])
  })

  it('is HIGH with --match-levels, and the first line says that it is the original', async () => {
    const { out } = await place(lower).run(`assess o.csv r.csv ${QUICK} --match-levels`)
    expect(out).toMatch(/^r\.csv is o\.csv itself: every record of it is there\.\n/)
    expect(out).toMatch(/^HIGH: r\.csv$/m)
  })

  it('is LOW for no measure that cannot match its keys', async () => {
    const { out } = await place(lower).run(`assess o.csv r.csv ${QUICK} --no-match-levels --json -`)
    const { releases } = JSON.parse(out) as {
      releases: {
        verdict: { level: string }
        threats: { threat: string; level: string; reason: { code: string; text: string } }[]
      }[]
    }
    expect(releases[0].verdict.level).toBe('HIGH')
    const attribute = releases[0].threats.find(({ threat }) => threat === 'attribute')
    expect(attribute?.level).toBe('NOT ASSESSED')
    expect(attribute?.reason).toMatchObject({
      code: 'nothing-matches',
      column: 'sex',
      text: expect.stringContaining('the key "sex" has no value in common in o.csv and r.csv'),
    })
  })

  it('is asked about when several levels were renamed, or numbers are in other units', async () => {
    const rows = Array.from({ length: 300 }, (_, k) => ({
      sex: 'FM'[k % 2],
      hours: ((k * k * 29) % 20) + (k % 2) * 15,
      income: 100 + ((k * 37) % 211),
    }))
    const other = rows.map(({ sex, hours, income }) => ({
      sex: sex === 'F' ? 'Women' : 'Men',
      hours,
      income: income / 1000,
    }))
    const { code, err } = await place(csv(other), csv(rows)).run('assess o.csv r.csv --measures memorisation')
    expect([code, err]).toEqual([
      2,
      'scrim: "sex" is spelled differently in r.csv than in o.csv: "Men" for "M", "Women" for "F" (100 % of its records)\n' +
        'scrim: "income" is in other units in r.csv than in o.csv: 1,000 times smaller\n' +
        'scrim: are these the same values? --match-levels says yes, --no-match-levels says no; for one of them: --answer r.csv:sex=same\n',
    ])
  })

  it('is named first also where columns have other names', async () => {
    const renamed = csv(
      [...ROWS]
        .reverse()
        .map(Object.values)
        .map(([a, b, c, d, e]) => ({ v1: a, v2: b, v3: c, v4: d, v5: e })),
    )
    const asked = await place(renamed).run(`assess o.csv r.csv ${QUICK}`)
    expect(asked.code).toBe(2)
    expect(asked.err).toMatch(/^scrim: "v1" of r\.csv seems to be "sex" of o\.csv under another name/)
    const same = await place(renamed).run(`assess o.csv r.csv ${QUICK} --match-levels`)
    expect(same.out).toMatch(/^r\.csv is o\.csv itself: every record of it is there/)
    const different = await place(renamed).run(`assess o.csv r.csv ${QUICK} --no-match-levels`)
    expect(different.code).toBe(2)
    expect(different.err).toMatch(/^scrim: r\.csv is o\.csv with other names for columns or values/)
  })
})

describe('the type', () => {
  const changed = csv(
    ROWS.map((row, k) => ({ ...row, income: k % 4 === 0 ? 'mid' : row.income, hours: (row.hours + 7) % 61 })),
  )
  const unlike = csv(ROWS.map((_, k) => ({ ...ROWS[(k * 17 + 5) % 80], hours: (k * 3) % 61, age: 20 + (k % 50) })))

  it('is inferred where rows correspond, and what was assumed is said', async () => {
    const { out } = await place(changed).run(`assess o.csv r.csv ${QUICK}`)
    expect(out).toContain('; type perturbed')
    expect(out.replaceAll(/\s+/g, ' ')).toContain('taken for perturbed (row i derives from row i of the original)')
    expect((await place(changed).run(`assess o.csv r.csv ${QUICK} --type synthetic`)).out).toContain('; type synthetic')
  })

  it('is asked for on a terminal where it cannot be known', async () => {
    const { run } = place(unlike)
    expect((await run(`assess o.csv r.csv ${QUICK}`)).out).toContain('; type unknown')
    expect((await run(`assess o.csv r.csv ${QUICK}`, { answer: 's\n' })).out).toContain('; type synthetic')
    expect((await run(`assess o.csv r.csv ${QUICK}`, { answer: '' })).out).toContain('; type unknown')
  })
})

it('leaves identifiers out of everything, and says that they join the files', async () => {
  const numbered = (rows: typeof ROWS) => csv(rows.map((row, k) => ({ id: `p${k}`, ...row })))
  const { code, out } = await place(numbered(ROWS.map((row, k) => ({ ...row, hours: k % 7 }))), numbered(ROWS)).run(
    'assess o.csv r.csv --keys sex,region --target income --measures rapid-cv,k-anonymity',
  )
  expect(code).toBe(0)
  expect(out).not.toContain('please report')
  expect(out).toContain('"id" is different for each record of every file: an identifier, left out')
  expect(out).toContain('r.csv has the identifiers of o.csv in "id" (80 of 80)')
})

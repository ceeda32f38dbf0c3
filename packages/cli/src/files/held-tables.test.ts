import { expect, it } from 'vitest'
import { fixture } from '../../../core/src/testing/files/seen.js'
import { workplace } from '../testing/run.js'

const files = (...names: string[]) => workplace(Object.fromEntries(names.map((name) => [name, fixture(name)])))
const synthpop = () => files('observed.csv', 'syn-1.csv', 'syn-2.csv', 'syn2.rds', 'observed-and-syn.rda', 'syn.rds')
const ROLES = '--keys sex,age,edu --target smoke --measures attribution,disco,memorisation --json -'

interface Answer {
  readonly releases: readonly { readonly threats: readonly { readonly leakage: number; readonly exposure: number }[] }[]
  readonly results: readonly { readonly releases: readonly { readonly value: number }[] }[]
}

/** Every number that is said of a release, to the last bits, in which sums over levels in another order may differ. */
function numbersIn(json: string): readonly (number | null)[] {
  const { releases, results }: Answer = JSON.parse(json)
  const shown = [
    ...releases.flatMap(({ threats }) => threats.flatMap(({ leakage, exposure }) => [leakage, exposure])),
    ...results.flatMap((result) => result.releases.map(({ value }) => value)),
  ]
  return shown.map((value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value))
}

it('an object of synthpop gives the numbers that its CSV files give, alone in a file with the original or beside it', async () => {
  const { run } = synthpop()
  const csv = await run(`assess observed.csv syn-1.csv syn-2.csv --type synthetic ${ROLES}`)
  expect(csv.code).toBe(0)
  expect(numbersIn(csv.out).filter((value) => value !== null).length).toBeGreaterThan(6)
  for (const command of [`assess observed-and-syn.rda ${ROLES}`, `assess observed.csv syn2.rds ${ROLES}`]) {
    const r = await run(command)
    expect([r.code, numbersIn(r.out)]).toEqual([0, numbersIn(csv.out)])
  }
})

it('syntheses without their original are refused, in either place', async () => {
  const { run } = synthpop()
  for (const command of ['assess syn2.rds', 'assess syn2.rds observed.csv']) {
    const { code, err } = await run(command)
    expect([code, err]).toEqual([
      2,
      'scrim: syn2.rds holds releases without their original; name the original before it\n',
    ])
  }
})

it('sdcMicro says what columns are for, unless a user does', async () => {
  const { run } = files('sdc.rds')
  const json = (out: string) => JSON.parse(out)
  const taken = json((await run('assess sdc.rds --measures k-anonymity --json -')).out)
  expect(taken).toMatchObject({ keys: ['urbrur', 'roof', 'sex', 'age'], targets: ['savings'], type: 'perturbed' })
  expect(taken).toMatchObject({ weight: 'sampling_weight', household: 'ori_hid' })
  expect(taken.notes).toContain(
    'taken from sdc.rds: keys urbrur, roof, sex, age; continuous keys expend, income; targets savings; weight sampling_weight; household ori_hid; kind of release perturbed',
  )
  expect(
    taken.files.map(({ role, name, rows }: { role: string; name: string; rows: number }) => [role, name, rows]),
  ).toEqual([
    ['original', 'sdc.rds (original)', 40],
    ['release', 'sdc.rds (released)', 40],
  ])
  const own = json((await run('assess sdc.rds --keys sex,age --measures k-anonymity --json -')).out)
  expect(own).toMatchObject({ keys: ['sex', 'age'], targets: ['savings'] })
})

it('of several objects or sheets those named are taken, the original first', async () => {
  const { run } = files('several.rda', 'excel.xlsx')
  const several = await run('measure k-anonymity several.rda --keys sex')
  expect([several.code, several.err]).toEqual([
    2,
    'scrim: several.rda: holds several objects: a (data frame), b (data frame); choose with the option object, the original first\n',
  ])
  expect((await run('measure k-anonymity several.rda --keys sex --object a,b')).code).toBe(0)
  const sheets = await run('measure k-anonymity excel.xlsx --keys alone --sheet people,released')
  expect([sheets.code, sheets.out.includes('excel.xlsx (released)')]).toEqual([0, true])
  expect((await run('measure k-anonymity excel.xlsx --keys alone')).err).toBe(
    'scrim: no released file given, only excel.xlsx, which holds one table\n',
  )
})

it('a command on one table takes the original', async () => {
  const { run, read } = files('sdc.rds', 'syn2.rds')
  expect((await run('anonymise sdc.rds --method local-suppression --keys urbrur,sex --out a.csv')).code).toBe(0)
  expect(read('a.csv').split('\n')[0]).toContain('ori_hid')
  const { code, err } = await run('anonymise syn2.rds --method local-suppression --keys sex --out b.csv')
  expect([code, err]).toEqual([2, 'scrim: syn2.rds holds 2 tables (1, 2) where one is expected; choose one\n'])
})

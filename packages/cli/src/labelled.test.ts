import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readTable, type Table, valueAt } from '@scrim/core'
import { expect, it } from 'vitest'
import { toSpss } from '../../core/src/files/spss/write.js'
import { toStata } from '../../core/src/files/stata/write.js'
import { stream } from '../../core/src/random/stream.js'
import { categorical, numeric } from '../../core/src/table/column.js'
import { table } from '../../core/src/table/table.js'
import { workplace } from './testing/run.js'

/** SPSS and Stata files through the command line: what the values stand for comes out as it went in. */
const ROWS = 80
const random = stream(1, 'labelled people', 0)
const draw = <Value>(values: readonly Value[]) =>
  Array.from({ length: ROWS }, () => values[random.below(values.length)])
const SEX = [
  { value: 1, label: 'male' },
  { value: 2, label: 'female' },
]
const people: Table = table('people', [
  {
    ...categorical('sex', draw(['male', 'female']), { levels: ['male', 'female'] }),
    codebook: { label: 'Sex of the person', values: SEX },
  },
  { ...categorical('region', draw(['N', 'S', 'E'])), codebook: { label: 'Region', text: true } },
  {
    ...numeric('age', draw([31, 44, 52, 67, 70, null])),
    codebook: { label: 'Age in years', missing: { values: [999] } },
  },
])

it.each([
  ['people.sav', toSpss(people)],
  ['people.dta', toStata(people)],
])('%s keeps its labels through synthesize and anonymise', async (name, bytes) => {
  const ending = name.slice(-4)
  const place = workplace({ [name]: bytes })
  const made = await place.run(`synthesize ${name} -o syn${ending} --seed 1 --threads 1`)
  expect([made.code, made.err]).toEqual([0, ''])
  const masked = await place.run(
    `anonymise ${name} -o masked${ending} --method recode --seed 1 --set groups.age=fixed:0|50|99`,
  )
  expect([masked.code, masked.err]).toEqual([0, ''])
  for (const file of [`syn${ending}`, `masked${ending}`]) {
    const { columns, rows } = await readTable(file, readFileSync(join(place.folder, file)))
    expect([rows, columns.map((column) => column.codebook?.label)]).toEqual([
      ROWS,
      ['Sex of the person', 'Region', 'Age in years'],
    ])
    expect(columns[0].codebook?.values).toEqual(SEX)
    expect(['male', 'female']).toContain(valueAt(columns[0], 0))
  }
})

it('labels are levels, or codes where asked', async () => {
  const place = workplace({ 'a.sav': toSpss(people) })
  const command = "anonymise a.sav --method recode --set 'groups.age=fixed:0|50|99' -o"
  await place.run(`${command} levels.csv`)
  await place.run(`${command} codes.csv --labels codes`)
  const sexes = (file: string) =>
    new Set(
      place
        .read(file)
        .trim()
        .split('\n')
        .map((line) => line.split(',')[0]),
    )
  expect([sexes('levels.csv'), sexes('codes.csv')]).toEqual([
    new Set(['sex', 'male', 'female']),
    new Set(['sex', '1', '2']),
  ])
})

it('the answer says in words what keys and targets are', async () => {
  const place = workplace({ 'a.sav': toSpss(people), 'b.dta': toStata(people) })
  const { out } = await place.run(
    'assess a.sav b.dta --keys sex,age --target region --measures k-anonymity --threads 1 --markdown report.md',
  )
  expect(out).toContain('sex: Sex of the person\nage: Age in years\nregion: Region\n')
  expect(place.read('report.md')).toContain('- sex: Sex of the person\n- age: Age in years\n- region: Region\n')
})

it('a wrong choice of labels and names that SPSS does not take are told before anything is made', async () => {
  const place = workplace({ 'a.csv': 'my age,sex\n1,m\n2,f\n' })
  const wrong = await place.run('measure k-anonymity a.csv a.csv --keys sex --labels names')
  expect([wrong.code, wrong.err]).toEqual([
    2,
    expect.stringContaining('--labels must be "levels" or "codes", found "names"'),
  ])
  const named = await place.run('synthesize a.csv -o syn.sav')
  expect([named.code, named.err]).toEqual([
    2,
    expect.stringContaining('cannot write syn.sav: SPSS takes no variable of the name "my age"'),
  ])
})

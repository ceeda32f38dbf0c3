import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Assessment,
  assessCase,
  type CaseInput,
  jsonText,
  openCase,
  parseCase,
  readingIn,
  readTable,
  stream,
} from '@scrim/core'

/**
 * What every face is asked alike: the library, the command line and the page by `same-answer.test.ts`, R there too, and Python by
 * its own tests, for which `scripts/build/same-answers.mjs` writes the files and the answers.
 */
export interface Asked {
  readonly original: Rows
  readonly released: readonly Rows[]
  readonly holdout?: Rows
  readonly said: CaseInput
}

type Rows = readonly Readonly<Record<string, string | number>>[]

const PEOPLE = 120

function people(seed: number): Rows {
  const random = stream(seed, 'people')
  return Array.from({ length: PEOPLE }, () => ({
    sex: 'fm'[random.below(2)],
    region: ['north', 'south', 'east'][random.below(3)],
    age: 20 + random.below(50),
    income: ['low', 'mid', 'high'][random.below(3)],
    hours: 5 + random.below(61),
  }))
}

const original = people(1)
const others = people(2)
const changed = (rows: Rows, change: (row: Rows[number], k: number) => object): Rows =>
  rows.map((row, k) => ({ ...row, ...change(row, k) }))
const upper = (value: string | number) => String(value).toUpperCase()
const roles = { keys: ['sex', 'region', 'age'], target: ['income'] }
const MEASURES = ['attribution', 'memorisation', 'singling-out', 'reidentification', 'k-anonymity', 'ks']
const WOMEN_AND_MEN: Readonly<Record<string, string>> = { f: 'Women', m: 'Men' }
const told = changed(original, (row) => ({ hours: Number(row.hours) + (row.sex === 'f' ? 0 : 40) }))

export const CASES: Readonly<Record<string, Asked>> = {
  'an honest release, nothing said of its type': { original, released: [others], said: roles },
  'upper-cased levels, the same': {
    original,
    released: [changed(original, ({ sex, region }) => ({ sex: upper(sex), region: upper(region) }))],
    said: { ...roles, matchLevels: true },
  },
  'upper-cased levels of one column, different': {
    original,
    released: [changed(others, ({ sex }) => ({ sex: upper(sex) }))],
    said: { ...roles, keys: ['region', 'age'], answers: { 'released:sex': 'different' }, type: 'synthetic' },
  },
  'another unit': {
    original,
    released: [changed(original, ({ hours }) => ({ hours: Number(hours) * 60 }))],
    said: { ...roles, answers: { 'released:hours': 'same' } },
  },
  'renamed levels': {
    original: told,
    released: [changed(told, ({ sex }) => ({ sex: WOMEN_AND_MEN[String(sex)] }))],
    said: { ...roles, answers: { 'released:sex': 'same' } },
  },
  'repeated rows': {
    original,
    released: [[...original.slice(0, 60), ...original.slice(0, 60), ...others.slice(0, 30)]],
    said: { ...roles, type: 'synthetic' },
  },
  'shuffled rows, weights and households': {
    original: changed(original, (_, k) => ({ weight: 1 + (k % 3), home: k >> 1 })),
    released: [original.map((_, k) => original[(k * 37 + 11) % PEOPLE])],
    said: { ...roles, weight: 'weight', household: 'home', type: 'unknown' },
  },
  'numbers in groups': {
    original,
    released: [others],
    said: { ...roles, group: { age: 'equal:4', hours: '5' }, codes: { hours: '40' }, type: 'synthetic', seed: 7 },
  },
  'a holdout, and two releases': {
    original,
    released: [others, [...original.slice(0, 40), ...others.slice(0, 80)]],
    holdout: people(3),
    said: { ...roles, type: 'synthetic' },
  },
  'rows that correspond': {
    original,
    released: [changed(original, ({ age }, k) => (k % 3 === 0 ? { age: Number(age) + 1 } : {}))],
    said: { ...roles, numericKeys: ['hours'] },
  },
}

const csv = (rows: Rows) =>
  `${[Object.keys(rows[0]), ...rows.map(Object.values)].map((row) => row.join(',')).join('\n')}\n`

/** Files are called as R and Python call their data frames. */
export function filesOf({ original: first, released, holdout }: Asked): Readonly<Record<string, string>> {
  return {
    original: csv(first),
    ...Object.fromEntries(releaseNames(released).map((name, k) => [name, csv(released[k])])),
    ...(holdout === undefined ? {} : { holdout: csv(holdout) }),
  }
}

export const releaseNames = (released: Asked['released']) =>
  released.length === 1 ? ['released'] : released.map((_, k) => `released-${k + 1}`)

/** What is asked alike of all: R and Python say what their columns are, so that the others are told too. */
export function caseOf({ said, original: first, released, holdout }: Asked): CaseInput {
  const all = [first, ...released, ...(holdout === undefined ? [] : [holdout])]
  const shared = Object.keys(first[0]).filter((column) => all.every((rows) => column in rows[0]))
  const types = Object.fromEntries(
    shared.map((column) => {
      if (typeof first[0][column] === 'number') return [column, { kind: 'numeric' as const }]
      const levels = new Set(all.flatMap((rows) => [...new Set(rows.map((row) => String(row[column])))].sort()))
      return [column, { kind: 'categorical' as const, levels: [...levels] }]
    }),
  )
  return { measures: MEASURES, ...said, types }
}

/** As every face writes it into a file. */
export const asWritten = (assessment: Assessment) => assessmentIn(jsonText(assessment))

export const written = (assessment: Assessment) => JSON.stringify(assessment, null, 1)

export async function byLibrary(asked: Asked): Promise<Assessment> {
  const said = caseOf(asked)
  const read = (name: string) =>
    readTable(name, new TextEncoder().encode(filesOf(asked)[name]), readingIn(parseCase(said)))
  const opened = openCase(said, {
    original: await read('original'),
    released: await Promise.all(releaseNames(asked.released).map(read)),
    holdout: asked.holdout === undefined ? undefined : await read('holdout'),
  })
  return asWritten((await assessCase(opened)).assessment)
}

/** The Assessment in the JSON of the command line, which has the files and the results of measures besides. */
export function assessmentIn(text: string): Assessment {
  const {
    scrim: _,
    files: __,
    weight: ___,
    household: ____,
    groups: _____,
    results: ______,
    ...assessment
  } = JSON.parse(text)
  return assessment
}

/** The files of a case and what is said about them, in the writing of R and Python. */
export function writeCase(folder: string, asked: Asked): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, text] of Object.entries(filesOf(asked))) writeFileSync(join(folder, name), text)
  const { types: _, ...said } = caseOf(asked)
  const named = Object.fromEntries(Object.entries(said).map(([field, value]) => [snakeCase(field), value]))
  writeFileSync(join(folder, 'said.json'), JSON.stringify(named))
}

const snakeCase = (field: string) => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

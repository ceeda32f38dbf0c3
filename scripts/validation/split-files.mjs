// A data set cut at random into original, release and holdout, each read as a file of its own, as a custodian would.
import { readFileSync } from 'node:fs'
import { readTable, sampleWithoutReplacement, stream, valueAt } from '@scrim/core'

/** A third has at most so many people, so that a large data set does not take as long as all others together. */
const MOST_PEOPLE = 2000
const MOST_KEY_VALUES = 20

/**
 * `size` is the release's in times the original's: of the two thirds one is cut down. The holdout has the original's size.
 */
export async function filesOf({ path, size, holdout, seed }) {
  const [header, ...records] = readFileSync(path, 'utf8').trimEnd().split('\n')
  const third = thirdOf(records.length)
  const rows = sampleWithoutReplacement(stream(seed, 'thirds'), records.length, 3 * third)
  const part = (name, k, people) => {
    const chosen = rows.subarray(k * third, k * third + people)
    return readTable(name, new TextEncoder().encode([header, ...Array.from(chosen, (row) => records[row])].join('\n')))
  }
  const people = peopleOf(records.length, size)
  return {
    original: await part('original.csv', 0, people),
    released: await part('release.csv', 1, Math.round(size * people)),
    ...(holdout ? { holdout: await part('holdout.csv', 2, people) } : {}),
    ...(await rolesOf(path)),
  }
}

const thirdOf = (records) => Math.min(MOST_PEOPLE, Math.floor(records / 3))

/** How many people the original has where the release is `size` times as large. */
export function peopleOf(records, size) {
  return size > 1 ? Math.floor(thirdOf(records) / size) : thirdOf(records)
}

/**
 * By a rule, so that nobody chooses, among columns of at least two values: the last one is the target; keys are the first three
 * others of up to 20 values, and if there are less than two of these, the two of the fewest values.
 */
export async function rolesOf(path) {
  const { columns, rows } = await readTable(path, readFileSync(path))
  const varying = columns
    .map((column) => ({ name: column.name, values: distinctValues(column, rows) }))
    .filter(({ values }) => values >= 2)
  const others = varying.slice(0, -1)
  const coarse = others.filter(({ values }) => values <= MOST_KEY_VALUES)
  const keys = coarse.length >= 2 ? coarse.slice(0, 3) : others.toSorted((a, b) => a.values - b.values).slice(0, 2)
  return { keys: keys.map(({ name }) => name), target: varying.at(-1).name }
}

function distinctValues(column, rows) {
  const values = new Set()
  for (let row = 0; row < rows && values.size <= 1000; row++) {
    const value = valueAt(column, row)
    if (value !== null) values.add(value)
  }
  return values.size
}

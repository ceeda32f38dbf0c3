import {
  type AbortSignalLike,
  type AnyMeasure,
  type AttackResult,
  assess,
  attack,
  columnOf,
  judge,
  mean,
  measures,
  openCase,
  permutation,
  type Result,
  standardDeviation,
  stream,
  type Table,
  table,
  takeRows,
} from '@scrim/core'
import { type BuyerBewareDesign, type FigureTable, type Part, TRUTH } from './part.js'
import { cellTable, ORIGINAL_CELLS, SYNTHETIC_CELLS, VARIABLES } from './published.js'

/**
 * What a measure of disclosure must do, asked of every measure that scrim has, on the 16 cells (properties D1, D2 and D5 of
 * a later draft by the same authors). The attacker is certain of the unique record when it is in the release.
 *
 *   D1  detection: the release with the unique record has the worst value that the measure can have, and a worse one than
 *       the same release without that record; `rises` says whether at least the second holds
 *   D2  noise: a constant target, or one permuted at random, does not score higher than the target as it was released
 *   D5  no false reassurance: the release with the unique record is not called LOW, nor is 0 all that is said of it
 *
 * Keys var1 to var3, target var4. Not applicable: D2 where a measure does not look at the target, D5 where it gives a
 * number without a verdict. A share of all records cannot pass D1 for one of a thousand: a test that fails says that the
 * number must not be read as the risk of one person, not that it is useless.
 */
type Outcome = 'passed' | 'failed' | 'n/a'

interface SelfTest {
  readonly name: string
  readonly present: number | null
  readonly absent: number | null
  readonly constant: number | null
  readonly permuted: number | null
  readonly rises: 'yes' | 'no' | 'n/a'
  readonly D1: Outcome
  readonly D2: Outcome
  readonly D5: Outcome
}

/** It judges a synthesizer, not a release. */
const NOT_ABOUT_A_RELEASE = new Set(['rapid-cv'])

export async function selfTests(
  { seed, permutations }: BuyerBewareDesign,
  {
    registry = measures,
    signal,
  }: { readonly registry?: readonly AnyMeasure[] | undefined; readonly signal?: AbortSignalLike | undefined } = {},
): Promise<Part> {
  const tests: SelfTest[] = [await testAttack(seed, permutations)]
  const { original, released } = releasesToTell('levels', seed, permutations)
  const given = openCase(
    { keys: VARIABLES.slice(0, 3), target: VARIABLES[3], type: 'synthetic' },
    { original, released },
  ).release
  const asked = registry.filter(({ id, orientation }) => orientation === 'risk' && !NOT_ABOUT_A_RELEASE.has(id))
  for await (const result of assess(given, { registry: asked, seed, signal })) {
    const measure = asked.find(({ id }) => id === result.measure)
    if (measure !== undefined) tests.push(testMeasure(measure, result))
  }
  for (const { id } of registry) if (NOT_ABOUT_A_RELEASE.has(id)) tests.push(notApplicable(id))
  const [strongest] = tests
  return {
    tables: [],
    figures: [selfTestTable(tests)],
    checks: [
      {
        what: 'the strong attacker passes all self-tests',
        holds: [strongest.D1, strongest.D2, strongest.D5].every((outcome) => outcome === 'passed'),
      },
    ],
    charts: [],
  }
}

function selfTestTable(tests: readonly SelfTest[]): FigureTable {
  const header = ['measure', 'present', 'absent', 'constant', 'permuted', 'rises', 'D1', 'D2', 'D5'] as const
  return {
    name: 'self-tests',
    title:
      'Self-tests of the measures: the unique record present or absent, the target constant or permuted (D1 detection: the worst value there is, `rises`: at least a worse one; D2 noise; D5 no false reassurance)',
    header,
    rows: tests.map(({ name, ...rest }) => [
      name,
      ...header.slice(1).map((column) => rest[column as keyof typeof rest]),
    ]),
  }
}

/** In the order of the releases below. */
const PRESENT = 0
const ABSENT = 1
const CONSTANTS = [2, 3]
const FIRST_PERMUTED = 4

/** The first published set, which has one 1111; the same with a 1110 instead; with a constant target; with permuted targets. */
function releasesToTell(
  coding: 'numbers' | 'levels',
  seed: number,
  permutations: number,
): { original: Table; released: Table[] } {
  const [counts] = SYNTHETIC_CELLS
  const present = cellTable('present', counts, coding)
  const without = counts.map((count, cell) => (cell === TRUTH ? 0 : cell === TRUTH - 1 ? count + counts[TRUTH] : count))
  const targetFrom = (name: string, rows: ArrayLike<number>) =>
    table(
      name,
      present.columns.map((column) => (column.name === VARIABLES[3] ? takeRows(column, rows) : column)),
    )
  const rowWith = (value: number) => {
    const target = columnOf(present, VARIABLES[3])
    return (target.kind === 'categorical' ? target.codes : target.values).indexOf(value)
  }
  return {
    original: cellTable('original', ORIGINAL_CELLS, coding),
    released: [
      present,
      cellTable('absent', without, coding),
      ...[0, 1].map((value) => targetFrom(`target ${value}`, new Int32Array(present.rows).fill(rowWith(value)))),
      ...Array.from({ length: permutations }, (_, k) =>
        targetFrom(`permuted ${k + 1}`, permutation(stream(seed, 'self-tests/permuted', k), present.rows)),
      ),
    ],
  }
}

function testMeasure(
  { id, orientation, threat, needs, range = [0, 1] }: AnyMeasure,
  { releases, status }: Result,
): SelfTest {
  if (status !== 'ok') return notApplicable(id)
  const compared = compareValues(
    id,
    releases.map(({ value }) => value),
    orientation === 'risk' ? { sign: 1, worst: range[1] } : { sign: -1, worst: range[0] },
  )
  const { leakage, shareOfPeople = null, value } = releases[PRESENT]
  const [{ level }] = judge([
    { threat: threat ?? 'attribute', looks: leakage === null ? [] : [{ leakage, shareOfPeople }] },
  ])
  const isJudged = level !== 'NOT ASSESSED' && level !== 'INCONCLUSIVE'
  const findsNothing = orientation === 'risk' && value !== null && value <= EQUAL
  return {
    ...compared,
    D2: needs.includes('target') ? compared.D2 : 'n/a',
    D5: isJudged ? passes(level !== 'LOW') : findsNothing ? 'failed' : 'n/a',
  }
}

function notApplicable(name: string): SelfTest {
  return { ...compareValues(name, []), D5: 'n/a' }
}

/** The posterior of the truth. */
async function testAttack(seed: number, permutations: number): Promise<SelfTest> {
  const { original, released } = releasesToTell('numbers', seed, permutations)
  const found: AttackResult[] = []
  for (const one of released) found.push(await attack({ original, released: [one], record: 'last' }))
  const posteriors = found.map(({ targets }) => targets[0].posteriors[0].truth?.posterior ?? null)
  const compared = compareValues('strong attacker', posteriors)
  return { ...compared, D5: passes((posteriors[PRESENT] ?? 0) > 0.5) }
}

/** Rounding is no difference. */
const EQUAL = 1e-9
/** The mean over permutations may exceed the value by so many of its standard errors. */
const STANDARD_ERRORS = 3

/** Which way is worse, and the worst value there is. */
interface Scale {
  readonly sign: 1 | -1
  readonly worst: number
}

const PROBABILITY: Scale = { sign: 1, worst: 1 }

function compareValues(
  name: string,
  values: readonly (number | null)[],
  { sign, worst }: Scale = PROBABILITY,
): Omit<SelfTest, 'D5'> {
  const present = values[PRESENT] ?? null
  const absent = values[ABSENT] ?? null
  const constants = CONSTANTS.flatMap((k) => values[k] ?? [])
  const permuted = values.slice(FIRST_PERMUTED).flatMap((value) => value ?? [])
  const constant = constants.length === 0 ? null : sign * Math.max(...constants.map((value) => sign * value))
  const found = { name, present, absent, constant, permuted: mean(permuted) }
  if (present === null) return { ...found, rises: 'n/a', D1: 'n/a', D2: 'n/a' }
  const isWorse = absent !== null && sign * (present - absent) > EQUAL
  const error = (standardDeviation(permuted) ?? 0) / Math.sqrt(Math.max(1, permuted.length))
  const rises = [
    ...(constant === null ? [] : [sign * (constant - present)]),
    ...(found.permuted === null ? [] : [sign * (found.permuted - present) - STANDARD_ERRORS * error]),
  ]
  return {
    ...found,
    rises: absent === null ? 'n/a' : isWorse ? 'yes' : 'no',
    D1: absent === null ? 'n/a' : passes(isWorse && Math.abs(present - worst) <= EQUAL),
    D2: rises.length === 0 ? 'n/a' : passes(rises.every((rise) => rise <= EQUAL)),
  }
}

function passes(holds: boolean): Outcome {
  return holds ? 'passed' : 'failed'
}

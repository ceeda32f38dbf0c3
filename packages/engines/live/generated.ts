import { categorical, numeric, type Table, table } from '@scrim/core'

/** A plain generator: what is compared needs other values each time, not good ones. */
function numbers(seed: number): () => number {
  let state = seed * 2654435761 + 12345
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const TEXTS = [
  'plain',
  'with, comma',
  'with "quotes"',
  "it's",
  'semi;colon',
  'tab\there',
  'line\nbreak',
  ' blanks around ',
  'ÄÖÜß é ñ',
  '日本語',
  '👩‍👩‍👧',
  '\\N',
  '\\back\\slash',
  "'); DROP TABLE people; --",
  '`tick`',
  '$x $1 %s',
  'NA',
  'true',
  '007',
  '2020-02-30',
]

/** A table of up to 300 records: missing values, unicode, quotes, dates, times, many levels, decimals, large and small numbers. */
export function generatedTable(seed: number): Table {
  const next = numbers(seed)
  const below = (n: number) => Math.floor(next() * n)
  const rows = 20 + below(280)
  const missing = next() < 0.7 ? next() * 0.3 : 0
  const each = <Value>(make: () => Value) => Array.from({ length: rows }, () => (next() < missing ? null : make()))
  const days = each(() => below(30_000) - 5_000)
  const times = each(() => (below(40_000) * 86_400 + below(86_400)) / 86_400)
  const date = (name: string, values: readonly (number | null)[], unit: 'day' | 'time') =>
    ({ kind: 'date', name, values: Float64Array.from(values, (value) => value ?? Number.NaN), unit }) as const
  return table(`generated${seed}`, [
    categorical(
      'text',
      each(() => TEXTS[below(TEXTS.length)]),
    ),
    categorical(
      'many "levels"',
      each(() => `level ${below(10_000)}`),
    ),
    categorical(
      'größe',
      each(() => 'SML'[below(3)]),
    ),
    numeric(
      'integer',
      each(() => below(2_000_000) - 1_000_000),
    ),
    numeric(
      'decimal',
      each(() => below(100_000) / 100),
    ),
    numeric(
      'real',
      each(() => (next() - 0.5) * 10 ** (below(40) - 20)),
    ),
    numeric(
      'constant',
      each(() => 1),
    ),
    date('day', days, 'day'),
    date('time', times, 'time'),
    categorical(
      "o'clock",
      each(() => `${below(24)}:00`),
    ),
  ])
}

import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decimal, joined, nameParts, SPARK_SQL, STANDARD_SQL, sql } from './sql.js'

const anyText = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => !text.includes('\0'))
const hostile = fc.oneof(anyText, fc.string({ unit: fc.constantFrom("'", '"', '`', '\\', ';', '-', '\n', '$', 'a') }))

/** The text of a quoted piece as the engine reads it, or undefined where the piece ends before its end. */
function readBack(piece: string, quote: string, escapes: 'doubled' | 'backslash'): string | undefined {
  if (piece[0] !== quote || piece.at(-1) !== quote || piece.length < 2) return undefined
  let text = ''
  for (let at = 1; at < piece.length - 1; at++) {
    if (escapes === 'backslash' && piece[at] === '\\') at++
    else if (piece[at] === quote) {
      if (escapes !== 'doubled' || piece[at + 1] !== quote || at + 1 === piece.length - 1) return undefined
      at++
    }
    text += piece[at]
  }
  return text
}

describe('names and texts', () => {
  it('come back as they went in, whatever is in them', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(readBack(STANDARD_SQL.name(text).text, '"', 'doubled')).toBe(text)
        expect(readBack(STANDARD_SQL.text(text).text, "'", 'doubled')).toBe(text)
        expect(readBack(SPARK_SQL.name(text).text, '`', 'doubled')).toBe(text)
        expect(readBack(SPARK_SQL.text(text).text, "'", 'backslash')).toBe(text)
      }),
    )
  })

  it('are refused with a NUL, at which some engines stop reading', () => {
    expect(() => STANDARD_SQL.name('a\0b')).toThrow('NUL')
    expect(() => SPARK_SQL.text('a\0b')).toThrow('NUL')
  })
})

describe('a statement', () => {
  it('is made of pieces and whole numbers', () => {
    const columns = joined([STANDARD_SQL.name('a"b'), STANDARD_SQL.name('c')])
    expect(sql`SELECT ${columns} FROM t WHERE x = ${STANDARD_SQL.text("it's")} LIMIT ${5}`.text).toBe(
      `SELECT "a""b", "c" FROM t WHERE x = 'it''s' LIMIT 5`,
    )
    expect(() => sql`LIMIT ${Number.NaN}`).toThrow('no whole number')
  })
})

describe('the parts of a name', () => {
  it.each([
    ['people', ['people']],
    ['census.people', ['census', 'people']],
    ['lake."my.schema".t', ['lake', 'my.schema', 't']],
    ['"a""b"', ['a"b']],
    ['a..b', undefined],
    ['', undefined],
    ['"open', undefined],
    ['"a"b', undefined],
  ])('%s', (text, parts) => {
    expect(nameParts(text, '"')).toEqual(parts)
  })

  it('come back from names that were quoted', () => {
    fc.assert(
      fc.property(
        fc.array(
          hostile.filter((text) => text !== ''),
          { minLength: 1, maxLength: 4 },
        ),
        (parts) => {
          const name = parts.map((part) => SPARK_SQL.name(part).text).join('.')
          expect(nameParts(name, '`')).toEqual(parts)
        },
      ),
    )
  })
})

it('writes numbers that every engine reads back to the last bit, and nothing else', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const { text } = decimal(value)
      expect(text).toMatch(/^-?\d(\.\d+)?e[+-]\d+$/)
      expect(Number(text)).toBe(value + 0)
    }),
  )
  expect(() => decimal(Number.NaN)).toThrow('NaN is no number')
})

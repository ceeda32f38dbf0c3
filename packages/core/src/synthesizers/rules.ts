import { UserError, unknownName } from '../errors.js'
import { type Column, isMissing } from '../table/column.js'
import { findColumn, type Table } from '../table/table.js'

/**
 * Conditions of rules, such as `age < 18 & marital != 'MARRIED'`: comparisons (`==` `!=` `<` `<=` `>` `>=`, `in (...)`,
 * `is missing`) of a column with a number or a text in quotes, joined by `&`, `|`, `!` and parentheses. A column name that
 * is not a word is put in backquotes. A comparison with a missing value is neither true nor false, as in R, and a rule
 * holds where its condition is true.
 */
export interface Condition {
  readonly text: string
  /** The columns that it looks at. */
  readonly names: readonly string[]
  /** 1 in the rows where it is true. */
  holds(columns: (name: string) => Column, rows: number): Uint8Array
}

const FALSE = 0
const TRUE = 1
const UNKNOWN = 2
type Truth = Uint8Array
type Evaluate = (columns: (name: string) => Column, rows: number) => Truth

/** Reads a condition about the columns of a table; what is wrong with it is said in one sentence that starts with `where`. */
export function parseCondition(text: string, data: Table, where: string): Condition {
  const tokens = tokensOf(text, where)
  const names = new Set<string>()
  let at = 0
  const fail = (problem: string): never => {
    throw new UserError(`${where}: ${problem} in "${text}"`)
  }
  const peek = () => tokens[at]
  const isSymbol = (...symbols: string[]) => peek()?.kind === 'symbol' && symbols.includes(peek()?.text ?? '')
  const isWord = (...words: string[]) => peek()?.kind === 'word' && words.includes(peek()?.text.toLowerCase() ?? '')
  const expect = (symbol: string) => {
    if (!isSymbol(symbol)) fail(`expected "${symbol}" ${place(peek())}`)
    at++
  }

  function disjunction(): Evaluate {
    const parts = [conjunction()]
    while (isSymbol('|', '||') || isWord('or')) {
      at++
      parts.push(conjunction())
    }
    return (columns, rows) =>
      combine(
        parts.map((part) => part(columns, rows)),
        TRUE,
      )
  }
  function conjunction(): Evaluate {
    const parts = [negation()]
    while (isSymbol('&', '&&') || isWord('and')) {
      at++
      parts.push(negation())
    }
    return (columns, rows) =>
      combine(
        parts.map((part) => part(columns, rows)),
        FALSE,
      )
  }
  function negation(): Evaluate {
    if (isSymbol('!') || isWord('not')) {
      at++
      const inner = negation()
      return (columns, rows) => inner(columns, rows).map((truth) => (truth === UNKNOWN ? UNKNOWN : 1 - truth))
    }
    if (isSymbol('(')) {
      at++
      const inner = disjunction()
      expect(')')
      return inner
    }
    return comparison()
  }
  function comparison(): Evaluate {
    if (isWord('is.na')) {
      at++
      expect('(')
      const name = columnName()
      expect(')')
      return missingTest(name, true)
    }
    const name = columnName()
    if (isWord('is')) {
      at++
      const wanted = !isWord('not')
      if (!wanted) at++
      if (!isWord('missing')) fail(`expected "missing" ${place(peek())}`)
      at++
      return missingTest(name, wanted)
    }
    if (isWord('in') || isSymbol('%in%')) {
      at++
      expect('(')
      const wanted = [literal(name, '==')]
      while (isSymbol(',')) {
        at++
        wanted.push(literal(name, '=='))
      }
      expect(')')
      return test(name, (value) => wanted.includes(value))
    }
    const operator = peek()?.kind === 'symbol' ? COMPARISONS[peek()?.text ?? ''] : undefined
    if (operator === undefined) return fail(`expected a comparison such as == or < ${place(peek())}`)
    const symbol = tokens[at++].text
    const wanted = literal(name, symbol)
    return test(name, (value) => operator(value, wanted))
  }
  function columnName(): string {
    const token = tokens[at++]
    if (token === undefined || (token.kind !== 'word' && token.kind !== 'name'))
      return fail(`expected a column ${place(token)}`)
    if (findColumn(data, token.text) === undefined)
      throw new UserError(
        `${where}: ${unknownName(
          'column',
          token.text,
          data.columns.map(({ name }) => name),
        )}`,
      )
    names.add(token.text)
    return token.text
  }
  /** A value to compare the column with, as the column holds it. */
  function literal(name: string, symbol: string): number {
    const column = findColumn(data, name)
    const token = tokens[at++]
    if (column === undefined || token === undefined || (token.kind !== 'number' && token.kind !== 'text'))
      return fail(`expected a number or a text in quotes ${place(token)}`)
    const inOrder = !['==', '=', '!=', '<>'].includes(symbol)
    if (column.kind === 'categorical' && inOrder && !column.ordered)
      fail(`the levels of "${name}" have no order, so "${symbol}" says nothing about them`)
    return valueIn(column, token.text, where)
  }

  if (tokens.length === 0) fail('there is no condition')
  const evaluate = disjunction()
  if (at < tokens.length) fail(`unexpected ${JSON.stringify(tokens[at].text)}`)
  return {
    text,
    names: [...names],
    holds: (columns, rows) => evaluate(columns, rows).map((truth) => (truth === TRUE ? 1 : 0)),
  }
}

const COMPARISONS: Readonly<Record<string, ((a: number, b: number) => boolean) | undefined>> = {
  '==': (a, b) => a === b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

const MILLISECONDS_PER_DAY = 86_400_000

/** A number of the column, or the code of a level, from what people write. */
export function valueIn(column: Column, text: string, where: string): number {
  if (column.kind === 'categorical') {
    const code = column.levels.indexOf(text)
    if (code < 0) throw new UserError(`${where}: ${unknownName(`level of "${column.name}"`, text, column.levels)}`)
    return code
  }
  const value =
    column.kind === 'date' && Number.isNaN(Number(text)) ? Date.parse(text) / MILLISECONDS_PER_DAY : Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new UserError(
      `${where}: "${column.name}" is a ${column.kind === 'date' ? 'date' : 'number'}, "${text}" is not`,
    )
  return value
}

function test(name: string, isTrue: (value: number) => boolean): Evaluate {
  return (columns, rows) => {
    const column = columns(name)
    const values = column.kind === 'categorical' ? column.codes : column.values
    const truth = new Uint8Array(rows)
    for (let row = 0; row < rows; row++)
      truth[row] = isMissing(column, row) ? UNKNOWN : isTrue(values[row]) ? TRUE : FALSE
    return truth
  }
}

function missingTest(name: string, wanted: boolean): Evaluate {
  return (columns, rows) => {
    const column = columns(name)
    return Uint8Array.from({ length: rows }, (_, row) => (isMissing(column, row) === wanted ? TRUE : FALSE))
  }
}

/** `or` is decided by one TRUE, `and` by one FALSE; otherwise unknown if any is. */
function combine(parts: readonly Truth[], deciding: number): Truth {
  if (parts.length === 1) return parts[0]
  return parts[0].map((_, row) => {
    if (parts.some((part) => part[row] === deciding)) return deciding
    return parts.some((part) => part[row] === UNKNOWN) ? UNKNOWN : 1 - deciding
  })
}

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'word' | 'symbol'
  readonly text: string
}

const TOKEN =
  /\s*(?:(?<number>-?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\w.]))|'(?<single>[^']*)'|"(?<double>[^"]*)"|`(?<name>[^`]+)`|(?<word>[\p{L}_.][\p{L}\p{N}_.]*)|(?<symbol>%in%|==|!=|<>|<=|>=|&&|\|\||[=<>&|!(),]))/uy

function tokensOf(text: string, where: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  let at = 0
  while (at < end) {
    TOKEN.lastIndex = at
    const found = TOKEN.exec(text)?.groups
    if (found === undefined) throw new UserError(`${where}: cannot read "${text.slice(at).trim()}" in "${text}"`)
    at = TOKEN.lastIndex
    if (found.number !== undefined) tokens.push({ kind: 'number', text: found.number })
    else if (found.name !== undefined) tokens.push({ kind: 'name', text: found.name })
    else if (found.word !== undefined) tokens.push({ kind: 'word', text: found.word })
    else if (found.symbol !== undefined) tokens.push({ kind: 'symbol', text: found.symbol })
    else tokens.push({ kind: 'text', text: found.single ?? found.double ?? '' })
  }
  return tokens
}

function place(token: Token | undefined): string {
  return token === undefined ? 'at the end' : `before "${token.text}"`
}

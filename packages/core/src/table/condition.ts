import { UserError, unknownName } from '../errors.js'
import { type Column, isMissing } from './column.js'
import { findColumn, type Table } from './table.js'

/**
 * Conditions about records, such as `age < 18 & marital != 'MARRIED'`: comparisons (`==` `!=` `<` `<=` `>` `>=`, `in (...)`,
 * `is missing`) joined by `&`, `|`, `!`, parentheses and, lowest, `=>` ("then"). A column is compared with a number, a text in
 * quotes or another column; numbers may be calculated (`income - tax >= 0`). `if (A) B` is `A => B`, `never A` is `!A`. A column
 * name that is not a word is put in backquotes.
 *
 * A comparison with a missing value is neither true nor false, as in R: it is unknown, and so is what depends on it.
 */
export interface Condition {
  readonly text: string
  /** The columns that it looks at. */
  readonly names: readonly string[]
  /** FALSE, TRUE or UNKNOWN in each row. */
  truth(columns: ColumnsByName, rows: number): Truth
  /** 1 in the rows where it is true. */
  holds(columns: ColumnsByName, rows: number): Uint8Array
  /** Of `A => B`, where A is true; null for a condition of another form. */
  readonly applies: ((columns: ColumnsByName, rows: number) => Uint8Array) | null
}

export const FALSE = 0
const TRUE = 1
export const UNKNOWN = 2
type Truth = Uint8Array
type ColumnsByName = (name: string) => Column
type Evaluate = (columns: ColumnsByName, rows: number) => Truth
type Calculate = (columns: ColumnsByName, rows: number) => Float64Array

/** One side of a comparison: a column as it is, a value as it is written, or a number that is calculated. */
type Operand =
  | { readonly kind: 'column'; readonly name: string }
  | { readonly kind: 'value'; readonly text: string; readonly isText: boolean }
  | { readonly kind: 'number'; readonly calculate: Calculate }

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
  const take = (isFound: boolean) => {
    if (isFound) at++
    return isFound
  }
  const expect = (symbol: string) => {
    if (!take(isSymbol(symbol))) fail(`expected "${symbol}" ${place(peek())}`)
  }

  let applies: Evaluate | null = null
  function implication(): Evaluate {
    if (take(isWord('never'))) return not(implication())
    if (take(isWord('if'))) {
      expect('(')
      const when = disjunction()
      expect(')')
      return follows(when, implication())
    }
    const when = disjunction()
    return take(isSymbol('=>')) ? follows(when, implication()) : when
  }
  function follows(when: Evaluate, then: Evaluate): Evaluate {
    applies = when
    return joined([not(when), then], TRUE)
  }
  function disjunction(): Evaluate {
    const parts = [conjunction()]
    while (take(isSymbol('|', '||') || isWord('or'))) parts.push(conjunction())
    return joined(parts, TRUE)
  }
  function conjunction(): Evaluate {
    const parts = [negation()]
    while (take(isSymbol('&', '&&') || isWord('and'))) parts.push(negation())
    return joined(parts, FALSE)
  }
  function negation(): Evaluate {
    if (take(isSymbol('!') || isWord('not'))) return not(negation())
    if (isSymbol('(') && !startsCalculation()) {
      at++
      const inner = implication()
      expect(')')
      return inner
    }
    return comparison()
  }
  /** Whether what follows the matching parenthesis goes on with a number. */
  function startsCalculation(): boolean {
    let depth = 0
    for (let k = at; k < tokens.length; k++) {
      if (tokens[k].kind !== 'symbol') continue
      if (tokens[k].text === '(') depth++
      else if (tokens[k].text === ')' && --depth === 0) {
        const next = tokens[k + 1]
        return next?.kind === 'symbol' && (next.text in COMPARISONS || '+-*/'.includes(next.text))
      }
    }
    return false
  }
  function comparison(): Evaluate {
    if (take(isWord('is.na'))) {
      expect('(')
      const name = columnName()
      expect(')')
      return missingTest(name, true)
    }
    const left = addition()
    if (take(isWord('is'))) {
      const wanted = !take(isWord('not'))
      if (!take(isWord('missing'))) fail(`expected "missing" ${place(peek())}`)
      return left.kind === 'column' ? missingTest(left.name, wanted) : fail('expected a column before "is"')
    }
    if (take(isWord('in') || isSymbol('%in%'))) {
      if (left.kind !== 'column') return fail('expected a column before "in"')
      expect('(')
      const wanted = [asHeld(left.name, value(), '==')]
      while (take(isSymbol(','))) wanted.push(asHeld(left.name, value(), '=='))
      expect(')')
      return test(left.name, (found) => wanted.includes(found))
    }
    const symbol = peek()?.kind === 'symbol' ? (peek()?.text ?? '') : ''
    const operator = COMPARISONS[symbol]
    if (operator === undefined) {
      const hint = symbol === '=>' ? ' ("at least" is written >=, and => means "then")' : ''
      return fail(`expected a comparison such as == or < ${place(peek())}${hint}`)
    }
    at++
    if (peek() === undefined) fail('expected a number or a text in quotes at the end')
    return compare(left, symbol, operator, addition())
  }
  function compare(left: Operand, symbol: string, operator: Comparison, right: Operand): Evaluate {
    if (left.kind === 'column' && right.kind === 'value') {
      const wanted = asHeld(left.name, right, symbol)
      return test(left.name, (found) => operator(found, wanted))
    }
    if (left.kind === 'value' && right.kind === 'column') {
      const wanted = asHeld(right.name, left, symbol)
      return test(right.name, (found) => operator(wanted, found))
    }
    if (left.kind === 'column' && right.kind === 'column' && isCategorical(left.name) && isCategorical(right.name)) {
      if (isOrder(symbol)) fail(`the levels of "${left.name}" and "${right.name}" have no common order`)
      return levelTest(left.name, right.name, operator)
    }
    return numberTest(numberOf(left), numberOf(right), operator)
  }

  function addition(): Operand {
    let left = multiplication()
    while (isSymbol('+', '-')) {
      const symbol = tokens[at++].text
      left = calculated(left, symbol, multiplication())
    }
    return left
  }
  function multiplication(): Operand {
    let left = operand()
    while (isSymbol('*', '/')) {
      const symbol = tokens[at++].text
      left = calculated(left, symbol, operand())
    }
    return left
  }
  function calculated(left: Operand, symbol: string, right: Operand): Operand {
    const [a, b] = [numberOf(left), numberOf(right)]
    const operator = ARITHMETIC[symbol]
    return {
      kind: 'number',
      calculate: (columns, rows) => {
        const other = b(columns, rows)
        return a(columns, rows).map((one, row) => operator(one, other[row]))
      },
    }
  }
  function operand(): Operand {
    if (take(isSymbol('('))) {
      const inner = addition()
      expect(')')
      return inner
    }
    const token = peek()
    if (token?.kind === 'number' || token?.kind === 'text' || isSymbol('-')) return value()
    return { kind: 'column', name: columnName() }
  }
  function value(): Operand & { kind: 'value' } {
    const sign = take(isSymbol('-')) ? '-' : ''
    const token = tokens[at++]
    if (token === undefined || (token.kind !== 'number' && (token.kind !== 'text' || sign === '-')))
      return fail(`expected a number or a text in quotes ${place(token)}`)
    return { kind: 'value', text: sign + token.text, isText: token.kind === 'text' }
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
  function isCategorical(name: string): boolean {
    return findColumn(data, name)?.kind === 'categorical'
  }
  /** A value to compare the column with, as the column holds it. */
  function asHeld(name: string, { text: written }: { readonly text: string }, symbol: string): number {
    const column = findColumn(data, name)
    if (column === undefined) return fail(`there is no column "${name}"`)
    if (column.kind === 'categorical' && isOrder(symbol) && !column.ordered)
      fail(`the levels of "${name}" have no order, so "${symbol}" says nothing about them`)
    return valueIn(column, written, where)
  }
  function numberOf(operand: Operand): Calculate {
    if (operand.kind === 'number') return operand.calculate
    if (operand.kind === 'value') {
      if (operand.isText) fail(`"${operand.text}" is a text, not a number,`)
      const number = Number(operand.text)
      return (_, rows) => new Float64Array(rows).fill(number)
    }
    if (isCategorical(operand.name)) fail(`"${operand.name}" is a category, not a number,`)
    return (columns) => {
      const column = columns(operand.name)
      return column.kind === 'categorical' ? new Float64Array() : column.values
    }
  }

  if (tokens.length === 0) fail('there is no condition')
  const evaluate = implication()
  if (at < tokens.length) fail(`unexpected ${JSON.stringify(tokens[at].text)}`)
  const isTrue = (condition: Evaluate) => (columns: ColumnsByName, rows: number) =>
    condition(columns, rows).map((truth) => (truth === TRUE ? 1 : 0))
  return {
    text,
    names: [...names],
    truth: evaluate,
    holds: isTrue(evaluate),
    applies: applies === null ? null : isTrue(applies),
  }
}

type Comparison = (a: number, b: number) => boolean

const COMPARISONS: Readonly<Record<string, Comparison | undefined>> = {
  '==': (a, b) => a === b,
  '=': (a, b) => a === b,
  '!=': (a, b) => a !== b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

const isOrder = (symbol: string) => !['==', '=', '!=', '<>'].includes(symbol)

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
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

/** Two columns by their labels: their codes mean different things. */
function levelTest(left: string, right: string, operator: Comparison): Evaluate {
  return (columns, rows) => {
    const [a, b] = [columns(left), columns(right)]
    const truth = new Uint8Array(rows).fill(UNKNOWN)
    if (a.kind !== 'categorical' || b.kind !== 'categorical') return truth
    const inLeft = b.levels.map((level) => a.levels.indexOf(level))
    for (let row = 0; row < rows; row++)
      if (!isMissing(a, row) && !isMissing(b, row))
        truth[row] = operator(a.codes[row], inLeft[b.codes[row]]) ? TRUE : FALSE
    return truth
  }
}

/** Numbers that are calculated are equal when they differ by rounding only. */
const ROUNDING = 1e-9

function numberTest(left: Calculate, right: Calculate, operator: Comparison): Evaluate {
  return (columns, rows) => {
    const [a, b] = [left(columns, rows), right(columns, rows)]
    const truth = new Uint8Array(rows)
    for (let row = 0; row < rows; row++) {
      const near = Math.abs(a[row] - b[row]) <= ROUNDING * Math.max(Math.abs(a[row]), Math.abs(b[row]))
      const known = Number.isFinite(a[row]) && Number.isFinite(b[row])
      truth[row] = !known ? UNKNOWN : operator(a[row], near ? a[row] : b[row]) ? TRUE : FALSE
    }
    return truth
  }
}

function missingTest(name: string, wanted: boolean): Evaluate {
  return (columns, rows) => {
    const column = columns(name)
    return Uint8Array.from({ length: rows }, (_, row) => (isMissing(column, row) === wanted ? TRUE : FALSE))
  }
}

function not(inner: Evaluate): Evaluate {
  return (columns, rows) => inner(columns, rows).map((truth) => (truth === UNKNOWN ? UNKNOWN : 1 - truth))
}

/** `or` is decided by one TRUE, `and` by one FALSE; otherwise unknown if any is. */
function joined(parts: readonly Evaluate[], deciding: number): Evaluate {
  if (parts.length === 1) return parts[0]
  return (columns, rows) => {
    const truths = parts.map((part) => part(columns, rows))
    return truths[0].map((_, row) => {
      if (truths.some((truth) => truth[row] === deciding)) return deciding
      return truths.some((truth) => truth[row] === UNKNOWN) ? UNKNOWN : 1 - deciding
    })
  }
}

interface Token {
  readonly kind: 'number' | 'text' | 'name' | 'word' | 'symbol'
  readonly text: string
}

const TOKEN =
  /\s*(?:(?<number>(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\w.]))|'(?<single>[^']*)'|"(?<double>[^"]*)"|`(?<name>[^`]+)`|(?<word>[\p{L}_.][\p{L}\p{N}_.]*)|(?<symbol>%in%|=>|==|!=|<>|<=|>=|&&|\|\||[-+*/=<>&|!(),]))/uy

function tokensOf(text: string, where: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  TOKEN.lastIndex = 0
  let at = 0
  while (at < end) {
    TOKEN.lastIndex = at
    const token = TOKEN.exec(text)?.groups
    if (token === undefined) throw new UserError(`${where}: cannot read "${text.slice(at).trim()}" in "${text}"`)
    at = TOKEN.lastIndex
    if (token.number !== undefined) tokens.push({ kind: 'number', text: token.number })
    else if (token.name !== undefined) tokens.push({ kind: 'name', text: token.name })
    else if (token.word !== undefined) tokens.push({ kind: 'word', text: token.word })
    else if (token.symbol !== undefined) tokens.push({ kind: 'symbol', text: token.symbol })
    else tokens.push({ kind: 'text', text: token.single ?? token.double ?? '' })
  }
  return tokens
}

function place(token: Token | undefined): string {
  return token === undefined ? 'at the end' : `before "${token.text}"`
}

import { math } from '@scrim/kernels'
import { UserError, unknownName } from '../../../errors.js'
import { type Column, isMissing } from '../../../table/column.js'
import { parseCondition, UNKNOWN } from '../../../table/condition.js'
import { columnOf, findColumn, type Table } from '../../../table/table.js'

/**
 * A model formula as R users type it (Wilkinson and Rogers 1973): `log(income) ~ age + sex + age:sex`.
 *
 *   a + b      both          a:b   their product      a * b    a + b + a:b       (a + b)^2   all products of two
 *   a - b      without b     .     all other columns  -1, 0 +  no intercept      factor(a)   a number as categories
 *   log(a)     also log2, log10, log1p, exp, sqrt, abs       I(a^2 + b)  numbers calculated, or I(age > 65) a condition
 *
 * The response may be calculated, or be a condition: `marital == "SINGLE" ~ age`. A column name that is not a word is put in
 * backquotes. Missing stays missing.
 */
export interface Formula {
  readonly text: string
  readonly response: Variable
  /** In R's order: main effects first, then products of two, and so on; in a product what the formula names first. */
  readonly terms: readonly ModelTerm[]
  readonly intercept: boolean
  /** All columns that it looks at. */
  readonly names: readonly string[]
}

/** A product of variables; one for a main effect. */
type ModelTerm = readonly Variable[]

/** A column, or what is calculated from some. */
export interface Variable {
  readonly label: string
  values(data: Table): Column
}

type Calculate = (data: Table) => Float64Array

const FUNCTIONS: Readonly<Record<string, ((x: number) => number) | undefined>> = {
  log: math.log,
  log2: math.log2,
  log10: math.log10,
  log1p: math.log1p,
  exp: math.exp,
  sqrt: Math.sqrt,
  abs: Math.abs,
}

/** Reads a formula about the columns of a table; what is wrong with it is told in one sentence. */
export function parseFormula(text: string, data: Table): Formula {
  const problem = (what: string) => new UserError(`formula: ${what} in "${text}"`)
  const sides = sidesOf(text)
  if (sides.length !== 2 || sides[0].trim() === '' || sides[1].trim() === '')
    throw problem('expected a response, "~" and predictors')
  const names = new Set<string>()
  const response = responseOf(sides[0].trim(), data, names, problem)
  const ownNames = new Set(names)
  const others = data.columns.map(({ name }) => name).filter((name) => !ownNames.has(name))
  const { terms, intercept } = parseTerms(sides[1], data, others, names, problem)
  if (terms.length === 0 && !intercept) throw problem('there is nothing to fit')
  return { text: text.trim(), response, terms, intercept, names: [...names] }
}

type Problem = (what: string) => UserError

/** What stands before and after a `~` that is not in quotes. */
function sidesOf(text: string): string[] {
  const hidden = text.replace(QUOTED, (quoted) => ' '.repeat(quoted.length))
  const sides: string[] = []
  let from = 0
  for (let at = hidden.indexOf('~'); at >= 0; at = hidden.indexOf('~', from)) {
    sides.push(text.slice(from, at))
    from = at + 1
  }
  return [...sides, text.slice(from)]
}

const QUOTED = /"[^"]*"|'[^']*'|`[^`]*`/g

function responseOf(text: string, data: Table, names: Set<string>, problem: Problem): Variable {
  if (isCondition(text)) return conditionVariable(text, text, data, names)
  const reader = reading(text, data, names, problem)
  const variable = reader.variable()
  if (reader.isDone()) return { ...variable, label: text }
  return calculated(text, reading(text, data, names, problem).wholeNumber())
}

function parseTerms(text: string, data: Table, others: readonly string[], names: Set<string>, problem: Problem) {
  const reader = reading(text, data, names, problem)
  const appeared = new Map<string, number>()
  let intercept = true

  function sum(isTop: boolean): ModelTerm[] {
    let all: ModelTerm[] = []
    let sign = reader.take('-') ? '-' : '+'
    for (;;) {
      const number = isTop ? reader.interceptMark() : undefined
      if (number !== undefined) intercept = (number === 1) === (sign === '+')
      else {
        const found = crossing()
        all = sign === '+' ? distinct([...all, ...found]) : without(all, found)
      }
      if (reader.take('+')) sign = '+'
      else if (reader.take('-')) sign = '-'
      else return all
    }
  }
  function crossing(): ModelTerm[] {
    let left = product()
    while (reader.take('*')) {
      const right = product()
      left = distinct([...left, ...right, ...left.flatMap((a) => right.map((b) => times(a, b)))])
    }
    return left
  }
  function product(): ModelTerm[] {
    let left = power()
    while (reader.take(':')) {
      const right = power()
      left = distinct(left.flatMap((a) => right.map((b) => times(a, b))))
    }
    return left
  }
  function power(): ModelTerm[] {
    const base = atom()
    if (!reader.take('^')) return base
    const degree = reader.wholePower()
    let all = base
    for (let k = 1; k < degree; k++) all = distinct([...all, ...all.flatMap((a) => base.map((b) => times(a, b)))])
    return all
  }
  function atom(): ModelTerm[] {
    if (reader.take('(')) {
      const inner = sum(false)
      reader.expect(')')
      return inner
    }
    if (reader.takeDot()) {
      for (const name of others) names.add(name)
      return others.map((name) => [noticed(columnVariable(name))])
    }
    return [[noticed(reader.variable())]]
  }
  function noticed(variable: Variable): Variable {
    if (!appeared.has(variable.label)) appeared.set(variable.label, appeared.size)
    return variable
  }

  const terms = sum(true)
  if (!reader.isDone()) throw problem(`unexpected "${reader.rest()}"`)
  const byOrder = terms.map((term, k) => ({ term, k })).sort((a, b) => a.term.length - b.term.length || a.k - b.k)
  const place = ({ label }: Variable) => appeared.get(label) ?? 0
  return { terms: byOrder.map(({ term }) => term.toSorted((a, b) => place(a) - place(b))), intercept }
}

const keyOf = (term: ModelTerm) => JSON.stringify(term.map(({ label }) => label).sort())

function distinct(terms: readonly ModelTerm[]): ModelTerm[] {
  const seen = new Set<string>()
  return terms.filter((term) => {
    const key = keyOf(term)
    if (seen.has(key)) return false
    seen.add(key)
    return true
  })
}

function without(terms: readonly ModelTerm[], away: readonly ModelTerm[]): ModelTerm[] {
  const gone = new Set(away.map(keyOf))
  return terms.filter((term) => !gone.has(keyOf(term)))
}

/** a:a is a. */
function times(a: ModelTerm, b: ModelTerm): ModelTerm {
  return [...a, ...b.filter(({ label }) => !a.some((one) => one.label === label))]
}

function columnVariable(name: string): Variable {
  return { label: name, values: (data) => columnOf(data, name) }
}

/** Numbers that are not finite, such as the logarithm of 0, are missing. */
function calculated(label: string, calculate: Calculate): Variable {
  return {
    label,
    values: (data) => ({
      kind: 'numeric',
      name: label,
      values: calculate(data).map((value) => (Number.isFinite(value) ? value : Number.NaN)),
    }),
  }
}

function conditionVariable(label: string, text: string, data: Table, names: Set<string>): Variable {
  const condition = parseCondition(text, data, 'formula')
  for (const name of condition.names) names.add(name)
  return {
    label,
    values: (file) => ({
      kind: 'numeric',
      name: label,
      values: Float64Array.from(
        condition.truth((name) => columnOf(file, name), file.rows),
        (truth) => (truth === UNKNOWN ? Number.NaN : truth),
      ),
    }),
  }
}

/** A comparison outside of quotes. */
function isCondition(text: string): boolean {
  return /[=<>!]|%in%/.test(text.replace(QUOTED, ''))
}

const WORD = /[\p{L}_.][\p{L}\p{N}_.]*/uy
const NUMBER = /(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/iy

/** A place in a text that moves on. */
function reading(text: string, data: Table, names: Set<string>, problem: Problem) {
  let at = 0
  const skip = () => {
    while (at < text.length && /\s/.test(text[at])) at++
  }
  const match = (pattern: RegExp): string | undefined => {
    skip()
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) at += found.length
    return found
  }
  const take = (symbol: string): boolean => {
    skip()
    if (!text.startsWith(symbol, at)) return false
    at += symbol.length
    return true
  }
  const expect = (symbol: string) => {
    if (!take(symbol)) throw problem(`expected "${symbol}" ${place()}`)
  }
  const place = () => (rest() === '' ? 'at the end' : `before "${rest()}"`)
  const rest = () => text.slice(at).trim()

  function columnNamed(): string {
    if (take('`')) {
      const end = text.indexOf('`', at)
      if (end < 0) throw problem('a backquote is not closed')
      const name = text.slice(at, end)
      at = end + 1
      return known(name)
    }
    const word = match(WORD)
    if (word === undefined) throw problem(`expected a column ${place()}`)
    return known(word)
  }
  function known(name: string): string {
    if (findColumn(data, name) === undefined)
      throw new UserError(
        `formula: ${unknownName(
          'column',
          name,
          data.columns.map((column) => column.name),
        )}`,
      )
    names.add(name)
    return name
  }
  /** What stands up to the parenthesis that closes the one just read. */
  function inParentheses(): string {
    const from = at
    for (let depth = 1; at < text.length; at++) {
      if (text[at] === '(') depth++
      else if (text[at] === ')' && --depth === 0) return text.slice(from, at++)
    }
    throw problem('a parenthesis is not closed')
  }

  function variable(): Variable {
    const start = at
    const word = match(WORD)
    if (word !== undefined && take('(')) {
      const inner = inParentheses()
      const label = text.slice(start, at).trim()
      if (word === 'I')
        return isCondition(inner) ? conditionVariable(label, inner, data, names) : calculated(label, numberIn(inner))
      if (word === 'factor' || word === 'as.factor') return categories(label, reading(inner, data, names, problem))
      const transform = FUNCTIONS[word]
      if (transform === undefined)
        throw problem(unknownName('function', word, ['I', 'factor', ...Object.keys(FUNCTIONS)]))
      const argument = numberIn(inner)
      return calculated(label, (of) => argument(of).map(transform))
    }
    at = start
    return columnVariable(columnNamed())
  }
  function categories(label: string, inside: ReturnType<typeof reading>): Variable {
    const name = inside.columnNamed()
    if (!inside.isDone()) throw problem(`unexpected "${inside.rest()}"`)
    return {
      label,
      values: (file) => {
        const column = columnOf(file, name)
        return column.kind === 'categorical' ? column : asCategories(column.values, label)
      },
    }
  }
  function numberIn(inner: string): Calculate {
    return reading(inner, data, names, problem).wholeNumber()
  }
  function wholeNumber(): Calculate {
    const calculate = addition()
    if (!isDone()) throw problem(`unexpected "${rest()}"`)
    return calculate
  }
  function addition(): Calculate {
    let left = multiplication()
    for (;;) {
      if (take('+')) left = both(left, multiplication(), (a, b) => a + b)
      else if (take('-')) left = both(left, multiplication(), (a, b) => a - b)
      else return left
    }
  }
  function multiplication(): Calculate {
    let left = signed()
    for (;;) {
      if (take('*')) left = both(left, signed(), (a, b) => a * b)
      else if (take('/')) left = both(left, signed(), (a, b) => a / b)
      else return left
    }
  }
  function signed(): Calculate {
    if (!take('-')) return powered()
    const inner = signed()
    return (of) => inner(of).map((value) => -value)
  }
  function powered(): Calculate {
    const base = single()
    return take('^') ? both(base, signed(), (a, b) => math.pow(a, b)) : base
  }
  function single(): Calculate {
    if (take('(')) return numberIn(inParentheses())
    const number = match(NUMBER)
    if (number !== undefined) {
      const value = Number(number)
      return (of) => new Float64Array(of.rows).fill(value)
    }
    const found = variable()
    const column = found.values(data)
    if (column.kind === 'categorical') throw problem(`"${found.label}" is a category, not a number,`)
    return (file) => {
      const values = found.values(file)
      return values.kind === 'categorical' ? new Float64Array(file.rows).fill(Number.NaN) : values.values
    }
  }
  /** `0` or `1` alone, which stand for the intercept. */
  function interceptMark(): 0 | 1 | undefined {
    skip()
    const mark = /^[01](?![\w.:*^])/.exec(text.slice(at))?.[0]
    if (mark === undefined) return undefined
    at++
    return mark === '1' ? 1 : 0
  }
  function wholePower(): number {
    const degree = Number(match(/\d+/y) ?? Number.NaN)
    if (!(degree >= 1)) throw problem(`expected a whole number after "^"`)
    return degree
  }
  function takeDot(): boolean {
    skip()
    if (!/^\.(?![\p{L}\p{N}_.])/u.test(text.slice(at))) return false
    at++
    return true
  }
  function isDone(): boolean {
    return rest() === ''
  }
  return { take, expect, rest, variable, columnNamed, wholeNumber, interceptMark, wholePower, takeDot, isDone }
}

function both(left: Calculate, right: Calculate, operator: (a: number, b: number) => number): Calculate {
  return (data) => {
    const other = right(data)
    return left(data).map((value, row) => operator(value, other[row]))
  }
}

/** A number as categories, in the order of the numbers. */
function asCategories(values: Float64Array, name: string): Column {
  const column: Column = { kind: 'numeric', name, values }
  const distinctValues = [...new Set(values.filter((_, row) => !isMissing(column, row)))].sort((a, b) => a - b)
  const code = new Map(distinctValues.map((value, k) => [value, k]))
  return {
    kind: 'categorical',
    name,
    levels: distinctValues.map(String),
    ordered: true,
    codes: Int32Array.from(values, (value) => code.get(value) ?? -1),
  }
}

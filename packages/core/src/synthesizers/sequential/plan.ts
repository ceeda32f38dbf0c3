import { UserError, unknownName } from '../../errors.js'
import { count } from '../../print.js'
import type { Column } from '../../table/column.js'
import { type Condition, parseCondition, valueIn } from '../../table/condition.js'
import { type Rounding, roundingOf } from '../../table/precision.js'
import { columnNames, columnOf, findColumn, type Table } from '../../table/table.js'
import { type Coding, codingOf, encode, isRegular } from '../methods/coding.js'
import { numbersOf, trainingValues } from '../methods/method.js'
import { drawsOriginals, KEEP, METHOD_NAMES, nestedIn } from '../methods/methods.js'
import { densityKernel, type Kernel, type Smoothing } from '../methods/smoothing.js'
import type { SequentialOptions } from './options.js'

/** A variable to make: its parts, its rules, and what is known about it from the options. */
export interface Variable {
  readonly name: string
  readonly original: Column
  readonly coding: Coding
  readonly parts: readonly Part[]
  readonly method: string
  readonly rules: readonly Rule[]
  /** Variables that predict it, in the order of synthesis. */
  readonly predictors: readonly string[]
  readonly smoothing: Smooth
  readonly warnings: readonly string[]
}

/** One column to learn: the value, or what is special about a number. */
export interface Part {
  readonly variable: string
  readonly part: 'special' | 'value'
  readonly column: Column
  /** Original records to learn from; null for all. */
  readonly rows: Int32Array | null
}

export interface Rule {
  readonly condition: Condition
  /** What it sets, for each part. */
  readonly values: readonly number[]
}

export type Smooth =
  | { readonly kind: 'none' }
  | { readonly kind: 'kernel'; readonly kernel: Kernel | null }
  | { readonly kind: 'rmean' | 'spline'; readonly rounding: Rounding }

/** What is to be made of a table, in order; all that is wrong with the options is reported at once. */
export function planVariables(data: Table, options: SequentialOptions, defaultMethod: string): Variable[] {
  const names = visited(data, options)
  const problems: string[] = []
  const variables: Variable[] = []
  for (const [k, name] of names.entries()) {
    try {
      variables.push(planVariable(data, name, { before: names.slice(0, k), made: variables }, options, defaultMethod))
    } catch (error) {
      if (!(error instanceof UserError)) throw error
      problems.push(...error.problems)
    }
  }
  if (problems.length > 0) throw new UserError(problems)
  return variables
}

/** What comes before a variable; `made` lacks those that cannot be planned. */
interface Earlier {
  readonly before: readonly string[]
  readonly made: readonly Variable[]
}

function visited(data: Table, options: SequentialOptions): readonly string[] {
  if (data.rows === 0) throw new UserError(`${data.name} has no records to learn from`)
  const names = columnNames(data)
  const wanted = options.visitSequence ?? names
  const problems = wanted.flatMap((name, k) => {
    if (!names.includes(name)) return [`visitSequence: ${unknownName('column', name, names)}`]
    return wanted.indexOf(name) < k ? [`visitSequence: "${name}" is named twice`] : []
  })
  if (wanted.length === 0) problems.push('visitSequence: there is no variable to make')
  const { method, predictors, rules, contNa, semicont, smoothing, numToCat, catGroups } = options
  const named = { method, predictors, rules, contNa, semicont, smoothing, numToCat, catGroups }
  for (const [option, value] of Object.entries(named)) {
    if (typeof value === 'string' || typeof value === 'number') continue
    for (const name of Array.isArray(value) ? value : Object.keys(value)) {
      if (!names.includes(name)) problems.push(`${option}: ${unknownName('column', name, names)}`)
      else if (!wanted.includes(name)) problems.push(`${option}: "${name}" is not in the visitSequence`)
    }
  }
  if (problems.length > 0) throw new UserError(problems)
  return wanted
}

function planVariable(
  data: Table,
  name: string,
  earlier: Earlier,
  options: SequentialOptions,
  defaultMethod: string,
): Variable {
  const original = columnOf(data, name)
  const method = methodName(name, options.method, defaultMethod)
  const specials = specialNumbers(original, options)
  const wishes = rulesOf(name, options)
  const coding = codingOf(original, {
    specials,
    mostClasses: specials.length > 0 ? 0 : options.minNumLevels,
    groups: groupsOf(original, options),
    missing: wishes.some(({ value }) => value === null),
  })
  const columns = encode(coding, original)
  const rules = wishes.map((wish) => compileRule(wish, original, coding, earlier.before, data))
  const ruled = ruledRows(rules, (other) => columnOf(data, other), data.rows)
  const regular = isRegular(columns)
  const parts = columns.map((column, k): Part => {
    const isValue = k === columns.length - 1
    const isOfAll = rules.length === 0 && (!isValue || columns.length === 1)
    return {
      variable: name,
      part: isValue ? 'value' : 'special',
      column,
      rows: isOfAll ? null : rowsOrAll(data.rows, (row) => ruled[row] < 0 && (!isValue || regular(row))),
    }
  })
  const { predictors, warnings } = predictorsOf(name, method, earlier, data, options)
  return {
    name,
    original,
    coding,
    parts,
    method,
    rules,
    predictors,
    smoothing: smoothingOf(name, original, parts[parts.length - 1], method, options),
    warnings: [...warnings, ...brokenRules(name, rules, ruled, columns)],
  }
}

function methodName(name: string, method: SequentialOptions['method'], defaultMethod: string): string {
  const chosen = typeof method === 'string' ? method : Object.hasOwn(method, name) ? method[name] : defaultMethod
  const id = chosen === '' ? KEEP : chosen
  if (nestedIn(id) === null && !METHOD_NAMES.includes(id))
    throw new UserError(`method of "${name}": ${unknownName('method', id, METHOD_NAMES)}`)
  return id
}

function specialNumbers(original: Column, { contNa, semicont }: SequentialOptions): number[] {
  const { name } = original
  return Object.entries({ contNa, semicont }).flatMap(([option, lists]) => {
    if (!Object.hasOwn(lists, name)) return []
    if (original.kind === 'categorical') throw new UserError(`${option}: "${name}" has levels, not numbers`)
    return lists[name]
  })
}

function groupsOf(original: Column, { numToCat, catGroups }: SequentialOptions): number | undefined {
  const { name } = original
  if (!numToCat.includes(name)) return undefined
  if (original.kind === 'categorical') throw new UserError(`numToCat: "${name}" has levels, not numbers`)
  return typeof catGroups === 'number' ? catGroups : Object.hasOwn(catGroups, name) ? catGroups[name] : GROUPS
}

const GROUPS = 5

/** Nested variables predict nothing, and are predicted by the variable that they are nested in alone. */
function predictorsOf(
  name: string,
  method: string,
  earlier: Earlier,
  data: Table,
  { predictors }: SequentialOptions,
): { predictors: string[]; warnings: string[] } {
  const outer = nestedIn(method)
  if (outer !== null) return { predictors: [outerOf(name, outer, earlier, data)], warnings: [] }
  const nested = earlier.made.filter((variable) => nestedIn(variable.method) !== null).map((variable) => variable.name)
  const before = earlier.before.filter((other) => !nested.includes(other))
  const wanted = Object.hasOwn(predictors, name) ? predictors[name] : before
  for (const other of wanted) {
    if (findColumn(data, other) === undefined)
      throw new UserError(`predictors of "${name}": ${unknownName('column', other, columnNames(data))}`)
    if (other === name) throw new UserError(`predictors of "${name}": it cannot predict itself`)
  }
  return {
    predictors: before.filter((other) => wanted.includes(other)),
    warnings: wanted
      .filter((other) => !before.includes(other))
      .map(
        (other) => `${name}: "${other}" is ${nested.includes(other) ? 'nested' : 'made later'} and cannot predict it`,
      ),
  }
}

function outerOf(name: string, outer: string, { before, made }: Earlier, data: Table): string {
  const where = `method of "${name}"`
  if (findColumn(data, outer) === undefined)
    throw new UserError(`${where}: ${unknownName('column', outer, columnNames(data))}`)
  if (!before.includes(outer))
    throw new UserError(`${where}: "${outer}" must be made before it; change the visitSequence`)
  if (made.find((one) => one.name === outer)?.coding.kind === 'number')
    throw new UserError(`${where}: "${outer}" is a number and has no categories; list it in numToCat`)
  return outer
}

function smoothingOf(
  name: string,
  original: Column,
  value: Part,
  method: string,
  { smoothing }: SequentialOptions,
): Smooth {
  const named = typeof smoothing !== 'string' && Object.hasOwn(smoothing, name)
  const chosen: Smoothing = typeof smoothing === 'string' ? smoothing : named ? smoothing[name] : 'none'
  const isNumber = value.column.kind !== 'categorical'
  if (named && !isNumber && chosen !== 'none')
    throw new UserError(`smoothing: "${name}" is made as levels, not numbers`)
  if (chosen === 'none' || !isNumber || !drawsOriginals(method)) return { kind: 'none' }
  const donors = trainingValues({ purpose: '', response: value.column, predictors: [], rows: value.rows })
  if (chosen === 'density') return { kind: 'kernel', kernel: densityKernel(original, donors) }
  return { kind: chosen, rounding: roundingOf(original, donors) }
}

interface RuleWish {
  readonly when: string
  readonly value: string | number | null
}

function rulesOf(name: string, { rules }: SequentialOptions): readonly RuleWish[] {
  if (!Object.hasOwn(rules, name)) return []
  const rule: RuleWish | readonly RuleWish[] = rules[name]
  return 'when' in rule ? [rule] : rule
}

function compileRule(
  { when, value }: RuleWish,
  original: Column,
  coding: Coding,
  before: readonly string[],
  data: Table,
): Rule {
  const where = `rules of "${original.name}"`
  const condition = parseCondition(when, data, where)
  const later = condition.names.filter((name) => !before.includes(name))
  if (later.length > 0) {
    const names = later.map((name) => `"${name}"`).join(', ')
    throw new UserError(`${where}: ${names} must be made before "${original.name}"; change the visitSequence`)
  }
  if (coding.kind === 'groups' && value !== null)
    throw new UserError(`${where}: it is made in groups (numToCat), so that a rule can make it missing only`)
  const wantedValue = value === null ? Number.NaN : valueIn(original, String(value), where)
  const cell: Column =
    original.kind === 'categorical'
      ? { ...original, codes: Int32Array.of(value === null ? -1 : wantedValue) }
      : { ...original, values: Float64Array.of(wantedValue) }
  const values = encode(coding, cell).map((column) => numbersOf(column)[0])
  if (coding.kind === 'classes' && values[0] < 0)
    throw new UserError(`${where}: ${value} is not one of its values; set minNumLevels to 0 to make it as a number`)
  return { condition, values }
}

export const NO_RULE = -1

/** For each record the last rule that holds. */
export function ruledRows(rules: readonly Rule[], columns: (name: string) => Column, rows: number): Int32Array {
  const ruled = new Int32Array(rows).fill(NO_RULE)
  rules.forEach(({ condition }, k) => {
    condition.holds(columns, rows).forEach((holds, row) => {
      if (holds === 1) ruled[row] = k
    })
  })
  return ruled
}

function brokenRules(name: string, rules: readonly Rule[], ruled: Int32Array, parts: readonly Column[]): string[] {
  if (rules.length === 0) return []
  const numbers = parts.map(numbersOf)
  return rules.flatMap(({ condition, values }, k) => {
    let broken = 0
    for (let row = 0; row < ruled.length; row++)
      if (ruled[row] === k && values.some((value, part) => numbers[part][row] !== value)) broken++
    return broken === 0 ? [] : [`${name}: ${count(broken, 'original record')} break the rule "${condition.text}"`]
  })
}

function rowsOrAll(rows: number, isWanted: (row: number) => boolean): Int32Array | null {
  const wanted = new Int32Array(rows)
  let count = 0
  for (let row = 0; row < rows; row++) if (isWanted(row)) wanted[count++] = row
  return count === rows ? null : wanted.slice(0, count)
}

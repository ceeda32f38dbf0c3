import { unknownName } from '../errors.js'
import { columnNames, findColumn, type Table, table } from './table.js'

/** Columns of the attacker's file that have another name in the original: theirs to ours. */
export type AttackerColumns = Readonly<Record<string, string>>

/** The attacker's file with its columns named as in the original. */
export function namedAsOurs(attacker: Table, columns: AttackerColumns): Table {
  const named = attacker.columns.map((column) => ({
    ...column,
    name: Object.hasOwn(columns, column.name) ? columns[column.name] : column.name,
  }))
  // A column of theirs that bears the name of one of ours and is not meant gives way to the one that is.
  const meant = new Set(Object.values(columns))
  return table(
    attacker.name,
    named.filter((column, k) => Object.hasOwn(columns, attacker.columns[k].name) || !meant.has(column.name)),
  )
}

/** What is wrong with the map of columns, one sentence each. */
export function attackerProblems(
  original: Table,
  attacker: Table | undefined,
  columns: AttackerColumns = {},
): readonly string[] {
  const pairs = Object.entries(columns)
  if (attacker === undefined)
    return pairs.length === 0 ? [] : ['columns of an attacker are given without a file of the attacker']
  const ours = pairs.map(([, name]) => name)
  return [
    ...pairs.flatMap(([theirs]) =>
      findColumn(attacker, theirs) === undefined
        ? [`${attacker.name} has no column "${theirs}": ${unknownName('column', theirs, columnNames(attacker))}`]
        : [],
    ),
    ...ours.flatMap((name) =>
      findColumn(original, name) === undefined
        ? [`${original.name} has no column "${name}": ${unknownName('column', name, columnNames(original))}`]
        : [],
    ),
    ...ours
      .filter((name, k) => ours.indexOf(name) !== k)
      .map((name) => `two columns of ${attacker.name} are both said to be "${name}"`),
  ]
}

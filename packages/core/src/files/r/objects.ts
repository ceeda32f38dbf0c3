import { UserError } from '../../errors.js'
import { columnNames, findColumn, type Table, table } from '../../table/table.js'
import type { Contents, HeldRoles, HeldTable } from '../contents.js'
import type { LabelledOptions } from '../labelled.js'
import { isFrame, tableOfFrame } from './frame.js'
import { classesOf, hasClass, numbersOf, part, partsOf, type RValue, textsOf } from './values.js'

/**
 * What packages for disclosure control leave in R: synthpop's `syn` the syntheses, sdcMicro's `createSdcObj` original,
 * protected data and what columns are for, simPop's functions sample and simulated population.
 */
export type Kind = 'frame' | 'synds' | 'sdcMicroObj' | 'simPopObj'

export function kindOf(value: RValue): Kind | undefined {
  if (isFrame(value)) return 'frame'
  if (value.type === 'list' && hasClass(value, 'synds')) return 'synds'
  if (value.type !== 'object') return undefined
  return hasClass(value, 'sdcMicroObj') ? 'sdcMicroObj' : hasClass(value, 'simPopObj') ? 'simPopObj' : undefined
}

export function describeValue(value: RValue): string {
  switch (kindOf(value)) {
    case 'frame':
      return 'data frame'
    case 'synds':
      return 'syntheses of synthpop'
    case 'sdcMicroObj':
      return 'sdcMicro object'
    case 'simPopObj':
      return 'simPop object'
    default: {
      const [own] = classesOf(value)
      if (own != null) return `object of class ${own}`
      return value.type === 'nothing' ? value.what : value.type === 'list' ? 'a list' : 'a vector'
    }
  }
}

export function contentsOf(name: string, value: RValue, options: LabelledOptions): Contents {
  switch (kindOf(value)) {
    case 'synds':
      return syntheses(name, value, options)
    case 'sdcMicroObj':
      return protectedData(name, value, options)
    case 'simPopObj':
      return population(name, value, options)
    default:
      return {
        tables: [{ part: '', role: 'table', table: tableOfFrame(name, value, options) }],
        roles: {},
        notes: [],
      }
  }
}

/** synthpop keeps one synthesis as a data frame and several as a list of them; the original is not among them. */
function syntheses(name: string, value: RValue, options: LabelledOptions): Contents {
  const held = part(value, 'syn')
  const frames = held === undefined ? [] : isFrame(held) ? [held] : partsOf(held).map(([, one]) => one)
  if (frames.length === 0 || !frames.every(isFrame)) throw new UserError(`${name}: holds no syntheses`)
  const tables = frames.map((frame, k): HeldTable => {
    const partName = frames.length === 1 ? '' : String(k + 1)
    return { part: partName, role: 'release', table: tableOfFrame(name, frame, options) }
  })
  return { tables, roles: { type: 'synthetic' }, notes: [] }
}

/** The slots with columns that sdcMicro has changed; what is in none of them is as in the original. */
const CHANGED = ['manipKeyVars', 'manipPramVars', 'manipNumVars', 'manipGhostVars', 'manipStrataVar'] as const

function protectedData(name: string, value: RValue, options: LabelledOptions): Contents {
  const frame = part(value, 'origData')
  if (frame === undefined || !isFrame(frame)) throw new UserError(`${name}: the sdcMicro object holds no original data`)
  const original = tableOfFrame(name, frame, options)
  const changed = CHANGED.flatMap((slot) => {
    const frame = part(value, slot)
    return frame !== undefined && isFrame(frame) && partsOf(frame).length > 0
      ? [tableOfFrame(name, frame, options)]
      : []
  })
  const deleted = new Set(textsOf(part(value, 'deletedVars')))
  const released = table(
    name,
    original.columns
      .filter((column) => !deleted.has(column.name))
      .map((column) => changed.reduce((now, from) => findColumn(from, column.name) ?? now, column)),
  )
  const strata = named(original, part(value, 'strataVar'))
  return {
    tables: [
      { part: 'original', role: 'original', table: original },
      { part: 'released', role: 'release', table: released },
    ],
    roles: {
      keys: named(original, part(value, 'keyVars')),
      numericKeys: named(original, part(value, 'numVars')),
      targets: named(original, part(value, 'sensibleVar')),
      ...optional('weight', named(original, part(value, 'weightVar'))[0]),
      ...optional('household', named(original, part(value, 'hhId'))[0]),
      type: 'perturbed',
    },
    notes: strata.length === 0 ? [] : [`${name}: the strata (${strata.join(', ')}) are not used by any measure`],
  }
}

/** simPop: a sample and the population that was simulated from it, each with its own description. */
function population(name: string, value: RValue, options: LabelledOptions): Contents {
  const sample = part(value, 'sample')
  const simulated = part(value, 'pop')
  const [original, released] = [sample, simulated].map((held) => {
    const data = held === undefined ? undefined : part(held, 'data')
    return data !== undefined && isFrame(data) ? tableOfFrame(name, data, options) : undefined
  })
  if (original === undefined || sample === undefined) throw new UserError(`${name}: the simPop object holds no sample`)
  const slot = (own: string) => textsOf(part(sample, own))[0] ?? undefined
  const strata = slot('strata')
  return {
    tables: [
      { part: 'sample', role: 'original', table: original },
      ...(released === undefined ? [] : [{ part: 'population', role: 'release' as const, table: released }]),
    ],
    roles: { ...optional('weight', slot('weight')), ...optional('household', slot('hhid')), type: 'synthetic' },
    notes: strata === undefined ? [] : [`${name}: the strata (${strata}) are not used by any measure`],
  }
}

/** sdcMicro names columns by their place, from 1. */
function named(frame: Table, places: RValue | undefined): readonly string[] {
  const names = columnNames(frame)
  return [...numbersOf(places).map((place) => names[place - 1]), ...textsOf(places)].filter((column) => column != null)
}

function optional<Role extends keyof HeldRoles>(
  role: Role,
  column: string | undefined,
): Pick<HeldRoles, Role> | object {
  return column === undefined ? {} : { [role]: column }
}

import { UserError } from '../../errors.js'
import { type Contents, chosenParts, type HeldRoles, SeveralObjects } from '../contents.js'
import type { LabelledOptions } from '../labelled.js'
import { contentsOf, describeValue, kindOf } from './objects.js'
import { unserialize } from './unserialize.js'
import { partsOf, type RValue } from './values.js'

export interface ROptions extends LabelledOptions {
  /** Objects of the file, by name or place, in order; default: all that hold tables, where that leaves no question. */
  readonly object?: readonly string[] | undefined
}

/** Files of `save` begin so: binary, native or text, of version 2 or 3. What follows is as in a file of `saveRDS`. */
const SAVED = /^RD[XBA][23]\n/
const SAVED_LENGTH = 5

/**
 * A file of `saveRDS` (.rds) or `save` (.rda, .RData). One table, or one object of a package, is taken as it is. A data
 * frame together with syntheses is the original that they were made of. Of several data frames a user must choose; the first is
 * the original then.
 */
export function readR(name: string, bytes: Uint8Array, options: ROptions): Contents {
  const isSaved = SAVED.test(String.fromCharCode(...bytes.subarray(0, SAVED_LENGTH)))
  const value = unserialize(isSaved ? bytes.subarray(SAVED_LENGTH) : bytes)
  const objects = kindOf(value) === undefined ? objectsOf(value) : [['', value] as const]
  return together(name, wanted(name, objects, value, options), options)
}

type Named = readonly (readonly [string, RValue])[]

/** Objects of a file or a list, and of the lists among them. */
function objectsOf(value: RValue, prefix = '', depth = 0): Named {
  return partsOf(value).flatMap(([own, inner], k): Named => {
    const path = `${prefix}${own === '' ? k + 1 : own}`
    if (kindOf(inner) !== undefined) return [[path, inner]]
    return depth < 2 && inner.type === 'list' ? objectsOf(inner, `${path}$`, depth + 1) : []
  })
}

function wanted(name: string, objects: Named, value: RValue, { object }: ROptions): Named {
  if (objects.length === 0) {
    const described = partsOf(value).map(([own, inner]) => `${own} (${describeValue(inner)})`)
    const what =
      described.length === 0 || value.type === 'object' ? describeValue(value) : described.slice(0, 10).join(', ')
    throw new UserError(`${name}: holds no data frame, but ${what}`)
  }
  if (object !== undefined && object.length > 0 && objects[0][0] !== '')
    return chosenParts(name, 'object', objects, object)
  const frames = objects.filter(([, inner]) => kindOf(inner) === 'frame').length
  const whole = objects.filter(([, inner]) => /^(sdcMicro|simPop)Obj$/.test(kindOf(inner) ?? '')).length
  const isClear = objects.length === 1 || (whole === 0 && frames <= 1) || isUnnamed(objects)
  if (isClear) return objects
  const list = objects.map(([own, inner]) => `${own} (${describeValue(inner)})`).join(', ')
  throw new SeveralObjects(
    `${name}: holds several objects: ${list}; choose with the option object, the original first`,
    objects.map(([own]) => own),
  )
}

/** A list of data frames without names: several releases, as `syn$syn` is. */
function isUnnamed(objects: Named): boolean {
  return objects.every(([own, inner], k) => own === String(k + 1) && kindOf(inner) === 'frame')
}

function together(name: string, objects: Named, options: ROptions): Contents {
  const held = objects.map(([own, value]) => ({ own, kind: kindOf(value), contents: contentsOf(name, value, options) }))
  if (held.length === 1) return held[0].contents
  const first = held.find(({ kind }) => kind === 'frame')
  const isOriginal = (one: (typeof held)[number]) => one === first && !isUnnamed(objects)
  return {
    tables: held.flatMap((object) =>
      object.contents.tables.map((table) => ({
        ...table,
        part: [object.own, table.part].filter((word) => word !== '').join(' '),
        role: isOriginal(object) ? ('original' as const) : ('release' as const),
      })),
    ),
    roles: Object.assign({}, ...held.map(({ contents }) => contents.roles)) as HeldRoles,
    notes: held.flatMap(({ contents }) => contents.notes),
  }
}

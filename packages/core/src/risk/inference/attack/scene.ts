import { NotApplicable } from '../../../errors.js'
import type { Response } from '../../../learners/learner.js'
import { valuesAt } from '../../../learners/predictions.js'
import type { Context, Subject } from '../../../measure.js'
import { grouped } from '../../../print.js'
import { sampleWithoutReplacement } from '../../../random/sampling.js'
import { stream } from '../../../random/stream.js'
import { jointCodes, type Part, remember, rowsOfPart, tableOfPart, weightsOfPart } from '../../../table/classes.js'
import { type Column, isMissing, stackColumns, takeRows } from '../../../table/column.js'
import { labelsOf } from '../../../table/joint.js'
import type { Release } from '../../../table/release.js'
import { columnOf, selectRows, type Table } from '../../../table/table.js'
import { type AttackOptions, isClasses, type Training } from './attackers.js'

/** What all attackers of a release have in common: records to learn from, people to be told about, and the target. */
export interface Scene extends Subject, Omit<Training, 'release'> {
  readonly options: AttackOptions
  readonly context: Context
  /** Keys that vary in the release; an attacker learns nothing from the others. */
  readonly keys: readonly string[]
  /** Classes of the response, as codes of all classes; the attacker knows those of the release only. */
  readonly known: Int32Array
  readonly levels: readonly string[]
  /** Share of each class in the original. */
  readonly shares: Float64Array
  readonly warnings: readonly string[]
  readonly droppedReleased: number
  readonly droppedOriginal: number
  people(part: 'original' | 'holdout'): People
}

/** People whose target is known. */
export interface People {
  /** Their rows in the original or in the holdout. */
  readonly rows: Int32Array
  readonly features: Table
  readonly weights: Float64Array | null
  readonly truth: Int32Array | Float64Array
}

export function setScene(subject: Subject, options: AttackOptions, context: Context): Scene {
  const { release, part, target } = subject
  const all = [...release.keys, ...release.numericKeys]
  const keys = all.filter((name) => {
    const codes = codesOf(release, name, part)
    return codes.some((code) => code !== codes[0])
  })
  const asClasses = isClasses(release, target, options)
  if (asClasses) requireFewClasses(release, target)
  const rowsIn = (of: Part) => rowsWithTarget(release, of, target, asClasses && options.targetMissing === 'level')
  const [trainable, original] = [rowsIn(part), rowsIn('original')]
  if (trainable.length === 0)
    throw new NotApplicable('no usable records: the target is missing in every released record')
  if (original.length === 0)
    throw new NotApplicable('no usable records: the target is missing in every original record')
  const { levels, read } = targetReader(release, target, asClasses)
  const peopleIn = (which: Part, rows: Int32Array): People => ({
    rows,
    features: {
      name: 'keys',
      columns: keys.map((name) => takeRows(columnOfPart(release, which, name), rows)),
      rows: rows.length,
    },
    weights: valuesAt(weightsOfPart(release, which), rows),
    truth: read(which, rows),
  })
  const outside = release.holdout === null ? new Int32Array() : rowsIn('holdout')
  const open = new Set(drawn(outside, options.publicRecords ?? 0, context, PUBLIC))
  const released = peopleIn(part, drawn(trainable, options.maxTrain, context, 0))
  const training = open.size === 0 ? released : together(released, peopleIn('holdout', Int32Array.from(open)))
  const people = peopleIn('original', original)
  const { truth } = training
  return {
    ...subject,
    options,
    context,
    keys,
    features: training.features,
    weights: training.weights,
    ...(truth instanceof Float64Array
      ? { response: { kind: 'numbers', values: truth }, known: new Int32Array() }
      : knownClasses(truth, levels)),
    levels,
    shares:
      people.truth instanceof Float64Array ? new Float64Array() : sharesOf(people.truth, people.weights, levels.length),
    warnings: warningsOf(release, target, all, keys, options),
    droppedReleased: codesOf(release, all[0], part).length - trainable.length,
    droppedOriginal: release.original.rows - original.length,
    people: (of) =>
      of === 'original'
        ? people
        : peopleIn(
            of,
            outside.filter((row) => !open.has(row)),
          ),
  }
}

/** Names the draw of public records among those of an attack. */
const PUBLIC = 2

/** The records of both, one below the other. */
function together(released: People, open: People): People {
  const { features, weights, truth, rows } = released
  const all = rows.length + open.rows.length
  return {
    rows: Int32Array.from([...rows, ...open.rows]),
    features: {
      ...features,
      columns: features.columns.map((column, k) => stackColumns([column, open.features.columns[k]])),
      rows: all,
    },
    weights:
      weights === null && open.weights === null
        ? null
        : Float64Array.from([...(weights ?? ones(rows.length)), ...(open.weights ?? ones(open.rows.length))]),
    truth:
      truth instanceof Float64Array
        ? Float64Array.from([...truth, ...open.truth])
        : Int32Array.from([...truth, ...open.truth]),
  }
}

const ones = (n: number) => new Float64Array(n).fill(1)

/** Made once per release and all else that an attack depends on. */
export function onceIn<Made>(scene: Scene, what: string, about: readonly unknown[], make: () => Made): Made {
  const { release, target, options, context } = scene
  const { targetType, targetMissing, maxTrain, publicRecords = 0 } = options
  const key = JSON.stringify([target, ...about, targetType, targetMissing, maxTrain, publicRecords, context.seed])
  return remember(release, `${what} ${key}`, make)
}

/** At most so many of the places, drawn at random. */
export function drawn(places: Int32Array, most: number | null, { seed }: Context, index: number): Int32Array {
  if (most === null || most >= places.length) return places
  const some = sampleWithoutReplacement(stream(seed, 'attack/train', index), places.length, most).sort()
  return some.map((k) => places[k])
}

/** The scene with some of its training records; a class that none of them has is unknown to the attacker. */
export function trainedOn(scene: Scene, places: Int32Array): Scene {
  const { response, features, weights, known } = scene
  const some = { ...scene, features: selectRows(features, places), weights: valuesAt(weights, places) }
  if (response.kind === 'numbers')
    return { ...some, response: { kind: 'numbers', values: valuesAt(response.values, places) } }
  const classes = knownClasses(
    places.map((place) => response.codes[place]),
    response.levels,
  )
  return { ...some, ...classes, known: classes.known.map((code) => known[code]) }
}

/** The classes that occur, numbered from 0. */
function knownClasses(codes: Int32Array, levels: readonly string[]): Pick<Scene, 'response' | 'known'> {
  const known = Int32Array.from(new Set(codes)).sort()
  const place = new Map(Array.from(known, (code, k) => [code, k]))
  const response: Response = {
    kind: 'classes',
    codes: codes.map((code) => place.get(code) ?? 0),
    levels: Array.from(known, (code) => levels[code]),
  }
  return { response, known }
}

function codesOf(release: Release, name: string, part: Part): Int32Array {
  const joint = jointCodes(release, name)
  return rowsOfPart(release, joint, joint.codes, part)
}

function rowsWithTarget(release: Release, part: Part, target: string, level: boolean): Int32Array {
  const codes = codesOf(release, target, part)
  return Int32Array.from(codes.keys()).filter((row) => level || codes[row] >= 0)
}

/** Reads the target of chosen rows as class codes over all tables, or as numbers. */
function targetReader(release: Release, target: string, asClasses: boolean) {
  const joint = jointCodes(release, target)
  const labels = asClasses ? labelsOf(joint) : []
  return {
    levels: asClasses && joint.codes.includes(-1) ? [...labels, '(missing)'] : labels,
    read: (part: Part, rows: Int32Array) => {
      const codes = rowsOfPart(release, joint, joint.codes, part)
      return asClasses
        ? rows.map((row) => (codes[row] < 0 ? labels.length : codes[row]))
        : Float64Array.from(rows, (row) => joint.numbers[codes[row]])
    },
  }
}

/** A model gives every person a probability of every class: with more classes than this it takes too much, and means little. */
const MOST_CLASSES = 1000

function requireFewClasses(release: Release, target: string): void {
  const { cardinality } = jointCodes(release, target)
  if (cardinality <= MOST_CLASSES) return
  throw new NotApplicable(
    `the target "${target}" has ${grouped(cardinality)} different values, more than the ${grouped(MOST_CLASSES)} that a model is asked to tell apart; group them`,
  )
}

function warningsOf(
  release: Release,
  target: string,
  all: readonly string[],
  keys: readonly string[],
  options: AttackOptions,
): string[] {
  const constant = all.filter((name) => !keys.includes(name))
  const isTaken = options.targetType === 'auto' && isClasses(release, target, options)
  return [
    ...(constant.length > 0 ? [`constant in the release and left out: ${constant.join(', ')}`] : []),
    ...(isTaken && jointCodes(release, target).kind === 'numeric'
      ? [`${target} has two values and is taken as classes`]
      : []),
  ]
}

function sharesOf(codes: Int32Array, weights: Float64Array | null, levels: number): Float64Array {
  const sums = new Float64Array(levels)
  let total = 0
  for (let row = 0; row < codes.length; row++) {
    const weight = weights === null ? 1 : weights[row]
    sums[codes[row]] += weight
    total += weight
  }
  return sums.map((sum) => sum / total)
}

/** A column of a part; all releases together are one column below the other. */
function columnOfPart(release: Release, part: Part, name: string): Column {
  if (part === 'all') return stackColumns(release.released.map((file) => columnOf(file, name)))
  return columnOf(tableOfPart(release, part), name)
}

/** Share of people who have a key value that no released record has. */
export function unseenShare(scene: Scene): number {
  const { features, rows } = scene.people('original')
  const unseen = new Uint8Array(rows.length)
  for (const [k, column] of features.columns.entries()) {
    const trained = scene.features.columns[k]
    if (column.kind !== 'categorical' || trained.kind !== 'categorical') continue
    const seen = new Set(trained.codes)
    for (let row = 0; row < rows.length; row++)
      if (!isMissing(column, row) && !seen.has(column.codes[row])) unseen[row] = 1
  }
  return rows.length === 0 ? 0 : unseen.reduce((sum, flag) => sum + flag, 0) / rows.length
}

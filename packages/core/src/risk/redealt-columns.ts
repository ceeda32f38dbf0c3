import type { JsonObject } from '../json.js'
import type { Context, Finding, Subject } from '../measure.js'
import type { Stream } from '../random/stream.js'
import { groupByKeys, rowsOfPart } from '../table/classes.js'
import type { Release } from '../table/release.js'
import { alsoInColumns } from './narrow-looks.js'
import { withoutRepetition } from './shared-information/repetition.js'

/**
 * Every record written several times with one column dealt out anew: no record is repeated, so that all of them count, and those
 * that differ from a twin in that column only stand around people and hide it. Without the column they repeat each other,
 * more than the originals do, and whoever sees that leaves it out; so must a measure, which then takes the repetition out
 * (`repetition.ts`). The column is the one without which the release is longest for what it says, where it is half as
 * long again for it. The choice looks at how often records are repeated, not at who they are. Blind to several columns dealt
 * out at once.
 */
export function alsoWithoutRedealt<Options extends { readonly variables: unknown }, Details extends JsonObject>(
  compute: (subject: Subject, options: Options, context: Context) => Promise<Finding<Details>>,
) {
  return alsoInColumns<Options, Details>('without a column that was dealt out anew', compute, withoutRedealt)
}

const LONGER = 1.5

/** All columns but that one; all of them where there is none. */
function withoutRedealt({ release, part }: Subject, context: Context): ReadonlySet<string> {
  const { variables } = release
  if (variables.length < 3) return new Set(variables)
  const longer = (names: readonly string[]) => timesLonger(release, part, names, context.random('redealt'))
  const [worst] = variables
    .map((name) => ({ name, times: longer(variables.filter((other) => other !== name)) }))
    .toSorted((a, b) => b.times - a.times)
  const isRedealt = worst.times >= LONGER * longer(variables)
  return new Set(variables.filter((name) => !isRedealt || name !== worst.name))
}

/** By how much the release is longer than it would be if it repeated its records, in these columns, as the original does. */
function timesLonger(release: Release, part: Subject['part'], names: readonly string[], random: Stream): number {
  const { ids, count, ...rows } = groupByKeys(release, names)
  const [original, released] = (['original', part] as const).map((of) => rowsOfPart(release, rows, ids, of))
  const left = withoutRepetition(count, original, released, random)
  return left === null ? 1 : released.length / left.length
}

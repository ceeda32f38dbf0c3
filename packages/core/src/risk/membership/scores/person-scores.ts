import { math } from '@scrim/kernels'
import { bitSpace } from '../../../neighbors/in-bits/bits.js'
import { membersOf } from '../../../neighbors/search.js'
import { space } from '../../../neighbors/space.js'
import { nearestDistances, type Where } from '../../../neighbors/tasks.js'
import { joinedCodes } from '../../../stats/joined.js'
import { columnNames, selectRows, type Table } from '../../../table/table.js'
import { aroundInBits } from '../../shared-information/around-in-bits.js'
import { membershipScores } from '../../shared-information/membership-score.js'
import { logDensities } from './kernel-density.js'
import { settled } from './real-records.js'
import { sharesOfValues } from './shared-values.js'
import { valueLikelihoods } from './value-likelihood.js'

/**
 * What one release Y says about some people r among real records R, by attacks that need no shadow models; higher looks more
 * like a member. All compare r with Y and with R without r:
 *
 *   shared information      S(r) of `shared-information/membership-score.ts`: all bits in common, as a ratio of two densities
 *   information and values  S(r) + V(r) / 2: with how much likelier single values of r make it (`value-likelihood.ts`)
 *   memorisation            max over Y of T_0(r, y) less max over R without r of T_0(r, z), in bits
 *   shared values           of the records that have a value or a pair of values of r, the share of released ones (`shared-values.ts`)
 *   nearest record          -d(r, Y), the Gower distance to the closest released record
 *   DOMIAS, neighbours      log d(r, R without r) / d(r, Y) (van Breugel, Sun, Qian and van der Schaar 2023)
 *   DOMIAS, kernels         log p_Y(r) - log p_R(r) with kernel densities
 */
export const PERSON_ATTACKS = [
  'shared information',
  'information and values',
  'memorisation',
  'shared values',
  'nearest record',
  'DOMIAS, neighbours',
  'DOMIAS, kernels',
] as const

export type PersonAttack = (typeof PERSON_ATTACKS)[number]

/** Keeps a copy's ratio finite. */
const NO_DISTANCE = 1e-9

/** Half, because the bits of S count every value that agrees already. */
const WEIGHT_OF_VALUES = 1 / 2

/** Runs one attack; who wants to know how long each takes hands in one that looks at a clock. */
export type TimedAttack = <Made>(attack: PersonAttack, work: () => Promise<Made>) => Promise<Made>

/** The tables share columns and levels, as those of a release do. `rows` of `real` are asked about. */
export async function personScores(
  real: Table,
  released: Table,
  rows: Int32Array,
  seed: number,
  where: Where,
  timed: TimedAttack = (_, work) => work(),
): Promise<Readonly<Record<PersonAttack, Float64Array>>> {
  const names = columnNames(real)
  const bits = bitSpace([real, released, selectRows(real, [])], names)
  const points = space([real, released], names, [0])
  const [ofReal, ofReleased] = points.ids
  const queries = rows.map((row) => ofReal[row])
  const near = await timed('nearest record', async () =>
    settled(await nearestDistances(where, points, membersOf(points, ofReleased), queries)),
  )
  const information = await timed('shared information', () => membershipScores(bits, rows, where))
  return {
    'shared information': information,
    'information and values': await timed('information and values', async () =>
      settled(valueLikelihoods(bits, rows).map((values, k) => information[k] + WEIGHT_OF_VALUES * values)),
    ),
    memorisation: await timed('memorisation', async () => {
      const sides = { columns: bits.columns, points: bits.points, originals: bits.ids[0], released: bits.ids[1] }
      const { toReleased, toOthers } = await aroundInBits(sides, rows, [0], seed, where)
      return toReleased.bits.map((most, k) => most - toOthers.bits[k])
    }),
    'shared values': await timed('shared values', async () =>
      sharesOfValues(
        bits.columns.map(({ codes, cardinality }) => ({
          codes: joinedCodes(bits.ids.map((ids) => ids.map((point) => codes[point]))),
          cardinality,
        })),
        real.rows,
        rows,
      ),
    ),
    'nearest record': near.map((distance) => -distance),
    'DOMIAS, neighbours': await timed('DOMIAS, neighbours', async () => {
      const others = settled(
        await nearestDistances(where, points, membersOf(points, ofReal), queries, { leaveOneOut: true }),
      )
      return near.map((distance, k) => math.log((others[k] + NO_DISTANCE) / (distance + NO_DISTANCE)))
    }),
    'DOMIAS, kernels': await timed('DOMIAS, kernels', async () => {
      const ofRelease = await logDensities(where, points, membersOf(points, ofReleased), ofReal, queries, false)
      const ofOthers = await logDensities(where, points, membersOf(points, ofReal), ofReal, queries, true)
      return ofRelease.map((density, k) => density - ofOthers[k])
    }),
  }
}

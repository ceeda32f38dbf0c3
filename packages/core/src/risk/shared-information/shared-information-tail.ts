import { z } from 'zod'
import { barChart, barsOver } from '../../chart/chart.js'
import { theOriginal } from '../../evidence/controls.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { distanceProblems } from '../../neighbors/release-space.js'
import { real } from '../../option-kinds.js'
import { percent } from '../../print.js'
import { wilson } from '../../stats/intervals.js'
import { BOUND_Z } from '../../stats/levels.js'
import { DISTANCE_MEASURE } from '../distance/declaration.js'
import { bitsOf, bitsOptions } from './bits-in-common.js'
import { onRows } from './shared-information.js'
import { type BitsInTail, bitsInTail, TWIN_BITS } from './tail.js'

/**
 * Memorisation of single people, in bits: with whom does a released record share a combination that is a thousand times
 * rarer than any that another person shares with them? D_i = most bits in common with a released record less most bits in
 * common with another original; a twin has D_i of at least ten bits. When the release is another sample of the population
 * as many people have such a twin among the other originals, so
 *   effect = (released twins - other twins) / people looked at,
 * tested as a coin; `tail.ts` has unequal sizes and records that are twins of several. The original itself gives the share
 * of people who have ten bits that nobody else has: leakage is the effect as a share of that.
 * Needs no holdout. Blind to people whom ten bits cannot tell apart: few, or coarse, columns.
 */
const options = z.object({
  bits: real(TWIN_BITS, { above: 0 }).describe('bits from which on a released record is a twin'),
  ...bitsOptions,
})

const CURVE_BITS = [5, 8, 10, 12, 15, 20]

export const sharedInformationTail = measure({
  id: 'shared-information-tail',
  title: 'Shared information with single people',
  summary:
    'share of people who share a thousandfold rarer combination with a released record than with any other person',
  ...DISTANCE_MEASURE,
  threat: 'memorisation-tail',
  role: 'decides',
  needs: [],
  blindTo: 'people whom few or coarse columns do not tell apart',
  options,
  check: distanceProblems,
  compute,
  records: {
    bitsBeyondOthers: {
      riskier: 'higher',
      meaning: 'bits shared with the release beyond those shared with other originals',
    },
  },
  sentence: ({ details: { tail, distinguishable } }) =>
    `${percent(tail.released)} of people share ${tail.bits} bits more with a released record than with any other person, ${percent(tail.others)} with another person than with a released record (${percent(distinguishable)} could)`,
  tables: ({ details: { curve } }) => [
    findingTable('bits', 'People with a record that shares so many bits with theirs', curve, [
      [column.number('bits'), ({ bits }) => bits],
      [column.share('released'), ({ released }) => released],
      [column.share('other originals'), ({ others }) => others],
    ]),
  ],
  charts: ({ details }, { name }) => [
    barChart(
      {
        name: 'twins',
        title: `People with a twin, by bits in common: ${name}`,
        grey: 'another person',
        blue: 'a released record',
        x: 'bits at least',
        y: 'share of people',
      },
      barsOver(details.curve, 'bits', { released: 'release', others: 'original' }),
    ),
  ],
})

async function compute(subject: Subject, chosen: z.output<typeof options>, context: Context) {
  const { around, ownBits, isScanned } = await bitsOf(subject, chosen, context)
  const gap = around.toReleased.bits.map((bits, at) => bits - around.toOthers.bits[at])
  const possible = ownBits.filter((bits, at) => bits - around.toOthers.bits[at] >= chosen.bits).length / ownBits.length
  const tail = bitsInTail(around, chosen.bits)
  return {
    value: tail.released,
    interval: wilson(tail.released * tail.records, tail.records),
    ...evidenceOf(tail, possible),
    added: () =>
      onRows(
        around,
        gap.map((bits) => (bits >= chosen.bits ? 1 : 0)),
      ),
    isOfAll: isScanned,
    details: {
      originals: around.originals,
      tail,
      /** Share of people with so many bits that nobody else has: who can have a twin. */
      distinguishable: possible,
      curve: CURVE_BITS.map((bits) => {
        const { released, others } = bitsInTail(around, bits)
        return { bits, released, others }
      }),
    },
    records: () => ({ bitsBeyondOthers: onRows(around, gap) }),
  }
}

function evidenceOf({ others, excess, lower, upper, p }: BitsInTail, possible: number) {
  return {
    controls: {
      fair: { value: others, se: null, what: 'twins among other people', basis: 'leave-one-out' as const },
      everything: theOriginal(possible),
    },
    effect: { value: excess, se: (upper - lower) / (2 * BOUND_Z), lower, upper, p, ceiling: possible },
    reach: possible,
  }
}

import { countIds } from '@scrim/kernels'
import { z } from 'zod'
import { UserError } from '../errors.js'
import { nameList, real, whole } from '../option-kinds.js'
import { count } from '../print.js'
import { isMissing, takeRows } from '../table/column.js'
import { columnOf, type Table } from '../table/table.js'
import { type AnonymiserRoles, anonymiser, nameProblems, withColumns } from './method/anonymiser.js'
import { type SwapPlan, swapHouseholds } from './method/household-partners.js'
import { combinations, householdRows, memberProblems } from './method/households.js'

/**
 * Targeted record swapping: households exchange their areas with others of the same size and profile, those at risk first.
 * Nothing but the areas changes, households stay together, and every area keeps its number of households of each size
 * and profile. What is known of a rare household can then no longer be tied to where it lives.
 *
 * Areas form a hierarchy, from large to small. At each level a household is at risk when a member shares area and
 * `riskVariables` with fewer than k records; or, with `risk`, when the largest given risk of its members reaches
 * `threshold`. From the largest areas on, each household at risk swaps with one of another area of that level, once.
 * In the smallest areas further ones are swapped until `swapRate` of the households are. Partners are drawn with
 * probability proportional to their risk (the largest 1/count of a member, or the risk given), first within the next larger
 * area, first by the first profile in `similar`.
 *
 * After Shlomo, Tudor and Groom (2010) and sdcMicro's recordSwap, which leaves the size to `similar` and takes partners from
 * any other area. A household without an area takes no part. Blind to whoever knows a household by other columns than
 * the area: these stay true.
 */
const options = z.object({
  hierarchy: nameList().describe(
    'columns with the areas that are swapped, from large to small: ["region", "district"]',
  ),
  similar: z
    .array(z.array(z.string()).readonly())
    .readonly()
    .default([])
    .describe(
      'profiles that a partner must share, lists of columns, the next one where no partner is found: [["tenure", "urban"], ["tenure"]]',
    ),
  riskVariables: z
    .array(z.string())
    .readonly()
    .nullable()
    .default(null)
    .describe('columns by which members are counted within areas; null for the keys that are no areas'),
  k: whole(3, { min: 0 }).describe('households with a member that fewer than k records equal are at risk; 0 for none'),
  risk: nameList().describe(
    'columns with risks of your own instead of counts: one for all levels, or one per level; 0 is never swapped',
  ),
  threshold: real(0.1, { above: 0 }).describe('for risk: a household with a member at or above this is at risk'),
  swapRate: real(0.05, { min: 0, max: 1 }).describe('share of the households that are swapped at least'),
  carryAlong: nameList().describe('further columns of the household that go with the areas, such as smaller areas'),
})

type Options = z.output<typeof options>

export const recordSwapping = anonymiser({
  id: 'record-swapping',
  title: 'Targeted record swapping',
  summary: 'Swaps the areas of whole households of equal size and profile, those at risk first.',
  options,
  apply(data, roles, chosen, context) {
    const riskVariables = chosen.riskVariables ?? roles.keys.filter((name) => !chosen.hierarchy.includes(name))
    const problems = nameProblemsOf(data, roles, chosen, riskVariables)
    if (problems.length > 0) throw new UserError(problems)
    const households = householdRows(data, roles.household)
    problems.push(...constancyProblems(data, households, chosen))
    if (problems.length > 0) throw new UserError(problems)
    const plan = planOf(data, households, chosen, riskVariables)
    const done = swapHouseholds(plan, chosen.swapRate, context)
    const source = sourceRows(households, done.partner, data.rows)
    const moved = [...chosen.hierarchy, ...chosen.carryAlong].map((name) => takeRows(columnOf(data, name), source))
    const swapped = done.partner.reduce((total, partner) => total + (partner >= 0 ? 1 : 0), 0)
    const stuck = done.withoutPartner.reduce((a, b) => a + b, 0)
    return {
      table: withColumns(data, moved),
      description: {
        households: households.length,
        /** Households that have other areas than before, partners included. */
        swapped,
        swappedShare: swapped / households.length,
        records: households.reduce((total, rows, h) => total + (done.partner[h] >= 0 ? rows.length : 0), 0),
        levels: chosen.hierarchy.map((area, level) => ({
          area,
          areas: new Set(plan.areas[level]).size,
          /** Households at risk at this level. */
          atRisk: plan.atRisk[level].reduce((total, flag) => total + flag, 0),
          /** Of these, not swapped at a larger level, and with no partner at this one. */
          withoutPartner: done.withoutPartner[level],
        })),
        /** Swaps by the profile that the partner shared, in the order of `similar`; without profiles the size alone. */
        swapsByProfile: done.swapsByProfile,
      },
      notes:
        stuck === 0
          ? []
          : [
              `${count(stuck, 'household')} at risk found no partner and stay where they are; fewer columns in similar help`,
            ],
    }
  },
})

function nameProblemsOf(
  data: Table,
  { household }: AnonymiserRoles,
  chosen: Options,
  riskVariables: readonly string[],
): string[] {
  const { hierarchy, similar, risk, carryAlong, k } = chosen
  if (hierarchy.length === 0)
    return ['record-swapping needs the option hierarchy: columns with areas, from large to small']
  const problems = nameProblems(data, [...hierarchy, ...carryAlong])
  for (const names of [...similar, riskVariables, risk]) problems.push(...nameProblems(data, names))
  for (const name of new Set([...similar.flat(), ...riskVariables, ...risk]))
    if (hierarchy.includes(name) || carryAlong.includes(name))
      problems.push(`"${name}" is swapped and cannot be compared`)
  if (household !== null && [...hierarchy, ...carryAlong].includes(household))
    problems.push(`"${household}" is the household and cannot be swapped`)
  if (risk.length > 1 && risk.length !== hierarchy.length)
    problems.push(`risk names ${risk.length} columns; it must be one, or one for each of the ${hierarchy.length} areas`)
  if (risk.length === 0 && k > 0 && riskVariables.length === 0)
    problems.push('record-swapping needs keys or riskVariables to find households at risk; k = 0 swaps at random')
  if (problems.length > 0) return problems
  return risk.flatMap((name) => {
    const column = columnOf(data, name)
    const good = column.kind === 'numeric' && column.values.every((value) => value >= 0)
    return good ? [] : [`risk: "${name}" must be a number of at least 0 in every record`]
  })
}

function constancyProblems(data: Table, households: readonly Int32Array[], chosen: Options): string[] {
  const { hierarchy, carryAlong, similar } = chosen
  return [
    ...memberProblems(data, households, hierarchy, 'hierarchy'),
    ...memberProblems(data, households, carryAlong, 'carryAlong'),
    ...memberProblems(data, households, [...new Set(similar.flat())], 'similar'),
  ]
}

function planOf(
  data: Table,
  households: readonly Int32Array[],
  { hierarchy, similar, risk, k, threshold, carryAlong }: Options,
  riskVariables: readonly string[],
): SwapPlan {
  const swapped = [...hierarchy, ...carryAlong].map((name) => columnOf(data, name))
  // A missing area stays missing, so its household takes no part.
  const takesPart = (rows: Int32Array) => swapped.every((column) => !isMissing(column, rows[0]))
  const ofHousehold = (perRow: Int32Array) => Int32Array.from(households, ([first]) => perRow[first])
  const levels = hierarchy.map((_, level) => hierarchy.slice(0, level + 1))
  const risks = levels.map((names, level) => {
    const recordRisk =
      risk.length > 0 ? givenRisk(data, risk[Math.min(level, risk.length - 1)]) : rarity(data, names, riskVariables)
    return Float64Array.from(households, (rows) =>
      takesPart(rows) ? rows.reduce((most, row) => Math.max(most, recordRisk[row]), 0) : 0,
    )
  })
  // A count below k is a rarity above 1 / k; halfway to the next count no rounding matters.
  const isAtRisk = (value: number) => (risk.length > 0 ? value >= threshold : k > 0 && value > 1 / (k - 0.5))
  return {
    areas: levels.map((names) => ofHousehold(combinations(data, names).ids)),
    atRisk: risks.map((own) => Uint8Array.from(own, (value) => (isAtRisk(value) ? 1 : 0))),
    risk: risks[risks.length - 1],
    sizes: Int32Array.from(households, (rows) => rows.length),
    profiles: (similar.length > 0 ? similar : [[]]).map((names) => ofHousehold(combinations(data, names).ids)),
  }
}

function givenRisk(data: Table, name: string): Float64Array {
  const column = columnOf(data, name)
  return column.kind === 'categorical' ? new Float64Array(data.rows) : column.values
}

/** 1 over the number of records that share area and risk variables. */
function rarity(data: Table, area: readonly string[], riskVariables: readonly string[]): Float64Array {
  const { ids, count: classes } = combinations(data, [...area, ...riskVariables])
  const sizes = countIds(ids, classes)
  return Float64Array.from(ids, (id) => 1 / sizes[id])
}

/** Per row the row whose areas it gets: the first of the partner household, or itself. */
function sourceRows(households: readonly Int32Array[], partner: Int32Array, rows: number): Int32Array {
  const source = Int32Array.from({ length: rows }, (_, row) => row)
  for (const [h, own] of households.entries())
    if (partner[h] >= 0) for (const row of own) source[row] = households[partner[h]][0]
  return source
}

import { column, type FindingTable } from '../../../evidence/finding-table.js'
import type { oneWayCheck, twoWayCheck } from '../counts/checks.js'
import type { figures } from './figures.js'

/**
 * The tables of synthpop's `disclosure` under the names and in the columns that its users know, shares in percent; for each
 * level or pair that a check names the option that leaves it out. Tables with levels in them stay inside.
 */
export function synthpopTables(
  {
    identity,
    attribute,
    cap,
    checks: { oneWay, twoWay },
  }: Pick<ReturnType<typeof figures>, 'identity' | 'attribute' | 'cap'> & {
    readonly checks: {
      readonly oneWay: ReturnType<typeof oneWayCheck>
      readonly twoWay: ReturnType<typeof twoWayCheck>
    }
  },
  target: string,
): readonly FindingTable[] {
  const { maxDenominator, meanDenominator, ...attributed } = attribute
  const flagged = oneWay?.flagged ? [oneWay] : []
  return [
    { ...row('ident', 'Identity disclosure (ident)', identity), publishable: true, ofKeys: true },
    {
      name: 'attrib',
      title: 'Attribute disclosure (attrib)',
      columns: [
        ...shares(attributed),
        { ...column.count('max_denom'), internal: true },
        { ...column.number('mean_denom', 3), internal: true },
      ],
      rows: [[...Object.values(attributed), maxDenominator, meanDenominator]],
      publishable: true,
    },
    row('allCAPs', 'Correct attribution probabilities (allCAPs)', cap),
    {
      name: 'check_1way',
      title: 'One level that most disclosed records have (check_1way)',
      columns: [
        column.text('Level'),
        column.count('All'),
        column.share('PctLevelAll'),
        column.count('totalDisclosive'),
        column.count('nLevelDis'),
        column.share('PctLevelDis'),
      ],
      rows: flagged.map((check) => [
        check.level ?? MISSING,
        check.all,
        check.levelShare,
        check.totalDisclosive,
        check.levelDisclosive,
        check.levelDisclosiveShare,
      ]),
    },
    {
      name: 'check_2way',
      title: 'Pairs of target and key level that may be common knowledge (check_2way)',
      columns: [
        column.text('target_key_levs'),
        column.count('npairs'),
        column.text('key'),
        column.count('key_target_total'),
        column.count('key_total'),
        column.share('PctTargetKeyLevel'),
      ],
      rows: twoWay.map((pair) => [
        pairName(pair),
        pair.records,
        pair.key,
        pair.keyTargetTotal,
        pair.keyTotal,
        pair.share,
      ]),
    },
    {
      name: 'exclude',
      title: 'What leaves them out (exclude): each option may be added to the call',
      columns: [column.text('level or pair'), column.option('option')],
      rows: [
        ...flagged.map(({ level }) => [
          level ?? MISSING,
          level === null ? withoutMissing(target) : `${OPTIONS}.excludeTarget.${target}=${level}`,
        ]),
        ...twoWay.map((pair) => [pairName(pair), exclusionOf(pair, target)]),
      ],
    },
  ]
}

type Pair = ReturnType<typeof twoWayCheck>[number]

/** Before an option, so that `assess` takes it as `measure` does. */
const OPTIONS = 'disclosure'

/** As synthpop calls it. */
const MISSING = 'Missing'

function row(name: string, title: string, figure: Readonly<Record<string, number | null>>): FindingTable {
  return { name, title, columns: shares(figure), rows: [Object.values(figure)] }
}

function shares(figure: Readonly<Record<string, number | null>>) {
  return Object.keys(figure).map((name) => column.share(name))
}

function pairName({ target, level }: Pair): string {
  return `${target ?? MISSING}|${level ?? MISSING}`
}

function exclusionOf({ key, level, target }: Pair, variable: string): string {
  if (target === null) return withoutMissing(variable)
  if (level === null) return `${OPTIONS}.useMissingKeys.${key}=false`
  return `${OPTIONS}.exclude+=${JSON.stringify({ key, level, target, in: variable })}`
}

function withoutMissing(target: string): string {
  return `${OPTIONS}.useMissingTarget.${target}=false`
}

import { math } from '@scrim/kernels'
import { z } from 'zod'
import { barChart, histogramChart } from '../../chart/chart.js'
import { column, findingTable } from '../../evidence/finding-table.js'
import { measure, type Subject } from '../../measure.js'
import { choice, flag, real, whole } from '../../option-kinds.js'
import { count, fixed, grouped, percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { mean } from '../../stats/sums.js'
import { type Part, remember, weightsOfPart } from '../../table/classes.js'
import type { Release } from '../../table/release.js'
import { FILE_STRUCTURE } from './counts/frequencies.js'
import { sizeBars } from './counts/sizes.js'
import { type Diversity, diversity, ENTROPY_TOLERANCE, NEARLY_ALL_DIFFERENT } from './sensitive/diversity.js'
import {
  alongRows,
  type SensitiveClasses,
  sensitiveClasses,
  sensitiveOptions,
  sensitiveWarnings,
} from './sensitive/sensitive.js'

/**
 * l-diversity: every class of records with the same key holds enough different values of a sensitive variable
 * (Machanavajjhala, Kifer, Gehrke and Venkitasubramaniam 2007). With counts r_1 >= r_2 >= ... >= r_m of the values in a
 * class and shares p_i = r_i / sum r
 *   distinct         m >= l
 *   entropy          H = -sum p_i ln p_i >= ln l
 *   recursive(c, l)  m >= l and r_1 < c (r_l + ... + r_m)
 * The headline is the share of records in classes that fail, by distinct values unless `kind` says otherwise.
 * Blind to how alike the values are (incomes of 1000 and 1001 differ) and to how common they are in the file (t-closeness).
 */
const options = z.object({
  l: whole(2, { min: 1 }).describe('number of well-represented values that is demanded'),
  c: real(2, { above: 0 }).describe('how often the commonest value may outweigh the rest, for recursive(c, l)'),
  kind: choice(['distinct', 'entropy', 'recursive'], 'distinct').describe('which definition makes the headline'),
  ...sensitiveOptions,
  sensitiveMissing: choice(['drop', 'category'], 'drop').describe(
    'a missing sensitive value leaves its record out, or is one more value',
  ),
  weighted: flag(false).describe(
    'use the weights of the file for the shares of the values; distinct values are always counted',
  ),
})

export type Options = z.output<typeof options>

export const lDiversity = measure({
  ...FILE_STRUCTURE,
  id: 'l-diversity',
  title: 'l-diversity',
  summary: 'share of records in classes with fewer than l values of the sensitive variable',
  threat: 'attribute',
  needs: ['keys', 'target'],
  blindTo: 'how alike the values of a class are, and how common they are in the file',
  isOfCounts: () => true,
  options,
  compute,
  citations: ['machanavajjhala2007'],
  records: {
    distinct: { riskier: 'lower', meaning: 'different target values among the records with the same key' },
    entropyL: { riskier: 'lower', meaning: 'entropy l-diversity of the class: exp of the entropy of the target' },
    recursiveL: { riskier: 'lower', meaning: 'recursive l-diversity of the class' },
  },
  literature: [
    {
      value: 2,
      meaning: 'two values are the least that hides anything, three are good',
      source: 'Machanavajjhala et al. 2007',
    },
  ],
  sentence: ({ details }) =>
    `l = ${details.distinctL} (entropy ${fixed(details.entropyL, 2)}); ${count(details.distinct.violating, 'record')} (${percent(details.distinct.share)}) in classes with fewer than ${details.l} values of ${details.target}, ${grouped(details.distinct.notDiverse)} of them in classes large enough to have more`,
  tables: ({ details }) => [
    findingTable(
      'kinds',
      'Classes and records that fall short, by kind of diversity',
      (['distinct', 'entropy', 'recursive'] as const).map((kind) => ({ kind, ...details[kind] })),
      [
        [column.text('kind'), ({ kind }) => kind],
        [column.count('classes'), ({ classes }) => classes],
        [column.count('records'), ({ violating }) => violating],
        [column.share('of all'), ({ share }) => share],
        [column.count('too small'), ({ tooSmall }) => tooSmall],
        [column.count('not diverse'), ({ notDiverse }) => notDiverse],
      ],
    ),
    findingTable('values', 'By number of different values in the class', details.byDistinct, [
      [column.number('values'), ({ distinct }) => distinct],
      [column.count('classes'), ({ classes }) => classes],
      [column.count('records'), ({ records }) => records],
    ]),
  ],
  charts: ({ details }, { name, original }) => [
    barChart(
      {
        name: 'distinct-values',
        title: `Records by values of ${details.target} in their class: ${name}`,
        x: 'distinct values in the class',
        y: 'share of records',
      },
      sizeBars(details, original?.details, details.l, (file) =>
        file.byDistinct.map(({ distinct, records }) => [distinct, records]),
      ),
    ),
    histogramChart(
      { name: 'entropy', title: `Entropy of ${details.target} in the classes: ${name}`, x: 'entropy', y: 'classes' },
      details.entropyHistogram,
      [{ value: math.log(details.l), label: `ln ${details.l}` }],
    ),
  ],
})

const ENTROPY_BINS = 30

function compute({ release, part, target }: Subject, chosen: Options) {
  const { l, c, kind, bins } = chosen
  const classes = sensitiveClasses(release, part, release.keys, target, chosen)
  const weights = chosen.weighted ? weightsOfPart(release, part) : null
  const own = diversity(classes, weights, chosen)
  const worstC = largest(own.cNeeded)
  const maxEntropy = largest(own.entropy)
  const perRecord = valuesPerRecord(classes, own)
  const details = {
    target,
    l,
    c,
    kind,
    records: classes.n,
    classes: classes.count,
    droppedKeys: classes.droppedKeys,
    droppedSensitive: classes.droppedSensitive,
    missingPolicy: classes.policy,
    bins,
    /** Values of the sensitive variable in the file. */
    values: classes.values.count,
    /** What the worst class has: distinct values, exp(entropy), and the largest l of recursive(c, l). */
    distinctL: smallest(own.distinct),
    entropyL: smallest(own.entropyL),
    recursiveL: smallest(own.recursiveL),
    distinct: violationsOf(classes, l, (j) => own.distinct[j] < l),
    entropy: violationsOf(classes, l, (j) => own.entropy[j] < math.log(l) - ENTROPY_TOLERANCE),
    recursive: violationsOf(classes, l, (j) => own.isRecursive[j] === 0),
    /** The smallest c for which every class would be recursive(c, l); null when some class has fewer than l values. */
    cNeeded: Number.isFinite(worstC) ? worstC : null,
    meanDistinct: mean(own.distinct) ?? 0,
    maxDistinct: largest(own.distinct),
    meanEntropy: mean(own.entropy) ?? 0,
    maxEntropy,
    /** Mean over classes of two records or more of values per record; near 1, every value is a value of its own. */
    valuesPerRecord: perRecord,
    byDistinct: byDistinct(classes, own),
    entropyHistogram: histogram(own.entropy, ENTROPY_BINS, 0, Math.max(maxEntropy, math.log(l))),
    weighted: weights !== null,
    /** With several targets, all of them at hand: the least that is left of each when the others are known too. */
    multiAttribute: release.targets.length > 1 ? multiAttribute(release, part, chosen) : null,
  }
  const looksDiverse = classes.values.kind !== 'categorical' && perRecord !== null && perRecord > NEARLY_ALL_DIFFERENT
  return {
    value: details[kind].share,
    interval: null,
    details,
    warnings: [
      ...sensitiveWarnings(target, classes),
      ...(looksDiverse
        ? [
            `nearly every record has its own value of "${target}", so any class looks diverse even when its values are close together (similarity attack); set bins`,
          ]
        : []),
    ],
    records: () => ({
      distinct: alongRows(own.distinct, classes),
      entropyL: alongRows(own.entropyL, classes),
      recursiveL: alongRows(own.recursiveL, classes),
    }),
  }
}

function smallest(values: Float64Array): number {
  return values.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
}

function largest(values: Float64Array): number {
  return values.reduce((a, b) => Math.max(a, b), Number.NEGATIVE_INFINITY)
}

/** Violating records are in classes of fewer than l records, which cannot have l values, or in larger ones. */
function violationsOf({ sizes, count: classCount, n }: SensitiveClasses, l: number, fails: (j: number) => boolean) {
  let classes = 0
  let tooSmall = 0
  let notDiverse = 0
  for (let j = 0; j < classCount; j++) {
    if (!fails(j)) continue
    const size = sizes[j]
    classes++
    if (size < l) tooSmall += size
    else notDiverse += size
  }
  const violating = tooSmall + notDiverse
  return { satisfied: classes === 0, classes, violating, share: violating / n, tooSmall, notDiverse }
}

function valuesPerRecord({ sizes }: SensitiveClasses, { distinct }: Diversity): number | null {
  let sum = 0
  let classes = 0
  for (let j = 0; j < distinct.length; j++) {
    const size = sizes[j]
    if (size < 2) continue
    sum += distinct[j] / size
    classes++
  }
  return classes === 0 ? null : sum / classes
}

function byDistinct({ sizes }: SensitiveClasses, { distinct }: Diversity) {
  const groups = new Map<number, { classes: number; records: number }>()
  for (let j = 0; j < distinct.length; j++) {
    const group = groups.get(distinct[j]) ?? { classes: 0, records: 0 }
    group.classes++
    group.records += sizes[j]
    groups.set(distinct[j], group)
  }
  return [...groups].sort(([a], [b]) => a - b).map(([m, group]) => ({ distinct: m, ...group }))
}

/**
 * Several sensitive variables: whoever knows all but one of a person's may look only at those who share them. For each
 * variable the classes are split by the others; the result is the least over sub-classes and variables.
 */
function multiAttribute(release: Release, part: Part, chosen: Options) {
  const key = `multi-attribute diversity ${JSON.stringify([part, chosen])}`
  return remember(release, key, () => {
    const weights = chosen.weighted ? weightsOfPart(release, part) : null
    const perTarget = release.targets.map((target) => {
      const others = release.targets.filter((name) => name !== target)
      const classes = sensitiveClasses(release, part, [...release.keys, ...others], target, chosen)
      return diversity(classes, weights, chosen)
    })
    return {
      entropyL: Math.min(...perTarget.map(({ entropyL }) => smallest(entropyL))),
      recursiveL: Math.min(...perTarget.map(({ recursiveL }) => smallest(recursiveL))),
    }
  })
}

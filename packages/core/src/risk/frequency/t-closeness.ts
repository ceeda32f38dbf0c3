import { math } from '@scrim/kernels'
import { z } from 'zod'
import { histogramChart, lineChart } from '../../chart/chart.js'
import { column, figureTable, findingTable } from '../../evidence/finding-table.js'
import { type Context, measure, type Subject } from '../../measure.js'
import { choice, flag, real, whole } from '../../option-kinds.js'
import { count, fixed, percent } from '../../print.js'
import { histogram } from '../../stats/histogram.js'
import { quantiles } from '../../stats/quantile.js'
import { mean } from '../../stats/sums.js'
import { jointCodes, rowsOfPart, weightsOfPart } from '../../table/classes.js'
import { labelsOf } from '../../table/joint.js'
import type { Release } from '../../table/release.js'
import { CLASS_SIZE, FILE_STRUCTURE } from './counts/frequencies.js'
import { distanceFor, distanceKind, distanceReader, overClasses } from './sensitive/closeness.js'
import { treeProblems } from './sensitive/earth-movers.js'
import { type Expected, expectedDistances } from './sensitive/random-classes.js'
import { alongRows, sensitiveClasses, sensitiveOptions, sensitiveWarnings } from './sensitive/sensitive.js'

/**
 * t-closeness: the distribution of a sensitive variable within every class of records with the same key is near that in
 * the whole file (Li, Li and Venkatasubramanian 2007). With the earth mover's distance EMD_j between class j and the file,
 * a class violates t when EMD_j > t. The headline is the share of records in violating classes.
 * The ground distance between two values is |rank - rank| / (m - 1) (`ordered`), |x - y| / range (`value`), 1 (`nominal`)
 * or the height of their common ancestor in a tree over the tree's height (`hierarchical`).
 * A small class is far from the file by chance alone, a single record most of all: read the figures for classes of at
 * least k records, and the excess over the EMD of random classes of the same size. Blind to who is in the class.
 */
const DEFAULT_T = 0.2

const options = z.object({
  t: real(DEFAULT_T, { min: 0, max: 1 }).describe('largest distance from the file that is acceptable'),
  distance: choice(['auto', 'ordered', 'value', 'nominal', 'hierarchical'], 'auto').describe(
    'distance between two values; auto: ordered for numbers, dates and ordered categories, else nominal',
  ),
  tree: z
    .record(z.string(), z.string())
    .nullable()
    .default(null)
    .describe('for hierarchical: the parent of every value and of every group but the topmost'),
  k: whole(5, { min: 1 }).describe('figures are also given for classes of at least this many records'),
  ...sensitiveOptions,
  weighted: flag(true).describe('use the weights of the file, where it has any, for the distributions'),
})

export type Options = z.output<typeof options>

export const tCloseness = measure({
  ...FILE_STRUCTURE,
  id: 't-closeness',
  title: 't-closeness',
  summary: 'share of records in classes where the sensitive variable is distributed unlike in the file',
  threat: 'attribute',
  needs: ['keys', 'target'],
  blindTo: "classes that are as homogeneous as the file, and whether a synthetic class is anybody's",
  // A tree names the values of the records that are here.
  isOfCounts: ({ distance }) => distance !== 'hierarchical',
  options,
  check,
  compute,
  citations: ['li2007'],
  records: {
    emd: { riskier: 'higher', meaning: 'distance between the target in the class and in the file' },
    excess: { riskier: 'higher', meaning: 'that distance beyond what a random class of this size has' },
    classSize: CLASS_SIZE,
  },
  literature: [
    { value: DEFAULT_T, meaning: 'a t of 0.15 to 0.2 is usual', source: 'Li, Li and Venkatasubramanian 2007' },
  ],
  sentence: ({ details }) =>
    `t = ${fixed(details.achieved, 3)}; ${count(details.violating, 'record')} (${percent(details.violatingShare)}) in classes where ${details.target} is more than ${details.t} away from the file; ${details.atLeastK.violatingShare === null ? `no class has ${details.atLeastK.k} records` : `${percent(details.atLeastK.violatingShare)} within classes of at least ${details.atLeastK.k}`}`,
  tables: ({ details }) => [
    figureTable('distances', 'Distances of the classes to the whole file', details.emd),
    findingTable('sizes', 'By size of the class; by chance: were the values dealt out at random', details.bySize, [
      [column.number('class size'), ({ size }) => size],
      [column.count('classes'), ({ classes }) => classes],
      [column.number('mean distance'), ({ meanEmd }) => meanEmd],
      [column.number('largest'), ({ maxEmd }) => maxEmd],
      [column.number('by chance'), ({ expected }) => expected],
    ]),
  ],
  charts: ({ details }, { name }) => [
    histogramChart(
      {
        name: 'distances',
        title: `Distance of the classes from the file in ${details.target}: ${name}`,
        x: "earth mover's distance",
        y: 'classes',
      },
      details.emdHistogram,
      [{ value: details.t, label: `t = ${details.t}` }],
    ),
    lineChart(
      {
        name: 'by-size',
        title: `Distance by size of the class: ${name}`,
        x: 'records in the class (logarithm to base 10)',
        y: "mean earth mover's distance",
      },
      details.bySize.flatMap(({ size, meanEmd, expected }) => [
        { x: math.log10(size), y: meanEmd, series: 'classes' },
        { x: math.log10(size), y: expected, series: 'random classes of the same size' },
      ]),
    ),
  ],
})

function check(release: Release, { distance, tree, bins }: Options): string[] {
  if (distance !== 'hierarchical')
    return tree === null ? [] : [`the option tree is used by the distance "hierarchical" only, not by "${distance}"`]
  if (tree === null) return ['the distance "hierarchical" needs the option tree']
  if (bins !== null) return ['the distance "hierarchical" is between values as they are: leave out bins']
  return release.targets.flatMap((target) => treeProblems(valuesOf(release, target), tree, target))
}

/** The values of a variable that occur in the original or in a release. */
function valuesOf(release: Release, name: string): string[] {
  const joint = jointCodes(release, name)
  const occurs = new Uint8Array(joint.cardinality)
  for (const part of ['original', ...release.released.keys()] as const)
    for (const code of rowsOfPart(release, joint, joint.codes, part)) if (code >= 0) occurs[code] = 1
  return labelsOf(joint).filter((_, code) => occurs[code] === 1)
}

const EMD_BINS = 25

function compute({ release, part, target }: Subject, chosen: Options, context: Context) {
  const { t, k, bins } = chosen
  const classes = sensitiveClasses(release, part, release.keys, target, { ...chosen, sensitiveMissing: 'drop' })
  const weights = chosen.weighted ? weightsOfPart(release, part) : null
  const mass = weights ?? (classes.times && Float64Array.from(classes.times))
  const kind = distanceKind(target, classes.values, chosen)
  const distance = distanceFor(kind, target, classes, mass, chosen)
  const distanceOf = distanceReader(classes, mass, distance)
  const { sizes } = classes
  const emd = Float64Array.from(sizes, (_, j) => distanceOf(classes.rows, classes.start[j], classes.start[j + 1]))
  const expected = expectedDistances(classes, weights, distance, context)
  const all = overClasses(sizes, emd, expected, t, 1)
  const large = overClasses(sizes, emd, expected, t, k)
  const [min, q1, median, q3, max] = quantiles(emd, [0, 0.25, 0.5, 0.75, 1]) ?? [0, 0, 0, 0, 0]
  const unordered = kind === 'ordered' && !classes.values.ordered
  return {
    value: all.violating / classes.n,
    interval: null,
    details: {
      target,
      t,
      distance: kind,
      satisfied: all.violating === 0,
      /** The largest EMD of any class. */
      achieved: max,
      records: classes.n,
      classes: classes.count,
      values: classes.values.count,
      droppedKeys: classes.droppedKeys,
      droppedSensitive: classes.droppedSensitive,
      missingPolicy: classes.policy,
      bins,
      weighted: weights !== null,
      violatingClasses: all.violatingClasses,
      violating: all.violating,
      violatingShare: all.violating / classes.n,
      /** Mean over records of the EMD of their class. */
      meanEmd: all.emdSum / classes.n,
      /** Over classes. */
      emd: { min, q1, median, mean: mean(emd) ?? 0, q3, max },
      emdHistogram: histogram(emd, EMD_BINS, 0, 1),
      atLeastK: {
        k,
        classes: large.classes,
        records: large.records,
        achieved: large.classes === 0 ? null : large.achieved,
        violating: large.violating,
        violatingShare: large.records === 0 ? null : large.violating / large.records,
      },
      /** Over records: the EMD that random classes of the same sizes would have, and what is beyond it. */
      meanExpected: all.expectedSum / classes.n,
      meanExcess: (all.emdSum - all.expectedSum) / classes.n,
      maxExcess: all.maxExcess,
      simulatedSizes: expected.simulated,
      interpolatedSizes: expected.interpolated,
      bySize: bySize(sizes, emd, expected),
    },
    warnings: [
      ...sensitiveWarnings(target, classes),
      ...(unordered
        ? [`"${target}" is not declared as ordered; its levels are taken in the order in which they are listed`]
        : []),
    ],
    records: () => ({
      emd: alongRows(emd, classes),
      excess: alongRows(
        emd.map((own, j) => own - expected.of(sizes[j])),
        classes,
      ),
      classSize: alongRows(sizes, classes),
    }),
  }
}

/** Classes in bands of 1, 2, 3, 4, 5 and then ever wider sizes; `size` is the mean size in the band. */
function bySize(sizes: Int32Array, emd: Float64Array, expected: Expected) {
  const bands: { classes: number; records: number; emd: number; max: number; expected: number }[] = []
  for (let j = 0; j < emd.length; j++) {
    const size = sizes[j]
    const place = size <= 5 ? size : 5 + Math.ceil(2 * math.log2(size / 5))
    bands[place] ??= { classes: 0, records: 0, emd: 0, max: 0, expected: 0 }
    const band = bands[place]
    band.classes++
    band.records += size
    band.emd += emd[j]
    band.max = Math.max(band.max, emd[j])
    band.expected += expected.of(size)
  }
  return Object.values(bands).map((band) => ({
    size: band.records / band.classes,
    classes: band.classes,
    meanEmd: band.emd / band.classes,
    maxEmd: band.max,
    expected: band.expected / band.classes,
  }))
}

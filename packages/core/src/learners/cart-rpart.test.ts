import { describe, expect, it } from 'vitest'
import { columnOf, table, tableOf } from '../table/table.js'
import { type CartTree, cpTable, growCart, prune } from './cart.js'
import type { Response } from './learner.js'

/** What rpart 4.1.19 printed on small data without ties. Nodes: number, split that led here, rows, risk, complexity. */
interface RpartCase {
  readonly title: string
  /** The last column is the response. */
  readonly data: Readonly<Record<string, readonly (number | string | null)[]>>
  readonly weights?: readonly number[]
  readonly options: { readonly minsplit: number; readonly minbucket: number; readonly cp: number }
  readonly nodes: readonly (readonly [number, string, number, number, number])[]
  readonly sizes: readonly (readonly [number, number, number])[]
}

function labels(text: string): (string | null)[] {
  return text.split(' ').map((label) => (label === '-' ? null : label))
}

const cases: readonly RpartCase[] = [
  {
    title: 'numbers with case weights',
    data: {
      x: [
        -0.591, 0.027, -1.517, -1.363, 1.178, -0.934, 1.324, 0.625, -0.046, -1.004, -0.828, -0.348, -1.538, -0.256,
        -1.15, 0.012, -0.223, 0.888, -0.592, -0.656, -0.683, -0.016, -0.443, 0.353, 0.073, 0.007, -0.188, -0.766,
        -0.221, -0.984, -1.104, -0.938, 0.679, -1.577, -0.87, 0.485, -0.186, 1.546, -0.611, -0.348,
      ],
      z: [
        0.051, 0.496, 0.508, 0.236, 0.814, 0.419, 0.191, 0.649, 0.813, 0.226, 0.365, 0.765, 0.014, 0.476, 0.811, 0.239,
        0.765, 0.193, 0.587, 0.223, 0.785, 0.677, 0.409, 0.409, 0.207, 0.264, 0.691, 0.74, 0.563, 0.143, 0.706, 0.09,
        0.438, 0.822, 0.67, 0.303, 0.932, 0.449, 0.524, 0.245,
      ],
      g: labels('e a a f e a b f a c b b c d e e d e d e f b a c a a d d b d b c c a e b a f a f'),
      y: [
        2.01, 0.513, 1.952, -1.635, 5.435, -0.11, 3.987, 2.055, 3.661, -1.305, 0.951, 3.774, -1.24, 0.684, 1.815, 2.305,
        3.022, 2.385, 3.043, 1.906, 1.738, 4.794, 0.781, -0.796, 1.033, 0.745, 2.603, 2.386, 3.763, 0.069, 4.127,
        -1.258, 1.285, 1.779, 3.029, 3.191, 3.458, 1.839, 3.028, -0.785,
      ],
    },
    weights: [
      1.5, 1.97, 0.61, 0.53, 2, 0.6, 0.68, 0.78, 1.12, 1.08, 1.57, 1.6, 1.28, 2.34, 0.33, 2.89, 1.35, 1.62, 1.95, 1.74,
      0.46, 2.54, 2.21, 2.15, 0.47, 1.83, 1.34, 2.28, 1.53, 1.9, 1.93, 1.14, 2.06, 0.6, 2.94, 2.03, 1.31, 1.1, 2.05,
      0.68,
    ],
    options: { minsplit: 12, minbucket: 4, cp: 0.005 },
    nodes: [
      [1, 'root', 40, 177.588437682, 0.5135091361],
      [2, 'z< 0.516', 23, 62.2619048261, 0.1894957223],
      [4, 'g=a,c,d,f', 16, 21.7991078156, 0.0525182226],
      [8, 'z< 0.2545', 7, 4.11745868977, 0.005],
      [9, 'z>=0.2545', 9, 8.35502002498, 0.005],
      [5, 'g=b,e', 7, 6.8105477462, 0.005],
      [3, 'z>=0.516', 17, 24.1332476357, 0.05753586988],
      [6, 'g=a,d,f', 10, 3.70331807422, 0.005],
      [7, 'g=b,e', 7, 10.2122243182, 0.005],
    ],
    sizes: [
      [0.5135091361, 0, 1],
      [0.1894957223, 1, 0.4864908639],
      [0.05753586988, 2, 0.2969951416],
      [0.0525182226, 3, 0.2394592717],
      [0.005, 4, 0.1869410491],
    ],
  },
  {
    title: 'three classes, subsets of seven levels',
    data: {
      g: labels(
        'c d e a g f a b a b e g d g b a g e e b e e b d g e f c e f f c d a a c f b g e d c b e c c g d e d e a b d b c g e d f',
      ),
      x: [
        -0.512, 2.485, 1.008, 0.293, -0.209, 1.858, -0.066, -0.163, -0.2, 0.301, -0.764, 0.082, 0.743, -0.084, -0.793,
        -0.922, 0.862, 2.003, 0.937, -1.616, -0.575, -0.004, -0.676, -1.05, -0.543, 0.556, 0.253, -0.902, 0.824, -1.56,
        0.538, -1.268, 0.641, -0.536, -1.02, -0.808, 0.057, 0.95, -1.127, -0.201, -0.228, 0.559, 0.749, 1.918, 1.007,
        3.253, -0.162, 0.334, -1.179, 1.078, -0.996, 0.527, -1.491, 0.441, 1.427, -0.066, 1.605, -0.848, 1.042, -0.306,
      ],
      k: labels(
        'mid top top mid mid low low top low top mid mid mid mid mid low mid top top mid mid top top low low top low mid top low low low low mid low mid low top low top low top top top top top mid low mid low top mid mid low top mid top mid mid low',
      ),
    },
    options: { minsplit: 12, minbucket: 4, cp: 0.001 },
    nodes: [
      [1, 'root', 60, 39, 0.358974359],
      [2, 'g=a,d,f', 22, 6, 0],
      [3, 'g=b,c,e,g', 38, 19, 0.2564102564],
      [6, 'x< 0.1915', 23, 8, 0.03846153846],
      [12, 'g=c,g', 11, 3, 0.001],
      [13, 'g=b,e', 12, 5, 0.03846153846],
      [26, 'x< -0.72', 7, 1, 0.001],
      [27, 'x>=-0.72', 5, 1, 0.001],
      [7, 'x>=0.1915', 15, 1, 0],
    ],
    sizes: [
      [0.358974359, 0, 1],
      [0.2564102564, 1, 0.641025641],
      [0.03846153846, 2, 0.3846153846],
      [0.001, 4, 0.3076923077],
    ],
  },
  {
    title: 'missing values go with the majority',
    data: {
      x: [
        0.056,
        -0.184,
        1.596,
        null,
        1.506,
        -0.445,
        0.39,
        0.919,
        null,
        -0.731,
        -1.069,
        -0.336,
        0.171,
        -1.047,
        -0.99,
        -0.918,
        null,
        0.856,
        0.033,
        -0.923,
        -1.646,
        -0.202,
        0.62,
        0.759,
        -0.119,
        0.075,
        2.341,
        0.018,
        -0.186,
        null,
        -1.29,
        0.809,
        0.736,
        -1.016,
        0.081,
        null,
        -1.526,
        -1.131,
        -0.64,
        -1.467,
      ],
      y: [
        0.203, -0.617, -0.698, 2.021, 0.008, -1.565, 1.329, 1.082, -0.946, -2.028, -1.232, -0.767, 0.387, -1.211,
        -1.842, -2.245, -0.218, 2.262, -0.324, -2.167, 0.671, -1.015, 1.921, 1.797, -0.888, -0.196, -1.932, 0.065,
        -0.454, 0.018, -0.81, 1.86, 2.02, -2.265, 0.258, -0.172, 0.503, -1.211, -2.011, -0.175,
      ],
    },
    options: { minsplit: 12, minbucket: 4, cp: 0.001 },
    nodes: [
      [1, 'root', 40, 67.0943096, 0.3163966086],
      [2, 'x< -0.0505', 24, 25.0303978333, 0.05880995507],
      [4, 'x>=-1.2105', 20, 19.70353975, 0.008992038953],
      [8, 'x< -0.3905', 15, 18.9381229333, 0.008992038953],
      [16, 'x>=-1.003', 11, 17.4796129091, 0.001],
      [17, 'x< -1.003', 4, 0.82245075, 0.001],
      [9, 'x>=-0.3905', 5, 0.1948468, 0.001],
      [5, 'x< -1.2105', 4, 1.38104475, 0.001],
      [3, 'x>=-0.0505', 16, 20.83549975, 0.1131366543],
      [6, 'x>=0.8875', 4, 4.797716, 0.001],
      [7, 'x< 0.8875', 12, 10.5689336667, 0.1131366543],
      [14, 'x< 0.2805', 6, 0.3794175, 0.001],
      [15, 'x>=0.2805', 6, 0.476714833333, 0.001],
    ],
    sizes: [
      [0.3163966086, 0, 1],
      [0.1131366543, 1, 0.6836033914],
      [0.05880995507, 3, 0.4573300828],
      [0.008992038953, 4, 0.3985201278],
      [0.001, 6, 0.3805360498],
    ],
  },
  {
    title: 'two classes, levels with missing values',
    data: {
      g: labels(
        'e g - b a f a e g a d c d - a h d e e - b a b b e e c e b d b b - c h c f e c e g c d f b g f b b a e',
      ),
      b: labels(
        'no no no yes no no no no yes no no no yes no no no yes no no yes yes no yes yes no no yes yes yes yes yes yes no no no yes no no no no yes yes yes no yes no yes yes yes no no',
      ),
    },
    options: { minsplit: 9, minbucket: 3, cp: 0.001 },
    nodes: [
      [1, 'root', 51, 22, 0.5],
      [2, 'g=a,e,f,h', 22, 2, 0],
      [3, 'g=b,c,d,g', 29, 9, 0],
    ],
    sizes: [
      [0.5, 0, 1],
      [0.001, 1, 0.5],
    ],
  },
  {
    title: 'two classes',
    data: {
      x: [
        -0.662, 1.719, 2.122, 1.497, -0.036, 1.232, -0.065, 1.069, -0.377, 1.043, -0.383, 0.299, 0.674, -0.293, 0.488,
        0.883, 1.863, 1.612, 0.135, 1.088, -1.267, -0.199, 0.139, -0.279, 0.709, -0.767, 1.45, 0.845, -0.399, -1.428,
        -1.422, -0.328, 0.285, 0.719, 0.432, -0.352, 0.298, -0.261, 1.309, 0.016, -0.431, 0.382, 0.041, -0.059, -1.296,
        -2.137, -0.894, 0.613, 0.583, -0.006,
      ],
      z: [
        3.593, 1.673, 1.604, 2.255, 1.59, 0.94, 2.056, 2, 1.194, 0.082, 0.165, 0.29, 1.539, 2.232, 1.819, 3.705, 0.071,
        0.502, 1.824, 0.586, 0.135, 0.062, 0.994, 0.278, 1.104, 0.09, 1.196, 0.198, 0.727, 0.419, 2.245, 0.89, 1.393,
        0.288, 0.211, 0.749, 0.597, 0.285, 3.507, 1.737, 3.169, 0.03, 0.035, 0.45, 1.548, 0.088, 0.187, 1.639, 0.069,
        0.43,
      ],
      k: labels(
        'yes yes yes yes yes yes yes yes no yes no yes yes yes yes yes yes yes yes yes no no yes no yes no yes yes no no yes no yes yes no no yes no yes yes yes no no no yes no no yes yes no',
      ),
    },
    options: { minsplit: 6, minbucket: 2, cp: 0.02 },
    nodes: [
      [1, 'root', 50, 18, 0.4444444444],
      [2, 'z< 0.915', 26, 9, 0.3888888889],
      [4, 'x< 0.1695', 15, 0, 0.02],
      [5, 'x>=0.1695', 11, 2, 0],
      [3, 'z>=0.915', 24, 1, 0],
    ],
    sizes: [
      [0.4444444444, 0, 1],
      [0.3888888889, 1, 0.5555555556],
      [0.02, 2, 0.1666666667],
    ],
  },
  {
    title: 'the bound on what is left to gain ends growth early',
    data: {
      x: [7.04, 3.94, 4.34, 1.34, 9.47, 2.61, 3.2, 5.04, 5.87, 4.14],
      z: [4.23, 4.73, 5.21, 8.95, 2.63, 9.3, 0.56, 4.62, 2.9, 2.22],
      y: [2.5, 2.41, 2.67, 2.12, 2.02, 1.82, 1.41, 1.45, 1.78, 0.45],
    },
    options: { minsplit: 4, minbucket: 1, cp: 0.08 },
    nodes: [
      [1, 'root', 10, 3.82801, 0.5684996904],
      [2, 'z< 2.425', 2, 0.4608, 0.08],
      [3, 'z>=2.425', 8, 1.1909875, 0.0806734439],
      [6, 'x>=4.69', 4, 0.585675, 0.0806734439],
      [12, 'x< 6.455', 2, 0.05445, 0.08],
      [13, 'x>=6.455', 2, 0.1152, 0.08],
      [7, 'x< 4.69', 4, 0.4037, 0.08],
    ],
    sizes: [
      [0.5684996904, 0, 1],
      [0.0806734439, 1, 0.4315003096],
      [0.08, 3, 0.2701534218],
    ],
  },
]

describe.each(cases)('as rpart: $title', ({ data, weights, options, nodes, sizes }) => {
  const all = tableOf('case', data)
  const features = table('features', all.columns.slice(0, -1))
  const response = responseOf(all.columns.at(-1)?.name ?? '')
  const tree = growCart(features, response, options, { weights: weights ? Float64Array.from(weights) : null })

  function responseOf(name: string): Response {
    const column = columnOf(all, name)
    return column.kind === 'categorical'
      ? { kind: 'classes', codes: column.codes, levels: column.levels }
      : { kind: 'numbers', values: column.values }
  }

  it('grows the same tree', () => {
    expect(Array.from(tree.number, (number, node) => [number, splitInto(tree, node), tree.n[node]])).toEqual(
      nodes.map(([number, split, n]) => [number, split, n]),
    )
    for (const [node, [, , , risk, complexity]] of nodes.entries()) {
      expect(tree.risk[node]).toBeCloseTo(risk, 8)
      expect(tree.complexity[node]).toBeCloseTo(complexity, 9)
    }
  })

  it('prunes through the same trees', () => {
    const table = cpTable(tree)
    expect(table).toHaveLength(sizes.length)
    for (const [k, [cp, splits, relativeError]] of sizes.entries()) {
      expect(table[k].cp).toBeCloseTo(cp, 9)
      expect(table[k].splits).toBe(splits)
      expect(table[k].relativeError).toBeCloseTo(relativeError, 9)
      expect((prune(tree, table[k].cp).nodes - 1) / 2).toBe(splits)
    }
  })
})

/** The condition on the way into a node, as rpart prints it. */
function splitInto(tree: CartTree, node: number): string {
  if (node === 0) return 'root'
  const parent = Math.max(tree.left.indexOf(node), tree.right.indexOf(node))
  const isLeft = tree.left[parent] === node
  const { name, levels } = tree.features[tree.variable[parent]]
  if (levels === null) {
    const isLess = isLeft === (tree.lessGoesLeft[parent] === 1)
    const cut = Number(tree.threshold[parent].toPrecision(12))
    return `${name}${isLess ? '< ' : '>='}${cut}`
  }
  const here = levels.filter((_, k) => tree.levelSide[tree.levelStart[parent] + k] === (isLeft ? -1 : 1))
  return `${name}=${here.join(',')}`
}

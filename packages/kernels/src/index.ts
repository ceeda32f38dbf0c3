export { type BlockedRows, blockRows, codeMask, type Rows32 } from './block-rows.js'
export { type BlockScan, blockScan, scalarBlockScan, simdBlockScan } from './block-scan.js'
export { descendCoordinates, type PenalisedQuadratic } from './coordinate-descent.js'
export {
  type DenseBlock,
  type DesignBlock,
  designTimes,
  designTransposeTimes,
  type LevelsBlock,
  weightedGram,
} from './design-products.js'
export * as math from './elementary.js'
export {
  type CodedColumn,
  countIds,
  type Groups,
  groupLoosely,
  groupRows,
  type RowsByGroup,
  rowsByGroup,
} from './group.js'
export { type NarrowCodes, narrowCodes, roomForCodes } from './narrow-codes.js'
export { codeNumbers, type NumberCodes } from './number-codes.js'
export { ascendingOrder, pickRows, type RankedColumn, rankColumn } from './order.js'
export { addPairSums, KERNEL_SCALES, type MixedRows, type PairFunction, type RowRange } from './pair-sums.js'
export { fillWords, WORDS_AT_ONCE } from './random-words.js'
export {
  countShared,
  isSharable,
  longFloat64,
  longInt32,
  shared,
  sharedFloat32,
  sharedFloat64,
  sharedInt32,
} from './shared-arrays.js'
export {
  type CoarseRecords,
  coarseRecords,
  LARGEST_SCORE,
  NUMBER_CLASSES,
  RECORDS_AT_ONCE,
  type SimilarityScan,
  scalarSimilarityScan,
  setCode,
  similarityScan,
} from './similarity-scan.js'
export { MOST_COLUMNS, type SpecialUniques, type SpecialUniquesSearch, specialUniques } from './special-uniques.js'
export { threefry, type Words } from './threefry.js'
export {
  addBoosted,
  type BoostedTree,
  type BoostingRule,
  boostingGrower,
  roundToGrid,
  type SplitKind,
} from './trees/boosting.js'
export { type CartControl, type CartInput, type CartResponse, type CartWorkspace, growCartNodes } from './trees/cart.js'
export { leafFrom, reachedNodes } from './trees/cart-leaves.js'
export { type CartNodes, cutBranches } from './trees/cart-nodes.js'
export type { CartColumn, LeveledColumn } from './trees/cart-split.js'
export { descender, descendPermuted } from './trees/descent.js'
export { addShares, type ForestRule, type ForestTree, forestGrower, forestSums } from './trees/forest.js'
export type { ForestResponse } from './trees/forest-cuts.js'
export type { BinnedColumns, Tree, TreeRows } from './trees/tree.js'
export { accurateDot, addScaled, addScaledAccurately, dot } from './vectors.js'

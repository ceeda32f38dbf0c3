/**
 * What a branch of a tree costs, by the rules of rpart: its complexity is the risk that it takes away per split. A branch
 * is kept if that is above alpha = cp x risk of the root, so how far alpha may move before any decision in a branch is
 * another one is known beforehand (`Limits`).
 */
export interface Branch {
  readonly risk: number
  readonly splits: number
  readonly complexity: number
}

/** How far alpha may move before a decision in the branch changes. */
export interface Limits {
  readonly leastRisk: number
  readonly mostStopped: number
  readonly leastComplexity: number
  readonly mostCollapsed: number
}

interface Child {
  readonly risk: number
  readonly branch: Branch
}

export const MOST_DEPTH = 30
/**
 * The bound of rpart's growing falls below the risk of a node by at most alpha per level, so it decides nothing where the
 * risk is more than so many alphas.
 */
export const BOUND_LEVELS = MOST_DEPTH + 2

/** rpart's cost of a branch per split: a child's branch that costs less than the whole is counted as a leaf. */
export function joinBranches(risk: number, left: Child, right: Child): Branch {
  let [l, r] = [left.branch, right.branch]
  const cost = () => (risk - l.risk - r.risk) / (l.splits + r.splits + 1)
  const leaveLeft = () => {
    if (cost() > left.branch.complexity) l = { ...l, risk: left.risk, splits: 0 }
  }
  const leaveRight = () => {
    if (cost() > right.branch.complexity) r = { ...r, risk: right.risk, splits: 0 }
  }
  if (left.branch.complexity < right.branch.complexity) {
    leaveLeft()
    leaveRight()
  } else {
    leaveRight()
    leaveLeft()
  }
  return { risk: l.risk + r.risk, splits: l.splits + r.splits + 1, complexity: cost() }
}

/** `decides`: the leaf is large enough and not too deep to be split, so that its risk alone decides. */
export function limitsOfLeaf(risk: number, alpha: number, decides: boolean): Limits {
  return {
    leastRisk: decides && risk > alpha ? risk : Number.POSITIVE_INFINITY,
    mostStopped: decides && risk <= alpha ? risk : Number.NEGATIVE_INFINITY,
    leastComplexity: Number.POSITIVE_INFINITY,
    mostCollapsed: Number.NEGATIVE_INFINITY,
  }
}

export function joinLimits(risk: number, complexity: number, collapsed: boolean, left: Limits, right: Limits): Limits {
  const kept = collapsed ? Number.POSITIVE_INFINITY : complexity
  const undone = collapsed ? complexity : Number.NEGATIVE_INFINITY
  return {
    leastRisk: Math.min(risk, left.leastRisk, right.leastRisk),
    mostStopped: Math.max(left.mostStopped, right.mostStopped),
    leastComplexity: Math.min(kept, left.leastComplexity, right.leastComplexity),
    mostCollapsed: Math.max(undone, left.mostCollapsed, right.mostCollapsed),
  }
}

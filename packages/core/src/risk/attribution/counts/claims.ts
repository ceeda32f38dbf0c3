import type { Cells } from './cells.js'

/**
 * What an intruder claims who only speaks when sure enough: a class q of the release is claimed at tau when its most
 * frequent target level has a share of at least tau, and that level is the guess (ties share the credit). Over tau:
 *
 *   coverage C  original records about whom something is claimed;  C(1) = DiS
 *   hits A      of them those claimed rightly;                     A(1) = DiSCO, A(0) = accuracy of the modal guess
 *   precision P = A / C;                                           P(1) = TCAP
 *   gain G      mean CAP over records with CAP of at least tau;    G(0) = DCAPd, G(1) = DiSCO
 */
export interface Claim {
  /** Share of the most frequent level in the class, 0 where the class is not in the release. */
  readonly confidence: Float64Array
  /** How many levels share the first place. */
  readonly ties: Int32Array
}

export function claimsOf(cells: Cells): Claim {
  const confidence = new Float64Array(cells.classes)
  const ties = new Int32Array(cells.classes)
  for (let q = 0; q < cells.classes; q++) {
    let most = 0
    for (let cell = cells.start[q]; cell < cells.start[q + 1]; cell++) {
      const s = cells.s[cell]
      if (s > most) {
        most = s
        ties[q] = 1
      } else if (s === most && s > 0) ties[q]++
    }
    if (most > 0) confidence[q] = most / cells.sClass[q]
  }
  return { confidence, ties }
}

export function isGuess(cells: Cells, { confidence }: Claim, cell: number): boolean {
  const q = cells.classOf[cell]
  return cells.s[cell] > 0 && cells.s[cell] === Math.round(confidence[q] * cells.sClass[q])
}

export type TauPoint = ReturnType<typeof tauPoint>

const USUAL_TAUS = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1]
/** Shares are ratios of counts; a tau typed as 0.6 must not miss 3/5. */
export const TAU_SLACK = 1e-12

/** The curve on the usual grid. */
export function tauCurve(cells: Cells, claim = claimsOf(cells)): TauPoint[] {
  return USUAL_TAUS.map((tau) => tauPoint(cells, claim, tau))
}

export function tauPoint(cells: Cells, claim: Claim, tau: number) {
  let claimed = 0
  let hits = 0
  let gain = 0
  for (let cell = 0; cell < cells.d.length; cell++) {
    const d = cells.d[cell]
    const q = cells.classOf[cell]
    const s = cells.s[cell]
    const size = cells.sClass[q]
    if (d === 0 || size === 0) continue
    if (claim.confidence[q] >= tau - TAU_SLACK) {
      claimed += d
      if (isGuess(cells, claim, cell)) hits += d / claim.ties[q]
    }
    if (s >= (tau - TAU_SLACK) * size) gain += (d * s) / size
  }
  return {
    tau,
    coverage: claimed / cells.nd,
    hits: hits / cells.nd,
    precision: claimed > 0 ? hits / claimed : null,
    gain: gain / cells.nd,
  }
}

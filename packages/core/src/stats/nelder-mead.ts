/**
 * The minimum of a smooth function of few variables without derivatives: the simplex of Nelder and Mead (1965), with the
 * usual coefficients 1, 2, 1/2, 1/2, restarted once from where it stopped so that a collapsed simplex is not taken for
 * a minimum. A function that is not finite somewhere counts as infinitely bad there.
 */
export interface Minimum {
  readonly at: readonly number[]
  readonly value: number
  readonly converged: boolean
}

export interface NelderMeadOptions {
  /** Stops when the values at the corners differ by less than this share of their size. */
  readonly tolerance?: number
  readonly mostSteps?: number
  /** First edge of the simplex. */
  readonly edge?: number
}

export function nelderMead(
  f: (at: readonly number[]) => number,
  start: readonly number[],
  options: NelderMeadOptions = {},
): Minimum {
  const once = descend(f, start, options)
  const again = descend(f, once.at, { ...options, edge: (options.edge ?? 0.5) / 5 })
  const better = again.value <= once.value ? again : once
  return { ...better, converged: once.converged && again.converged }
}

interface Corner {
  readonly at: readonly number[]
  readonly value: number
}

function descend(f: (at: readonly number[]) => number, start: readonly number[], options: NelderMeadOptions): Minimum {
  const { tolerance = 1e-12, mostSteps = 400 * start.length, edge = 0.5 } = options
  const corner = (at: readonly number[]): Corner => {
    const value = f(at)
    return { at, value: Number.isFinite(value) ? value : Number.POSITIVE_INFINITY }
  }
  const simplex = [corner(start), ...start.map((_, j) => corner(start.map((x, k) => (k === j ? x + edge : x))))]
  const byValue = (a: Corner, b: Corner) => a.value - b.value || 0
  for (let step = 0; step < mostSteps; step++) {
    simplex.sort(byValue)
    const best = simplex[0]
    const worst = simplex[simplex.length - 1]
    if (worst.value - best.value <= tolerance * (Math.abs(best.value) + tolerance))
      return { ...best, converged: Number.isFinite(best.value) }
    const others = simplex.slice(0, -1)
    const center = start.map((_, j) => others.reduce((sum, { at }) => sum + at[j], 0) / others.length)
    const along = (t: number) => corner(center.map((c, j) => c + t * (worst.at[j] - c)))
    const reflected = along(-1)
    let better = reflected
    if (reflected.value < best.value) {
      const expanded = along(-2)
      if (expanded.value < reflected.value) better = expanded
    } else if (reflected.value >= others[others.length - 1].value) {
      better = reflected.value < worst.value ? along(-0.5) : along(0.5)
    }
    if (better.value < worst.value) simplex[simplex.length - 1] = better
    else
      for (let k = 1; k < simplex.length; k++)
        simplex[k] = corner(simplex[k].at.map((x, j) => best.at[j] + (x - best.at[j]) / 2))
  }
  simplex.sort(byValue)
  return { ...simplex[0], converged: false }
}

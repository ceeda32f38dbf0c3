import { total } from '../../../stats/sums.js'
import type { Attack } from '../attack.js'

/** How an attack went, person by person. NaN where the person has no record, or none in the block. */
export interface Found {
  /** Chance to be named, and by chance. */
  readonly risk: Float64Array
  readonly chance: Float64Array
  /** Chance that the single best guess, drawn among ties, is right. */
  readonly hit: Float64Array
  /** Cost of the own record, of the best one, and how far the next better-than-chance guess is: 0 where several are best. */
  readonly own: Float64Array
  readonly least: Float64Array
  readonly gap: Float64Array
  /** Records nearer than the own one, and as near (itself included). */
  readonly nearer: Float64Array
  readonly asNear: Float64Array
  /** Records at the least cost, and in the guess set. */
  readonly tied: Float64Array
  readonly guessed: Float64Array
  /** Σ of risk over people with the same keys. */
  readonly perKey: Float64Array
}

export function found({ files, truth, asked, linked }: Pick<Attack, 'files' | 'truth' | 'asked' | 'linked'>): Found {
  const { ids } = files.query
  const n = ids.length
  const [risk, chance, hit, own, least, gap, nearer, asNear, tied, guessed] = Array.from(
    { length: 10 },
    () => new Float64Array(n),
  )
  const perKey = new Float64Array(files.query.classes)
  for (let row = 0; row < n; row++) {
    const a = ids[row]
    own[row] = Number.NaN
    nearer[row] = Number.NaN
    asNear[row] = Number.NaN
    let inBlock = 0
    for (let k = truth.start[row]; k < truth.start[row + 1]; k++) {
      const place = asked.place[k]
      risk[row] += linked.pairWeight[place]
      if (Number.isNaN(linked.pairCost[place])) continue
      inBlock++
      if (linked.nearer[place] === 0) hit[row] += 1 / linked.asNear[place]
      if (inBlock > 1 && !(linked.pairCost[place] < own[row])) continue
      own[row] = linked.pairCost[place]
      nearer[row] = linked.nearer[place]
      asNear[row] = linked.asNear[place]
    }
    chance[row] = linked.candidates[a] > 0 ? (linked.weight[a] * inBlock) / linked.candidates[a] : 0
    least[row] = linked.least[a]
    tied[row] = linked.tied[a]
    gap[row] = linked.tied[a] === 1 ? linked.second[a] - linked.least[a] : 0
    guessed[row] = linked.guessed[a]
    perKey[a] += risk[row]
  }
  return { risk, chance, hit, own, least, gap, nearer, asNear, tied, guessed, perKey }
}

/** Over people, added up in their order. */
export function average(values: Float64Array): number {
  return values.length === 0 ? 0 : total(values) / values.length
}

import type { Context } from '../../measure.js'
import { choose } from '../../stats/special.js'
import { recordsIn } from '../../table/table.js'
import { linkedFiles } from './costs/linked-files.js'
import type { AttackOptions } from './options.js'
import { attackValue } from './suite.js'
import type { Sides } from './truth/sides.js'

/** What a key adds to the value of the attack. */
export type KeyImportance = { readonly key: string; readonly value: number }

/**
 * `leave-one-out`: the value with all keys less that without the key. `shapley`: the mean of what the key adds over all orders
 * in which the intruder may learn the keys, so that the importances sum to the value less chance; 2^p attacks.
 */
export async function importanceOf(
  kind: 'none' | 'leave-one-out' | 'shapley',
  { query, truth, search, names, known }: Sides,
  options: AttackOptions,
  context: Context,
): Promise<readonly KeyImportance[]> {
  if (kind === 'none' || names.length === 0) return []
  const values = new Map<string, number>()
  const worth = async (chosen: readonly string[]): Promise<number> => {
    const name = chosen.join('\u0000')
    const before = values.get(name)
    if (before !== undefined) return before
    const value = chosen.length === 0 ? 1 / recordsIn(search) : await run(chosen)
    values.set(name, value)
    return value
  }
  const run = async (chosen: readonly string[]): Promise<number> => {
    const files = linkedFiles(query, search, chosen, options)
    const blocking = options.blocking.filter((rule) => rule.split('+').every((key) => chosen.includes(key.trim())))
    return attackValue(files, truth, { ...options, blocking }, known, context)
  }
  const result: KeyImportance[] = []
  for (const key of names) {
    if (kind === 'leave-one-out') {
      const without = names.filter((name) => name !== key)
      result.push({ key, value: (await worth(names)) - (await worth(without)) })
      continue
    }
    let value = 0
    const others = names.filter((name) => name !== key)
    for (let set = 0; set < 1 << others.length; set++) {
      const chosen = others.filter((_, k) => (set >> k) & 1)
      const share = 1 / (names.length * choose(others.length, chosen.length))
      const both = names.filter((name) => name === key || chosen.includes(name))
      value += share * ((await worth(both)) - (await worth(chosen)))
    }
    result.push({ key, value })
  }
  return result
}

import { sdc } from '../anonymisers/sdc.js'
import { parseOptions } from '../options.js'
import type { Synthesizer } from '../synthesizers/synthesizer.js'

/**
 * A synthesizer whose sets are prepared for release by `sdc`: for the attacker that is part of how they were made. Removing
 * uniques looks at the original, so each world removes others; that a combination is absent then tells something. There
 * is no probability of a record any more: engines that simulate are left. Names and labels tell nothing and stay as they are.
 */
export function postprocessed(
  synthesizer: Synthesizer,
  asked: object,
  keys: readonly string[],
  rows: number | undefined,
): Synthesizer {
  const chosen = { ...parseOptions(sdc.id, sdc.options, asked), prefix: '', suffix: '', label: '' }
  const roles = { keys, numericKeys: [], weight: null, household: null }
  return {
    ...synthesizer,
    id: `${synthesizer.id}, then sdc`,
    async fit(data, options, random, settings) {
      const fitted = await synthesizer.fit(data, options, random, settings)
      return {
        describe: () => fitted.describe(),
        // Removal makes sets smaller: how many records were made is what the attacker knows.
        async sample(_wanted, streams) {
          const made = await fitted.sample(rows ?? data.rows, streams)
          return sdc.apply(made, roles, chosen, {
            random: (purpose) => streams(`sdc/${purpose}`),
            progress: () => {},
            signal: settings?.signal,
            original: data,
          }).table
        },
      }
    },
  }
}

import { byShare, type ColumnShare, columnShare } from '../evidence/column-shares.js'
import { ceilingOf } from '../evidence/evidence.js'
import { type AnyMeasure, type Context, DEFAULT_SEED, type Finding, type Result } from '../measure.js'
import { parseOptions } from '../options.js'
import { stream } from '../random/stream.js'
import type { Release } from '../table/release.js'
import { inline, throwIfAborted } from '../tasks/task.js'
import type { AssessOptions } from './assess.js'
import type { Assessment, ThreatAssessment } from './assessment.js'
import { isAlarm } from './judge.js'

/**
 * Which columns carry an alarm: the measure that decided is asked again as often as there are columns, each time without one
 * (`evidence/column-shares.ts`). That costs as many runs as columns, so it is done when asked for; attribute inference, where
 * leaving out a key is cheap, has its shares from its own run. The shares are those of the measure's first comparison, also
 * where another of its looks decided. A measure that cannot do without a column, or says nothing of single people, has none.
 */
export async function withColumnShares(
  assessment: Assessment,
  release: Release,
  results: readonly Result[],
  registry: readonly AnyMeasure[],
  run: Pick<AssessOptions, 'tasks' | 'signal' | 'options'> & {
    readonly progress?: (threat: string, done: number, of: number) => void
  } = {},
): Promise<Assessment> {
  const releases = []
  for (const [index, one] of assessment.releases.entries()) {
    const threats: ThreatAssessment[] = []
    for (const threat of one.threats) {
      const measure = registry.find(({ id }) => id === threat.decidedBy)
      const asked = isAlarm(threat.level) && threat.columns.length === 0 && measure !== undefined
      threats.push(
        asked ? { ...threat, columns: await sharesOf(threat, index, measure, release, results, run) } : threat,
      )
    }
    releases.push({ ...one, threats })
  }
  return { ...assessment, releases }
}

async function sharesOf(
  { threat, target }: ThreatAssessment,
  part: number,
  measure: AnyMeasure,
  release: Release,
  results: readonly Result[],
  { tasks = inline, signal, options = {}, progress }: Parameters<typeof withColumnShares>[4] & object,
): Promise<ColumnShare[]> {
  const seed = results.find((result) => result.measure === measure.id)?.seed ?? DEFAULT_SEED
  const chosen = parseOptions(measure.id, measure.options, options[measure.id] ?? {})
  const context: Context = {
    seed,
    random: (purpose, index) => stream(seed, `${measure.id}/${purpose}`, index),
    progress: () => {},
    signal,
    tasks,
  }
  const find = async (subject: Release): Promise<Finding | null> => {
    throwIfAborted(signal)
    try {
      return await measure.compute({ release: subject, part, target: target ?? '' }, chosen, context)
    } catch (error) {
      if (signal?.aborted) throw error
      return null
    }
  }
  const whole = await find(release)
  const ceiling = ceilingOf(whole?.controls ?? {}, whole?.effect)
  const added = whole?.added?.()
  if (whole?.effect === undefined || ceiling === undefined || added === undefined) return []
  const shares: ColumnShare[] = []
  for (const [k, column] of release.variables.entries()) {
    progress?.(threat, k, release.variables.length)
    const without = (await find(withoutColumn(release, column)))?.added?.()
    const share = without === undefined ? null : columnShare(column, added, without, whole.effect, ceiling)
    if (share !== null) shares.push(share)
  }
  return shares.sort(byShare)
}

function withoutColumn(release: Release, column: string): Release {
  const others = (names: readonly string[]) => names.filter((name) => name !== column)
  const { variables, keys, numericKeys } = release
  return { ...release, variables: others(variables), keys: others(keys), numericKeys: others(numericKeys) }
}

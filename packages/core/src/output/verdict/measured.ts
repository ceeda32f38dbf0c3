import { NotApplicable } from '../../errors.js'
import type { Context } from '../../measure.js'
import type { Table } from '../../table/table.js'
import type { OutputRequest } from '../description/description.js'
import {
  type EmbedProgress,
  type KeptSearches,
  type OutputRisk,
  type OutputRiskInput,
  outputRisk,
} from '../risk/risk.js'
import { withRisk } from './check.js'
import type { OutputCheck } from './check-schema.js'
import type { EarlierOutput } from './history.js'
import { noEvidence, riskEvidence } from './risk-evidence.js'

/** What a check does without, unless it is asked for: it says more about the same verdict, and takes longer. */
export const CHECK_OPTIONS = { replicates: 5, trajectory: 0, contributions: false } as const
const FIRST_STAGE = 'all records'
/** Time for the searches, unless somebody says otherwise. */
export const USUAL_SECONDS = 120

export interface MeasuredHow {
  /** People who are not in the data; else the data are split. */
  readonly people: Table | undefined
  readonly earlier: readonly EarlierOutput[]
  readonly options: object | undefined
  readonly seconds: number
  /** Milliseconds since some time in the past. */
  readonly now: () => number
  readonly watch: (at: EmbedProgress) => void
  /** Where searches were left, and are kept. */
  readonly kept?: KeptSearches | undefined
  /** Gets the first embedded data of all records. */
  readonly embedded?: ((records: Table) => void) | undefined
}

/** A check by the rules with what the outputs tell about people, beside what was released before; where it cannot be measured, why. */
export async function measured(
  check: OutputCheck,
  request: OutputRequest,
  data: Table,
  { people, earlier, options, seconds, now, watch, kept, embedded }: MeasuredHow,
  context: Context,
): Promise<{ readonly check: OutputCheck; readonly risk: OutputRisk | null }> {
  const released = earlier.filter(({ source, output }) =>
    check.earlier.some((one) => one.source === source && one.id === output.id),
  )
  const start = now()
  let stage = FIRST_STAGE
  try {
    const risk = await outputRisk(
      request,
      data,
      {
        ...CHECK_OPTIONS,
        ...(people === undefined ? {} : { design: 'holdout' as const }),
        ...(options as OutputRiskInput | undefined),
        holdout: people,
        released: released.map(({ output }) => output),
        kept,
        embedded,
        // Half of the time is for data of all records, the rest for those of parts; every search gets one round at least.
        isTimeUp: () => now() - start > 1000 * seconds * (stage === FIRST_STAGE ? 0.5 : 1),
        watch: (at) => {
          stage = at.what
          watch(at)
        },
      },
      context,
    )
    return { check: withRisk(check, riskEvidence(risk)), risk }
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error
    return { check: withRisk(check, noEvidence(error.message)), risk: null }
  }
}

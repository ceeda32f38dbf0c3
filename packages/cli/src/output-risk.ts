import {
  type EarlierOutput,
  NotApplicable,
  noEvidence,
  type OutputRequest,
  type OutputRisk,
  type OutputRiskEvidence,
  outputRisk,
  riskEvidence,
  stream,
  type Table,
  UserError,
} from '@scrim/core'
import { type Arguments, realNumber } from './arguments.js'
import type { Io } from './io.js'
import { progressLine } from './progress.js'
import type { Settings } from './release-options.js'
import { threads } from './threads.js'

/** What a check does without, unless it is asked for by --set: it says more about the same verdict, and takes longer. */
const QUICKER = { replicates: 5, trajectory: 0, contributions: false } as const
const FIRST_STAGE = 'all records'
export const USUAL_SECONDS = 120

/** Half of the time is for data of all records, the rest for those of parts; every search gets one round at least. */
function stopwatch(seconds: number) {
  const start = performance.now()
  let stage = FIRST_STAGE
  return {
    at: (what: string) => {
      stage = what
    },
    isTimeUp: () => performance.now() - start > 1000 * seconds * (stage === FIRST_STAGE ? 0.5 : 1),
  }
}

interface Asked {
  readonly request: OutputRequest
  readonly data: Table
  readonly people: Table | undefined
  readonly earlier: readonly EarlierOutput[]
  readonly options: object | undefined
  readonly seconds: number
}

/** What the outputs tell about people, beside what was released before; where it cannot be measured, why. */
export async function measuredRisk(
  { request, data, people, earlier, options, seconds }: Asked,
  { seed = 1, threads: number }: Settings,
  io: Io,
): Promise<{ readonly risk: OutputRisk | null; readonly evidence: OutputRiskEvidence }> {
  const progress = progressLine(io)
  const tasks = threads(number)
  const clock = stopwatch(seconds)
  try {
    const risk = await outputRisk(
      request,
      data,
      {
        ...QUICKER,
        ...(people === undefined ? {} : { design: 'holdout' }),
        ...options,
        holdout: people,
        released: earlier.map(({ output }) => output),
        isTimeUp: clock.isTimeUp,
        watch: ({ what, done, total, mae }) => {
          clock.at(what)
          progress.show(`${what}: ${done} of ${total} done, mean error ${mae.toPrecision(2)}`)
        },
      },
      {
        seed,
        random: (purpose, index) => stream(seed, `output-risk/${purpose}`, index),
        progress: () => {},
        signal: io.interruption(),
        tasks,
      },
    )
    return { risk, evidence: riskEvidence(risk) }
  } catch (error) {
    if (!(error instanceof NotApplicable)) throw error
    return { risk: null, evidence: noEvidence(error.message) }
  } finally {
    progress.clear()
    await tasks.close()
  }
}

export function secondsOf(args: Arguments): number {
  const text = args.text('seconds')
  const seconds = text === undefined ? USUAL_SECONDS : realNumber('--seconds', text)
  if (!(seconds > 0)) throw new UserError(`--seconds must be more than 0, found "${text}"`)
  return seconds
}

import {
  type Case,
  type EarlierOutput,
  measured,
  type OutputCheck,
  type OutputRequest,
  stream,
  type Table,
  USUAL_SECONDS,
  UserError,
} from '@scrim/core'
import type { SearchStore } from '../../files/search-store.js'
import { Interrupted } from '../../interrupted.js'
import type { Io } from '../../io.js'
import { type Arguments, realNumber } from '../../options/arguments.js'
import { progressLine } from '../../printing/progress.js'
import { threads } from '../../threads.js'

interface Asked {
  readonly request: OutputRequest
  readonly data: Table
  readonly people: Table | undefined
  readonly earlier: readonly EarlierOutput[]
  readonly options: object | undefined
  readonly seconds: number
  readonly kept: SearchStore
  readonly embedded?: ((records: Table) => void) | undefined
}

/** The check with what the outputs tell about people. */
export async function measuredCheck(
  check: OutputCheck,
  { request, data, ...how }: Asked,
  { seed = 1, threads: number }: Pick<Case, 'seed' | 'threads'>,
  io: Io,
) {
  const progress = progressLine(io)
  const tasks = threads(number)
  const signal = io.interruption()
  try {
    const risk = await measured(
      check,
      request,
      data,
      {
        ...how,
        now: () => performance.now(),
        watch: ({ what, done, total, mae }) =>
          progress.show(`${what}: ${done} of ${total} done, mean error ${mae.toPrecision(2)}`),
      },
      {
        seed,
        random: (purpose, index) => stream(seed, `output-risk/${purpose}`, index),
        progress: () => {},
        signal,
        tasks,
      },
    )
    how.kept.remove()
    return risk
  } catch (error) {
    if (!signal.aborted) throw error
    how.kept.save()
    throw new Interrupted('the searches so far')
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

import { UserError } from '@scrim/core'
import type { FromEngine, RequestKind, Requests, RunProgress, ToEngine } from './protocol.js'

export type Answers = {
  readonly [Kind in RequestKind]?: (
    input: Requests[Kind]['in'],
    progress: (at: RunProgress) => void,
  ) => Promise<Requests[Kind]['out']>
}

/** The worker's end of `client.ts`: answers in turn, so that no question sees another half done. */
export function serve(answers: Answers, onCancel: () => void = () => {}): void {
  const post = (message: FromEngine) => postMessage(message)
  let last = Promise.resolve()
  addEventListener('message', ({ data }: MessageEvent<ToEngine>) => {
    if (data.kind === 'cancel') return onCancel()
    const { id, kind, input } = data
    // The page asks questions of this kind with this input only.
    const answer = answers[kind] as
      | ((input: unknown, progress: (at: RunProgress) => void) => Promise<unknown>)
      | undefined
    last = last.then(async () => {
      try {
        if (answer === undefined) throw new Error(`no answer to ${kind}`)
        post({ id, answer: await answer(input, (progress) => post({ id, progress })) })
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error)
        if (error instanceof UserError) post({ id, problems: error.problems, isOurs: false })
        else post({ id, problems: [message], isOurs: true })
      }
    })
  })
}

import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Act } from './act/act.js'
import { Read } from './read/read.js'
import { openSession, type Session, type State, type Step } from './session.js'
import { Data } from './steps/data.js'
import { dropAnywhere, hasWork, warnBeforeLeaving } from './steps/leaving.js'
import { Outputs } from './steps/outputs.js'
import { whyClosed } from './steps/ready.js'
import { RolesStep } from './steps/roles.js'
import { RunStep } from './steps/run.js'

const STEPS: readonly (readonly [Step, string])[] = [
  ['data', 'Data'],
  ['roles', 'Roles'],
  ['run', 'Run'],
  ['read', 'Read'],
  ['act', 'Act'],
  ['outputs', 'Outputs'],
]

export function App() {
  const [, setVersion] = useState(0)
  const session = useMemo(() => openSession(() => setVersion((version) => version + 1)), [])
  const state = session.state()
  const main = useRef<HTMLElement>(null)
  const before = useRef(state.step)
  useEffect(() => {
    if (before.current === state.step) return
    before.current = state.step
    scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [state.step])
  useEffect(() => dropAnywhere(session), [session])
  useEffect(() => warnBeforeLeaving(() => hasWork(session)), [session])
  // A link can open the page with the sample in it, such as that of the site.
  useEffect(() => {
    if (location.hash === '#sample') session.loadSample()
  }, [session])
  const Now = { data: Data, roles: RolesStep, run: RunStep, read: Read, act: Act, outputs: Outputs }[state.step]
  const closed = whyClosed(state.step, state)
  return (
    <>
      <a class="skip" href="#step">
        Skip to the content
      </a>
      <header class="top">
        <p class="name">
          <strong>scrim</strong> <span class="grey">may this file be released?</span>
        </p>
        <Steps session={session} />
      </header>
      <main id="step" tabIndex={-1} ref={main}>
        {state.problem === null ? null : (
          <div class="problems" role="alert">
            <p>{state.problem}</p>
            <button type="button" onClick={session.dismiss}>
              Close
            </button>
          </div>
        )}
        {closed === null ? <Now session={session} state={state} /> : <Closed reason={closed} session={session} />}
      </main>
      <p class="unseen" role="status">
        {heard(state)}
      </p>
      <footer class="grey small">
        Nothing leaves this machine: files are read and measured in this browser, and the page can connect only to where
        it came from. scrim&nbsp;{SCRIM_VERSION}
      </footer>
    </>
  )
}

function Closed({ reason, session }: { reason: string; session: Session }) {
  const isRun = whyClosed('run', session.state()) === null
  return (
    <>
      <h1>Not yet</h1>
      <p>{reason}</p>
      <p class="next">
        <button type="button" class="primary" onClick={() => session.go(isRun ? 'run' : 'data')}>
          {isRun ? 'Go to Run' : 'Go to Data'}
        </button>
      </p>
    </>
  )
}

/** What somebody who does not see the page is told, wherever they are: that it runs, and what came out. */
function heard({ runs }: State): string {
  const last = runs.at(-1)
  if (last === undefined) return ''
  if (last.problems.length > 0) return 'The run has ended without an answer.'
  if (last.summary === null) return 'Measuring.'
  return last.summary.releases
    .map(({ name, level, recommendation }) => `${name}: ${level}. ${recommendation}`)
    .join(' ')
}

/** Steps whose time has not come are dimmed; whoever opens one is told what is missing. */
function Steps({ session }: { session: Session }) {
  const state = session.state()
  return (
    <nav aria-label="Steps">
      <ol class="steps">
        {STEPS.map(([step, title], k) => (
          <li key={step}>
            <button
              type="button"
              class={whyClosed(step, state) === null ? '' : 'closed'}
              aria-current={state.step === step ? 'step' : undefined}
              onClick={() => session.go(step)}
            >
              {step === 'outputs' ? null : <span class="number">{k + 1}</span>} {title}
            </button>
          </li>
        ))}
      </ol>
    </nav>
  )
}

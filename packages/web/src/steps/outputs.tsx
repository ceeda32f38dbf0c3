import type { Preset } from '@scrim/core'
import { LiveOutputs } from '@scrim/report'
import { useEffect } from 'preact/hooks'
import { save } from '../downloads.js'
import type { SourceFile } from '../engine/protocol.js'
import type { OutputsSession, OutputsState } from '../outputs-session.js'
import { LivePicture } from '../read/live-picture.js'
import type { Session, State } from '../session.js'
import { DropZone } from './drop-zone.js'
import { Field } from './field.js'
import type { Folder } from './folder.js'
import { OptionsForm } from './options-form.js'
import { Problems, Reason } from './problems.js'
import { Toggles } from './toggles.js'

const PRESETS: readonly Preset[] = ['acro', 'essnet']

/** May these tables and models leave? By the rules of output checking, and by what they reveal about people. The answer comes first. */
export function Outputs({ session, state: shared }: { session: Session; state: State }) {
  const state = session.outputs.state()
  const { view } = state
  const isAnswered = view !== null
  useEffect(() => {
    if (!isAnswered) return
    scrollTo(0, 0)
    document.getElementById('step')?.focus({ preventScroll: true })
  }, [isAnswered])
  const form = <Form session={session} state={state} shared={shared} />
  if (view === null)
    return (
      <>
        <h1>May these outputs leave?</h1>
        <p>
          Checks tables, summaries, correlations and models made from confidential data. First come the rules of output
          checking: for each output alone, for all together, and with what was released before. Then scrim measures what
          they reveal about people.
        </p>
        {form}
      </>
    )
  return (
    <>
      <h1 class="unseen">May these outputs leave?</h1>
      <div class="report">
        <LiveOutputs view={view} pictureOf={(chart) => <LivePicture key={chart} chart={chart} />}>
          <Progress outputs={session.outputs} />
          <Problems problems={state.problems} />
          {state.phase === null ? <OutputDownloads session={session} /> : null}
          <details>
            <summary>Change what is checked</summary>
            {form}
          </details>
        </LiveOutputs>
      </div>
    </>
  )
}

/** What is checked, and how. */
function Form({ session, state, shared }: { session: Session; state: OutputsState; shared: State }) {
  const { outputs } = session
  const { request, earlier, phase } = state
  const { data, holdout } = outputs.files()
  const reason = request === null ? 'Choose the request first.' : data === null ? 'Choose the data as well.' : null
  return (
    <>
      <div class="zones four">
        <DropZone
          title="The request"
          hint="JSON, the long form as CSV, or a results folder of ACRO."
          isPrimary={request === null}
          isFilled={request !== null}
          onFiles={([file]) => file !== undefined && outputs.set({ request: sourceOf(file) })}
          onFolder={(folder) => outputs.set({ request: { name: folder.name, files: sourcesIn(folder) } })}
        >
          <Picked names={request === null ? [] : [request.name]} onRemove={() => outputs.set({ request: null })} />
        </DropZone>
        <DropZone
          title="The data"
          hint="The confidential data behind the outputs."
          isPrimary={data === null}
          isFilled={data !== null}
          onFiles={([file]) => file !== undefined && outputs.set({ data: sourceOf(file) })}
        >
          <Picked
            names={data === null ? [] : [data.name]}
            {...(state.data === null ? {} : { onRemove: () => outputs.set({ data: null }) })}
          />
        </DropZone>
        <DropZone
          title="People outside (optional)"
          hint="People who are not in the data, to compare with; otherwise the data are split."
          isFilled={holdout !== null}
          onFiles={([file]) => file !== undefined && outputs.set({ holdout: sourceOf(file) })}
        >
          <Picked names={holdout === null ? [] : [holdout.name]} onRemove={() => outputs.set({ holdout: 'nobody' })} />
        </DropZone>
        <DropZone
          title="Earlier checks (optional)"
          hint="Their results as JSON, or a folder of them: what was released before."
          many
          isFilled={earlier.length > 0}
          onFiles={(files) => outputs.set({ earlier: [...earlier, ...files.map(sourceOf)] })}
          onFolder={(folder) => outputs.set({ earlier: [...earlier, ...resultsIn(folder)] })}
        >
          <Picked
            names={earlier.map(({ name }) => name)}
            onRemove={(index) => outputs.set({ earlier: earlier.filter((_, k) => k !== index) })}
          />
        </DropZone>
      </div>
      <How outputs={outputs} state={state} seed={shared.seed} onSeed={(seed) => session.setAbout({ seed })} />
      <p class="next">
        <button type="button" class="primary" disabled={reason !== null || phase !== null} onClick={outputs.check}>
          {phase === null ? 'Check the outputs' : 'Checking …'}
        </button>{' '}
        <Reason reason={reason} />
      </p>
      {state.view === null ? <Problems problems={state.problems} /> : null}
    </>
  )
}

function How({
  outputs,
  state,
  seed,
  onSeed,
}: {
  outputs: OutputsSession
  state: OutputsState
  seed: number
  onSeed: (seed: number) => void
}) {
  const { preset, isMeasured, seconds } = state
  return (
    <fieldset disabled={state.phase !== null}>
      <legend>How</legend>
      <p class="option">
        Limits{' '}
        <Toggles
          label="Limits"
          choices={PRESETS}
          chosen={preset}
          onChoose={(one) => one !== null && outputs.set({ preset: one, limits: {} })}
        />
      </p>
      <details open={Object.keys(state.limits).length > 0}>
        <summary>Other limits</summary>
        <OptionsForm
          of={`limits/${preset}`}
          describe={outputs.describe}
          values={state.limits}
          onChange={(name, value) => outputs.setOption('limits', name, value)}
        />
      </details>
      <label class="option">
        <input type="checkbox" checked={isMeasured} onChange={() => outputs.set({ isMeasured: !isMeasured })} /> measure
        what they reveal about people{' '}
        <span class="grey">(makes data that give the same numbers, and guesses about people from them)</span>
      </label>
      {isMeasured ? (
        <>
          <label class="option" for="output-seconds">
            Seconds{' '}
            <Field
              id="output-seconds"
              type="number"
              min="1"
              value={seconds}
              onValue={(text) => outputs.set({ seconds: Math.max(1, Number(text) || 1) })}
            />{' '}
            <span class="grey">for the searches; the report says what was not found by then</span>
          </label>
          <label class="option" for="output-seed">
            Seed{' '}
            <Field
              id="output-seed"
              type="number"
              step="1"
              value={seed}
              onValue={(text) => onSeed(Math.trunc(Number(text)) || 0)}
            />
          </label>
          <details open={Object.keys(state.options).length > 0}>
            <summary>Options of what is measured</summary>
            <OptionsForm
              of="output-risk"
              describe={outputs.describe}
              values={state.options}
              onChange={(name, value) => outputs.setOption('options', name, value)}
            />
          </details>
        </>
      ) : null}
    </fieldset>
  )
}

/** The rules have answered; what is measured comes after them. */
function Progress({ outputs }: { outputs: OutputsSession }) {
  const { phase, at, isCancelled } = outputs.state()
  if (isCancelled)
    return (
      <p class="warnings" role="status">
        Cancelled before measuring what they reveal about people: this answer rests on the rules alone.
      </p>
    )
  if (phase === null) return null
  const isStopping = phase === 'stopping'
  return (
    <>
      <progress {...(at === null ? {} : { value: at.share })} max={1} aria-label="Searches done" />
      <p role="status" class="grey">
        This answer rests on the rules. Measuring what the outputs reveal about people
        {at === null ? '' : `: ${at.what}`} …
      </p>
      <p>
        <button type="button" disabled={isStopping} onClick={outputs.cancel}>
          {isStopping ? 'Stopping …' : 'Cancel'}
        </button>
      </p>
    </>
  )
}

function OutputDownloads({ session }: { session: Session }) {
  const take = (name: string, kind: 'outputsHtml' | 'outputsJson', type: string) => () =>
    void session.outputs.take(kind).then((text) => save(name, text, type), session.fail)
  return (
    <p class="downloads">
      <span class="grey">Download</span>
      <button type="button" onClick={take('outputs.html', 'outputsHtml', 'text/html')}>
        Report for the checker (HTML)
      </button>
      <button type="button" onClick={take('outputs.json', 'outputsJson', 'application/json')}>
        Results (JSON)
      </button>
    </p>
  )
}

function Picked({ names, onRemove }: { names: readonly string[]; onRemove?: (index: number) => void }) {
  if (names.length === 0) return null
  return (
    <ul class="files">
      {names.map((name, k) => (
        <li key={name}>
          <strong>{name}</strong>{' '}
          {onRemove === undefined ? (
            <span class="grey">from the first step</span>
          ) : (
            <button type="button" class="small" onClick={() => onRemove(k)}>
              Remove <span class="unseen">{name}</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

let picked = 0

function sourceOf(file: File): SourceFile {
  return { id: `output ${++picked}`, name: file.name, content: file }
}

/** The request where there is none, then the data; a further file is another request. */
export function addOutputFiles(outputs: OutputsSession, files: readonly File[]): void {
  for (const source of files.map(sourceOf))
    outputs.set(
      outputs.state().request !== null && outputs.files().data === null ? { data: source } : { request: source },
    )
}

function sourcesIn({ files }: Folder): readonly SourceFile[] {
  return files.map(({ path, file }) => ({ ...sourceOf(file), name: path }))
}

/** What stands in the folder itself, as the command line reads it. */
function resultsIn(folder: Folder): readonly SourceFile[] {
  return sourcesIn(folder).filter(({ name }) => name.endsWith('.json') && !name.includes('/'))
}

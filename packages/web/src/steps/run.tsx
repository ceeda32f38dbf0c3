import { type Profile, timeLeftText } from '@scrim/core'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MeasureInfo } from '../engine/protocol.js'
import { optionText } from '../option-text.js'
import type { RunState, Session, State } from '../session.js'
import { Field } from './field.js'
import { OptionsForm } from './options-form.js'
import { Problems, Reason } from './problems.js'
import { whyNotRun } from './ready.js'
import { Checks } from './roles.js'

const PROFILES: readonly Profile[] = ['quick', 'standard', 'full']

const PROFILE_TEXT: Readonly<Record<Profile, string>> = {
  quick: 'only the measures that decide: the verdict and nothing else',
  standard: 'the usual measures as well, and how useful the release is',
  full: 'every measure',
}

/** What is to be measured; while it runs, how far it is and what it has found. */
export function RunStep({ session, state }: { session: Session; state: State }) {
  const last = state.runs.at(-1)
  if (last !== undefined && last.plan === null && isRunning(last)) return <Progress run={last} session={session} />
  const reason = whyNotRun(state)
  return (
    <>
      <h1>How thoroughly?</h1>
      {last === undefined || last.plan !== null ? null : <Outcome run={last} session={session} />}
      <Checks session={session} state={state} />
      <Settings session={session} state={state} />
      <p class="next">
        <button type="button" class="primary" disabled={reason !== null} onClick={() => session.run()}>
          {last === undefined ? 'Run the measures' : 'Run again'}
        </button>{' '}
        <Reason reason={reason} />
      </p>
    </>
  )
}

/** What came of the last run, where it is not read at once. */
function Outcome({ run, session }: { run: RunState; session: Session }) {
  return (
    <section aria-labelledby="outcome">
      <h2 class="minor" id="outcome">
        {outcomeText(run)}
      </h2>
      <Problems problems={run.problems.filter((problem) => problem !== 'cancelled')} />
      {run.summary === null ? null : (
        <p>
          <button type="button" class="primary" onClick={() => session.go('read')}>
            Read the answer
          </button>
        </p>
      )}
    </section>
  )
}

/** What is measured, and how; out of the way while it runs. */
function Settings({ session, state }: { session: Session; state: State }) {
  const { checked, choice } = state
  const measures = checked?.measures ?? []
  return (
    <>
      <fieldset>
        <legend>Measures</legend>
        {PROFILES.map((profile) => (
          <label key={profile} class="option">
            <input
              type="radio"
              name="profile"
              checked={choice.measures === null && choice.profile === profile}
              onChange={() => session.setAbout({ choice: { ...choice, profile, measures: null } })}
            />{' '}
            <strong>{profile}</strong>{' '}
            <span class="grey">
              {PROFILE_TEXT[profile]} ({ofProfile(measures, profile).length})
            </span>
          </label>
        ))}
        <details open={choice.measures !== null}>
          <summary>Single measures</summary>
          <Picker
            measures={measures}
            chosen={choice.measures ?? []}
            onChoose={(ids) => session.setAbout({ choice: { ...choice, measures: ids.length === 0 ? null : ids } })}
          />
        </details>
      </fieldset>
      <fieldset>
        <legend>How</legend>
        <label class="option">
          <input
            type="checkbox"
            checked={choice.why}
            onChange={() => session.setAbout({ choice: { ...choice, why: !choice.why } })}
          />{' '}
          find the columns behind each alarm <span class="grey">(takes longer)</span>
        </label>
        <label class="option" for="seed">
          Seed{' '}
          <Field
            id="seed"
            type="number"
            step="1"
            value={state.seed}
            onValue={(text) => session.setAbout({ seed: Math.trunc(Number(text)) || 0 })}
          />{' '}
          <span class="grey">the same number gives the same results, here and on the command line</span>
        </label>
        <MeasureOptions session={session} state={state} />
      </fieldset>
    </>
  )
}

/** Options of one measure at a time; what was changed is said of all. */
function MeasureOptions({ session, state }: { session: Session; state: State }) {
  const { checked, choice } = state
  const [measure, setMeasure] = useState('')
  const measures = checked?.measures ?? []
  const changed = Object.entries(choice.options)
  return (
    <details open={changed.length > 0}>
      <summary>Options of measures</summary>
      {changed.length === 0 ? null : (
        <ul>
          {changed.map(([id, values]) => (
            <li key={id}>
              {titleIn(measures, id)}:{' '}
              {Object.entries(values)
                .map(([name, value]) => `${name} = ${optionText(value)}`)
                .join(', ')}
            </li>
          ))}
        </ul>
      )}
      <label class="option">
        Measure{' '}
        <select aria-label="Measure" value={measure} onChange={({ currentTarget }) => setMeasure(currentTarget.value)}>
          <option value="">choose</option>
          {measures.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {measure === '' ? null : (
        <OptionsForm
          of={measure}
          describe={session.describe}
          values={choice.options[measure] ?? {}}
          onChange={(name, value) => session.setOption(measure, name, value)}
        />
      )}
    </details>
  )
}

function titleIn(measures: readonly { readonly id: string; readonly title: string }[], id: string): string {
  return measures.find((measure) => measure.id === id)?.title ?? id
}

function ofProfile(measures: readonly MeasureInfo[], profile: Profile): readonly MeasureInfo[] {
  return measures.filter((measure) => PROFILES.indexOf(measure.profile) <= PROFILES.indexOf(profile))
}

function Picker({
  measures,
  chosen,
  onChoose,
}: {
  measures: readonly MeasureInfo[]
  chosen: readonly string[]
  onChoose: (ids: readonly string[]) => void
}) {
  return (
    <ul class="picker">
      {measures.map(({ id, title, summary, role, unmet }) => (
        <li key={id}>
          <label>
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              disabled={unmet !== null && !chosen.includes(id)}
              onChange={() => onChoose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id])}
            />{' '}
            {title} <span class="grey">({role})</span>
            <br />
            <span class="grey small">{unmet ?? summary}</span>
          </label>
        </li>
      ))}
    </ul>
  )
}

/** How far a run is, what is being measured in words, and what those measures say so far that decide. */
export function Progress({ run, session }: { run: RunState; session: Session }) {
  const { measures, finished, at, note, started, isStopping } = run
  const cancel = useRef<HTMLButtonElement>(null)
  // The button that started it is gone: whoever has no mouse goes on from here.
  useLayoutEffect(() => cancel.current?.focus(), [])
  const done = finished.size + (at === null ? 0 : at.share)
  const share = measures.length === 0 ? 0 : done / measures.length
  const now = at === null ? undefined : measures.find(({ id }) => id === at.measure)
  const found = [...finished.values()].filter(({ decides, found: sentences }) => decides && sentences.length > 0)
  return (
    <section aria-labelledby="progress">
      <h1 id="progress">{isStopping ? 'Stopping …' : measures.length === 0 ? 'Reading …' : 'Measuring'}</h1>
      <progress {...(measures.length === 0 ? {} : { value: done, max: measures.length })} aria-label="Measures done" />
      <p class="grey">
        {measures.length === 0
          ? 'The files are read and compared first.'
          : [
              `${finished.size} of ${measures.length} measures`,
              timeLeftText(share, (performance.now() - started) / 1000),
            ]
              .filter((text) => text !== '')
              .join(', ')}
      </p>
      <p role="status" class="now">
        {note ?? (now === undefined ? '' : `${now.title}: ${now.summary}`)}
      </p>
      <p class="next">
        <button ref={cancel} type="button" disabled={isStopping} onClick={session.cancel}>
          Cancel
        </button>{' '}
        <span class="grey">{isStopping ? 'Stopping the current measure.' : 'What is finished is kept.'}</span>
      </p>
      {found.length === 0 ? null : (
        <>
          <h2 class="minor">Found so far by the measures that decide</h2>
          <ul class="found">
            {found.reverse().map(({ id, found: sentences }) => (
              <li key={id}>
                <strong>{titleIn(measures, id)}</strong>
                <ul>
                  {sentences.map(({ release, sentence }) => (
                    <li key={`${release} ${sentence}`}>
                      <span class="grey">{release}:</span> {sentence}
                    </li>
                  ))}
                </ul>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

function isRunning({ summary, problems }: RunState): boolean {
  return summary === null && problems.length === 0
}

function outcomeText({ summary, problems, measures, finished }: RunState): string {
  if (problems[0] === 'cancelled') return `Cancelled after ${finished.size} of ${measures.length} measures`
  if (summary === null) return 'The run failed'
  return summary.finished < summary.planned
    ? `Cancelled after ${summary.finished} of ${summary.planned} measures: the answer rests on these`
    : `Done in ${summary.seconds.toFixed(1)} s`
}

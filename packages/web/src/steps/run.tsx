import type { Profile } from '@scrim/core'
import { useState } from 'preact/hooks'
import type { MeasureInfo } from '../engine/protocol.js'
import { optionText } from '../option-text.js'
import type { RunState, Session, State } from '../session.js'
import { Field } from './field.js'
import { OptionsForm } from './options-form.js'
import { Problems } from './problems.js'
import { Checks } from './roles.js'

const PROFILES: readonly Profile[] = ['quick', 'standard', 'full']

const PROFILE_TEXT: Readonly<Record<Profile, string>> = {
  quick: 'the measures that decide: the verdict, and nothing else',
  standard: 'with them the usual measures, and how useful the release is',
  full: 'every measure',
}

/** What is measured, how far it is, and what is there already. */
export function RunStep({ session, state }: { session: Session; state: State }) {
  const { checked, runs } = state
  const last = runs.at(-1)
  const isRunning = last !== undefined && last.summary === null && last.problems.length === 0
  return (
    <>
      <h1>{isRunning ? 'Running' : 'How thoroughly?'}</h1>
      <Checks session={session} state={state} />
      {isRunning ? null : <Settings session={session} state={state} />}
      <p class="next">
        {isRunning ? (
          <button type="button" disabled={last.isStopping} onClick={session.cancel}>
            {last.isStopping ? 'Stopping …' : 'Cancel'}
          </button>
        ) : (
          <button
            type="button"
            class="primary"
            disabled={checked === null || state.isChecking || checked.problems.length > 0}
            onClick={() => session.run()}
          >
            {last === undefined ? 'Run the measures' : 'Run again'}
          </button>
        )}
      </p>
      {last === undefined || last.plan !== null ? null : <Progress run={last} session={session} />}
    </>
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
          find the columns that carry each alarm <span class="grey">(takes longer)</span>
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

/** Measure by measure, with each result as soon as it is there. */
export function Progress({ run, session }: { run: RunState; session: Session }) {
  const { measures, finished, at, summary, problems, note } = run
  const done = finished.size + (at === null ? 0 : at.share)
  return (
    <section aria-labelledby="progress">
      <h2 id="progress">{headline(run)}</h2>
      <Problems problems={problems} />
      {measures.length === 0 ? null : (
        <progress value={done} max={measures.length} aria-label="Measures done">
          {Math.round((100 * done) / measures.length)} %
        </progress>
      )}
      <p role="status" class="grey">
        {note ?? (summary === null && at !== null ? `${titleOf(run, at.measure)} …` : '')}
      </p>
      {summary === null ? null : (
        <p>
          <button type="button" class="primary" onClick={() => session.go('read')}>
            Read the answer
          </button>
        </p>
      )}
      {finished.size === 0 ? null : (
        <table class="results">
          <caption>Results as they come; only measures that decide count for the verdict</caption>
          <thead>
            <tr>
              <th scope="col">measure</th>
              {run.project.releases.map(({ id, name }) => (
                <th key={id} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {[...finished.values()].map(({ id, values, reason, status }) => (
              <tr key={id}>
                <th scope="row">{titleOf(run, id)}</th>
                {values.length === 0 ? (
                  <td class="grey" colSpan={run.project.releases.length}>
                    {status}: {reason}
                  </td>
                ) : (
                  values.map((value, k) => (
                    <td key={run.project.releases[k]?.id ?? k} data-head={run.project.releases[k]?.name}>
                      {value}
                    </td>
                  ))
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  )
}

function titleOf({ measures }: RunState, id: string): string {
  return titleIn(measures, id)
}

function headline({ summary, problems, measures, finished, isStopping }: RunState): string {
  if (problems.length > 0)
    return problems[0] === 'cancelled'
      ? `Cancelled after ${finished.size} of ${measures.length} measures`
      : 'It could not be run'
  if (summary === null) {
    const what = isStopping ? 'Stopping after' : 'Measuring:'
    return measures.length === 0 ? 'Reading …' : `${what} ${finished.size} of ${measures.length}`
  }
  return summary.finished < summary.planned
    ? `Cancelled after ${summary.finished} of ${summary.planned} measures: the answer rests on these`
    : `Done in ${summary.seconds.toFixed(1)} s`
}

import { LiveReport, levelClass, OptionButtons, Terms } from '@scrim/report'
import { useState } from 'preact/hooks'
import { Downloads } from '../downloads.js'
import type { Session, State } from '../session.js'
import { Glossary, Glossed } from './glossary.js'
import { LivePicture } from './live-picture.js'
import { RiskMap } from './risk-map.js'
import { Threshold } from './threshold.js'

/** The report, live: the answer first, everything that can be done with it in one bar below. */
export function Read({ session, state }: { session: Session; state: State }) {
  const summary = session.shown()?.run.summary ?? null
  const { document: view, release } = state
  if (summary === null) return <p>Nothing has been run yet.</p>
  const methods = view?.methods ?? []
  return (
    <Terms.Provider
      value={(term, children) => (
        <Glossed term={term} methods={methods}>
          {children}
        </Glossed>
      )}
    >
      <h1 class="unseen">The answer</h1>
      {summary.finished < summary.planned ? (
        <p class="warnings">
          The run was cancelled after {summary.finished} of {summary.planned} measures: this answer rests on these.
        </p>
      ) : null}
      {view === null ? (
        <p role="status">Putting the report together …</p>
      ) : (
        <div class="report">
          <OptionButtons.Provider value={(option) => <LeaveOut key={option} option={option} session={session} />}>
            <LiveReport
              view={view}
              release={release}
              pictureOf={(chart) => <LivePicture key={chart} chart={chart} />}
              below={<Bar session={session} state={state} />}
            >
              <Curves state={state} session={session} />
            </LiveReport>
          </OptionButtons.Provider>
        </div>
      )}
      <Glossary />
    </Terms.Provider>
  )
}

/** Takes an option that a table offers, for the next run. */
function LeaveOut({ option, session }: { option: string; session: Session }) {
  const [isTaken, setTaken] = useState(false)
  if (isTaken)
    return (
      <span class="small">
        {' '}
        left out in the next run{' '}
        <button type="button" class="small" onClick={() => session.go('run')}>
          to the run
        </button>
      </span>
    )
  const take = () => session.typeOption(option).then(() => setTaken(true), session.fail)
  return (
    <>
      {' '}
      <button type="button" class="small" onClick={take}>
        Leave out <span class="unseen">{option}</span>
      </button>
    </>
  )
}

/** Which release, for whom, and downloads; then all releases on one map. */
function Bar({ session, state }: { session: Session; state: State }) {
  const releases = session.shown()?.run.summary?.releases ?? []
  const points = releases.flatMap(({ point, name }, index) => (point === null ? [] : [{ point, index, label: name }]))
  return (
    <>
      {releases.length < 2 ? null : (
        <nav aria-label="Releases" class="releases">
          {releases.map(({ name, level }, index) => (
            <button
              key={name}
              type="button"
              aria-pressed={index === state.release}
              onClick={() => session.selectRelease(index)}
            >
              <span class={`verdict ${levelClass(level)}`}>{level}</span> {name}
            </button>
          ))}
        </nav>
      )}
      <div class="bar">
        <Downloads session={session} state={state} />
        <label class="audience">
          <input
            type="checkbox"
            checked={state.audience === 'internal'}
            onChange={() => session.setAudience(state.audience === 'internal' ? 'publishable' : 'internal')}
          />{' '}
          Internal <span class="grey">exact counts, charts, most exposed records</span>
        </label>
      </div>
      {points.length < 2 ? null : (
        <section aria-labelledby="map">
          <h2 id="map">Which one is worth having?</h2>
          <RiskMap points={points} chosen={state.release} onChoose={session.selectRelease} />
        </section>
      )}
    </>
  )
}

function Curves({ session, state }: { session: Session; state: State }) {
  const curves = session.shown()?.run.summary?.curves.filter(({ release }) => release === state.release) ?? []
  if (curves.length === 0) return null
  return (
    <section aria-labelledby="thresholds">
      <h2 id="thresholds">What if the threshold were different?</h2>
      <p>
        Both shares include what any useful data would reveal about anybody. The verdict rests on leakage, not on these.
        They are exact, and shown on this page only.
      </p>
      <div class="thresholds">
        {curves.map((curve) => (
          <Threshold key={`${curve.measure} ${curve.release} ${curve.target}`} curve={curve} />
        ))}
      </div>
    </section>
  )
}

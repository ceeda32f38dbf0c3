import { ReportBody, Terms } from '@scrim/report'
import { Downloads } from '../downloads.js'
import type { Session, State } from '../session.js'
import { Glossary, Glossed } from './glossary.js'
import { LivePicture } from './live-picture.js'
import { RiskMap } from './risk-map.js'
import { Threshold } from './threshold.js'

/** The report, live. */
export function Read({ session, state }: { session: Session; state: State }) {
  const summary = session.shown()?.run.summary ?? null
  const { document: view, release } = state
  if (summary === null) return <p>Nothing was run yet.</p>
  const methods = view?.methods ?? []
  const points = summary.releases.flatMap(({ point, name }, index) =>
    point === null ? [] : [{ point, index, label: name }],
  )
  return (
    <>
      {summary.finished < summary.planned ? (
        <p class="warnings">
          The run was cancelled after {summary.finished} of {summary.planned} measures: this answer rests on these.
        </p>
      ) : null}
      {summary.releases.length < 2 ? null : (
        <nav aria-label="Releases" class="releases">
          {summary.releases.map(({ name, level }, index) => (
            <button
              key={name}
              type="button"
              aria-pressed={index === release}
              onClick={() => session.selectRelease(index)}
            >
              <span class={`verdict ${level.toLowerCase().replaceAll(' ', '-')}`}>{level}</span> {name}
            </button>
          ))}
        </nav>
      )}
      <div class="bar">
        <label>
          <input
            type="checkbox"
            checked={state.audience === 'internal'}
            onChange={() => session.setAudience(state.audience === 'internal' ? 'publishable' : 'internal')}
          />{' '}
          internal: exact counts, pictures of every measure, the most exposed records
        </label>
        <Downloads session={session} state={state} />
      </div>
      <Terms.Provider
        value={(term, children) => (
          <Glossed term={term} methods={methods}>
            {children}
          </Glossed>
        )}
      >
        {points.length < 2 ? null : (
          <section aria-labelledby="map">
            <h2 id="map">Which is worth having?</h2>
            <RiskMap points={points} chosen={release} onChoose={session.selectRelease} />
          </section>
        )}
        {view === null ? (
          <p role="status">Putting the report together …</p>
        ) : (
          <div class="report">
            <ReportBody view={view} only={release} pictureOf={(chart) => <LivePicture key={chart} chart={chart} />}>
              <Curves state={state} session={session} />
            </ReportBody>
          </div>
        )}
      </Terms.Provider>
      <Glossary />
    </>
  )
}

function Curves({ session, state }: { session: Session; state: State }) {
  const curves = session.shown()?.run.summary?.curves.filter(({ release }) => release === state.release) ?? []
  if (curves.length === 0) return null
  return (
    <section aria-labelledby="thresholds">
      <h3 id="thresholds">What if the threshold were another?</h3>
      <p>
        Both shares count science too: what is inferred from a release about anybody. The verdict rests on leakage, not
        on these. They are exact, shown in this page only, and in no report.
      </p>
      <div class="thresholds">
        {curves.map((curve) => (
          <Threshold key={`${curve.measure} ${curve.release} ${curve.target}`} curve={curve} />
        ))}
      </div>
    </section>
  )
}

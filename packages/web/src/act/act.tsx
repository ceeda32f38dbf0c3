import type { Change } from '@scrim/core'
import { planText, THREAT_TEXT } from '@scrim/core'
import { Downloads } from '../downloads.js'
import { share } from '../numbers.js'
import { RiskMap } from '../read/risk-map.js'
import type { RunState, Session, State } from '../session.js'
import { Progress } from '../steps/run.js'

const METHODS: Readonly<Record<string, string>> = {
  recode: 'Coarsen',
  'local-suppression': 'Suppress values',
  sdc: 'Suppress records',
  'top-coding': 'Top-code',
  pram: 'Randomise categories',
  noise: 'Add noise',
}

/** What would help, tried on a copy. */
export function Act({ session, state }: { session: Session; state: State }) {
  const { runs, plan, proposals, release } = state
  const base = runs.find((run) => run.plan === null && run.summary !== null)
  const last = runs.at(-1)
  if (base === undefined || last === undefined || base.summary === null) return <p>Nothing was run yet.</p>
  const isRunning = last.summary === null && last.problems.length === 0
  const index = last.plan?.release ?? release
  const name = base.summary.releases[index]?.name ?? ''
  const methods = Object.keys(METHODS).filter((method) => proposals.some((change) => change.method === method))
  return (
    <>
      <h1>What would make {name} safer?</h1>
      <p>
        Changes are made to a copy; the original, and people outside, are recoded alike, as an attacker would recode
        what they know. Utility is that of the copy beside the plain original.
      </p>
      {base.summary.releases.length < 2 ? null : (
        <label>
          Release{' '}
          <select
            value={index}
            disabled={last.plan !== null || isRunning}
            onChange={({ currentTarget }) => session.selectRelease(Number(currentTarget.value))}
          >
            {base.summary.releases.map((one, k) => (
              <option key={one.name} value={k}>
                {one.name} ({one.level})
              </option>
            ))}
          </select>{' '}
          {last.plan === null ? null : <span class="grey">take all changes back to choose another</span>}
        </label>
      )}
      <div class="methods">
        {methods.map((method) => (
          <fieldset key={method} disabled={isRunning}>
            <legend>{METHODS[method]}</legend>
            {proposals
              .filter((change) => change.method === method)
              .map((change) => (
                <label key={change.what} class="option">
                  <input
                    type="checkbox"
                    checked={plan.some((one) => one.what === change.what && one.slot === change.slot)}
                    onChange={({ currentTarget }) => session.setPlan(change, currentTarget.checked)}
                  />{' '}
                  {change.what}
                </label>
              ))}
          </fieldset>
        ))}
      </div>
      {methods.length === 0 ? <p>There is nothing that scrim could do to this file.</p> : null}
      <p class="next">
        <button
          type="button"
          class="primary"
          disabled={isRunning || plan.length === 0 || sameChanges(plan, last.plan?.changes ?? [])}
          onClick={() => session.run({ release: index, changes: plan })}
        >
          Apply to a copy and assess
        </button>{' '}
        {isRunning ? (
          <button type="button" disabled={last.isStopping} onClick={session.cancel}>
            {last.isStopping ? 'Stopping …' : 'Cancel'}
          </button>
        ) : (
          <button type="button" disabled={last.plan === null} onClick={session.undo}>
            Undo the last change
          </button>
        )}
      </p>
      {last.plan !== null && last.summary === null ? <Progress run={last} session={session} /> : null}
      {last.plan !== null && last.summary !== null ? (
        <BeforeAfter base={base} now={last} release={index} session={session} state={state} />
      ) : null}
    </>
  )
}

function sameChanges(a: readonly Change[], b: readonly Change[]): boolean {
  return planText(a) === planText(b)
}

function BeforeAfter({
  base,
  now,
  release,
  session,
  state,
}: {
  base: RunState
  now: RunState
  release: number
  session: Session
  state: State
}) {
  const before = base.summary?.releases[release]
  const after = now.summary?.releases[0]
  if (before === undefined || after === undefined) return null
  const threats = [...new Set([...before.threats, ...after.threats].map(questionOf))]
  const placed = [
    ...(before.point === null ? [] : [{ point: before.point, index: null, label: 'before' }]),
    ...(after.point === null ? [] : [{ point: after.point, index: 0, label: 'after' }]),
  ]
  return (
    <section aria-labelledby="before-after">
      <h2 id="before-after">Before and after</h2>
      <p>{planText(now.plan?.changes ?? [])}</p>
      <table>
        <caption>Leakage by threat, with bounds</caption>
        <thead>
          <tr>
            <th scope="col">threat</th>
            <th scope="col">before</th>
            <th scope="col">after</th>
          </tr>
        </thead>
        <tbody>
          <tr class="total">
            <th scope="row">verdict</th>
            <td data-head="before">
              <Level level={before.level} />
            </td>
            <td data-head="after">
              <Level level={after.level} />
            </td>
          </tr>
          {threats.map((question) => (
            <tr key={question}>
              <th scope="row">{question}</th>
              <td data-head="before">
                <ThreatCell threat={before.threats.find((one) => questionOf(one) === question)} />
              </td>
              <td data-head="after">
                <ThreatCell threat={after.threats.find((one) => questionOf(one) === question)} />
              </td>
            </tr>
          ))}
          {before.utility === null ? null : (
            <tr>
              <th scope="row">utility</th>
              <td data-head="before">{utilityText(before.utility)}</td>
              <td data-head="after">{after.utility === null ? '–' : utilityText(after.utility)}</td>
            </tr>
          )}
        </tbody>
      </table>
      <RiskMap points={placed} chosen={0} onChoose={() => {}} />
      <p>
        {after.recommendation} {after.sentence}
      </p>
      <p>
        <button type="button" onClick={() => session.go('read')}>
          Read the whole answer
        </button>
      </p>
      <Downloads session={session} state={state} />
    </section>
  )
}

type Threat = NonNullable<RunState['summary']>['releases'][number]['threats'][number]

const questionOf = ({ threat, target }: Threat) =>
  `${THREAT_TEXT[threat].title}${target === null ? '' : ` (${target})`}`

function ThreatCell({ threat }: { threat: Threat | undefined }) {
  if (threat === undefined || threat.leakage === null) return <span class="grey">not assessed</span>
  const { level, leakage, interval } = threat
  return (
    <>
      <Level level={level} /> {share(leakage)}{' '}
      {interval === null ? null : (
        <span class="grey">
          ({share(interval.lower)} to {share(interval.upper)})
        </span>
      )}
    </>
  )
}

function Level({ level }: { level: string }) {
  return <span class={`verdict ${level.toLowerCase().replaceAll(' ', '-')}`}>{level}</span>
}

function utilityText({ level, score }: { readonly level: string; readonly score: number | null }): string {
  return `${level} ${share(score)}`
}

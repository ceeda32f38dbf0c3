import type { Change } from '@scrim/core'
import { planText, THREAT_TEXT } from '@scrim/core'
import { Verdict } from '@scrim/report'
import { useEffect } from 'preact/hooks'
import { Downloads } from '../downloads.js'
import type { AdviceFound, Estimate } from '../engine/protocol.js'
import { range, roughly } from '../numbers.js'
import { RiskMap } from '../read/risk-map.js'
import type { RunState, Session, State } from '../session.js'
import { Problems, Reason } from '../steps/problems.js'
import { Progress } from '../steps/run.js'

const METHODS: Readonly<Record<string, string>> = {
  recode: 'Coarsen',
  'local-suppression': 'Suppress values',
  sdc: 'Suppress records',
  'top-coding': 'Cap extremes',
  pram: 'Randomise categories',
  noise: 'Add noise',
}

/** Files of so many records are tried without being asked: it takes seconds. */
const MOST_RECORDS = 5000

/** What would help, tried on a copy. */
export function Act({ session, state }: { session: Session; state: State }) {
  const { runs, plan, proposals, release, estimates, trying, original } = state
  const base = runs.find((run) => run.plan === null && run.summary !== null)
  const last = runs.at(-1)
  const isSmall = (original?.info?.rows ?? Number.POSITIVE_INFINITY) <= MOST_RECORDS
  const isUntried = proposals.length > 0 && estimates.size === 0 && trying === null
  useEffect(() => {
    if (isSmall && isUntried) void session.tryChanges('estimates')
  }, [isSmall, isUntried, session])
  if (base === undefined || last === undefined || base.summary === null) return null
  const isRunning = last.summary === null && last.problems.length === 0
  const index = last.plan?.release ?? release
  const before = base.summary.releases[index]
  const methods = Object.keys(METHODS).filter((method) => proposals.some((change) => change.method === method))
  const reason = whyNotApplied(plan, last)
  const asItIs = estimates.get(planText([]))
  return (
    <>
      <h1>What would make {before?.name ?? ''} safer?</h1>
      <p>
        Changes are made to a copy. The original and the people outside are recoded the same way, as an attacker would
        recode what they know; utility compares the copy with the original as it was.
      </p>
      {base.summary.releases.length < 2 ? null : (
        <p>
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
            {last.plan === null ? null : <span class="grey">Undo all changes to choose another.</span>}
          </label>
        </p>
      )}
      <Search session={session} state={state} />
      {asItIs === undefined ? null : (
        <p>
          As it is: <EstimateText estimate={asItIs} />{' '}
          <span class="grey">(leakage of the worst threat; estimates for each option below)</span>
        </p>
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
                  {change.what}{' '}
                  <EstimateText estimate={estimates.get(planText([change]))} isAwaited={trying?.kind === 'estimates'} />
                </label>
              ))}
          </fieldset>
        ))}
      </div>
      {methods.length === 0 ? <p>scrim has no change to offer for this file.</p> : null}
      <p class="next">
        <button
          type="button"
          class="primary"
          disabled={reason !== null}
          onClick={() => session.run({ release: index, changes: plan })}
        >
          Apply to a copy and assess
        </button>{' '}
        <Reason reason={reason} />
      </p>
      {last.plan === null ? null : last.summary === null ? (
        isRunning ? (
          <Progress run={last} session={session} />
        ) : (
          <Problems problems={last.problems} />
        )
      ) : (
        <BeforeAfter base={base} now={last} release={index} session={session} state={state} />
      )}
    </>
  )
}

function whyNotApplied(plan: readonly Change[], last: RunState): string | null {
  if (last.summary === null && last.problems.length === 0) return 'A run is under way.'
  if (plan.length === 0) return 'Choose a change first.'
  return sameChanges(plan, last.plan?.changes ?? []) ? 'Already applied: see below.' : null
}

/** What is being tried, and what a search found. */
function Search({ session, state: { trying, advice, proposals } }: { session: Session; state: State }) {
  if (trying !== null)
    return (
      <p role="status">
        {trying.kind === 'advise' ? 'Searching' : 'Estimating'}:{' '}
        {trying.what === '' ? 'reading the files' : trying.what}{' '}
        <span class="grey">{trying.total === 0 ? '' : `(${trying.done} of ${trying.total})`}</span>{' '}
        <button type="button" class="small" onClick={session.stopTrying}>
          Stop
        </button>
      </p>
    )
  return (
    <>
      <p class="hinted">
        <button type="button" disabled={proposals.length === 0} onClick={() => session.tryChanges('advise')}>
          Search for me
        </button>{' '}
        <span class="grey">tries changes and combinations until the verdict is LOW or nothing helps</span>{' '}
        <button
          type="button"
          class="small"
          disabled={proposals.length === 0}
          onClick={() => session.tryChanges('estimates')}
        >
          Estimate every option
        </button>
      </p>
      {advice === null ? null : <Found session={session} advice={advice} />}
    </>
  )
}

function Found({ session, advice: { plan, level, tried } }: { session: Session; advice: AdviceFound }) {
  if (plan === null)
    return <p role="status">None of the {tried} plans tried gives a better verdict than the release as it is.</p>
  return (
    <p role="status" class="advice">
      The best of {tried} plans: <strong>{planText(plan)}</strong>. Made afresh and measured again, it is{' '}
      <Verdict level={level ?? ''} />{' '}
      <button type="button" onClick={() => session.takePlan(plan)}>
        Choose this plan
      </button>
    </p>
  )
}

/** "LOW leakage 12 %, utility 70 %" */
function EstimateText({ estimate, isAwaited = false }: { estimate: Estimate | undefined; isAwaited?: boolean }) {
  if (estimate === undefined) return isAwaited ? <span class="grey small">…</span> : null
  const { problem, level, leakage, utility } = estimate
  if (problem !== undefined) return <span class="grey small">cannot be applied: {problem}</span>
  return (
    <span class="estimate">
      <Verdict level={level} />{' '}
      {leakage === null ? '' : `leakage ${leakage <= 0 ? 'none' : roughly(Math.min(1, leakage))}`}
      {utility === null ? '' : `, utility ${roughly(utility)}`}
    </span>
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
  const changes = now.plan?.changes ?? []
  const estimate = state.estimates.get(planText([]))
  const threats = [...new Set([...before.threats, ...after.threats].map(questionOf))]
  const placed = [
    ...(before.point === null ? [] : [{ point: before.point, index: null, label: 'before' }]),
    ...(after.point === null ? [] : [{ point: after.point, index: 0, label: 'after' }]),
  ]
  return (
    <section aria-labelledby="before-after">
      <h2 id="before-after">Before and after</h2>
      <ul class="applied">
        {changes.map((change) => (
          <li key={change.what}>
            {change.what}{' '}
            <button type="button" class="small" onClick={() => session.takeBack(change)}>
              Undo <span class="unseen">{change.what}</span>
            </button>
          </li>
        ))}
      </ul>
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
              <Verdict level={before.level} />
            </td>
            <td data-head="after">
              <Verdict level={after.level} />
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
          <tr>
            <th scope="row">utility</th>
            <td data-head="before">
              {before.utility === null ? roughly(estimate?.utility ?? null) : utilityText(before.utility)}
            </td>
            <td data-head="after">{after.utility === null ? '–' : utilityText(after.utility)}</td>
          </tr>
        </tbody>
      </table>
      <RiskMap points={placed} chosen={0} onChoose={() => {}} />
      <p>
        {after.recommendation} {after.sentence}
      </p>
      <p>
        <button type="button" class="primary" onClick={() => session.go('read')}>
          Read the whole answer
        </button>{' '}
        <button type="button" onClick={session.undo}>
          Undo the last run
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
      <Verdict level={level} /> {roughly(leakage)}{' '}
      {interval === null ? null : <span class="grey">({range(interval)})</span>}
    </>
  )
}

function utilityText({ level, score }: { readonly level: string; readonly score: number | null }): string {
  return `${level} ${roughly(score)}`
}

import {
  BOUND_LEVEL,
  type FileRow,
  filesTable,
  type MeasureTables,
  type Method,
  percent,
  type TableView,
} from '@scrim/core'
import type { ComponentChildren } from 'preact'
import { Notes, ViewTable } from './parts.js'

export function Evidence({ table, id, of }: { table: TableView; id: string; of: string }) {
  return (
    <section aria-labelledby={`${id} ${of}`}>
      <h3 id={id}>What does every measure say?</h3>
      <p>Only measures that decide count for the verdict; the others support or contradict them, and never vote.</p>
      <ViewTable table={table} />
    </section>
  )
}

/** What measures have in tables, closed until somebody looks it up. */
export function MeasureTablesSection({ tables, id, of }: { tables: readonly MeasureTables[]; id: string; of: string }) {
  if (tables.length === 0) return null
  return (
    <section aria-labelledby={`${id} ${of}`}>
      <h3 id={id}>What do the measures have in tables?</h3>
      {tables.map((measure) => (
        <details>
          <summary>{measure.title}</summary>
          {measure.tables.map((table) => (
            <ViewTable table={table} />
          ))}
        </details>
      ))}
    </section>
  )
}

export function Methods({ methods, children }: { methods: readonly Method[]; children?: ComponentChildren }) {
  return (
    <section aria-labelledby="methods">
      <h2 id="methods">How was it measured?</h2>
      <p>
        Leakage is the place of a value between what other people&rsquo;s records, or people outside the release, give
        away (0) and the original itself (100&nbsp;%): (value − fair) / (everything − fair). The verdict of a threat
        rests on its one-sided {percent(BOUND_LEVEL, 0)} bounds and a test corrected over the threats by Holm&rsquo;s
        method: HIGH when it is significant and the lower bound reaches the high limit, MODERATE when it is significant
        and may matter, INCONCLUSIVE when it is not significant and the high limit cannot be ruled out, LOW otherwise.
      </p>
      {children}
      <dl>
        {methods.map(({ id, title, summary, role, blindTo, literature, options }) => (
          <>
            <dt id={`method-${id}`}>
              {title}{' '}
              <span class="grey">
                ({id}, {role})
              </span>
            </dt>
            <dd>
              {summary}.{blindTo === null ? '' : ` Blind to ${blindTo}.`}
              {literature.map((cut) => (
                <span class="grey"> Literature, {cut}.</span>
              ))}
              {options === '' ? null : <span class="grey"> Options: {options}.</span>}
            </dd>
          </>
        ))}
      </dl>
    </section>
  )
}

/** Which files, with their hashes, and what was run. */
export function Reproduce({
  view,
}: {
  view: {
    readonly files: readonly FileRow[]
    readonly run: readonly (readonly [string, string])[]
    readonly notes: readonly string[]
  }
}) {
  return (
    <section aria-labelledby="reproduce">
      <h2 id="reproduce">How can this be checked?</h2>
      <ViewTable table={filesTable(view.files)} />
      <Run run={view.run} />
      <Notes notes={view.notes} />
    </section>
  )
}

function Run({ run }: { run: readonly (readonly [string, string])[] }) {
  return (
    <dl>
      {run.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{name === 'command' ? <code>{value}</code> : value}</dd>
        </>
      ))}
    </dl>
  )
}

const FIELDS = ['Reviewer', 'Date', 'Decision', 'Conditions']

export function SignOff() {
  return (
    <section class="sign-off" aria-labelledby="sign-off">
      <h2 id="sign-off">Decision</h2>
      <dl>
        {FIELDS.map((field) => (
          <>
            <dt>{field}</dt>
            <dd class="blank">&nbsp;</dd>
          </>
        ))}
      </dl>
    </section>
  )
}

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

/** What the words in every threat mean, once. */
export function Explained() {
  return (
    <p class="grey small explained">
      <strong>Leakage</strong>: what the release reveals about people because their records were in the data. 0&nbsp;%
      is what other people&rsquo;s records would reveal anyway, 100&nbsp;% what the original itself would.{' '}
      <strong>Bounds</strong>: each holds with {percent(BOUND_LEVEL, 0)} confidence. <strong>People concerned</strong>:
      leakage as a number of people, as if that many records had been released unchanged.
    </p>
  )
}

export function Evidence({ table, of }: { table: TableView; of: string | null }) {
  return (
    <details>
      <summary>What every measure says{of === null ? '' : `: ${of}`}</summary>
      <p>Only measures that decide count for the verdict; the others support or contradict them, and never vote.</p>
      <ViewTable table={table} />
    </details>
  )
}

/** What measures have in tables, closed until somebody looks it up. */
export function MeasureTablesSection({ tables, of }: { tables: readonly MeasureTables[]; of: string | null }) {
  if (tables.length === 0) return null
  return (
    <details>
      <summary>Tables of single measures{of === null ? '' : `: ${of}`}</summary>
      {tables.map((measure) => (
        <details>
          <summary>{measure.title}</summary>
          {measure.tables.map((table) => (
            <ViewTable table={table} />
          ))}
        </details>
      ))}
    </details>
  )
}

/** The method, with the measures that decided; the others are closed until somebody looks them up. */
export function Methods({
  methods,
  isShown,
  children,
}: {
  methods: readonly Method[]
  isShown: (method: Method) => boolean
  children?: ComponentChildren
}) {
  const others = methods.filter((method) => !isShown(method))
  return (
    <section aria-labelledby="methods">
      <h3 id="methods">Method</h3>
      <p>
        Leakage is where a value lies between what other people&rsquo;s records, or people outside the release, give
        away (0) and the original itself (100&nbsp;%): (value − fair) / (everything − fair). The verdict on a threat
        rests on its one-sided {percent(BOUND_LEVEL, 0)} bounds and on a test corrected over the threats by Holm&rsquo;s
        method: HIGH when it is significant and the lower bound reaches the high limit, MODERATE when it is significant
        and may matter, INCONCLUSIVE when it is not significant and the high limit cannot be ruled out, LOW otherwise.
      </p>
      {children}
      <MethodList methods={methods.filter(isShown)} />
      {others.length === 0 ? null : (
        <details>
          <summary>The other {others.length} measures</summary>
          <MethodList methods={others} />
        </details>
      )}
    </section>
  )
}

function MethodList({ methods }: { methods: readonly Method[] }) {
  return (
    <dl class="methods-list">
      {methods.map(({ id, title, summary, role, blindTo, literature, options }) => (
        <>
          <dt id={`method-${id}`}>
            {title}{' '}
            <span class="grey small">
              {id}
              {role === 'decides' ? '' : `, ${role}`}
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
      <h2 class="minor" id="reproduce">
        Files and command
      </h2>
      <ViewTable table={filesTable(view.files)} />
      <Run run={view.run} />
      <Notes notes={view.notes} />
    </section>
  )
}

/** What fits beside others stands on one line. */
const SHORT = 24

function Run({ run }: { run: readonly (readonly [string, string])[] }) {
  return (
    <>
      <p class="run">
        {run
          .filter(([, value]) => value.length <= SHORT)
          .map(([name, value], k) => (
            <>
              {k === 0 ? '' : ' · '}
              <span class="grey">{name}</span> {value}
            </>
          ))}
      </p>
      <dl>
        {run
          .filter(([, value]) => value.length > SHORT)
          .map(([name, value]) => (
            <>
              <dt>{name}</dt>
              <dd>{name === 'command' || name.startsWith('SHA-256') ? <Command text={value} /> : value}</dd>
            </>
          ))}
      </dl>
    </>
  )
}

/** Broken between its words: a dash that stands alone at the end of a line would be read as one of the sentence. */
function Command({ text }: { text: string }) {
  return (
    <code>
      {text.split(' ').map((word, k) => (
        <>
          {k === 0 ? '' : ' '}
          <span class="word">{word}</span>
        </>
      ))}
    </code>
  )
}

const FIELDS = ['Reviewer', 'Date', 'Decision', 'Conditions']

export function SignOff() {
  return (
    <section class="sign-off" aria-labelledby="sign-off">
      <h2 class="minor" id="sign-off">
        Decision
      </h2>
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

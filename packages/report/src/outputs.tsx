import type { OutputsView, OutputView } from '@scrim/core'
import type { ComponentChildren } from 'preact'
import { Reproduce, SignOff } from './appendix.js'
import type { PictureOf } from './document.js'
import { Answer } from './first-screen.js'
import { Picture, Table, Verdict, ViewTable } from './parts.js'

/** The check of a request: the decision on the first page, to be signed, then each output with its findings, then how it is decided. */
export function OutputsReport({ view, pictureOf }: { view: OutputsView; pictureOf: PictureOf }) {
  return (
    <main>
      <header>
        <p class="kicker">scrim · outputs to be released · internal, not for release</p>
        <h1>{view.title}</h1>
      </header>
      <ForTheChecker />
      <First view={view} pictureOf={pictureOf} />
      <SignOff />
      <Reproduce view={view} />
      <Details view={view} pictureOf={pictureOf} />
    </main>
  )
}

/** The same inside a page of its own: what the page puts there stands below the answer. */
export function LiveOutputs({
  view,
  pictureOf,
  children,
}: {
  view: OutputsView
  pictureOf: PictureOf
  children: ComponentChildren
}) {
  return (
    <>
      <First view={view} pictureOf={pictureOf}>
        {children}
        <ForTheChecker />
      </First>
      <Details view={view} pictureOf={pictureOf} />
      <Reproduce view={view} />
    </>
  )
}

function ForTheChecker() {
  return (
    <p class="internal">
      <strong>For the checker.</strong> This document has exact numbers of small cells: it stays inside, whatever the
      verdict.
    </p>
  )
}

function Details({ view, pictureOf }: { view: OutputsView; pictureOf: PictureOf }) {
  return (
    <>
      {view.outputs.map((output) => (
        <Output output={output} pictureOf={pictureOf} />
      ))}
      <Risk view={view} pictureOf={pictureOf} />
      <Decisions view={view} />
    </>
  )
}

function First({
  view,
  pictureOf,
  children,
}: {
  view: OutputsView
  pictureOf: PictureOf
  children?: ComponentChildren
}) {
  const { verdict, basis, subject, recommendation, sentence, people, todo } = view
  return (
    <>
      <Answer id="answer" level={verdict} name={basis ?? ''} {...{ recommendation, sentence, people, todo }} />
      {children}
      <section class="first" aria-label="Every output">
        <p class="subject">{subject}</p>
        <Table
          caption="Outputs"
          head={['output', 'verdict', 'alone', 'why', 'records', 'fewest behind a number', 'before']}
          rows={view.outputs.map((one) => [
            <>
              <a href={`#output-${one.id}`}>{one.id}</a>
              <br />
              <span class="grey small">{one.what}</span>
            </>,
            <Verdict level={one.verdict} />,
            <Verdict level={one.alone} />,
            one.why,
            one.records,
            one.least,
            one.change,
          ])}
        />
        {view.unread.length === 0 ? null : (
          <Table
            caption="Not computed again"
            head={['output', 'type', 'verdict', 'why']}
            rows={view.unread.map(([id, type, verdict, reason]) => [id, type, <Verdict level={verdict} />, reason])}
          />
        )}
        {view.thinnest === null ? null : <Picture chart={view.thinnest} pictureOf={pictureOf} />}
        <ViewTable table={view.earlier} />
      </section>
    </>
  )
}

function Output({ output, pictureOf }: { output: OutputView; pictureOf: PictureOf }) {
  const id = `output-${output.id}`
  return (
    <section class="threat" aria-labelledby={id}>
      <h2 id={id}>
        {output.id} <Verdict level={output.verdict} />
      </h2>
      <p>
        {output.what}: {output.why}.
      </p>
      {output.findings.length === 0 ? null : (
        <Table
          caption="What the rules found"
          head={['finding', 'rule', 'outcome']}
          rows={output.findings.map(({ sentence, rule, means, status }) => [
            sentence,
            <>
              {rule}
              <br />
              <span class="grey small">{means}</span>
            </>,
            status,
          ])}
        />
      )}
      <ul class="grey small">
        {output.remarks.map((remark) => (
          <li>{remark}</li>
        ))}
      </ul>
      {output.picture === null ? null : <Picture chart={output.picture} pictureOf={pictureOf} />}
      <details>
        <summary>Its numbers, as they would be printed</summary>
        <ViewTable table={output.values} />
      </details>
    </section>
  )
}

function Risk({ view, pictureOf }: { view: OutputsView; pictureOf: PictureOf }) {
  if (view.risk === null)
    return (
      <section aria-labelledby="risk">
        <h2 id="risk">What do they reveal about people?</h2>
        <p>Not measured: only the rules were asked.</p>
      </section>
    )
  return (
    <section aria-labelledby="risk">
      <h2 id="risk">What do they reveal about people?</h2>
      <p>
        Data were made that reproduce these outputs, from the outputs and public knowledge alone; they were then used to
        guess about people in the data, and about people who are not. {view.risk.sentence}
      </p>
      <Table caption="Risk of all outputs together" head={['what', 'value']} rows={view.risk.facts} />
      {view.risk.pictures.map((chart) => (
        <Picture chart={chart} pictureOf={pictureOf} />
      ))}
    </section>
  )
}

function Decisions({ view }: { view: OutputsView }) {
  return (
    <section aria-labelledby="decisions">
      <h2 id="decisions">How is it decided?</h2>
      <ViewTable table={view.decisions} />
      <ViewTable table={view.limits} />
      <p class="grey">
        The rules look at cells and contributors, not at what else somebody knows. Three outputs of which each two are
        safe can still identify somebody together; bounds over joint tables and the measured risk look for that, and
        prove nothing.
      </p>
    </section>
  )
}

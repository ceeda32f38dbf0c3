import { type DocumentView, type ReleaseDocument, utilityTable } from '@scrim/core'
import type { ComponentChildren } from 'preact'
import { Evidence, Explained, MeasureTablesSection, Methods, Reproduce, SignOff } from './appendix.js'
import type { PictureOf } from './document.js'
import { FirstScreen } from './first-screen.js'
import { InternalBanner } from './internal.js'
import { Notes, Verdict, ViewTable } from './parts.js'
import { ThreatSection } from './threat.js'
import { UtilitySection } from './utility.js'

/** The whole document: the decision and what it rests on, on a page to be signed; then threat by threat; at the end the method. */
export function Report({ view, pictureOf }: { view: DocumentView; pictureOf: PictureOf }) {
  const isOne = view.releases.length === 1
  const signed = (
    <>
      <SignOff />
      <Reproduce view={{ ...view, notes: [] }} />
    </>
  )
  return (
    <main class={isOne ? '' : 'several'}>
      {view.audience === 'internal' ? <InternalBanner /> : null}
      <header>
        <p class="kicker">
          scrim · disclosure risk{view.audience === 'internal' ? ' · internal, not for publication' : ''}
        </p>
        <h1>{view.title}</h1>
        <Subject view={view} />
      </header>
      {isOne ? null : (
        <>
          <ul class="verdicts">
            {view.releases.map(({ level, name, recommendation }, index) => (
              <li>
                <Verdict level={level} /> <a href={`#release-${index + 1}`}>{name}</a>: {recommendation}
              </li>
            ))}
          </ul>
          {view.together === null ? null : <p>{view.together}</p>}
          {signed}
        </>
      )}
      {view.releases.map((release, index) => (
        <ReleaseSection release={release} index={index} pictureOf={pictureOf} signed={isOne ? signed : null} />
      ))}
      <Appendix view={view} releases={view.releases} />
    </main>
  )
}

/** One release of several inside a page of its own: the answer comes first, then what the page puts below it. */
export function LiveReport({
  view,
  release,
  pictureOf,
  below,
  children,
}: {
  view: DocumentView
  release: number
  pictureOf: PictureOf
  below: ComponentChildren
  /** What stands between the answer and how it was measured. */
  children?: ComponentChildren
}) {
  const shown = view.releases[release]
  if (shown === undefined) return null
  return (
    <>
      {view.audience === 'internal' ? <InternalBanner /> : null}
      <ReleaseSection release={shown} index={release} pictureOf={pictureOf} below={below} />
      {children}
      <Appendix view={view} releases={[shown]}>
        <Subject view={view} />
        <Reproduce view={{ ...view, notes: [] }} />
      </Appendix>
    </>
  )
}

function Subject({ view: { subject, labels } }: { view: DocumentView }) {
  return (
    <>
      <p class="subject">{subject}</p>
      {labels.length === 0 ? null : <p class="subject">{labels.join(' · ')}</p>}
    </>
  )
}

function ReleaseSection({
  release,
  index,
  pictureOf,
  signed,
  below,
}: {
  release: ReleaseDocument
  index: number
  pictureOf: PictureOf
  /** Ends the first page. */
  signed?: ComponentChildren
  below?: ComponentChildren
}) {
  const id = `release-${index + 1}`
  return (
    <article aria-labelledby={id}>
      <FirstScreen release={release} id={id} pictureOf={pictureOf}>
        {below}
      </FirstScreen>
      {signed}
      <div class="threats">
        <Explained />
        {release.threats.map((threat, k) => (
          <ThreatSection threat={threat} id={`${id}-threat-${k + 1}`} of={id} pictureOf={pictureOf} />
        ))}
      </div>
      {release.utility === null ? null : (
        <UtilitySection
          utility={release.utility}
          pictures={release.utilityPictures}
          id={`${id}-utility`}
          of={id}
          pictureOf={pictureOf}
        />
      )}
    </article>
  )
}

/** How it was measured, and everything else that was: for who wants to check. */
function Appendix({
  view,
  releases,
  children,
}: {
  view: DocumentView
  releases: readonly ReleaseDocument[]
  children?: ComponentChildren
}) {
  const deciding = new Set(releases.flatMap(({ threats }) => threats.map(({ decidedBy }) => decidedBy)))
  const several = releases.length > 1
  return (
    <section class="appendix" aria-labelledby="appendix">
      <h2 id="appendix">Appendix: how it was measured</h2>
      <Methods methods={view.methods} isShown={({ title }) => deciding.has(title)} />
      {releases.map(({ name, structure, evidence, tables, utility }) => (
        <>
          {structure === null ? null : (
            <details>
              <summary>Structure of the file{several ? `: ${name}` : ''}</summary>
              <p>Facts about the file beside the same fact of the original. They are context and decide nothing.</p>
              <ViewTable table={structure} />
            </details>
          )}
          <Evidence table={evidence} of={several ? name : null} />
          {utility === null ? null : (
            <details>
              <summary>Every measure of utility{several ? `: ${name}` : ''}</summary>
              <ViewTable table={utilityTable(utility)} />
            </details>
          )}
          <MeasureTablesSection tables={tables} of={several ? name : null} />
        </>
      ))}
      <Notes notes={view.notes} />
      {children}
    </section>
  )
}

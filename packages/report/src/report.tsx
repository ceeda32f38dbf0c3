import type { DocumentView, ReleaseDocument } from '@scrim/core'
import type { ComponentChildren } from 'preact'
import { Evidence, MeasureTablesSection, Methods, Reproduce, SignOff } from './appendix.js'
import type { PictureOf } from './document.js'
import { FirstScreen } from './first-screen.js'
import { InternalBanner } from './internal.js'
import { ViewTable } from './parts.js'
import { ThreatSection } from './threat.js'
import { UtilitySection } from './utility.js'

/** The whole document: for each release the answer on one screen, then what it rests on; at the end how to check it. */
export function Report({ view, pictureOf }: { view: DocumentView; pictureOf: PictureOf }) {
  return (
    <main>
      <ReportBody view={view} pictureOf={pictureOf} />
    </main>
  )
}

/** The same inside a page of its own, where `only` may be one release among several. */
export function ReportBody({
  view,
  pictureOf,
  only,
  children,
}: {
  view: DocumentView
  pictureOf: PictureOf
  only?: number
  /** What stands between the answer and how it was measured. */
  children?: ComponentChildren
}) {
  return (
    <>
      {view.audience === 'internal' ? <InternalBanner /> : null}
      <header>
        <p class="kicker">
          scrim · disclosure risk{view.audience === 'internal' ? ' · internal, not for publication' : ''}
        </p>
        <h1>{view.title}</h1>
        <p class="subject">{view.subject}</p>
        {view.labels.length === 0 ? null : <p class="subject">{view.labels.join(' · ')}</p>}
        {view.together === null ? null : <p>{view.together}</p>}
      </header>
      {view.releases.map((release, index) =>
        only === undefined || only === index ? (
          <ReleaseSection release={release} view={view} index={index} pictureOf={pictureOf} />
        ) : null,
      )}
      {children}
      <Methods methods={view.methods} />
      <Reproduce view={view} />
      <SignOff />
    </>
  )
}

function ReleaseSection({
  release,
  view,
  index,
  pictureOf,
}: {
  release: ReleaseDocument
  view: DocumentView
  index: number
  pictureOf: PictureOf
}) {
  const id = `release-${index + 1}`
  return (
    <article aria-labelledby={id}>
      <FirstScreen release={release} index={index} id={id} view={view} pictureOf={pictureOf} />
      {release.threats.map((threat, k) => (
        <ThreatSection threat={threat} id={`${id}-threat-${k + 1}`} of={id} pictureOf={pictureOf} />
      ))}
      {release.utility === null ? null : <UtilitySection utility={release.utility} id={`${id}-utility`} of={id} />}
      {release.structure === null ? null : (
        <section aria-labelledby={`${id}-structure ${id}`}>
          <h3 id={`${id}-structure`}>What does the file look like?</h3>
          <p>Facts about the file beside the same fact of the original. They are context and decide nothing.</p>
          <ViewTable table={release.structure} />
        </section>
      )}
      <Evidence table={release.evidence} id={`${id}-evidence`} of={id} />
      <MeasureTablesSection tables={release.tables} id={`${id}-tables`} of={id} />
    </article>
  )
}

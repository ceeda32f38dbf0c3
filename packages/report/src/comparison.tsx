import { type ComparisonView, INTERVAL_LEVEL, percent, type QuestionedPicture } from '@scrim/core'
import { Methods, Reproduce, SignOff } from './appendix.js'
import type { PictureOf } from './document.js'
import { InternalBanner } from './internal.js'
import { Picture, Table, Verdict, ViewTable } from './parts.js'

/** Several candidates on one map: the answer and the map on the first screen, then the displays, then how to check it. */
export function ComparisonReport({ view, pictureOf }: { view: ComparisonView; pictureOf: PictureOf }) {
  return (
    <main>
      <header>
        <p class="kicker">
          scrim · risk and utility{view.audience === 'internal' ? ' · internal, not for publication' : ''}
        </p>
        <h1>{view.title}</h1>
        <p class="subject">{view.subject}</p>
      </header>
      {view.exposed.length === 0 ? null : <InternalBanner />}
      <First view={view} pictureOf={pictureOf} />
      <div class="pictures">
        {view.pictures.map((picture) => (
          <Display picture={picture} pictureOf={pictureOf} />
        ))}
      </div>
      {view.notDrawn.length === 0 ? null : <p class="grey small">Not drawn: {view.notDrawn.join('; ')}.</p>}
      <Agreement view={view} />
      {view.drivers === null ? null : (
        <section aria-labelledby="drivers">
          <h2 id="drivers">Who drives it?</h2>
          <ViewTable table={view.drivers} />
        </section>
      )}
      {view.exposed.map(({ candidate, table }, k) => (
        <section aria-labelledby={`exposed-${k + 1}`}>
          <h2 id={`exposed-${k + 1}`}>Who is exposed most by {candidate}?</h2>
          <ViewTable table={table} />
        </section>
      ))}
      <Every view={view} />
      <Methods methods={view.methods} isShown={({ role }) => role === 'decides'}>
        <p>
          Risk is the largest leakage over the threats, cut off at 0 and 100&nbsp;%: no threat makes up for another.
          Utility is the smaller of two means of places, of relations and of single columns. Intervals and dominance
          rest on draws over key cells of the original, the same for every candidate, and on leaving out groups of
          original and released rows. Every candidate is assessed alone, so that a further one changes no number but who
          is on the front.
        </p>
      </Methods>
      <Reproduce view={view} />
      <SignOff />
    </main>
  )
}

function First({ view, pictureOf }: { view: ComparisonView; pictureOf: PictureOf }) {
  return (
    <section class="first" aria-labelledby="answer">
      <h2 id="answer">Which of them may be released, and which is worth having?</h2>
      <div class="columns">
        <div>
          {view.headline.map((sentence, k) => (
            <p class={k === 0 ? 'recommendation' : ''}>{sentence}</p>
          ))}
          <NotTested view={view} />
          <p class="grey small">
            {view.run
              .slice(0, 2)
              .map(([name, value]) => `${name} ${value}`)
              .join(' · ')}{' '}
            · files and their SHA-256 at the end
          </p>
        </div>
        <div>
          {view.map === null ? (
            <p>No candidate can be placed on the map: its risk or its utility is not known.</p>
          ) : (
            <Picture chart={view.map} pictureOf={pictureOf} />
          )}
        </div>
      </div>
      <Table
        caption={`Candidates, with ${percent(INTERVAL_LEVEL, 0)} intervals`}
        head={['candidate', 'answer', 'leakage', 'utility', 'on the front?', 'dominated']}
        rows={view.candidates.map((row) => [
          row.name,
          <Verdict level={row.level} />,
          <>
            {row.leakage} <span class="grey">({row.leakageBounds})</span>
            <br />
            <span class="grey small">{row.threat}</span>
          </>,
          <>
            {row.utility} <span class="grey">({row.utilityBounds})</span>
          </>,
          row.front,
          <>
            {row.dominated}
            <br />
            <span class="grey small">on the front over every measure at once: {row.inEveryMeasure}</span>
          </>,
        ])}
      />
      <ViewTable table={view.anchorTable} />
    </section>
  )
}

function NotTested({ view }: { view: ComparisonView }) {
  if (view.untested.length === 0) return null
  return (
    <>
      <h3>What was not tested?</h3>
      <ul>
        {view.untested.map(({ threats, reason, of }) => (
          <li>
            {threats}
            {of === null ? '' : ` (${of})`}: <span class="grey">{reason}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function Display({ picture, pictureOf }: { picture: QuestionedPicture; pictureOf: PictureOf }) {
  return (
    <section class={picture.wide ? 'display wide large' : 'display'} aria-labelledby={`display-${picture.chart.name}`}>
      <h2 id={`display-${picture.chart.name}`}>{picture.question}</h2>
      <p class="grey">{picture.reading}</p>
      <Picture chart={picture.chart} pictureOf={pictureOf} />
    </section>
  )
}

function Agreement({ view }: { view: ComparisonView }) {
  return (
    <section aria-labelledby="agreement">
      <h2 id="agreement">Do the measures say the same?</h2>
      {view.agreement === null ? null : (
        <>
          <p>Over people: whether two threats reveal more about the same persons (1) or about others (−1).</p>
          <ViewTable table={view.agreement} />
        </>
      )}
      <p>{view.overCandidates}</p>
    </section>
  )
}

function Every({ view }: { view: ComparisonView }) {
  return (
    <section aria-labelledby="every">
      <h2 id="every">What does every measure say, beside its controls?</h2>
      <p>
        Nothing: independent marginals, or a file that keeps nothing. Fair: other people, or an honest sample.
        Everything: the original itself. Place: leakage for a threat, place between nothing and fair for utility; its
        status is a test of whether the file could be such a sample.
      </p>
      {view.every.map((table) => (
        <ViewTable table={table} />
      ))}
    </section>
  )
}

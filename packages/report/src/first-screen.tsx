import type { DocumentView, ReleaseDocument } from '@scrim/core'
import type { PictureOf } from './document.js'
import { Picture, Verdict } from './parts.js'

/** What somebody reads who reads nothing else. */
export function FirstScreen({
  release,
  index,
  id,
  view,
  pictureOf,
}: {
  release: ReleaseDocument
  index: number
  id: string
  view: DocumentView
  pictureOf: PictureOf
}) {
  const file = view.files.filter(({ role }) => role === 'release')[index]
  return (
    <section class="first" aria-labelledby={id}>
      <h2 id={id}>
        <Verdict level={release.level} /> {release.name}
      </h2>
      <p class="recommendation">{release.recommendation}</p>
      <p class="sentence">{release.sentence}</p>
      <div class="columns">
        <div>
          {release.worst.length === 0 ? null : (
            <>
              <h3>What is worst, and what helps?</h3>
              <ol>
                {release.worst.map(({ text, remedy }) => (
                  <li>
                    {text}. <span class="remedy">{remedy}.</span>
                  </li>
                ))}
              </ol>
            </>
          )}
          <h3>What was not tested?</h3>
          {release.untested.length === 0 ? (
            <p>Every threat that applies was tested. No verdict claims formal privacy.</p>
          ) : (
            <ul>
              {release.untested.map(({ question, reason }) => (
                <li>
                  {question} <span class="grey">{reason}</span>
                </li>
              ))}
            </ul>
          )}
          <p class="grey small">
            {view.run
              .slice(0, 2)
              .map(([name, value]) => `${name} ${value}`)
              .join(' · ')}
            {file === undefined ? '' : ` · SHA-256 of ${file.name}: `}
            {file === undefined ? null : <code>{file.sha256}</code>}
          </p>
        </div>
        <div>
          {release.map === null ? null : <Picture chart={release.map} pictureOf={pictureOf} />}
          {release.map === null && release.overview !== null ? (
            <Picture chart={release.overview} pictureOf={pictureOf} />
          ) : null}
        </div>
      </div>
      {release.map === null || release.overview === null ? null : (
        <Picture chart={release.overview} pictureOf={pictureOf} />
      )}
    </section>
  )
}

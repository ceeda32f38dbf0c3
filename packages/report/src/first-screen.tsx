import type { ReleaseDocument } from '@scrim/core'
import type { ComponentChildren } from 'preact'
import type { PictureOf } from './document.js'
import { levelClass, Picture } from './parts.js'

/** The answer: how bad, in a sentence, who is concerned and what to do. Nothing on the page is stronger. */
export function Answer({
  id,
  level,
  name,
  recommendation,
  sentence,
  people,
  todo,
}: {
  id: string
  level: string
  name: string
  recommendation: string
  sentence: string
  people: string | null
  todo: string | null
}) {
  return (
    <section class={`answer ${levelClass(level)}`} aria-labelledby={id}>
      <h2 id={id}>
        <span class="level">{level}</span> <span class="name">{name}</span>
      </h2>
      <p class="recommendation">{recommendation}</p>
      <div class="because">
        <p class="sentence">{sentence}</p>
        <dl>
          {people === null ? null : (
            <>
              <dt>People concerned</dt>
              <dd>{people}</dd>
            </>
          )}
          {todo === null ? null : (
            <>
              <dt>What to do</dt>
              <dd>{todo}.</dd>
            </>
          )}
        </dl>
      </div>
    </section>
  )
}

/** What somebody reads who reads nothing else: the answer, the worst findings, what was not tested. */
export function FirstScreen({
  release,
  id,
  pictureOf,
  children,
}: {
  release: ReleaseDocument
  id: string
  pictureOf: PictureOf
  /** What stands right below the answer. */
  children?: ComponentChildren
}) {
  const { level, name, recommendation, sentence, worst, threats } = release
  const todo = worst.at(0)?.remedy ?? threats.find(({ settles }) => settles !== null)?.settles
  return (
    <>
      <Answer
        {...{ id, level, name, recommendation, sentence }}
        people={worst.length === 0 ? null : (threats[0]?.people ?? null)}
        todo={todo ?? null}
      />
      {children}
      <section class="first" aria-label={`Findings, ${release.name}`}>
        <div class={release.overview === null ? '' : 'columns'}>
          <div>
            <Findings release={release} />
            <NotTested release={release} />
          </div>
          {release.overview === null ? null : <Picture chart={release.overview} pictureOf={pictureOf} />}
        </div>
      </section>
    </>
  )
}

function Findings({ release: { worst } }: { release: ReleaseDocument }) {
  if (worst.length === 0) return null
  return (
    <>
      <h3>Findings</h3>
      <ol>
        {worst.map(({ text, remedy }) => (
          <li>
            {text}. <span class="remedy">{remedy}.</span>
          </li>
        ))}
      </ol>
    </>
  )
}

function NotTested({ release: { untested } }: { release: ReleaseDocument }) {
  const reasons = [...new Set(untested.map(({ reason }) => reason))]
  return (
    <>
      <h3>Not tested</h3>
      {untested.length === 0 ? (
        <p>Every threat that applies was tested. No verdict is a formal privacy guarantee.</p>
      ) : (
        <ul>
          {reasons.map((reason) => (
            <li>
              {untested
                .filter((threat) => threat.reason === reason)
                .map(({ question }) => question)
                .join(' ')}{' '}
              <span class="grey">{reason}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

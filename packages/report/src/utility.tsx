import type { PictureGroup, UtilityView } from '@scrim/core'
import type { PictureOf } from './document.js'
import { Picture, Verdict } from './parts.js'

/** What the release is good for, beside what an honest sample of the original would be: in words, then in pictures. */
export function UtilitySection({
  utility,
  pictures,
  id,
  of,
  pictureOf,
}: {
  utility: UtilityView
  pictures: readonly PictureGroup[]
  id: string
  of: string
  pictureOf: PictureOf
}) {
  const { level, score, relations, columns, samples, sentence } = utility
  return (
    <section class="utility" aria-labelledby={`${id} ${of}`}>
      <h3 id={id}>How useful is it?</h3>
      <p>
        <Verdict level={level} /> {sentence.slice(0, 1).toUpperCase()}
        {sentence.slice(1)}.
      </p>
      <p>
        Score {score} <span class="grey">(100 %: as good as an honest sample of the original, 0 %: keeps nothing)</span>
        : relations {relations}, single columns {columns}.
        {samples === null ? '' : ` As far off as a random sample of ${samples} of the original.`}
      </p>
      {pictures.map(({ title, about, charts }) => (
        <>
          <h4>{title}</h4>
          <p class="grey small">{about}</p>
          <div class={charts.length > 2 ? 'multiples' : 'pictures'}>
            {charts.map((chart) => (
              <Picture chart={chart} pictureOf={pictureOf} />
            ))}
          </div>
        </>
      ))}
    </section>
  )
}

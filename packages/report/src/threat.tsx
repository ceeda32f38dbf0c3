import { BOUND_LEVEL, percent, type ThreatDocument } from '@scrim/core'
import type { PictureOf } from './document.js'
import { ExposedTable } from './internal.js'
import { Picture, Verdict, ViewTable } from './parts.js'
import { Term } from './term.js'

/** One threat as the question that a custodian asks, with its answer and everything that the answer rests on. */
export function ThreatSection({
  threat,
  id,
  of,
  pictureOf,
}: {
  threat: ThreatDocument
  id: string
  /** The heading of the release: sections of several releases have the same questions. */
  of: string
  pictureOf: PictureOf
}) {
  return (
    <section class="threat" aria-labelledby={`${id} ${of}`}>
      <h3 id={id}>{threat.question}</h3>
      <p>
        <Verdict level={threat.level} /> {threat.answer}
      </p>
      <dl>
        <dt>
          <Term of="attacker">Attacker</Term>
        </dt>
        <dd>{threat.attacker}</dd>
        <dt>
          <Term of="leakage">Leakage</Term>
        </dt>
        <dd>
          {threat.leakage}{' '}
          <span class="grey">
            ({threat.bounds}, one-sided {percent(BOUND_LEVEL, 0)}{' '}
            <span class="whole">
              <Term of="bounds">bounds</Term>)
            </span>
            {threat.remark === null ? '' : `; ${threat.remark}`}
          </span>
        </dd>
        <dt>
          <Term of={threat.decidedBy}>{threat.decidedBy}</Term>
        </dt>
        <dd>
          {threat.look === null ? '' : `${threat.look}: `}
          {threat.scale.map(({ what, value, isRelease }, k) => (
            <span class={isRelease ? '' : 'grey'}>
              {k === 0 ? '' : ' · '}
              {what} {value}
            </span>
          ))}
        </dd>
        {threat.settles === null ? null : (
          <>
            <dt>What would settle it</dt>
            <dd>{threat.settles}</dd>
          </>
        )}
        {threat.remedy === null ? null : (
          <>
            <dt>What helps</dt>
            <dd>{threat.remedy}</dd>
          </>
        )}
        {threat.supports.length === 0 ? null : (
          <>
            <dt>Supported by</dt>
            <dd>
              {threat.supports.map((measure, k) => (
                <>
                  {k === 0 ? '' : ', '}
                  <Term of={measure}>{measure}</Term>
                </>
              ))}
            </dd>
          </>
        )}
        {threat.contradicts.map(({ measures, why }) => (
          <>
            <dt>Contradicted by</dt>
            <dd>
              {measures}
              {why === null ? '' : <span class="grey"> ({why})</span>}
            </dd>
          </>
        ))}
      </dl>
      <ViewTable table={threat.columns} />
      <ViewTable table={threat.drivers} />
      {threat.exposed === null ? null : <ExposedTable exposed={threat.exposed} />}
      <ViewTable table={threat.structure} />
      <div class={threat.pictures.length > 1 ? 'pictures' : ''}>
        {threat.pictures.map((chart) => (
          <Picture chart={chart} pictureOf={pictureOf} />
        ))}
      </div>
    </section>
  )
}

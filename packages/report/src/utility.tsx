import { type UtilityView, utilityTable } from '@scrim/core'
import { Verdict, ViewTable } from './parts.js'

/** What the release is good for, beside what an honest sample of the original would be. */
export function UtilitySection({ utility, id, of }: { utility: UtilityView; id: string; of: string }) {
  const { level, score, relations, columns, samples, sentence, worstColumns, worstPairs } = utility
  return (
    <section class="threat" aria-labelledby={`${id} ${of}`}>
      <h3 id={id}>How useful is it?</h3>
      <p>
        <Verdict level={level} /> {sentence.slice(0, 1).toUpperCase()}
        {sentence.slice(1)}.
      </p>
      <dl>
        <dt>Score</dt>
        <dd>
          {score}{' '}
          <span class="grey">
            (relations {relations}, single columns {columns}; 100 %: an honest sample)
          </span>
        </dd>
        {samples === null ? null : (
          <>
            <dt>As good as</dt>
            <dd>a random subsample of {samples}</dd>
          </>
        )}
        {worstColumns.length === 0 ? null : (
          <>
            <dt>Worst columns</dt>
            <dd>
              {worstColumns.join(', ')} <span class="grey">(1: what chance gives)</span>
            </dd>
          </>
        )}
        {worstPairs.length === 0 ? null : (
          <>
            <dt>Worst pairs</dt>
            <dd>
              {worstPairs.join(', ')} <span class="grey">(1: what chance gives)</span>
            </dd>
          </>
        )}
      </dl>
      <ViewTable table={utilityTable(utility)} />
    </section>
  )
}

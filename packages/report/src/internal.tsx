import { type ExposedRecords, grouped, INTERNAL_BANNER } from '@scrim/core'
import { Table } from './parts.js'

/** Nobody may take a document with people in it for one that can be handed on. */
export function InternalBanner() {
  return (
    <p class="internal" role="note">
      <strong>{INTERNAL_BANNER}</strong>
    </p>
  )
}

/** The people about whom a threat reveals most, one by one. */
export function ExposedTable({ exposed }: { exposed: ExposedRecords }) {
  const { head, rows, meanings, people } = exposed
  return (
    <>
      <Table caption={`The ${rows.length} most exposed of ${grouped(people)} records`} head={head} rows={rows} />
      <p class="grey small">{meanings.join('; ')}</p>
    </>
  )
}

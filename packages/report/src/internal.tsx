import { type ExposedRecords, INTERNAL_BANNER } from '@scrim/core'
import { ViewTable } from './parts.js'

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
  return (
    <>
      <ViewTable table={exposed.table} />
      <p class="grey small">{exposed.meanings.join('; ')}</p>
    </>
  )
}

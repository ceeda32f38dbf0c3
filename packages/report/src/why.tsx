import type { ThreatDocument } from '@scrim/core'
import { Table } from './parts.js'

/** What a finding rests on: the columns that carry the leakage, and the groups of people about whom most is revealed. */
export function WhySection({ threat: { columns, drivers } }: { threat: ThreatDocument }) {
  return (
    <>
      {columns.length === 0 ? null : (
        <Table
          caption="Which columns carry it: leakage that is gone without the column"
          head={['column', 'points', 'bounds']}
          rows={columns.map(({ column, share, bounds }) => [column, share, bounds])}
        />
      )}
      {drivers.length === 0 ? null : (
        <Table
          caption="Who drives it: what is added about each of them"
          head={['group', 'people', 'each', 'bounds', 'over all']}
          rows={drivers.map(({ group, people, mean, bounds, overall }) => [group, people, mean, bounds, overall])}
        />
      )}
    </>
  )
}

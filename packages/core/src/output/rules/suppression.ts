import type { Table } from '../../table/table.js'
import { type Cell, cellName, type Output, type TableOutput } from '../description/description.js'
import { crossed, isListed, isWithin, subsets } from '../numbers/crossed.js'
import { recordsOf } from '../numbers/records.js'
import { type Finding, finding, people } from './finding.js'

/**
 * Suppressed cells that a reader can calculate: a printed sum over some cells less all of them but one. Sums are the totals of the table, the
 * 100 % that percentages add up to,
 * and any other table of counts of the same records whose variables this one has. A cell that is found makes others findable, so it goes
 * on until nothing is found (all that elimination of one unknown at a time gives; systems of several unknowns are not solved).
 */
export function recoverableCells(output: TableOutput, others: readonly Output[], data: Table): Finding[] {
  if (output.suppressed.length === 0 || !ADDITIVE.includes(output.statistic)) return []
  const rows = recordsOf(output, data, output.by)
  const cells = crossed(output.by, data, rows)
  const hidden = new Set(
    cells.filter(({ cell }) => isListed(cell, output.suppressed)).map(({ cell }) => cellName(output.by, cell)),
  )
  const sums = printedSums(output, others)
  const findings: Finding[] = []
  for (let isNew = true; isNew; ) {
    isNew = false
    for (const { by, isHidden, source } of sums) {
      for (const line of crossed(by, data, rows)) {
        if (isHidden(line.cell)) continue
        const inside = cells.filter(({ cell }) => isWithin(cell, line.cell) && hidden.has(cellName(output.by, cell)))
        if (inside.length !== 1) continue
        const [recovered] = inside
        const name = cellName(output.by, recovered.cell)
        hidden.delete(name)
        isNew = true
        const records = recovered.rows.length
        const from = `${cellName(by, line.cell)}${source === output.id ? '' : ` of "${source}"`}`
        const sentence = `${name} is suppressed, but is ${from} less the cells that are printed: ${people(records)}`
        findings.push({
          ...finding('suppression', 'refuse', output.id, name, sentence, records),
          others: source === output.id ? [] : [source],
        })
      }
    }
  }
  return findings
}

/** Statistics of which a total is the sum of its cells. */
const ADDITIVE: readonly string[] = ['count', 'percentage', 'sum']

interface PrintedSums {
  readonly by: readonly string[]
  readonly source: string
  readonly isHidden: (cell: Cell) => boolean
}

function printedSums(output: TableOutput, others: readonly Output[]): PrintedSums[] {
  const proper = subsets(output.by).filter((by) => by.length < output.by.length)
  const margins = output.totals ? proper.map((by) => ({ by, source: output.id, suppressed: output.suppressed })) : []
  const whole =
    output.statistic === 'percentage'
      ? [{ by: output.within, source: output.id, suppressed: [] as readonly Cell[] }]
      : []
  const elsewhere = others.flatMap((other) => {
    if (output.statistic === 'sum') return []
    if (other.filter !== output.filter || other.weights !== null || other.id === output.id) return []
    if (other.kind !== 'table' || other.statistic !== 'count' || other.rounding !== undefined) return []
    if (!other.by.every((name) => output.by.includes(name))) return []
    return [{ by: other.by, source: other.id, suppressed: other.suppressed }]
  })
  return [...margins, ...whole, ...elsewhere].map(({ by, source, suppressed }) => ({
    by,
    source,
    isHidden: (cell) => isListed(cell, suppressed),
  }))
}

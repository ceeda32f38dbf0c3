import { leastOf, nothingFound } from '../neighbors/scan/least.js'
import { listsOf, type RecordQuestion, recordCoder, recordScan } from '../neighbors/scan/record-scan.js'

/** Looks at records part after part, from one of the rows named to before the next; each knows what was found before it. */
export function scanInParts(
  question: RecordQuestion,
  records: readonly (readonly unknown[])[],
  ends: readonly number[] = [records[0].length],
) {
  const [code, scan, lists] = [recordCoder(question), recordScan(question), listsOf(question)]
  let least = nothingFound(lists)
  const named: number[] = []
  const equal: Float64Array[] = []
  for (const [part, end] of ends.entries()) {
    const from = part === 0 ? 0 : ends[part - 1]
    const columns = records.map((column) => column.slice(from, end))
    const found = scan(code([{ rows: end - from, columns }]), least)
    least = leastOf(lists, [least, found.least])
    named.push(...Array.from(found.rows, (row) => from + row))
    equal.push(found.equal)
  }
  return { named, least, equal: Array.from(equal[0], (_, k) => equal.reduce((sum, part) => sum + part[k], 0)) }
}

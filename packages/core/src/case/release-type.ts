import type { Release, ReleaseType } from '../table/release.js'
import { columnOf, type Table } from '../table/table.js'
import type { TypeQuestion } from './questions.js'

/** How the release was made, with what is to be said about that; and the question, where nobody and nothing tells. */
export interface DecidedType {
  readonly type: ReleaseType
  readonly remark: string | null
  readonly question: TypeQuestion | null
}

const ASSUMED =
  'taken for perturbed (row i derives from row i of the original), because most rows are like the row in the same place; the type synthetic says otherwise'

const LOOKS_PERTURBED =
  'most rows of the release agree with the row of the original in the same place; if they derive from it, the type of the release is perturbed'

/** The type that was said; else perturbed where the rows correspond; else it is not known and may be asked for. */
export function decideType(release: Release, said: ReleaseType | undefined): DecidedType {
  const answers = ['synthetic', 'perturbed', 'unknown'] as const
  const question = { kind: 'release-type', id: 'type', answers, answer: said ?? null } as const
  if (said !== undefined && said !== 'unknown') return { type: said, remark: null, question }
  const isAlike = looksPerturbed(release)
  if (said === 'unknown') return { type: said, remark: isAlike ? LOOKS_PERTURBED : null, question }
  return isAlike ? { type: 'perturbed', remark: ASSUMED, question: null } : { type: 'unknown', remark: null, question }
}

/**
 * Whether row i of each release seems to derive from row i of the original: they have as many rows, and more than half of
 * the rows agree with the row in the same place on more than half of the columns, at least twice as many as agree with
 * the row halfway round the file, which is somebody else.
 */
function looksPerturbed({
  original,
  released,
  variables,
}: Pick<Release, 'original' | 'released' | 'variables'>): boolean {
  return (
    variables.length >= 2 &&
    released.every((file) => {
      if (file.rows !== original.rows) return false
      const inPlace = alikeRows(original, file, variables, 0)
      return 2 * inPlace > original.rows && inPlace >= 2 * alikeRows(original, file, variables, original.rows >> 1)
    })
  )
}

/** Rows that agree on more than half of the columns with the row `shift` places further in the release. */
function alikeRows(original: Table, released: Table, variables: readonly string[], shift: number): number {
  const { rows } = original
  const agreements = new Int32Array(rows)
  for (const name of variables) {
    const a = columnOf(original, name)
    const b = columnOf(released, name)
    const left = a.kind === 'categorical' ? a.codes : a.values
    const right = b.kind === 'categorical' ? b.codes : b.values
    for (let row = 0; row < rows; row++) if (Object.is(left[row], right[(row + shift) % rows])) agreements[row]++
  }
  return agreements.reduce((alike, agreed) => alike + (2 * agreed > variables.length ? 1 : 0), 0)
}

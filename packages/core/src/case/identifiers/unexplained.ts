import { columnNames, findColumn, type Table } from '../../table/table.js'
import { hasOneSkeleton, nearestInRow, type Texts, textsOf } from '../matching/texts.js'
import { digestIn } from './carried-identifiers.js'

/** Free text has so many words on average; names and addresses have fewer. */
const WORDS_OF_FREE_TEXT = 6
const FEWEST_VALUES = 20
/** So many records have a text of their own. */
const MOSTLY = 0.5

/**
 * Columns of a release in which anything about people could be hidden, and nothing shows what is: free text; digests, however often
 * one is repeated, where the original has none; texts of their own that only the release has, unless they count the records.
 */
export function unexplainedColumns(original: Table, released: Table): readonly string[] {
  return columnNames(released).filter((name) => {
    const column = findColumn(released, name)
    if (column?.kind !== 'categorical') return false
    const texts = textsOf(column)
    const ours = findColumn(original, name)
    const isDigested = ours?.kind === 'categorical' && digestIn(textsOf(ours)) !== undefined
    if (digestIn(texts) !== undefined) return !isDigested
    const isOwn = texts.levels.length >= MOSTLY * texts.present
    if (!isOwn || texts.levels.length < Math.min(FEWEST_VALUES, released.rows)) return false
    return texts.words >= WORDS_OF_FREE_TEXT || (ours === undefined && !counts(texts))
  })
}

function counts({ levels }: Texts): boolean {
  return hasOneSkeleton(levels) && nearestInRow(levels) >= MOSTLY
}

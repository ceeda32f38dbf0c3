import { type Table, table } from '../../table/table.js'
import { asciiOf } from '../bytes/cursor.js'
import { Damaged } from '../bytes/damage.js'
import { checkNames } from '../csv.js'
import { type LabelledOptions, labelledColumn } from '../labelled.js'
import { allowance } from '../packed/limit.js'
import { readCases } from './cases.js'
import { readDictionary } from './dictionary.js'
import { daysOf, isDateFormat } from './formats.js'

/** Put in the place of values that have become a column, so that no file is in memory twice. */
const NOTHING = new Float64Array(0)

/** SPSS system files, .sav and .zsav: docs/decisions/0007-spss-and-stata.md says why scrim reads them itself. */
export function readSpss(
  name: string,
  bytes: Uint8Array,
  options: LabelledOptions & { readonly encoding?: string | undefined },
): Table {
  if (!/^\$FL[23]$/.test(asciiOf(bytes.subarray(0, 4)))) throw new Damaged('it does not begin as an SPSS file does')
  const dictionary = readDictionary(name, bytes, options.encoding)
  const { variables } = dictionary
  checkNames(
    name,
    variables.map((variable) => variable.name),
  )
  const values = readCases(dictionary, bytes, allowance(name, bytes.length, options.maxSize))
  return table(
    name,
    variables.map((variable, k) => {
      const toDays = variable.width === 0 && isDateFormat(variable.format) ? daysOf : undefined
      const column = labelledColumn(name, { ...variable, values: values[k], toDays }, options)
      values[k] = NOTHING
      return column
    }),
  )
}

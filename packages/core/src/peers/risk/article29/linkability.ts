import type { Context, Finding, Subject } from '../../../measure.js'
import { percent } from '../../../print.js'
import { columnSets } from '../../../risk/article29/column-sets.js'
import { atK, type Details, nearest, type Options, linkability as own } from '../../../risk/article29/linkability.js'
import { CURVE_TO } from '../../../risk/article29/links.js'
import { attackFinding, residualSentence } from '../../../risk/article29/residual/attack.js'
import { type Definition, RISKUTILITY, withDefinitions } from '../../definition.js'
import { reversedLinks } from './reversed-links.js'

const riskutility: Definition<typeof own.options, Details> = {
  ...RISKUTILITY,
  differs:
    'from released records to the original and the holdout, with its distance, ties and complete records; for comparison, no assessment',
  compute: linkReleased,
  sentence: ({ details }) =>
    `for ${percent(details.main.rate, 2)} of released records the original nearest on one set of columns is ${nearest(details.k)} on the other; ${residualSentence(details, 2)}`,
}

export const linkability = withDefinitions(own, { riskutility })

/** Nobody is cleared or accused by it: chance links original and holdout records unequally often. */
function linkReleased(subject: Subject, chosen: Options, context: Context): Finding<Details> {
  const { k, attacks } = chosen
  const { release } = subject
  const columns = columnSets(release, chosen)
  // What is not named comes in the order of the file, which rounding takes notice of.
  const inFileOrder = { ...columns, columnsB: release.variables.filter((name) => columns.columnsB.includes(name)) }
  const most = Math.max(CURVE_TO, k)
  const { released, original, holdout } = reversedLinks(context, subject, inFileOrder, most, attacks)
  const curve = Array.from(original, (successes, at) => ({
    main: { successes, attacks: released },
    control: holdout && { successes: holdout[at], attacks: released },
    naive: [],
  }))
  const { details, effect: _, people: __, ...finding } = attackFinding(curve[k - 1], release.original.rows, null)
  return {
    ...finding,
    notAssessed: 'links from released records to the original depend on how many records there are to choose from',
    details: { ...details, definition: 'riskutility', ...columns, k, ties: 'index', curve: curve.map(atK) },
  }
}

// Utility beside synthpop and riskutility, live: runs both as black boxes (utility.R) on one pair of files and compares every figure.
// node scripts/peers/utility.mjs [ORIGINAL RELEASED]; SD2011 from SCRIM_REFERENCE or ../shared/reference when no files are given.
import { contingencyFidelity, crossTable, hellinger, openCase, pmse, tables } from '@scrim/core'
import { beside, filesToCompare, hold, leaveOut, peerFigures, read } from './peer.mjs'

const [original, released] = filesToCompare()
const theirs = peerFigures('utility.R', original, released)
if (theirs.size === 0) leaveOut('neither synthpop nor riskutility is here')

const less = { resamples: 0 }
const built = openCase({}, { original: await read(original), released: await read(released) }).release
const isCategorical = (name) => built.original.columns.find((column) => column.name === name)?.kind === 'categorical'
const categorical = built.variables.filter(isCategorical)

/** What scrim gives for each name that the peers print; a name that is not here is listed as absent. */
const ours = new Map()
for (const order of [1, 2]) {
  const { status, releases } = await pmse
    .run(built, { ...less, order })
    .catch(() => ({ status: 'failed', releases: [] }))
  if (status !== 'ok') continue
  const { synthpop, df } = releases[0].details
  for (const [figure, value] of Object.entries({ ...synthpop, df }))
    ours.set(`synthpop logit ${order} ${figure}`, value)
}
for (const { variables, utility } of (await tables(built, less)).releases[0].details.tables)
  for (const [figure, value] of Object.entries(utility))
    ours.set(`synthpop table ${variables.join(':')} ${figure}`, value)
if (categorical.length > 0)
  ours.set('riskutility hellinger mean', (await hellinger(built, { ...less, definition: 'riskutility' })).value)
if (categorical.length > 1) {
  ours.set(
    'riskutility contingency mean',
    (await contingencyFidelity(built, { ...less, definition: 'riskutility' })).value,
  )
  const { releases } = await crossTable(built, { ...less, variables: categorical.slice(0, 2) })
  for (const [figure, value] of Object.entries(releases[0].details.riskutility))
    ours.set(`riskutility chisq ${figure}`, value)
}

hold(beside(theirs, ours), { tolerance: 1e-6, floor: 1e-12, isPartial: true })

// Scrim beside the tools of Python, live: npm run peers:python -- [definitions] [claims] [metadata] [verdicts] [page], or [synthcity] or [membership] alone. The tools come from PyPI into a
// virtual environment under node_modules, or in SCRIM_PEERS_VENV.
import { leaveOut, linesBy } from './peer.mjs'
import { compareDefinitions } from './python/definitions.mjs'
import { pythonOfPeers } from './python/environment.mjs'
import { compareMembership } from './python/membership.mjs'
import { readMetadata } from './python/metadata.mjs'
import { writePage } from './python/page.mjs'
import { compareSynthcity } from './python/synthcity.mjs'
import { askAll } from './python/verdicts.mjs'

const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
if (asked.includes('synthcity')) {
  await compareSynthcity()
  process.exit()
}
const { python, missing } = pythonOfPeers()
if (python === undefined) leaveOut(missing)
if (asked.includes('membership')) {
  await compareMembership(python)
  process.exit()
}
const PARTS = {
  definitions: compareDefinitions,
  claims: () => {
    for (const [line] of linesBy(python, 'python/claims.py')) console.log(line)
  },
  metadata: readMetadata,
  verdicts: askAll,
  page: writePage,
}
for (const [name, run] of Object.entries(PARTS)) if (asked.length === 0 || asked.includes(name)) await run(python)

// Times scrim, and beside it, in the same run, the peers that are installed (see README.md). Prints ratios.
// node bench/run.mjs [disclosure] [learners] [synthesis] [neighbors] [linkage] [utility] [outputs] [--quick]
import { benchDisclosure } from './disclosure.mjs'
import { benchLearners } from './learners.mjs'
import { benchLinkage } from './linkage.mjs'
import { benchNeighbors } from './neighbors.mjs'
import { benchOutputs } from './outputs.mjs'
import { benchSynthesis } from './synthesis.mjs'
import { benchUtility } from './utility.mjs'

const benches = {
  disclosure: benchDisclosure,
  learners: benchLearners,
  synthesis: benchSynthesis,
  neighbors: benchNeighbors,
  linkage: benchLinkage,
  utility: benchUtility,
  outputs: benchOutputs,
}
const asked = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
console.log(`scrim on Node ${process.version}\n`)
for (const [name, bench] of Object.entries(benches)) if (asked.length === 0 || asked.includes(name)) await bench()

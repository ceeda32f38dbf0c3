// All parts of the benchmark, in the order in which they run.
import { assessRows } from './assess.mjs'
import { disclosureRows } from './disclosure.mjs'
import { engineRows } from './engines.mjs'
import { learnerRows } from './learners.mjs'
import { linkageRows } from './linkage.mjs'
import { neighborRows } from './neighbors.mjs'
import { outputRows } from './outputs.mjs'
import { pythonRows } from './python.mjs'
import { synthesisRows } from './synthesis.mjs'
import { utilityRows } from './utility.mjs'

export const PARTS = {
  assess: assessRows,
  disclosure: disclosureRows,
  learners: learnerRows,
  synthesis: synthesisRows,
  neighbors: neighborRows,
  linkage: linkageRows,
  utility: utilityRows,
  outputs: outputRows,
  python: pythonRows,
  engines: engineRows,
}

import { toCsv } from '@scrim/core'
import { DEMO_KEYS, DEMO_TARGET, demoFiles } from '@scrim/studies'
import type { SampleProject, SourceFile } from './protocol.js'

const PEOPLE = 1000
const SEED = 1

/** Simulated people, released in three ways: nobody has to look for files to see what the page does. */
export async function sampleProject(): Promise<SampleProject> {
  const { original, holdout, perturbed, cart, independent } = await demoFiles(PEOPLE, SEED)
  const file = (name: string, of: typeof original): SourceFile => ({
    id: `sample ${name}`,
    name,
    content: new Blob([toCsv(of)]),
  })
  return {
    original: file('people.csv', original),
    holdout: file('others.csv', holdout),
    releases: [
      file('swapped.csv', perturbed),
      file('synthesised-by-trees.csv', cart),
      file('independent-columns.csv', independent),
    ],
    keys: DEMO_KEYS,
    target: DEMO_TARGET,
  }
}

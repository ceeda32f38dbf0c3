import { LOOKS_PERTURBED, looksPerturbed, type Release, type ReleaseType } from '@scrim/core'
import type { Io } from './io.js'

/** The type of a release as it was given, or as the files show it, or as somebody at a terminal says; with what was assumed. */
export async function typeOf(
  release: Release,
  given: ReleaseType | undefined,
  io: Io,
): Promise<Pick<Release, 'type' | 'warnings'>> {
  const { warnings } = release
  if (given !== undefined) return { type: given, warnings }
  if (looksPerturbed(release)) {
    const rest = warnings.filter((warning) => warning !== LOOKS_PERTURBED)
    return { type: 'perturbed', warnings: [...rest, ASSUMED] }
  }
  const said = (await io.ask?.(QUESTION))?.trim().toLowerCase() ?? ''
  return { type: said.startsWith('s') ? 'synthetic' : said.startsWith('p') ? 'perturbed' : 'unknown', warnings }
}

const ASSUMED =
  'taken for perturbed (row i derives from row i of the original), because most rows are like the row in the same place; --type synthetic says otherwise'

const QUESTION =
  'How was the release made? s: synthetic; p: perturbed, row i derives from row i of the original; Enter: not known (--type says it in the command) '

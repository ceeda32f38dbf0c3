import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

const ANYBODY = 0o777

/**
 * Makes a folder and those above it that are not there. Node's own `recursive` tries without end where the system says of a
 * folder that is there that nothing can be made in it because it is not, as /proc does.
 */
export function makeFolder(path: string, mode = ANYBODY): void {
  if (existsSync(path)) return
  makeFolder(dirname(path), mode)
  try {
    mkdirSync(path, mode)
  } catch (error) {
    // Another run was faster.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'

/**
 * Names of what is there only while a command runs: nobody can guess them, and they tell which process of which machine made
 * them, so that what a killed one left is found.
 */
export function temporaryName(): string {
  return `${PREFIX}${process.pid}-${machine()}-${randomBytes(8).toString('hex')}`
}

const PREFIX = '.scrim-'
const NAME = /^\.scrim-(\d+)-([0-9a-f]{8})-[0-9a-f]{16}$/

/** Removes what dead processes of this user and this machine left in a folder. */
export function removeLeftovers(folder: string): void {
  for (const name of entriesOf(folder)) {
    const parts = NAME.exec(name)
    if (parts === null || parts[2] !== machine() || isRunning(Number(parts[1]))) continue
    try {
      if (lstatSync(join(folder, name)).uid === (process.getuid?.() ?? 0))
        rmSync(join(folder, name), { recursive: true, force: true })
    } catch {
      // Another run was faster, or it cannot be removed; it is in nobody's way.
    }
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Folders may be shared by machines, whose numbers of processes mean nothing here. */
function machine(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

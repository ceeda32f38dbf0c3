import { totalmem } from 'node:os'
import type { Asked } from './options/config.js'

/** What a run may take, in bytes: as much as was said, or what this process has; a container may be given less than its machine has. */
export function allowedMemory({ memory }: Pick<Asked, 'memory'>): number {
  if (memory !== undefined) return memory
  const limit = process.constrainedMemory()
  return limit !== undefined && limit > 0 ? Math.min(totalmem(), limit) : totalmem()
}

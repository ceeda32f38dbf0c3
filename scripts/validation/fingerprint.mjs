// What code gave a number: a hash of the compiled measures and of the scripts that make the data.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export function fingerprint(...scripts) {
  const hash = createHash('sha256')
  const add = (path) => {
    if (/\.(mjs|js|wasm)$/.test(path)) hash.update(readFileSync(path))
    else if (!/\.[a-z]+$/.test(path)) for (const name of readdirSync(path).sort()) add(join(path, name))
  }
  for (const built of ['packages/core/dist', 'packages/kernels/dist']) add(join(root, built))
  for (const script of scripts) add(join(import.meta.dirname, script))
  return hash.digest('hex').slice(0, 12)
}

// Compiles packages/kernels/assembly to WebAssembly, kept as text so that every platform loads it without a file.
// `node scripts/wasm.mjs` writes packages/kernels/src/block-scan-wasm.ts; the tests check that it is up to date.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const GENERATED = join(root, 'packages/kernels/src/block-scan-wasm.ts')

export async function generate() {
  const flags = [
    '--enable',
    'simd',
    '--runtime',
    'stub',
    '--importMemory',
    '--noAssert',
    '-O3',
    '--outFile',
    'out.wasm',
  ]
  const written = new Map()
  const { error, stderr } = await asc.main(['packages/kernels/assembly/block-scan.ts', ...flags, '--baseDir', root], {
    writeFile: (name, contents) => written.set(name, contents),
  })
  if (error) throw new Error(`${error.message}\n${stderr}`)
  const base64 = Buffer.from(written.get('out.wasm')).toString('base64')
  const lines = base64.match(/.{1,110}/g) ?? []
  return `/** Compiled from assembly/block-scan.ts by scripts/wasm.mjs; do not edit. */
export const BLOCK_SCAN_WASM =
  ${lines.map((line) => `'${line}'`).join(' +\n  ')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(GENERATED, await generate())

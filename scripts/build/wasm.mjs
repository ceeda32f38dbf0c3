// Compiles packages/kernels/assembly to WebAssembly, kept as text so that every platform loads it without a file.
// `node scripts/build/wasm.mjs` writes packages/kernels/src/wasm/*.ts; the tests check that they are up to date.
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import asc from 'assemblyscript/asc'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const FLAGS = ['--enable', 'simd', '--runtime', 'stub', '--importMemory', '--noAssert', '-O3', '--outFile', 'out.wasm']

/** Each source in packages/kernels/assembly, by name. */
export const KERNELS = [
  'block-scan',
  'cart-growth',
  'cart-leaves',
  'column-ranks',
  'descent',
  'forest-growth',
  'random-words',
  'similarity-scan',
]

export const generatedFile = (name) => join(root, `packages/kernels/src/wasm/${name}.ts`)

export async function generate(name) {
  const written = new Map()
  const { error, stderr } = await asc.main([`packages/kernels/assembly/${name}.ts`, ...FLAGS, '--baseDir', root], {
    writeFile: (file, contents) => written.set(file, contents),
  })
  if (error) throw new Error(`${error.message}\n${stderr}`)
  const base64 = Buffer.from(written.get('out.wasm')).toString('base64')
  const lines = base64.match(/.{1,110}/g) ?? []
  return `/** Compiled from assembly/${name}.ts by scripts/build/wasm.mjs; do not edit. */
export const ${name.replaceAll('-', '_').toUpperCase()}_WASM =
  ${lines.map((line) => `'${line}'`).join(' +\n  ')}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url))
  for (const name of KERNELS) writeFileSync(generatedFile(name), await generate(name))

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { generate, generatedFile, KERNELS } from './wasm.mjs'

it.each(KERNELS)('the compiled %s is that of its source (node scripts/build/wasm.mjs writes it)', async (name) => {
  expect(readFileSync(generatedFile(name), 'utf8')).toBe(await generate(name))
})

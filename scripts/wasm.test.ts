import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GENERATED, generate } from './wasm.mjs'

it('the compiled kernels are those of their source (node scripts/wasm.mjs writes them)', async () => {
  expect(readFileSync(GENERATED, 'utf8')).toBe(await generate())
})

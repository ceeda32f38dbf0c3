import { expect, it } from 'vitest'
import { packedChecksum } from './reproducible.mjs'
import { billOfMaterials } from './sbom.mjs'

/** Licences that whatever contains them may be passed on under. */
const FREE = /^\(?(MIT|ISC|BSD-[23]-Clause|Apache-2\.0|0BSD|Unlicense|CC0-1\.0)( OR .*)?\)?$/

it('every package in the packed file is listed, with a licence that lets it be there, and no tool is', () => {
  const { components } = billOfMaterials()
  const names = components.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['hyparquet', 'fzstd', 'zod', 'vega', 'd3-array']))
  expect(names).not.toContain('vitest')
  for (const { name, version, hashes, licenses } of components)
    expect([name, version, licenses?.[0].expression, hashes?.length]).toEqual([
      name,
      expect.stringMatching(/^\d/),
      expect.stringMatching(FREE),
      1,
    ])
})

it('packing twice gives the same bytes', { timeout: 120_000 }, () => {
  expect(packedChecksum()).toBe(packedChecksum())
})

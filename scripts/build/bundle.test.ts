import { join, relative, resolve, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, it } from 'vitest'

/** A page that uses one measure loads that measure, not all of scrim: every package says that its modules have no side effects. */
const root = resolve(import.meta.dirname, '../..')
const ENTRY = join(root, 'one-measure.js')
const MOST_BYTES = 60_000

async function bundle(source: string) {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    resolve: { conditions: ['source', 'module', 'browser'] },
    plugins: [
      { name: 'entry', resolveId: (id) => (id === ENTRY ? id : null), load: (id) => (id === ENTRY ? source : null) },
    ],
    build: { write: false, rollupOptions: { input: ENTRY, preserveEntrySignatures: 'strict' } },
  })
  const outputs = (Array.isArray(built) ? built : [built]).flatMap((one) => ('output' in one ? one.output : []))
  const chunks = outputs.flatMap((one) => (one.type === 'chunk' ? [one] : []))
  const used = chunks.flatMap(({ modules }) =>
    Object.entries(modules).filter(([, { renderedLength }]) => renderedLength > 0),
  )
  return {
    bytes: chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0),
    files: used.map(([file]) => relative(root, file).split(sep).join('/')),
  }
}

/** The search comes along with the runner, which asks of every comparison with outsiders whether they are in the release. */
it('k-anonymity alone brings neither learners nor readers nor other measures with it', async () => {
  const { bytes, files } = await bundle("export { kAnonymity } from '@scrim/core'")
  expect(files).toContain('packages/core/src/risk/frequency/k-anonymity.ts')
  expect(files.filter((file) => /core\/src\/(files|learners|synthesizers|attack)\//.test(file))).toEqual([])
  expect(files.filter((file) => /core\/src\/risk\/(?!frequency\/)/.test(file))).toEqual([])
  expect(bytes).toBeLessThan(MOST_BYTES)
})

it('a simulation of a study does not bring the studies with it', async () => {
  const { files } = await bundle("export { simulateHealth } from '@scrim/studies'")
  expect(files.filter((file) => file.startsWith('packages/studies/'))).toEqual(['packages/studies/src/health.ts'])
})
